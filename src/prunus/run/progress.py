"""How far a search is, for whoever watches it, and the time that it takes."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """How far a running search is: nodes so far, root actions finished and in all, seconds; of the
    last finished iteration the depth, the value and the line (0, None and nothing before the
    first); the part of the transposition table that is in use. While a game is being solved by
    tests to its end, `low` and `high` are the limits that are proved of its value; otherwise None.
    `compiling` is 0 but while the search waits for its code: then it is the seconds that it has
    waited, and all else is as it was before."""

    nodes: int
    done: int
    total: int
    seconds: float
    depth: int = 0
    value: int | None = None
    line: tuple[int, ...] = ()
    fill: float = 0.0
    low: int | None = None
    high: int | None = None
    compiling: float = 0.0


Watch = Callable[[Progress], None]


class Timer:
    """The wall time of a search, without what goes before its first run (compilation); and what has
    ended any of its runs early: "asked", "time", "nodes"."""

    def __init__(self) -> None:
        self.began: float | None = None
        self.ended: set[str] = set()

    def elapsed(self) -> float:
        """Seconds since the first call of this method."""
        now = time.perf_counter()
        if self.began is None:
            self.began = now
        return now - self.began

    def leave_out(self, seconds: float) -> None:
        """The last so many seconds are not to count: something was compiled meanwhile."""
        if self.began is not None:
            self.began += seconds
