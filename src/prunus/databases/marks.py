"""Sets of numbers as bits, with the place of each number among them and the number at each place.

Numbers below a known count are marked in words of 64 bits. Beside each word stands how many numbers
are marked before it, so that one line of the processor's cache tells whether a number is marked and
how many are less (its place): a bit vector with ranks and selection (Jacobson 1989). `hints` has
the word of every 64th place, from which the word of any other is found by halving. Together that
takes two bits for each number that could be marked, and one for each that is.

While numbers are being marked, the second word of each pair has a use of its own: see `ranking`.
"""

from __future__ import annotations

from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from prunus.core.bits import i64, u64
from prunus.core.memory import Array, WordArray

ABSENT: Final = -1
"""The result of `place_among` for a number that is not marked."""

HINTED: Final = 64
"""The places from one hint to the next."""

Hints = NDArray[np.integer]

BLOCK: Final = 1 << 20
"""The words that are counted together."""


def marks_for(count: int) -> int:
    """The words in which the numbers below `count` can be marked."""
    return 2 * -(-count // 64)


def place_among(number: int, memory: MarksMemory) -> int:
    """How many marked numbers are less than a marked one; ABSENT if it is not marked. The number
    must lie in the range."""
    pair = number >> 6 << 1
    word = memory.marks[pair]
    bit = number & 63
    if word >> bit & 1 == 0:
        return ABSENT
    return i64(memory.marks[pair + 1]) + (word & ((u64(1) << bit) - 1)).bit_count()


def number_at(place: int, memory: MarksMemory) -> int:
    """The marked number at a place."""
    low = memory.hints[place >> 6]
    high = memory.hints[(place >> 6) + 1]
    while low < high:
        middle = (low + high + 1) >> 1
        if i64(memory.marks[2 * middle + 1]) <= place:
            low = middle
        else:
            high = middle - 1
    return 64 * low + nth_bit(memory.marks[2 * low], place - i64(memory.marks[2 * low + 1]))


def nth_bit(word: u64, number: int) -> int:
    """The place of the bit of a word that has `number` set bits below it."""
    place = 0
    width = 32
    while width:
        below = (word >> place & ((u64(1) << width) - 1)).bit_count()
        if number >= below:
            number -= below
            place += width
        width >>= 1
    return place


def is_marked(number: int, memory: MarkingMemory) -> bool:
    """Whether a number in the range is marked, by any thread."""
    return memory.marks.atomic_load(number >> 6 << 1) >> (number & 63) & 1 != 0


def fetch_mark(number: int, memory: MarkingMemory) -> None:
    """Fetch what tells whether a number in the range is marked, which will soon be asked."""
    memory.marks.prefetch(number >> 6 << 1)


def mark(number: int, memory: MarkingMemory) -> bool:
    """Mark a number in the range; return whether this call, of all threads', was the first."""
    pair = number >> 6 << 1
    bit = u64(1) << (number & 63)
    seen = memory.marks.atomic_load(pair)
    while seen & bit == 0:
        found = memory.marks.compare_exchange(pair, seen, seen | bit)
        if found == seen:
            return True
        seen = found
    return False


def count_marks(marks: NDArray[np.uint64]) -> tuple[int, Hints]:
    """Put the number of marks before each word beside it; return how many there are, and the
    hints, in 32 bits each if they have room in these."""
    bits, before = marks[0::2], marks[1::2]
    blocks = range(0, len(bits), BLOCK)
    sums = [
        int(np.bitwise_count(bits[first : first + BLOCK]).sum(dtype=np.int64)) for first in blocks
    ]
    kind = np.uint32 if len(bits) < 1 << 32 else np.int64
    hints: Hints = np.empty(-(-sum(sums) // HINTED) + 1, kind)
    hints[-1] = max(0, len(bits) - 1)
    total, hinted = 0, 0
    for first, added in zip(blocks, sums, strict=True):
        counts = np.bitwise_count(bits[first : first + BLOCK])
        ends = total + np.cumsum(counts, dtype=np.int64)
        before[first : first + BLOCK] = ends - counts
        total += added
        places = np.arange(hinted * HINTED, total, HINTED)
        words = first + np.searchsorted(ends, places, side="right")
        hints[hinted : hinted + len(places)] = words
        hinted += len(places)
    return total, hints


class MarksMemory(Protocol):
    """A memory with marked numbers that have been counted."""

    marks: WordArray
    hints: Array[int]


class MarkingMemory(Protocol):
    """A memory with numbers that are being marked."""

    marks: WordArray
