"""The words of tables: they are forgotten all at once, and the next table takes them over.

Fresh memory costs more than many a search, since the operating system clears every page that is touched. So an array whose table is gone
is kept for the next one of its size, and is not cleared either: every entry carries the generation that it was written in, and one of an
earlier generation is as good as absent. The generation stands in the last word of the array, where all threads read it.
"""

from __future__ import annotations

import weakref
from collections import deque
from typing import Any, Final

import numpy as np

from prunus.core.arrays import View
from prunus.core.state import StateLayout, is_machine_state
from prunus.kernel.memory import ObjectView, StateView

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

Kept = deque[np.ndarray[Any, Any]]

_kept: Kept = deque(maxlen=KEPT)
"""The arrays whose tables are gone; one more drives out the one that has been here longest."""

_kept_homes: Kept = deque(maxlen=KEPT)
"""Likewise those of States. No table of words may take them over, since their words are of no generation."""


class Words(View):
    """So many words for entries, none of them written, from the start of a cache line on."""

    __slots__ = ("__weakref__",)

    def __init__(self, count: int) -> None:
        super().__init__(_taken(count + HEADER, _kept))
        self.forget()
        if self.array.nbytes <= LARGEST:
            # Whoever works with the array holds the view, so no thread writes to it any more once that is gone.
            weakref.finalize(self, _kept.append, self.array).atexit = False

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


class Homes(StateView):
    """Room for the States of so many entries. What it holds means nothing before an entry of this table's generation goes with it."""

    def __init__(self, count: int, layout: StateLayout) -> None:
        super().__init__(count, layout, _taken(count * layout.size // 8, _kept_homes) if count else None)
        if 0 < self.array.nbytes <= LARGEST:
            weakref.finalize(self, _kept_homes.append, self.array).atexit = False


def homes_of(count: int, state: Any) -> Homes | ObjectView:
    """Room for the States of so many entries that are shaped like this one."""
    return Homes(count, StateLayout(state)) if is_machine_state(state) else ObjectView(count)


def _taken(count: int, kept: Kept) -> np.ndarray[Any, Any]:
    """An array of so many words: one that is kept, or a new one. Threads may take and give back at once: each takes hold of an array before
    it looks at it."""
    others: list[np.ndarray[Any, Any]] = []
    try:
        while len(found := kept.pop()) != count:
            others.append(found)
    except IndexError:  # none is left
        words = np.zeros(count + HEADER, np.uint64)
        skipped = -words.ctypes.data % LINE // 8
        found = words[skipped : skipped + count]
    kept.extend(reversed(others))
    return found
