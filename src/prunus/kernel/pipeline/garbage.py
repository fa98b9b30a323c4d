"""Python's garbage collector during a compilation: what a compilation makes lives until its end, so
that collecting finds nothing."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

THRESHOLDS: Final = (50_000, 20, 1_000)
"""The thresholds of the three generations of the collector during a compilation."""


@contextmanager
def little_garbage() -> Iterator[None]:
    """Within this context Python collects garbage rarely. A setting that already makes it rare, or
    switches it off, stays."""
    before = gc.get_threshold()
    if before[0] == 0 or before[0] >= THRESHOLDS[0]:
        yield
        return
    gc.set_threshold(*THRESHOLDS)
    try:
        yield
    finally:
        if gc.get_threshold() == THRESHOLDS:
            gc.set_threshold(*before)
