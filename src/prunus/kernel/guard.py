"""A guard for searches in the caller's own thread: none of them is to keep the caller waiting.

Python handles Ctrl-C between two steps of the interpreter, so a search in machine code that runs in
the main thread does not notice it. Such a search is meant to last less than a millisecond. If one
takes long all the same, because the rules are slow in this position, the guard stops it, and the
caller can start it again in a thread of its own.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import Final, Protocol

PATIENCE: Final = 0.05
"""How many seconds a search may take; it may get twice as long before it is stopped."""

SLEEPY: Final = 20
"""After this many times `PATIENCE` without a search, the guard sleeps until the next one."""


class Stoppable(Protocol):
    """Something that can be told to end soon, such as a Memory, whose search raises `Stopped` at
    its next node."""

    def stop(self, asked: bool = True) -> None:
        """Safe from any thread. `asked` tells a request to stop from a time limit."""


@dataclass(eq=False)
class Mark:
    """A search that is running, and whether the guard has stopped it."""

    memory: Stoppable
    stopped: bool = False


class _Guard:
    """A thread that looks at the current search again and again. Only the main thread has such
    searches, so there is at most one."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.called = threading.Event()
        self.current: Mark | None = None
        self.begun = 0
        self.is_awake = False
        self.thread: threading.Thread | None = None

    def wake(self) -> None:
        """Begin to look."""
        with self.lock:
            self.is_awake = True
        self.called.set()
        if self.thread is None:
            self.thread = threading.Thread(target=self._live, name="prunus-guard", daemon=True)
            self.thread.start()

    def _live(self) -> None:
        while True:
            self.called.wait()
            self.called.clear()
            idle = 0
            while idle < SLEEPY or not self._falls_asleep():
                seen, begun = self.current, self.begun
                time.sleep(PATIENCE)
                self._stop(seen)
                idle = idle + 1 if begun == self.begun else 0

    def _stop(self, seen: Mark | None) -> None:
        """Stop a search if it is still the current one."""
        with self.lock:
            if seen is not None and self.current is seen:
                seen.stopped = True
                seen.memory.stop(asked=False)

    def _falls_asleep(self) -> bool:
        """A search that begins sets `current` before it looks at `is_awake`, so either this sees
        the search, or the search wakes the guard."""
        with self.lock:
            self.is_awake = self.current is not None
            return not self.is_awake


_guard = _Guard()


def begin(memory: Stoppable) -> Mark:
    """Watch over a search in the main thread that is about to begin with this memory."""
    mark = Mark(memory)
    _guard.begun += 1
    _guard.current = mark
    if not _guard.is_awake:
        _guard.wake()
    return mark


def end() -> None:
    """The search is over: after this, the guard does not stop its memory any more."""
    with _guard.lock:
        _guard.current = None


def forget_thread() -> None:
    """Start without a thread after a fork: it does not survive it."""
    _guard.__init__()  # type: ignore[misc]
