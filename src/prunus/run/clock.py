"""One clock for all: what a protocol or a match says about time, and how long a move may then take.

All times are in seconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

MOVES: Final = 22.0
"""The number of moves that a game is expected to go on for if nothing is known about it. Games of
chess take longer, but their first moves decide more (measured: `docs/engine.md`)."""

LASTING: Final = 30.0
"""The same where no position comes again: their last moves decide more."""

OVERHEAD: Final = 0.003
"""What passes unused in each move, between the end of a search and the moment when the clock is
stopped, for instance."""

RESERVE: Final = 0.1
"""What is kept back on the clock: now and then a machine is busy with something else."""

PATIENCE: Final = 3.0
"""The most that a move may take, as a multiple of what it usually takes."""

GREED: Final = 0.4
"""The most that a single move may take of what is left, unless it is the last of its period."""

SAVED: Final = 0.8
"""The share of an increment that the move takes which earns it."""


@dataclass(frozen=True)
class TimeLeft:
    """The time of the player to move. `left`: on its clock (None: there is no clock). `increment`:
    added after each move. `to_go`: moves until the next period begins, with more time (None: there
    is none). `byoyomi`: each move may take so long once the clock is empty. `move`: this move takes
    exactly so long."""

    left: float | None = None
    increment: float = 0.0
    to_go: int | None = None
    byoyomi: float = 0.0
    move: float | None = None


@dataclass(frozen=True)
class Allotment:
    """How long a move may take: after `soft` no new iteration begins, at `hard` the search is
    stopped. None: no limit."""

    soft: float | None = None
    hard: float | None = None


def expected_moves(repetition: str) -> float:
    """How many moves a game with this rule of repetition (`Game.repetition`) is expected to go on
    for."""
    return LASTING if repetition == "none" else MOVES


def allotted(
    time: TimeLeft,
    moves: float = MOVES,
    overhead: float = OVERHEAD,
    reserve: float = RESERVE,
    least: float = 0.0005,
) -> Allotment:
    """The time for the move to be made now. moves: how many moves the player will still make, this
    one included. overhead: what passes unused in each move. reserve: what is kept back. least: no
    time is shorter than this, even if the clock is empty."""
    if time.move is not None:
        exact = max(least, time.move - overhead)
        return Allotment(exact, exact)
    if time.left is None:
        return Allotment()
    count = max(1.0, min(moves, time.to_go) if time.to_go else moves)
    is_last = time.to_go == 1
    # What is lost in each move beyond its increment is kept for all moves to come.
    lost = max(0.0, overhead - time.increment) * count
    usable = max(0.0, time.left - reserve - overhead - lost)
    # Byo-yomi is lost with a single late move, so it keeps a reserve of its own.
    period = max(time.byoyomi / 2, time.byoyomi - reserve)
    soft = max(0.0, usable / count + period + SAVED * time.increment - overhead)
    # What byo-yomi gives comes back with every move, what the clock gives does not. An increment
    # comes only after the move, so the clock alone bounds the move.
    most = usable if is_last else GREED * usable
    hard = max(min(PATIENCE * soft, most + period), min(soft, usable + period))
    return Allotment(max(least, min(soft, hard)), max(least, hard))
