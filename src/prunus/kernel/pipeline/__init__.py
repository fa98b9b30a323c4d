"""How Numba goes through a function for Prunus: what it remembers, what it leaves out."""
