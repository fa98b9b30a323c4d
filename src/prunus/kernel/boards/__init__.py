"""States in machine code, and the long tuples that hold boards."""
