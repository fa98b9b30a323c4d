"""Python's garbage collector during a compilation, and while a clock runs.

What a compilation makes lives until its end, so collecting before then finds nothing; collecting at
the end takes a twentieth of the time to the first answer. So it is put off until the next
compilation.

Once anything has been compiled, or loaded, the compiler's own objects are half a million. A full
collection examines them all: that takes a third of a second to a whole one, in which no search
begins or ends. Where moves have to be made in less, they are left out.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

THRESHOLDS: Final = (1_000_000, 20, 1_000)
"""The thresholds of the collector's three generations during a compilation."""

FEW: Final = 100_000
"""Below this number of objects left by compilations, the others are not even counted."""

PART: Final = 4
"""Collect before a compilation if earlier ones have left more than one PART-th of all objects,
which is Python's own rule for a full collection."""

_left = [0]


@contextmanager
def little_garbage() -> Iterator[None]:
    """Within this context Python hardly ever collects garbage. If the program has already made it
    rare or switched it off, that stays. The objects left are collected later, see `PART`."""
    before = gc.get_threshold()
    if before[0] == 0 or before[0] >= THRESHOLDS[0]:
        yield
        return
    if not _unexamined[0] and _left[0] > FEW and _left[0] * PART > _objects():
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


def _objects() -> int:
    """How many objects there are, which are all old ones afterwards; if the program protects
    objects from collection, only those. `gc.get_objects` would hold them all for a moment, in which
    another thread that is making a tuple finds it shared and fails (SystemError)."""
    with _freezing:
        if frozen := gc.get_freeze_count():
            return frozen
        gc.freeze()
        try:
            return gc.get_freeze_count()
        finally:
            gc.unfreeze()


def _make_old() -> None:
    """Make all objects old ones, which Python examines last, without examining any of them. If the
    program protects objects from collection (`gc.freeze`), the new ones are examined."""
    with _freezing:
        if _unexamined[0]:
            gc.freeze()
        elif gc.get_freeze_count() == 0:
            gc.freeze()
            gc.unfreeze()


_freezing = threading.Lock()
_unexamined = [0]
"""How many contexts of `unexamined` there are, in all threads."""


@contextmanager
def unexamined() -> Iterator[None]:
    """Within this context no collection examines what was there at its beginning, or what is
    compiled. What of that becomes garbage in circles meanwhile is found after the end of the last
    such context. Nothing is done in a program that uses `gc.freeze` itself, and had done so
    before."""
    with _freezing:
        is_ours = _unexamined[0] > 0 or gc.get_freeze_count() == 0
        if is_ours:
            _unexamined[0] += 1
            gc.freeze()
    try:
        yield
    finally:
        with _freezing:
            if is_ours:
                _unexamined[0] -= 1
                if not _unexamined[0]:
                    gc.unfreeze()
