"""Heuristic evaluations: features of positions, and the weights that were fitted to them. This room knows no game and no search."""
