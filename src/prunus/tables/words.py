"""The words of tables: they are forgotten all at once, and the next table takes them over.

Fresh memory costs more than many a search, since the operating system clears every page that is touched. So an array whose table is gone
is kept for the next one of its size, and is not cleared either: every entry carries the generation that it was written in, and one of an
earlier generation is as good as absent. The generation stands in the last word of the array, where all threads read it.
"""

from __future__ import annotations

import threading
import weakref
from typing import Any, Final

import numpy as np

from prunus.arrays import View

LINE: Final = 64
"""The bytes of a cache line."""

HEADER: Final = LINE // 8
"""The words at the end that hold no entries: a cache line, the generation its last word."""

GENERATION_BIT: Final = 48
"""Entries have their generation from this bit of a word upwards; the highest bit stays 0."""

GENERATIONS: Final = 1 << 15

LARGEST: Final = 128 << 20
"""The bytes of the largest array that is kept when its table is gone."""

KEPT: Final = 2
"""How many arrays are kept: one of the transposition table, one of the table of proofs."""

_lock = threading.Lock()
_kept: list[np.ndarray[Any, Any]] = []


class Words(View):
    """So many words for entries, none of them written, from the start of a cache line on."""

    __slots__ = ("__weakref__",)

    def __init__(self, count: int) -> None:
        super().__init__(_taken(count + HEADER))
        self.forget()
        if self.array.nbytes <= LARGEST:
            # Whoever works with the array holds the view, so no thread writes to it any more once that is gone.
            weakref.finalize(self, _give_back, self.array).atexit = False

    def forget(self) -> None:
        """Make every entry one of an earlier generation."""
        generation = self.generation + 1
        if generation == GENERATIONS:
            self.array[:] = 0
            generation = 1
        self.array[-1] = generation

    @property
    def generation(self) -> int:
        """The generation that entries have to be of."""
        return int(self.array[-1])

    def used(self, word: int, words: int) -> float:
        """The part of the entries of so many words, their generation in this one of them, that are in use, from a sample of 4,096."""
        facts = self.array[:-HEADER][word::words][:4096]
        return float(np.count_nonzero(facts >> GENERATION_BIT == self.generation)) / len(facts)


def _taken(count: int) -> np.ndarray[Any, Any]:
    """An array of so many words: one that is kept, or a new one."""
    with _lock:
        for place, array in enumerate(_kept):
            if len(array) == count:
                return _kept.pop(place)
    words = np.zeros(count + HEADER, np.uint64)
    skipped = -words.ctypes.data % LINE // 8
    return words[skipped : skipped + count]


def _give_back(array: np.ndarray[Any, Any]) -> None:
    """Keep an array, and let go of the one that has been kept longest. Runs wherever the last holder lets go, so it takes no lock."""
    _kept.append(array)
    if len(_kept) > KEPT:
        _kept.pop(0)
