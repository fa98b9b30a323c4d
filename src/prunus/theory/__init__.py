"""The theory of alpha-beta: which positions must be examined."""
