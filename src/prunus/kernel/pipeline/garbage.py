"""Python's search for garbage while something is compiled: what a compilation makes lives until its end, so that to look is for nothing."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

THRESHOLDS: Final = (50_000, 20, 1_000)
"""How much is made before Python looks for garbage among what is new, among what is older, and everywhere."""


@contextmanager
def little_garbage() -> Iterator[None]:
    """Within this, Python looks for garbage seldom. Where somebody has chosen seldom or never already, that stays."""
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
