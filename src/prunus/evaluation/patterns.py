"""Patterns: the discs on some squares of a board, read as a base-3 number that selects a weight
(Buro 1998, Logistello).

A digit is 0 for an empty square, 1 for a disc of the player to move and 2 for one of the opponent.
A pattern is placed on the board in all its symmetric images. These *placements* share one table of
weights, in which numbers that are symmetric images of one another share a weight.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from prunus.core.bits import u64
from prunus.core.memory import WordArray

Array = np.ndarray

LANES: Final = 4
"""The number of placements in one 64-bit word, 16 bits each: patterns have at most ten squares."""


@dataclass(frozen=True)
class Family:
    """The placements of one pattern: the squares of each, the most significant digit first, and for
    each number the index of its weight within the family (`tied`)."""

    placements: tuple[tuple[int, ...], ...]
    tied: Array

    @property
    def numbers(self) -> int:
        """The number of values that the pattern can have."""
        return len(self.tied)

    @property
    def weights(self) -> int:
        """The number of weights: of numbers that are symmetric images of one another only one
        counts."""
        return int(self.tied.max()) + 1


def symmetries(size: int) -> Iterator[tuple[int, ...]]:
    """The eight symmetries of a square board: for each square its image, with squares numbered
    along the rows."""
    last = size - 1
    for turned in (False, True):
        for down in (False, True):
            for right in (False, True):
                images = []
                for square in range(size * size):
                    row, column = divmod(square, size)
                    row, column = (column, row) if turned else (row, column)
                    images.append(
                        (last - row if down else row) * size + (last - column if right else column)
                    )
                yield tuple(images)


def family(squares: Sequence[int], size: int) -> Family:
    """The family of a pattern on a board of `size` x `size`. Raises ValueError for more than ten
    squares."""
    if len(squares) > 10:
        raise ValueError(f"a pattern of {len(squares)} squares: 10 are the most")
    placements: dict[frozenset[int], tuple[int, ...]] = {}
    readings = set()
    for symmetry in symmetries(size):
        image = tuple(symmetry[square] for square in squares)
        placements.setdefault(frozenset(image), image)
        if set(image) == set(squares):
            readings.add(tuple(squares.index(square) for square in image))
    least = np.minimum.reduce([_renumbered(reading) for reading in sorted(readings)])
    return Family(
        tuple(placements.values()), np.unique(least, return_inverse=True)[1].astype(np.int32)
    )


def _renumbered(reading: Sequence[int]) -> Array:
    """For each number, the number that the same discs give when read in another order."""
    length = len(reading)
    numbers = np.arange(3**length)
    digits = [numbers // 3 ** (length - 1 - place) % 3 for place in range(length)]
    return sum(
        (digits[place] * 3 ** (length - 1 - k) for k, place in enumerate(reading)),
        np.zeros(3**length, np.int64),
    )


def packed_digits(placements: Sequence[Sequence[int]]) -> Array:
    """The amounts that one player's discs add to the numbers of all placements, for each row of
    eight squares: item (row * 256 + byte) * words + word holds `LANES` placements of 16 bits each,
    the first in the lowest bits; the last word is padded with zeros."""
    words = -(-len(placements) // LANES)
    digits = np.zeros((8, 256, words), np.uint64)
    bytes_of_a_row = np.arange(256)
    for number, squares in enumerate(placements):
        word, lane = divmod(number, LANES)
        for place, square in enumerate(squares):
            power = 3 ** (len(squares) - 1 - place) << 16 * lane
            has_disc = bytes_of_a_row >> square % 8 & 1 == 1
            digits[square // 8, has_disc, word] += np.uint64(power)
    return digits.reshape(-1)


def placed(digits: WordArray, mine: u64, theirs: u64, word: int, words: int) -> u64:
    """Word `word` of the numbers of all placements; `digits` is a view of `packed_digits`, `mine`
    and `theirs` are 8 x 8 bitboards."""
    m0, m1, m2, m3 = mine & 255, (mine >> 8) & 255, (mine >> 16) & 255, (mine >> 24) & 255
    m4, m5, m6, m7 = (mine >> 32) & 255, (mine >> 40) & 255, (mine >> 48) & 255, mine >> 56
    t0, t1, t2, t3 = theirs & 255, (theirs >> 8) & 255, (theirs >> 16) & 255, (theirs >> 24) & 255
    t4, t5, t6, t7 = (theirs >> 32) & 255, (theirs >> 40) & 255, (theirs >> 48) & 255, theirs >> 56
    ours = (
        digits[m0 * words + word]
        + digits[(256 + m1) * words + word]
        + digits[(512 + m2) * words + word]
    )
    ours += (
        digits[(768 + m3) * words + word]
        + digits[(1024 + m4) * words + word]
        + digits[(1280 + m5) * words + word]
    )
    ours += digits[(1536 + m6) * words + word] + digits[(1792 + m7) * words + word]
    other = (
        digits[t0 * words + word]
        + digits[(256 + t1) * words + word]
        + digits[(512 + t2) * words + word]
    )
    other += (
        digits[(768 + t3) * words + word]
        + digits[(1024 + t4) * words + word]
        + digits[(1280 + t5) * words + word]
    )
    other += digits[(1536 + t6) * words + word] + digits[(1792 + t7) * words + word]
    # No lane overflows: ten squares whose digits are all 2 make 3**10 - 1, the largest number.
    return ours + (other << 1)
