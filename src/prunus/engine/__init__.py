"""The engine: principal variation search with everything that makes it strong, and its options."""
