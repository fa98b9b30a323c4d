"""Heuristic evaluations: features of positions, and the weights fitted to them. This room knows
neither games nor searches."""
