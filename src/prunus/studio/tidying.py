"""Memory that finished searches leave behind goes back to the operating system.

On Linux the C library keeps what a thread has freed for later: a server that searches in many
threads, and stops most searches early, would keep gigabytes that nobody uses. And what a
compilation leaves behind refers to itself in circles, which Python looks for the less often the
more there is of other things.
"""

from __future__ import annotations

import ctypes
import gc
import sys
import time
from collections.abc import Callable
from threading import Lock, Timer
from typing import Final

EVERY: Final = 5.0
"""The shortest time between two times of tidying, in seconds; one takes some milliseconds. So long
after the last search the rest is done, which takes some tenths of a second."""


class Tidying:
    """Gives freed memory back, at most once in `every` seconds; and, when there has been no search
    for so long, all that is garbage (`collect`). Gives nothing back where the C library has no
    `malloc_trim`."""

    def __init__(self, every: float = EVERY, collect: Callable[[], object] = gc.collect) -> None:
        self.collect = collect
        self.every, self.last, self.lock = every, time.monotonic(), Lock()
        self.used = self.last
        self.timer: Timer | None = None
        self.trim = None
        if sys.platform == "linux":
            self.trim = getattr(ctypes.CDLL(None), "malloc_trim", None)

    def after_search(self) -> bool:
        """A search is over; whether memory has been given back."""
        with self.lock:
            now = self.used = time.monotonic()
            if self.timer is None:
                self._wait(self.every)
            if self.trim is None or now - self.last < self.every:
                return False
            self.last = now
        self.trim(0)
        return True

    def _wait(self, seconds: float) -> None:
        self.timer = Timer(seconds, self._at_rest)
        self.timer.daemon = True
        self.timer.start()

    def _at_rest(self) -> None:
        """Tidy up thoroughly, unless there has been another search meanwhile."""
        with self.lock:
            left = self.used + self.every - time.monotonic()
            if left > 0:
                self._wait(left)
                return
            self.timer = None
        self.collect()
        if self.trim is not None:
            self.trim(0)
