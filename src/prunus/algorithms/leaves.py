"""The values at the ends of a search: finished games and the depth limit; and positions that should
have been terminal."""

from __future__ import annotations

from typing import Final, Protocol

from prunus.core.game import INFINITY, Game, S
from prunus.core.memory import StateArray

LONGEST_LINE: Final = 4096
"""The most plies that a search without a depth limit may go; a longer line means that the game has
cycles."""


class DeadEnd(Exception):
    """Raised inside an algorithm for a State that is not terminal and has no action; the State is
    in `memory.stuck`."""


class BeyondScale(Exception):
    """Raised inside an algorithm for a value that is too large for the option `prefer_faster`."""


HASTE: Final = 1 << 16
"""The scale of the option `prefer_faster`: values are multiplied by it; then a win gains, and a
loss loses, one more than the number of plies left at its end. Searches with the option may go HASTE
/ 2 plies deep, so that no distance ever outweighs a difference in value."""

WIDEST: Final = INFINITY // HASTE
"""Values multiplied by HASTE must lie strictly between -WIDEST and WIDEST."""


def terminal(game: Game[S], state: S, depth: int, memory: LeafMemory) -> int:
    """The utility of a finished game with `depth` plies left to the limit."""
    utility = game.utility(state)
    if memory.haste == 0:
        return utility
    bonus = depth + 1 if utility > 0 else -depth - 1 if utility < 0 else 0
    return scaled(utility, memory) + bonus


def horizon(game: Game[S], state: S, memory: LeafMemory) -> int:
    """The evaluation of a State at the depth limit; such a value is an estimate and proves
    nothing."""
    memory.evaluated += 1
    return scaled(game.evaluate(state), memory)


def scaled(value: int, memory: Scale) -> int:
    """A value or a margin of the game on the scale of the search. Raises BeyondScale if it does not
    fit."""
    if memory.haste == 0:
        return value
    if not -WIDEST < value < WIDEST:
        raise BeyondScale
    return value * HASTE


def expect_action(state: object, best: int, memory: LeafMemory) -> None:
    """Called when all actions of a State that is not terminal have been searched; `best` is the
    value of the best, or -INFINITY, which is not a value, if there was none. Raises DeadEnd in that
    case."""
    if best == -INFINITY:
        dead_end(state, memory)


def dead_end(state: object, memory: LeafMemory) -> None:
    """Raises DeadEnd for this State."""
    memory.stuck[0] = state
    raise DeadEnd


def without_haste(value: int) -> int:
    """The value that a scaled one represents."""
    return (value + HASTE // 2) // HASTE


def unscaled(value: int, memory: LeafMemory) -> int:
    """The value or margin of the game that one on the scale of the search represents."""
    return value if memory.haste == 0 else without_haste(value)


def shifted(value: int, plies: int, final: int, memory: LeafMemory) -> int:
    """A value for a limit `plies` plies later: what it says of the distance to the end of the game
    stays the same. A value that is not `final` may be an estimate, which says nothing of it; a
    final one may be that of an end beyond the limit, taken from a table."""
    if memory.haste == 0:
        return value
    whole = without_haste(value)
    beyond = whole if final != 0 else value - whole * HASTE
    return value + plies if beyond > 0 else value - plies if beyond < 0 else value


class Scale(Protocol):
    """The scale of a search's values: `haste` is 1 if faster wins are preferred."""

    @property
    def haste(self) -> int: ...


class LeafMemory(Scale, Protocol):
    """The part of every search's memory for its leaves: `stuck` holds the State that `dead_end`
    complains about."""

    haste: int
    evaluated: int
    stuck: StateArray
