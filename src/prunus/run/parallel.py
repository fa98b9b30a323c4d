"""Several threads on one position: each searches all of it, and they help each other through a
shared table (lazy SMP).

Each thread has a memory of its own and takes the actions in the same good order. While one thread
works on a position, the others put it off (`tables/busy.py`), so that they go different ways
wherever several actions have to be searched. With three threads or more, some look one ply farther
ahead and fill the table with what the next iteration will ask for. Nothing is divided and nothing
waits: on few cores this scales better than splitting the tree with locks, and an answer depends
only on verified entries of the table, never on another thread being right. The result is that of
the first thread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future

from prunus.algorithms.leaves import BeyondScale, DeadEnd
from prunus.kernel import threads
from prunus.kernel.memory import Memory, Stopped


class Helpers:
    """The other threads of one run, as a context: they start when it begins and are over when it
    ends."""

    def __init__(self, searches: Sequence[tuple[Callable[[], object], Memory]]) -> None:
        self.searches = searches
        self.running: list[Future[object]] = []

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
            # A helper looks farther ahead; an error that only it meets is not this answer's.
            if error is not None and not isinstance(error, Stopped | DeadEnd | BeyondScale):
                raise error
