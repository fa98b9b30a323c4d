"""States in machine code, and long tuples, which boards are."""
