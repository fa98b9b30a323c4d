"""Table storage: cleared in O(1) by a generation number, then recycled.

Fresh memory costs more than many a search does, because the operating system clears every page that
is touched. So the array of a discarded table is kept for the next table of its size, and is not
cleared either: every entry carries the generation in which it was written, and an entry of an
earlier generation counts as absent. The last word of the array holds the current generation, where
all threads read it.
"""

from __future__ import annotations

import weakref
from collections import deque
from typing import Final

import numpy as np
from numpy.typing import NDArray

from prunus.core.arrays import View
from prunus.core.bits import i64, mix
from prunus.core.game import Game, S
from prunus.core.state import StateLayout, is_machine_state
from prunus.kernel.columns import ObjectView, StateView

LINE: Final = 64
"""The bytes of a cache line."""

HEADER: Final = LINE // 8
"""The words at the end that hold no entries: one cache line, whose last word is the generation."""

GENERATION_BIT: Final = 48
"""An entry's generation starts at this bit of one of its words; the highest bit stays 0."""

GENERATIONS: Final = 1 << 15

LARGEST: Final = 128 << 20
"""The size in bytes of the largest array that is kept after its table is gone."""

KEPT: Final = 2
"""The number of arrays kept: one for the transposition table, one for the table of proofs."""

Kept = deque[NDArray[np.uint64]]

_kept: Kept = deque(maxlen=KEPT)
"""The arrays of discarded tables; adding one too many drops the oldest."""

_kept_homes: Kept = deque(maxlen=KEPT)
"""The same for States. They are kept apart because their words carry no generation."""


class Words(View):
    """`count` words for entries, none of them written, aligned to a cache line."""

    __slots__ = ("__weakref__",)

    def __init__(self, count: int) -> None:
        super().__init__(_taken(count + HEADER, _kept))
        self.forget()
        if self.array.nbytes <= LARGEST:
            # Everyone who uses the array holds the view, so once the view is gone no thread writes
            # to the array.
            weakref.finalize(self, _kept.append, self.array).atexit = False

    def forget(self) -> None:
        """Forget all entries by starting a new generation."""
        generation = self.generation + 1
        if generation == GENERATIONS:
            self.array[:] = 0
            generation = 1
        self.array[-1] = generation

    @property
    def generation(self) -> int:
        """The current generation: entries of any other do not count."""
        return int(self.array[-1])

    def used(self, word: int, words: int) -> float:
        """The fraction of entries in use, from a sample of 4,096. Entries have `words` words; word
        `word` of each holds its generation."""
        facts = self.array[:-HEADER][word::words][:4096]
        return float(np.count_nonzero(facts >> GENERATION_BIT == self.generation)) / len(facts)


class Homes(StateView):
    """Storage for the States of `count` entries. Its contents mean nothing until an entry of the
    current generation refers to them."""

    def __init__(self, count: int, layout: StateLayout) -> None:
        super().__init__(
            count, layout, _taken(count * layout.size // 8, _kept_homes) if count else None
        )
        if 0 < self.array.nbytes <= LARGEST:
            weakref.finalize(self, _kept_homes.append, self.array).atexit = False


def homes_of(count: int, state: object) -> Homes | ObjectView:
    """Storage for the States of `count` entries, shaped like `state`."""
    return Homes(count, StateLayout(state)) if is_machine_state(state) else ObjectView(count)


def home_of(game: Game[S], state: S) -> S:
    """The State under which a table stores entries for this one and for those that symmetry makes
    equal to it."""
    return game.canonical(state) if game.has_canonical else state


def _taken(count: int, kept: Kept) -> NDArray[np.uint64]:
    """An array of `count` words, recycled or new. Threads may take and give back at the same time:
    each removes an array from the queue before looking at it."""
    others: list[NDArray[np.uint64]] = []
    try:
        while len(found := kept.pop()) != count:
            others.append(found)
    except IndexError:  # none is left
        words = np.zeros(count + HEADER, np.uint64)
        skipped = -words.ctypes.data % LINE // 8
        found = words[skipped : skipped + count]
    kept.extend(reversed(others))
    return found


def bucket_of(key: int, length: int, words: int) -> int:
    """The bucket of a key, in an array of `length` words whose buckets have `words` words each."""
    return spread(key, (length - HEADER) // words)


def spread(key: int, count: int) -> int:
    """One of `count` places for a key, at most 2**32 of them: a multiplication spreads the keys,
    because a remainder would be slow."""
    return i64(((mix(key) >> 32) * count) >> 32)
