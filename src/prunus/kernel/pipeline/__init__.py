"""How Numba processes a function for Prunus: what it remembers and what it leaves out."""
