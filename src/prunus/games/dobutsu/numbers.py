"""Numbers for the positions of dobutsu shogi, and the way back from a position."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, product
from math import comb
from typing import Final

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
    THEIRS,
    Board,
    DobutsuRules,
)

RANKED = ((ELEPHANT, 1), (GIRAFFE, 1), (CHICK, 2))
"""The order of the pieces in a number, and the bits that tell whose each is, and whether it is a
hen."""

LIONS: Final = 8 * 11
"""The places of both lions in a number."""

LISTED: Final = u64(0xBA9876543210)
"""The list of all squares. A list has four bits for each item, the first of them lowest."""

HIGHER = tuple(u64(high) for high in range(1, 10) for _ in range(high))
"""The higher one of two places among ten, by the number of the pair."""


def _choices(free: int, count: int, bits: int) -> int:
    """In how many ways so many of the two pieces of a kind can stand on free squares, and the
    others be held, with so many bits for each piece on the board."""
    return comb(free, count) * (3 - count) << bits * count


def _weights(*counts: int) -> tuple[int, ...]:
    """What the digits of a number are worth if so many elephants, giraffes and chicks are on the
    board, in this order, the others in the hands; at last, how many such numbers there are."""
    found, free = [LIONS], 10
    for count, (_, bits) in zip(counts, RANKED, strict=False):
        found.append(found[-1] * _choices(free, count, bits))
        free -= count
    return tuple(found)


CLASSES = tuple(product(range(3), repeat=3))
"""The numbers of elephants, giraffes and chicks that can stand on the board, in order: 9, 3 and 1
times them are the number of such a class."""

FIRST_OF: Final = tuple(map(u64, accumulate((_weights(*each)[3] for each in CLASSES), initial=0)))
"""The first number of each class, and the end of the last."""

STRETCH: Final = 20
"""The numbers of a stretch, as a power of two."""

CLASS_OF: Final = tuple(
    max(kinds for kinds in range(len(CLASSES)) if int(FIRST_OF[kinds]) <= stretch << STRETCH)
    for stretch in range((int(FIRST_OF[-1]) >> STRETCH) + 1)
)
"""The class of the first number of each stretch: of most stretches, that of all."""

GIRAFFES_WORTH = tuple(u64(_weights(*each)[1]) for each in CLASSES)
CHICKS_WORTH = tuple(u64(_weights(*each)[2]) for each in CLASSES)
"""What the digits of giraffes and chicks are worth, by class."""

SCALE: Final = 40
"""A quotient of numbers below 2^24 by those below 2^7 is found by multiplication with a reciprocal
of so many bits: its error, times the number, stays below the distance to the next quotient. Without
the lions, numbers of a class are below 2^23."""

PAIRS = tuple(u64(comb(free, count)) for free in range(11) for count in range(4))
RECIPROCALS = tuple(u64(-(-(1 << SCALE) // (int(each) or 1))) for each in PAIRS)
"""The ways to place up to two equal pieces, at 4 x the free squares + their number; and what
divides by that."""

HAND_RECIPROCALS = tuple(u64(-(-(1 << SCALE) // (3 - count))) for count in range(3))
"""What divides by the ways in which the pieces that are not on the board can be in the hands."""


def square_of(listed: u64, number: u64) -> u64:
    """The item of this number, from 0, in a list of squares."""
    return listed >> 4 * number & 15


def without(listed: u64, number: u64) -> u64:
    """A list of squares without the item of this number."""
    below = (u64(1) << 4 * number) - 1
    return listed & below | listed >> 4 & ~below


def _lions_at(number: int) -> tuple[u64, u64]:
    """Both lions on their squares, and the list of the other squares, by the digit of the lions."""
    mine, theirs = divmod(number, 11)
    square = u64(mine + mine // 2)
    free = without(LISTED, square)
    lions = u64(LION) << 4 * square | u64(LION + THEIRS) << 4 * square_of(free, u64(theirs))
    return lions, without(free, u64(theirs))


LIONS_AT = tuple(_lions_at(number)[0] for number in range(LIONS))
FREE_AT = tuple(_lions_at(number)[1] for number in range(LIONS))


def owned(kind: int, owner: u64) -> u64:
    """The piece of this kind, or hen, of the player to move or the opponent, as the bits of its
    owner say."""
    return kind | (owner & 2) << 1 | (owner & 1 ^ 1) << 3


class DobutsuNumbers(DobutsuRules):
    """What databases ask of dobutsu shogi.

    There are numbers for the game that ends early: there both lions always stand on the board. The
    last digit is their squares, that of the player to move not in the right column; then come those
    of elephants, giraffes and chicks, each on squares that are left. How many of these are on the
    board is a class of its own.
    """

    def rank_count(self) -> int:
        return int(FIRST_OF[-1]) if self.early else 0

    def rank(self, state: Board) -> int:
        squares = state.squares
        lions = self.lions(squares)
        lion = lions & ~(squares >> 3)
        if lion & RIGHT_COLUMN:
            squares = self.mirrored(squares)
            lions = self.lions(squares)
            lion = lions & ~(squares >> 3)
        other = lions ^ lion
        if lion == 0 or other == 0:
            return -1
        low, middle, high = squares & ONES, squares >> 1 & ONES, squares >> 2 & ONES
        mine, hens = ONES & ~(squares >> 3), low & high
        elephants, giraffes, chicks = middle & ~low, middle & low, low & ~middle
        free = ONES ^ lion
        square = u64(bit_index(lion) // 4)
        number = (square - square // COLUMNS) * 11 + (free & (other - 1)).bit_count()
        free ^= other
        number += self.digit(free, elephants, mine, u64(0), 1, squares >> HAND + 2) * LIONS
        free ^= elephants
        count = u64(elephants.bit_count() * 9)
        digit = self.digit(free, giraffes, mine, u64(0), 1, squares >> HAND + 4)
        number += digit * GIRAFFES_WORTH[count]
        free ^= giraffes
        count += giraffes.bit_count() * 3
        digit = self.digit(free, chicks, mine, hens, 2, squares >> HAND)
        number += digit * CHICKS_WORTH[count]
        return int(FIRST_OF[count + chicks.bit_count()] + number)

    def digit(self, free: u64, pieces: u64, mine: u64, hens: u64, bits: int, hand: u64) -> u64:
        """The digit of the pieces of a kind: where they stand among the free squares, how many of
        the others the player to move holds (the last two bits of `hand`), and whose they are."""
        count = pieces.bit_count()
        first = lowest_bit(pieces)
        second = pieces ^ first
        below = u64((free & (second - 1)).bit_count() if second else 0)
        index = u64((free & (first - 1)).bit_count() if first else 0) + (below * (below - 1) >> 1)
        owners = u64(hens & first != 0) << 1 | u64(mine & first != 0)
        owners |= (u64(hens & second != 0) << 1 | u64(mine & second != 0)) << bits
        return (index * (3 - count) + (hand & 3)) << bits * count | owners

    def unrank(self, number: int) -> Board:
        kinds = CLASS_OF[number >> STRETCH]
        while FIRST_OF[kinds + 1] <= number:
            kinds += 1
        digits = u64(number) - FIRST_OF[kinds]
        left, lions = digits // LIONS, digits % LIONS
        squares, listed, free = LIONS_AT[lions], FREE_AT[lions], 10
        for kind, bits in RANKED:
            count, kinds = kinds // 9, kinds % 9 * 3
            owners = left & ((u64(1) << bits * count) - 1)
            left >>= bits * count
            rest = left * HAND_RECIPROCALS[count] >> SCALE
            hand = left - rest * (3 - count)
            ways = free * 4 + count
            left = rest * RECIPROCALS[ways] >> SCALE
            index = rest - left * PAIRS[ways]
            bit = HAND + 2 * (kind - 1)
            squares |= hand << bit | (2 - count - hand) << bit + 6
            if count == 2:
                high = HIGHER[index]
                index -= high * (high - 1) >> 1
                squares |= owned(kind, owners >> bits) << 4 * square_of(listed, high)
                listed = without(listed, high)
            if count:
                owner = owners & ((u64(1) << bits) - 1)
                squares |= owned(kind, owner) << 4 * square_of(listed, index)
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
        lions = self.lions(squares)
        is_lion_taken = lions & squares >> 3 == 0
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
                sources = SOURCES[u64(place) << 1 | stepped] & free
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
