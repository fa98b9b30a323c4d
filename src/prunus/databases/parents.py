"""The parents of positions: for each, the positions with an action that leads to it.

They lie in one array, those of each position together; `ends` has the end of each one's part. The
array is filled in two rounds over all positions, in all threads: the first counts the parents of
each position, the second puts them into their places. Two actions that lead to the same position
count as two parents.
"""

from __future__ import annotations

from typing import Final, Protocol

import numpy as np

from prunus.core.arrays import View
from prunus.core.bits import i64, u64
from prunus.core.game import Game
from prunus.core.memory import Array, SharedArray
from prunus.databases.errors import DatabaseError

MOST_PARENTS: Final = (1 << 32) - 1
"""The most parents of all positions together: a place among them has 32 bits."""

COUNTER: Final = 16
"""The bits of a counter of children."""

MOST_CHILDREN: Final = (1 << (COUNTER - 1)) - 2
"""The most open children of a position, besides a drawn one; the highest bit of its counter is the
mark of `claim`."""


def too_many(game: Game, state: object) -> DatabaseError:
    """The error for a position with more than `MOST_CHILDREN` children."""
    return DatabaseError(
        f"{game.title()} has more than {MOST_CHILDREN:,} moves in {game.format(state)}, too many "
        f"to be counted"
    )


def counters(positions: int) -> View:
    """Counters of children, one for each position, all 0."""
    return View(np.zeros(-(-positions * COUNTER // 64), np.uint64))


def set_children(place: int, children: int, memory: CountingMemory) -> None:
    """Say how many children of a position are still open."""
    bit = (place & 3) * COUNTER
    memory.children.fetch_add(place >> 2, u64(children) << bit)


def is_last_child(place: int, memory: CountingMemory) -> bool:
    """Count one open child of a position less; return whether it was the last."""
    bit = (place & 3) * COUNTER
    before = memory.children.fetch_add(place >> 2, u64(0) - (u64(1) << bit))
    return ((before >> bit) & ((1 << COUNTER) - 1)) == 1


def fetch_counter(place: int, memory: CountingMemory) -> None:
    """Fetch the counter of a position that will soon be told of a child."""
    memory.children.prefetch(place >> 2)


def claim(place: int, memory: CountingMemory) -> bool:
    """Whether this call, of all calls for this position in all threads, is the first."""
    mark = u64(1) << ((place & 3) * COUNTER + COUNTER - 1)
    seen = memory.children.atomic_load(place >> 2)
    while seen & mark == 0:
        found = memory.children.compare_exchange(place >> 2, seen, seen | mark)
        if found == seen:
            return True
        seen = found
    return False


def tallies(positions: int) -> View:
    """Tallies of parents, one of 32 bits for each position, all 0."""
    return View(np.zeros(-(-positions // 2), np.uint64))


def add_parent(place: int, memory: TallyMemory) -> int:
    """Add 1 to the tally of a position; return what it was before."""
    bit = (place & 1) * 32
    before = memory.tallies.fetch_add(place >> 1, u64(1) << bit)
    return i64((before >> bit) & 0xFFFFFFFF)


def fetch_tally(place: int, memory: TallyMemory) -> None:
    """Fetch the tally of a position to which a parent will soon be added."""
    memory.tallies.prefetch(place >> 1)


def to_places(tallies: View, first: int = 0, last: int | None = None) -> int:
    """Turn tallies into the places where the parents of each position begin, and return the number
    of all parents; with `first` and `last`, only those of the positions from the first to before
    the last, if no other has parents. Once each parent has been put into the place that
    `add_parent` says, a tally is the end of a position's parents, and so the beginning of the next
    one's. Raises MemoryError if there are more than `MOST_PARENTS`."""
    counts = tallies.array.view(np.uint32)[first:last]
    total = int(counts.sum(dtype=np.uint64))
    if total > MOST_PARENTS:
        raise MemoryError(
            f"{total:,} moves between undecided positions; {MOST_PARENTS:,} have room in memory"
        )
    ends = np.cumsum(counts, dtype=np.uint32)
    counts[0], counts[1:] = 0, ends[:-1]
    return total


def clear_tallies(tallies: View, first: int, last: int) -> None:
    """Begin anew with the positions from the first to before the last, and with what ends where the
    first begins."""
    tallies.array.view(np.uint32)[max(0, first - 1) : last] = 0


class CountingMemory(Protocol):
    """A memory with counters of open children."""

    children: SharedArray


class TallyMemory(Protocol):
    """A memory with tallies of parents."""

    tallies: SharedArray


class ParentsMemory(CountingMemory, Protocol):
    """A memory with the parents of positions."""

    ends: Array[int]
    parents: Array[int]
