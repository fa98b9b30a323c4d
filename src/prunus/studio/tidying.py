"""Memory that finished searches leave behind goes back to the operating system.

On Linux the C library keeps what a thread has freed for later: a server that searches in many
threads, and stops most searches early, would keep gigabytes that nobody uses.
"""

from __future__ import annotations

import ctypes
import sys
import time
from threading import Lock
from typing import Final

EVERY: Final = 5.0
"""The shortest time between two times of tidying, in seconds; one takes some milliseconds."""


class Tidying:
    """Gives freed memory back, at most once in `every` seconds. Does nothing where the C library
    has no `malloc_trim`."""

    def __init__(self, every: float = EVERY) -> None:
        self.every, self.last, self.lock = every, time.monotonic(), Lock()
        self.trim = None
        if sys.platform == "linux":
            self.trim = getattr(ctypes.CDLL(None), "malloc_trim", None)

    def after_search(self) -> bool:
        """A search is over; whether memory has been given back."""
        if self.trim is None:
            return False
        with self.lock:
            now = time.monotonic()
            if now - self.last < self.every:
                return False
            self.last = now
        self.trim(0)
        return True
