"""Numbers for the positions of dobutsu shogi, and the way back from a position."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import comb
from typing import Final

import numpy as np

from prunus.core.bits import bit_index, lowest_bit, u64
from prunus.games.dobutsu.rules import (
    CHICK,
    COLUMNS,
    ELEPHANT,
    FAR_ROW,
    GIRAFFE,
    HAND,
    HEN,
    LION,
    ONES,
    RIGHT_COLUMN,
    SOURCES,
    SQUARES,
    THEIRS,
    Board,
    DobutsuRules,
)

RANKED = ((ELEPHANT, 1), (GIRAFFE, 1), (CHICK, 2))
"""The order of the pieces in a number, and the bits that tell whose each is, and whether it is a
hen."""

LIONS = 8 * 11
"""The places of both lions in a number."""

CLASSES = 27
"""The numbers of elephants, giraffes and chicks that can stand on the board, each 0 to 2."""

LISTED: Final = u64(0xBA9876543210)
"""The list of all squares. A list has four bits for each item, the first of them lowest."""

HIGHER = tuple(high for high in range(1, 10) for _ in range(high))
"""The higher one of two places among ten, by the number of the pair."""


def _placements(counts: tuple[int, ...]) -> int:
    """In how many ways so many elephants, giraffes and chicks can stand on the board, besides the
    lions, with the others in the hands."""
    total, free = LIONS, 10
    for count, (_, bits) in zip(counts, RANKED, strict=True):
        total *= comb(free, count) * (3 - count) << bits * count
        free -= count
    return total


def square_of(listed: u64, number: int) -> int:
    """The item of this number, from 0, in a list of squares."""
    return int(listed >> 4 * number & 15)


def without(listed: u64, number: int) -> u64:
    """A list of squares without the item of this number."""
    below = (u64(1) << 4 * number) - 1
    return listed & below | listed >> 4 & ~below


def owned(kind: int, owner: int) -> u64:
    """The piece of this kind, or hen, of the player to move or the opponent, as the bits of its
    owner say."""
    piece = HEN if owner & 2 else kind
    return u64(piece if owner & 1 else piece + THEIRS)


class DobutsuNumbers(DobutsuRules):
    """What databases ask of dobutsu shogi.

    There are numbers for the game that ends early: there both lions always stand on the board. The
    last digit is their squares, that of the player to move not in the right column; then come those
    of elephants, giraffes and chicks, each on squares that are left. How many of these are on the
    board is a class of its own.
    """

    def __init__(self, early: bool) -> None:
        super().__init__(early)
        self.pairs = np.array([comb(free, count) for free in range(11) for count in range(3)])
        self.first_of = np.cumsum([0, *map(_placements, product(range(3), repeat=3))])

    def rank_count(self) -> int:
        return int(self.first_of[-1]) if self.early else 0

    def rank(self, state: Board) -> int:
        squares = state.squares
        if self.holding(squares, LION) & RIGHT_COLUMN:
            squares = self.mirrored(squares)
        lion, other = self.holding(squares, LION), self.holding(squares, LION + THEIRS)
        if lion == 0 or other == 0:
            return -1
        row, column = divmod(bit_index(lion) // 4, COLUMNS)
        free = ONES ^ lion
        number, size = (row * 2 + column) * 11 + (free & (other - 1)).bit_count(), LIONS
        free ^= other
        kinds = 0
        for kind, bits in RANKED:
            mine, hens = self.holding(squares, kind), u64(0)
            both = mine | self.holding(squares, kind + THEIRS)
            if kind == CHICK:
                my_hens = self.holding(squares, HEN)
                hens = my_hens | self.holding(squares, HEN + THEIRS)
                mine |= my_hens
                both |= hens
            count = both.bit_count()
            low = lowest_bit(both)
            high = both ^ low
            index, owners = 0, 0
            if count:
                index = (free & (low - 1)).bit_count()
                owners = 2 * int(hens & low != 0) + int(mine & low != 0)
            if high:
                below = (free & (high - 1)).bit_count()
                index += below * (below - 1) // 2
                owners |= (2 * int(hens & high != 0) + int(mine & high != 0)) << bits
            pairs = int(self.pairs[free.bit_count() * 3 + count])
            hand = int(squares >> HAND + 2 * (kind - 1) & 3)
            number += (((index * (3 - count) + hand) << bits * count) + owners) * size
            size *= pairs * (3 - count) << bits * count
            free ^= both
            kinds = 3 * kinds + count
        return int(self.first_of[kinds]) + number

    def unrank(self, number: int) -> Board:
        kinds = 0
        for step in (16, 8, 4, 2, 1):
            if kinds + step < CLASSES and self.first_of[kinds + step] <= number:
                kinds += step
        digits, lions = divmod(number - int(self.first_of[kinds]), LIONS)
        mine, theirs = divmod(lions, 11)
        left = u64(digits)
        square = mine // 2 * COLUMNS + mine % 2
        listed = without(LISTED, square)
        squares = u64(LION) << 4 * square
        squares |= u64(LION + THEIRS) << 4 * square_of(listed, theirs)
        listed, free = without(listed, theirs), 10
        for kind, bits in RANKED:
            count, kinds = kinds // 9, kinds % 9 * 3
            owners = int(left & ((1 << bits * count) - 1))
            left >>= bits * count
            hand, pairs = left % (3 - count), u64(self.pairs[free * 3 + count])
            left = left // (3 - count)
            index = int(left % pairs)
            left = left // pairs
            bit = HAND + 2 * (kind - 1)
            squares |= hand << bit | (2 - count - hand) << bit + 6
            if count == 2:
                high = int(HIGHER[index])
                index -= high * (high - 1) // 2
                squares |= owned(kind, owners >> bits) << 4 * square_of(listed, high)
                listed = without(listed, high)
                owners &= (1 << bits) - 1
            if count:
                squares |= owned(kind, owners) << 4 * square_of(listed, index)
                listed = without(listed, index)
            free -= count
        return self.canonical(self.State(squares))

    def predecessors(self, state: Board) -> Iterator[Board]:
        for before in self.taken_back(state):
            if not self.is_terminal(before):
                yield before

    def taken_back(self, state: Board) -> Iterator[Board]:
        """The positions before a step or drop of each of the opponent's pieces, whether the game
        was over there or not."""
        squares = self.turned(state.squares)  # as he sees them
        hand = int(squares >> HAND)
        free = ONES ^ self.taken(squares)
        is_lion_taken = self.holding(squares, LION + THEIRS) == 0
        pieces = self.mine(squares)
        while pieces:
            goal = lowest_bit(pieces)
            pieces ^= goal
            place = bit_index(goal)
            piece = int(squares >> place & 15)
            rest = squares & ~(u64(15) << place)
            if piece <= GIRAFFE and not is_lion_taken:
                yield self.State(rest + (u64(1) << HAND + 2 * (piece - 1)))
            is_last = goal & FAR_ROW != 0
            for promoted in (False, True):
                if promoted and not (piece == HEN and is_last):
                    continue
                if piece == CHICK and is_last:  # it was dropped there
                    continue
                stepped = CHICK if promoted else piece
                sources = SOURCES[SQUARES * (stepped - 1) + place // 4] & free
                while sources:
                    source = lowest_bit(sources)
                    sources ^= source
                    before = rest | source * u64(stepped)
                    if is_lion_taken:
                        yield self.State(before | goal * (LION + THEIRS))
                        continue
                    yield self.State(before)
                    for kind in range(3):
                        if hand >> 2 * kind & 3:
                            held = before - (u64(1) << HAND + 2 * kind)
                            yield self.State(held | goal * u64(kind + 1 + THEIRS))
                            if kind == 0:
                                yield self.State(held | goal * (HEN + THEIRS))
