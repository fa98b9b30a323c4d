"""Adversarial search, one algorithm per file. Each is plain Python that runs interpreted, traced
and compiled; none knows Numba or a game.

The parameter names are a contract with the kernel and with tracing: `game`, `state`, `depth` (plies
left), `alpha`, `beta`, `bound`, `memory`. A value returned for a State is always for the player to
move in it.
"""
