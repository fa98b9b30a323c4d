"""The progress of a search, for whoever watches it, and the time it takes."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """The progress of a running search: nodes so far; root actions finished (`done`) and in all
    (`total`); seconds; depth, value and line of the last finished iteration (0, None and empty
    before the first); the share of the transposition table that is in use (`fill`, 0 to 1).

    While tests to the end of the game solve it, `low` and `high` are the proved bounds of its
    value; otherwise they are None. While the search waits for its code, `compiling` is how many
    seconds it has waited, and all else is as it was before; otherwise it is 0."""

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
    """The wall time of a search from its first run on (compiling comes before it), what has ended
    any of its runs early ("asked", "time", "nodes"), and the most plies and nodes of any."""

    def __init__(self) -> None:
        self.began: float | None = None
        self.ended: set[str] = set()
        self.plies = self.nodes = 0

    def elapsed(self) -> float:
        """Seconds since the first call of this method."""
        now = time.perf_counter()
        if self.began is None:
            self.began = now
        return now - self.began

    def leave_out(self, seconds: float) -> None:
        """Do not count the last `seconds` seconds, in which something was compiled."""
        if self.began is not None:
            self.began += seconds
