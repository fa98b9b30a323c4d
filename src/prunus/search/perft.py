"""Perft: the number of positions at a given depth, the usual checksum of a move generator."""

from __future__ import annotations

from typing import Any

from prunus.game import Game


def perft(game: Game, state: Any, depth: int, memory: Any) -> int:
    """The number of lines of exactly `depth` plies from a State; a game that ends earlier counts 0."""
    memory.nodes += 1
    if depth == 0:
        return 1
    if game.is_terminal(state):
        return 0
    count = 0
    if depth == 1:
        # The lines that end here are counted without being played.
        for _ in game.actions(state):
            count += 1
        memory.nodes += count
        return count
    for action in game.actions(state):
        count += perft(game, game.result(state, action), depth - 1, memory)
    return count
