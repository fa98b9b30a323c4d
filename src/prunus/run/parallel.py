"""Several threads on one position: each searches it whole, and they help each other through the
table that they share (lazy SMP).

Every thread has a memory of its own and looks at the actions in the same, good order; what one of
them is at work on, the others put off (`tables/busy.py`), so that they part wherever several
actions have to be searched. With three threads and more, some look a ply farther ahead, and fill
the table with what the next iteration will ask. Nothing is divided and nothing waits: that scales
better on few cores than splitting the tree with locks does, and an answer never depends on another
thread's being right, only on verified entries of the table. The result is the first thread's own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any

from prunus.algorithms.leaves import BeyondScale, DeadEnd
from prunus.kernel import threads
from prunus.kernel.memory import Memory, Stopped


class Helpers:
    """The other threads of one run. Use as a context: they start with it and have ended when it
    ends."""

    def __init__(self, searches: Sequence[tuple[Callable[[], Any], Memory]]) -> None:
        self.searches = searches
        self.running: list[Future[Any]] = []

    def __enter__(self) -> Helpers:
        for search, memory in self.searches:
            memory.resume()
            self.running.append(threads.start(search))
        return self

    def __exit__(self, *exception: object) -> None:
        for _, memory in self.searches:
            memory.stop()
        for future in self.running:
            error = future.exception()
            # What only a helper comes to, looking farther ahead, is none of this answer's.
            if error is not None and not isinstance(error, Stopped | DeadEnd | BeyondScale):
                raise error
