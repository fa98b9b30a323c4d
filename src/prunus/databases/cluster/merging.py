"""Partitions of a game that numbers its positions, merged into the files of its database.

The words in which the ranks of a partition are marked lie among those of all others. So each task
writes its words with their places, and its values, in parts for ranges of places, and whoever puts
the database together has one range of all partitions in memory at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prunus.databases.cluster.arrays import Arrays, Parted
from prunus.databases.cluster.exchange import Pieces
from prunus.databases.cluster.stores import ExchangeError
from prunus.databases.folder import VALUES
from prunus.databases.marks import HINTED, marks_for
from prunus.databases.workshop import AnyArray

RANGE: Final = 1 << 22
"""About how many words, and how many positions, a range has at most, if they lie evenly."""

EACH: Final = 80
"""The bytes that a word and a position of a range take together while they are merged."""

MARKS: Final = "marks"
HINTS: Final = "hints"
"""The names of files of a database (see `marks`)."""


class Ranks(NamedTuple):
    """How many ranks a game has, how many of them are positions of the database, and about how many
    a range has at most."""

    known: int
    total: int
    span: int


def span_of(most: int) -> int:
    """About how many words, and positions, of a range may take so many bytes (0: as many as there
    are)."""
    return max(1, min(RANGE, most // EACH)) if most else RANGE


def ranked_pieces(ranks: Ranks, own: NDArray[np.uint64], values: AnyArray) -> dict[str, Pieces]:
    """What a partition with these ranks, sorted, has for the database: the places of words in which
    some are marked, the words, and the values of the positions."""
    places = own >> np.uint64(6)
    first = np.flatnonzero(np.concatenate([[True], places[1:] != places[:-1]])[: len(own)])
    bits = np.uint64(1) << (own & np.uint64(63))
    marked = np.bitwise_or.reduceat(bits, first) if len(own) else bits
    ends = np.array(_ends(ranks), np.uint64)
    sizes, counts = (
        np.diff(np.searchsorted(array, ends), prepend=0).tolist()
        for array in (places[first], places)
    )
    return {
        "places": Parted.cut(places[first], sizes),
        "words": Parted.cut(marked, sizes),
        VALUES: Parted.cut(values, counts),
    }


class Range(NamedTuple):
    """A range of words of marks, how many positions lie before the end of each, and the arrays of
    all partitions that have some of it."""

    first: int
    words: NDArray[np.uint64]
    ends: NDArray[np.int64]
    places: NDArray[np.int64]
    number: int

    @property
    def counts(self) -> NDArray[np.int64]:
        """The number of positions in each word."""
        return np.bitwise_count(self.words).astype(np.int64)


def ranges(ranks: Ranks, opened: Sequence[Arrays]) -> Iterator[Range]:
    """The ranges of a database, one after the other, from the files of all partitions. Raises
    ExchangeError if these are not the partitions of one build."""
    first = before = 0
    for number, last in enumerate(_ends(ranks)):
        words = np.zeros(last - first, np.uint64)
        places = _joined(opened, "places", number).astype(np.int64) - first
        words[places] = _joined(opened, "words", number)
        if np.count_nonzero(words) != len(places):
            raise ExchangeError("two partitions have the same positions; begin the build again")
        ends = before + np.cumsum(np.bitwise_count(words), dtype=np.int64)
        yield Range(first, words, ends, places, number)
        first, before = last, int(ends[-1])
    if before != ranks.total:
        raise ExchangeError(f"partitions have {before:,} of {ranks.total:,} positions; begin again")


def merged(name: str, ranks: Ranks, opened: Sequence[Arrays]) -> Iterator[AnyArray]:
    """The pieces of one of the files, of which one at a time is in memory."""
    for found in ranges(ranks, opened):
        if name == MARKS:
            marks = np.empty(2 * len(found.words), np.uint64)
            marks[0::2], marks[1::2] = found.words, found.ends - found.counts
            yield marks
        elif name == HINTS:
            yield _hints(found)
        else:
            yield _values(found, opened)
    if name == HINTS:
        yield np.array([max(0, marks_for(ranks.known) // 2 - 1)], np.int64)


def _hints(found: Range) -> NDArray[np.int64]:
    """The words of those places of a range that have a hint."""
    before, after = int(found.ends[0] - found.counts[0]), int(found.ends[-1])
    hinted = np.arange(-(-before // HINTED) * HINTED, after, HINTED)
    return found.first + np.searchsorted(found.ends, hinted, side="right")


def _values(found: Range, opened: Sequence[Arrays]) -> AnyArray:
    """The values of a range. Those of a word lie together in the file of its partition."""
    given = _joined(opened, VALUES, found.number)
    counts = found.counts
    sizes = counts[found.places]
    begins = (found.ends - counts)[found.places] - (found.ends[0] - counts[0])
    moved = np.repeat(begins - (np.cumsum(sizes) - sizes), sizes)
    values = np.empty_like(given)
    values[moved + np.arange(len(given))] = given
    return values


def _joined(opened: Sequence[Arrays], title: str, number: int) -> AnyArray:
    """A part of all partitions."""
    return np.concatenate([arrays.part(title, number) for arrays in opened])


def _ends(ranks: Ranks) -> list[int]:
    """The ends of the ranges, as places of words."""
    words = marks_for(ranks.known) // 2
    count = min(words, -(-max(ranks.total, words) // ranks.span))
    return [words * (number + 1) // count for number in range(count)]
