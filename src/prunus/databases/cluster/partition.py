"""Which partition a position belongs to.

The positions of a partition are neighbours in the order of the database, by the mixed key: so a
database is its partitions, each sorted, one after the other, whatever their number. Where a game
numbers its positions they are ordered by rank, and a range of ranks may have most of the positions
of a game, or of a round. So the words in which ranks are marked, of 64 each, are dealt out as if at
random, and the partitions, each sorted, are merged.
"""

from __future__ import annotations

from typing import Final, NamedTuple, Protocol

import numpy as np

from prunus.core.arrays import View
from prunus.core.bits import i64, mix, mulhi, u64
from prunus.core.game import Game, S
from prunus.core.memory import Array
from prunus.core.state import StateLayout
from prunus.databases.ranking import rank_count_of
from prunus.kernel.memory import Spec

PARTITIONS: Final = 0
RANKS: Final = 1
"""The items of `split`: the numbers of partitions, and of the ranks of the game."""

MOST_PARTITIONS: Final = (1 << 16) - 1


class Split(NamedTuple):
    """A game, its first position, and how its positions are split."""

    game: Game
    first: object
    partitions: int
    ranks: int
    compile: bool | None

    @property
    def words(self) -> int:
        """The words of a State."""
        return StateLayout(self.first).size // 8

    def fields(self) -> Spec:
        """The fields of a Memory in which positions are split."""
        numbers = np.array([self.partitions, self.ranks], np.int64)
        return {"ranked": self.ranks > 0, "split": View(numbers)}


def split(game: Game[S], first: S, partitions: int, compile: bool | None) -> Split:
    """Split the positions of a game."""
    game.freeze()
    return Split(game, first, partitions, rank_count_of(game), compile)


def partition_of(game: Game[S], home: S, memory: SplitMemory) -> int:
    """The partition of a position, given as its representative."""
    word = u64(game.rank(home)) >> 6 if memory.ranked else game.key(home)
    return i64(mulhi(mix(word), memory.split[PARTITIONS]))


def word_of(game: Game[S], home: S, memory: SplitMemory) -> u64:
    """The word by which positions are ordered."""
    if memory.ranked:
        return u64(game.rank(home))
    return mix(game.key(home))


def has_right_rank(game: Game[S], home: S, memory: SplitMemory) -> bool:
    """Whether a position has a number in the range that leads back to it, if the game has
    numbers."""
    if not memory.ranked:
        return True
    number = i64(game.rank(home))
    return 0 <= number < memory.split[RANKS] and game.unrank(number) == home


class SplitMemory(Protocol):
    """A memory with the fields of `Split.fields`."""

    ranked: bool
    split: Array[int]
