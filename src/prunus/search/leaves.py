"""The values at the ends of a search: finished games and the depth limit."""

from __future__ import annotations

from typing import Any, Final

from prunus.game import Game

HASTE: Final = 1 << 16
"""The scale of the option `prefer_faster`: values are multiplied by it, then a win gains and a loss loses one more than the plies left at
its end. Searches with the option may go HASTE / 2 plies deep, so that no distance ever outweighs a difference in value."""


def terminal(game: Game, state: Any, depth: int, memory: Any) -> int:
    """The utility of a finished game with `depth` plies left to the limit."""
    utility = game.utility(state)
    if memory.haste == 0:
        return utility
    bonus = depth + 1 if utility > 0 else -depth - 1 if utility < 0 else 0
    return utility * HASTE + bonus


def horizon(game: Game, state: Any, memory: Any) -> int:
    """The evaluation of a State at the depth limit; such a value is an estimate and proves nothing."""
    memory.evaluated += 1
    return game.evaluate(state) if memory.haste == 0 else game.evaluate(state) * HASTE


def without_haste(value: int) -> int:
    """The value that a scaled one stands for."""
    return (value + HASTE // 2) // HASTE


def shifted(value: int, plies: int, memory: Any) -> int:
    """A value for another limit, so many plies later: what it says of the distance to the end of the game stays the same."""
    if memory.haste == 0:
        return value
    beyond = value - without_haste(value) * HASTE
    return value + plies if beyond > 0 else value - plies if beyond < 0 else value
