"""The engine: principal variation search, everything that makes it strong, and its options."""
