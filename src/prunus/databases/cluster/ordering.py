"""A partition in the order of the database, as pieces of its files, or as what they are merged
from."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from prunus.core.arrays import View
from prunus.core.bits import i64, mulhi
from prunus.core.game import Game
from prunus.core.memory import Array, StateArray, WordArray
from prunus.core.state import StateLayout
from prunus.databases.cluster.exchange import KEPT, Exchange, Pieces
from prunus.databases.cluster.finding import AT_ONCE, round_name
from prunus.databases.cluster.merging import Ranks, ranked_pieces, span_of
from prunus.databases.cluster.partition import Split, SplitMemory, word_of
from prunus.databases.folder import VALUES
from prunus.databases.labels import Labels
from prunus.databases.numbering import PLACES
from prunus.kernel.columns import StateView
from prunus.kernel.loops import for_each
from prunus.kernel.memory import Spec

ORDERED = "ordered"
"""The name of the last round in the shared folder."""

WORD = 1 << 64


class Whole(NamedTuple):
    """Where a partition lies in the database: the positions before it, and all of them."""

    before: int
    total: int


def pieces(
    cut: Split, partition: int, exchange: Exchange, rounds: int, labels: Labels, whole: Whole
) -> dict[str, Pieces]:
    """The pieces of a partition, by the names of the files, from the labels of its positions in the
    order of their arrival."""
    arrived = [exchange.load(round_name(n), KEPT, partition)["arrived"] for n in range(rounds)]
    words: NDArray[np.uint64] = np.concatenate([np.zeros(0, np.uint64), *arrived])
    states = StateView(len(labels), StateLayout(cut.first), words)
    noted, buckets = View(np.zeros(len(labels), np.uint64)), View(np.zeros(len(labels), np.int64))
    counts = View(np.array([bucket_count(whole.total)]))
    fields: Spec = {"arrived": states, "words": noted, "found": buckets, "counts": counts}
    for_each(
        cut.game,
        note_word,
        len(labels),
        {**fields, **cut.fields()},
        step=AT_ONCE,
        compile=cut.compile,
    )
    order = _order(noted.array, states)
    values = labels[order]
    if cut.ranks:
        ranks = Ranks(cut.ranks, whole.total, span_of(exchange.most))
        return ranked_pieces(ranks, noted.array[order], values)
    return {
        "states": words.reshape(len(labels), cut.words)[order].reshape(-1),
        "buckets": _buckets(cut, partition, buckets.array[order], whole),
        VALUES: values,
    }


def _order(words: NDArray[np.uint64], states: StateView) -> NDArray[np.int64]:
    """The order by words, and by fields where words are equal."""
    order = np.argsort(words, kind="stable")
    ordered = words[order]
    equal = np.flatnonzero(ordered[1:] == ordered[:-1])
    first = 0
    while first < len(equal):
        last = first
        while last + 1 < len(equal) and equal[last + 1] == equal[last] + 1:
            last += 1
        begin, end = int(equal[first]), int(equal[last]) + 2
        order[begin:end] = sorted(order[begin:end].tolist(), key=lambda place: states[place])
        first = last + 1
    return order


def bucket_count(total: int) -> int:
    """The buckets of a database with so many positions."""
    return max(1, total // PLACES)


def _buckets(
    cut: Split, partition: int, buckets: NDArray[np.int64], whole: Whole
) -> NDArray[np.int64]:
    """How many positions of the database lie before each bucket that begins in this partition; in
    the last one, also before the end of all. `buckets` has the bucket of each position."""
    count, parts = bucket_count(whole.total), cut.partitions
    first, last = (-(-count * _first_word(p, parts) // WORD) for p in (partition, partition + 1))
    found = whole.before + np.searchsorted(buckets, np.arange(first, last), side="left")
    return np.array([*found, *([whole.total] if partition == parts - 1 else [])], np.int64)


def _first_word(partition: int, partitions: int) -> int:
    """The lowest word of a partition."""
    return -(-WORD * partition // partitions)


class OrderingMemory(SplitMemory, Protocol):
    """A memory with positions as they arrived, the words by which they are ordered, and their
    buckets."""

    arrived: StateArray
    words: WordArray
    found: Array[int]
    counts: Array[int]


def note_word(game: Game, index: int, memory: OrderingMemory) -> None:
    """Note the word by which a position is ordered, and its bucket."""
    word = word_of(game, memory.arrived[index], memory)
    memory.words[index] = word
    memory.found[index] = i64(mulhi(word, memory.counts[0]))
