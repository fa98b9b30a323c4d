"""Lists, tuples, dictionaries, sets and arrays in machine code."""
