"""Python's search for garbage while something is compiled. What a compilation makes lives until its
end, so looking before then finds nothing; to look at the end takes a twentieth of the time that the
first answer needs. So that is put off until the next compilation."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

THRESHOLDS: Final = (1_000_000, 20, 1_000)
"""How much is made before Python looks for garbage among what is new, among what is older, and
everywhere."""

FEW: Final = 100_000
"""The objects that compilations may leave before anybody asks how many others there are."""

PART: Final = 4
"""Garbage is looked for before a compilation where those before have left more than this part of
all objects: Python's own rule for looking everywhere."""

_left = [0]


@contextmanager
def little_garbage() -> Iterator[None]:
    """Within this, Python hardly ever looks for garbage. Where somebody has chosen seldom or never
    already, that stays. What objects are left is looked through later, see `PART`."""
    before = gc.get_threshold()
    if before[0] == 0 or before[0] >= THRESHOLDS[0]:
        yield
        return
    if _left[0] > FEW and _left[0] * PART > len(gc.get_objects()):
        gc.collect()
        _left[0] = 0
    gc.set_threshold(*THRESHOLDS)
    try:
        yield
    finally:
        if gc.get_threshold() == THRESHOLDS:
            _left[0] += gc.get_count()[0]
            _make_old()
            gc.set_threshold(*before)


def _make_old() -> None:
    """Let all objects be old ones, among which Python looks last, without looking at any of them.
    Where somebody keeps objects from being looked at (`gc.freeze`), it looks at the new ones."""
    if gc.get_freeze_count() == 0:
        gc.freeze()
        gc.unfreeze()
