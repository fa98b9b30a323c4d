"""Dobutsu shogi (Kitao & Fujita 2008), shogi on 3 x 4 squares, solved by Tanaka (2009)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import comb
from typing import Final, NamedTuple

import numpy as np

from prunus.core.bits import bit_index, lowest_bit, u64
from prunus.core.game import Game, PositionError
from prunus.core.grids import cell_name, read_grid, write_grid
from prunus.games.boards import is_start

COLUMNS, ROWS, SQUARES = 3, 4, 12
CHICK, ELEPHANT, GIRAFFE, LION, HEN = 1, 2, 3, 4, 5
THEIRS: Final = 8
"""Added to a piece of the opponent's."""

STEPS = {
    CHICK: ((-1, 0),),
    ELEPHANT: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    GIRAFFE: ((-1, 0), (1, 0), (0, -1), (0, 1)),
    LION: ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)),
    HEN: ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, 0)),
}
"""The steps of the pieces: rows, which count from the top, and columns."""

ONES: Final = u64(0x111111111111)
BOARD: Final = u64((1 << 48) - 1)
HAND: Final = 48
"""The place of the first count of pieces in hand."""

FIRST_DROP: Final = SQUARES * SQUARES
WIN: Final = 64
RANKED = ((ELEPHANT, 1), (GIRAFFE, 1), (CHICK, 2))
"""The order of the pieces in a number, and the bits that tell whose each is, and whether it is a
hen."""

LIONS = 8 * 11
"""The places of both lions in a number."""

LETTERS: Final = ".CEGLH???ceglh"
WORTH: Final = (0, 2, 6, 6, 0, 8)
"""What a piece on the board is worth to the evaluation."""


def _placements(counts: tuple[int, ...]) -> int:
    """In how many ways so many elephants, giraffes and chicks can stand on the board, besides the
    lions, with the others in the hands."""
    total, free = LIONS, 10
    for count, (_, bits) in zip(counts, RANKED, strict=True):
        total *= comb(free, count) * (3 - count) << bits * count
        free -= count
    return total


def nth_place(free: u64, number: int) -> u64:
    """The square among these that has so many of them below it."""
    for _ in range(number):
        free ^= lowest_bit(free)
    return lowest_bit(free)


def owned(kind: int, owner: int) -> u64:
    """The piece of this kind, or hen, of the player to move or the opponent, as the bits of its
    owner say."""
    piece = HEN if owner & 2 else kind
    return u64(piece if owner & 1 else piece + THEIRS)


def _goals(piece: int, square: int) -> int:
    """The squares to which a piece of the player to move can step, as the lowest bits of their four
    bits."""
    row, column = divmod(square, COLUMNS)
    found = 0
    for down, right in STEPS[piece]:
        if 0 <= row + down < ROWS and 0 <= column + right < COLUMNS:
            found |= 1 << 4 * ((row + down) * COLUMNS + column + right)
    return found


GOALS = tuple(u64(_goals(piece, square)) for piece in STEPS for square in range(SQUARES))
SOURCES = tuple(
    u64(sum(1 << 4 * source for source in range(SQUARES) if _goals(piece, source) >> 4 * goal & 1))
    for piece in STEPS
    for goal in range(SQUARES)
)
FAR_ROW: Final = u64(0x111)
HOME_ROW: Final = u64(0x111) << 36
LEFT_COLUMN: Final = u64(0x00F00F00F00F)
RIGHT_COLUMN: Final = LEFT_COLUMN << 8


class Dobutsu(Game):
    """Two players with a lion, a giraffe (a step across, ahead or back), an elephant (a step along
    a diagonal) and a chick (a step ahead) each; the lion steps any way. A captured piece is the
    capturer's, who may drop it on a free square in place of a move. A chick that steps onto the
    last row becomes a hen, which steps any way but diagonally back; captured, it is a chick.
    Whoever captures the lion wins, and so does a lion on the last row that cannot be captured at
    once. A position's third time is a draw.

    With `early` the game is over, and won, when the player to move can capture the lion: the same
    values, a ply sooner. Utility, for the player to move at the end: -64 or, with `early`, 64.

    A State is the board as the player to move sees it, who goes up, and the pieces in hand. A
    square has four bits, row by row from the top left: 0 free, 1 to 5 chick, elephant, giraffe,
    lion and hen of the player to move, 9 to 13 those of the opponent. From bit 48 on there are two
    bits each for the chicks, elephants and giraffes in his hand, then in the opponent's.

    An action is 12 x the square of the piece + its goal, or 144 + 12 x (0 chick, 1 elephant, 2
    giraffe) + the goal for a drop; in text `b3-b2` and `C*b2`. Positions are the rows as the player
    to move sees them, his pieces in capitals, and both hands: `gle/.c./.C./ELG -/-`.
    """

    repetition = "draw"
    repetition_count = 3
    exact_key = True

    class State(NamedTuple):
        squares: u64

    def __init__(self, early: bool = False) -> None:
        self.early = bool(early)
        self.pairs = np.array([comb(free, count) for free in range(11) for count in range(3)])
        self.first_of = np.cumsum([0, *map(_placements, product(range(3), repeat=3))])

    def initial(self) -> State:
        return self.parse("gle/.c./.C./ELG -/-")

    def key(self, state: State) -> u64:
        return state.squares

    # Squares as the lowest bits of their four bits.

    def taken(self, squares: u64) -> u64:
        """The squares with a piece."""
        any_bit = squares | squares >> 1
        return (any_bit | any_bit >> 2) & ONES

    def mine(self, squares: u64) -> u64:
        """The squares with a piece of the player to move."""
        return self.taken(squares) & ~(squares >> 3)

    def holding(self, squares: u64, piece: int) -> u64:
        """The squares with this piece."""
        return ONES & ~self.taken(squares ^ piece * ONES)

    def can_reach(self, squares: u64, goal: u64) -> bool:
        """Whether the player to move can step onto this square with a piece."""
        pieces = self.mine(squares)
        while pieces:
            place = bit_index(pieces)
            piece = int(squares >> place & 15)
            if GOALS[SQUARES * (piece - 1) + place // 4] & goal:
                return True
            pieces ^= lowest_bit(pieces)
        return False

    def actions(self, state: State) -> Iterator[int]:
        squares = state.squares
        mine = self.mine(squares)
        pieces = mine
        while pieces:
            place = bit_index(pieces)
            piece = int(squares >> place & 15)
            square = place // 4
            goals = GOALS[SQUARES * (piece - 1) + square] & ~mine
            while goals:
                yield SQUARES * square + bit_index(goals) // 4
                goals ^= lowest_bit(goals)
            pieces ^= lowest_bit(pieces)
        for kind in range(3):
            if squares >> HAND + 2 * kind & 3:
                free = ONES ^ self.taken(squares)
                while free:
                    yield FIRST_DROP + SQUARES * kind + bit_index(free) // 4
                    free ^= lowest_bit(free)

    def result(self, state: State, action: int) -> State:
        squares = state.squares
        goal = 4 * (action % SQUARES)
        if action >= FIRST_DROP:
            kind = action // SQUARES - SQUARES
            squares -= u64(1) << HAND + 2 * kind
            return self.State(self.turned(squares | u64(kind + 1) << goal))
        start = 4 * (action // SQUARES)
        piece, captured = squares >> start & 15, squares >> goal & 7
        squares &= ~(u64(15) << start | u64(15) << goal)
        if captured and captured != LION:
            kind = 0 if captured == HEN else int(captured) - 1
            squares += u64(1) << HAND + 2 * kind
        if piece == CHICK and goal < 4 * COLUMNS:
            piece = u64(HEN)
        return self.State(self.turned(squares | piece << goal))

    def turned(self, squares: u64) -> u64:
        """The same position as the opponent sees it."""
        board = squares & BOARD
        board ^= self.taken(board) << 3
        board = (board & 0x0F0F0F0F0F0F) << 4 | board >> 4 & 0x0F0F0F0F0F0F
        board = (
            (board & 0xFF) << 40
            | (board & 0xFF00) << 24
            | (board & 0xFF0000) << 8
            | (board >> 8 & 0xFF0000 | board >> 24 & 0xFF00 | board >> 40)
        )
        hands = squares >> HAND
        return board | (hands >> 6 | (hands & 63) << 6) << HAND

    def is_terminal(self, state: State) -> bool:
        squares = state.squares
        if self.holding(squares, LION) == 0:
            return True
        if self.early and self.can_reach(squares, self.holding(squares, LION + THEIRS)):
            return True
        tried = self.holding(squares, LION + THEIRS) & HOME_ROW
        return tried != 0 and not self.can_reach(squares, tried)

    def utility(self, state: State) -> int:
        squares = state.squares
        lion = self.holding(squares, LION + THEIRS)
        if self.early and self.holding(squares, LION) and self.can_reach(squares, lion):
            return WIN
        return -WIN

    def bounds(self, state: State) -> tuple[int, int]:
        """Whoever can capture the lion wins."""
        squares = state.squares
        if self.holding(squares, LION) == 0:
            return (-WIN, -WIN)
        lion = self.holding(squares, LION + THEIRS)
        if self.can_reach(squares, lion):
            return (WIN, WIN)
        return (-WIN, -WIN) if lion & HOME_ROW else (-WIN, WIN)

    def evaluate(self, state: State) -> int:
        """Material, and half as much again for a piece in hand, which may go anywhere."""
        squares, total = state.squares, 0
        for square in range(SQUARES):
            piece = int(squares >> 4 * square & 15)
            total += WORTH[piece] if piece < THEIRS else -WORTH[piece - THEIRS]
        for kind in range(3):
            here = int(squares >> HAND + 2 * kind & 3)
            there = int(squares >> HAND + 6 + 2 * kind & 3)
            total += (here - there) * WORTH[kind + 1] * 3 // 2
        return total

    def order(self, state: State, action: int) -> int:
        """Captures first, of the lion above all; then other steps, then drops."""
        if action >= FIRST_DROP:
            return 0
        captured = int(state.squares >> 4 * (action % SQUARES) & 7)
        return 100 if captured == LION else 1 + WORTH[captured]

    def canonical(self, state: State) -> State:
        """The smaller of the position and its mirror image."""
        return self.State(min(state.squares, self.mirrored(state.squares)))

    def mirrored(self, squares: u64) -> u64:
        """The mirror image."""
        image = squares & ~(LEFT_COLUMN | RIGHT_COLUMN)
        return image | (squares & LEFT_COLUMN) << 8 | (squares & RIGHT_COLUMN) >> 8

    # Numbers, for the game that ends early: there both lions always stand on the board. The last
    # digit is their squares, that of the player to move not in the right column; then come those of
    # elephants, giraffes and chicks, each on squares that are left. How many of these are on the
    # board is a class of its own.

    def rank_count(self) -> int:
        return int(self.first_of[-1]) if self.early else 0

    def rank(self, state: State) -> int:
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

    def unrank(self, number: int) -> State:
        kinds = 0
        while self.first_of[kinds + 1] <= number:
            kinds += 1
        left, lions = divmod(number - int(self.first_of[kinds]), LIONS)
        mine, theirs = divmod(lions, 11)
        lion = u64(1) << 4 * (mine // 2 * COLUMNS + mine % 2)
        free = ONES ^ lion
        other = nth_place(free, theirs)
        free ^= other
        squares = lion * LION | other * (LION + THEIRS)
        for kind, bits in RANKED:
            count, kinds = kinds // 9, kinds % 9 * 3
            owners = left & ((1 << bits * count) - 1)
            left, hand = divmod(left >> bits * count, 3 - count)
            left, index = divmod(left, int(self.pairs[free.bit_count() * 3 + count]))
            bit = HAND + 2 * (kind - 1)
            squares |= u64(hand) << bit | u64(2 - count - hand) << bit + 6
            high = u64(0)
            if count == 2:
                below = 1
                while below * (below + 1) // 2 <= index:
                    below += 1
                index -= below * (below - 1) // 2
                high = nth_place(free, below)
                squares |= high * owned(kind, owners >> bits)
                owners &= (1 << bits) - 1
            if count:
                low = nth_place(free, index)
                squares |= low * owned(kind, owners)
                free ^= low | high
        return self.canonical(self.State(squares))

    def predecessors(self, state: State) -> Iterator[State]:
        """The positions before a step or drop of each of the opponent's pieces."""
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

    # Texts.

    def parse(self, text: str) -> State:
        if is_start(text):
            return self.initial()
        board, _, hands = text.strip().rpartition(" ")
        if hands.count("/") != 1 or not board:
            raise PositionError(
                f"{text!r} does not end with a blank and both hands, as in gle/.c./.C./ELG -/-"
            )
        cells = read_grid(board.replace("?", "!"), ROWS, COLUMNS, LETTERS)
        squares = sum(piece << 4 * square for square, piece in enumerate(cells))
        for number, hand in enumerate(hands.upper().split("/")):
            for letter in hand.replace("-", ""):
                if letter not in "CEG" or hand.count(letter) > 2:
                    raise PositionError(f"{hand!r} is no hand of C, E and G, two of each at most")
                squares += 1 << HAND + 6 * number + 2 * "CEG".index(letter)
        both = board.upper() + hands.upper()
        for letters, most in (("CH", 2), ("E", 2), ("G", 2), ("L", 2)):
            if sum(map(both.count, letters)) > most:
                raise PositionError(f"there are more than {most} of {letters}: {text!r}")
        if board.count("l") != 1:
            raise PositionError(f"the opponent has one lion, not {board.count('l')}: {text!r}")
        return self.State(u64(squares))

    def format(self, state: State) -> str:
        squares = int(state.squares)
        board = write_grid([squares >> 4 * i & 15 for i in range(SQUARES)], COLUMNS, LETTERS)
        hands = [
            "".join(
                letter * (squares >> HAND + start + 2 * kind & 3)
                for kind, letter in enumerate(letters)
            )
            for start, letters in ((0, "CEG"), (6, "ceg"))
        ]
        return f"{board} {hands[0] or '-'}/{hands[1] or '-'}"

    def action_name(self, state: State, action: int) -> str:
        square, goal = divmod(int(action), SQUARES)
        if action >= FIRST_DROP:
            return f"{'CEG'[square - SQUARES]}*{cell_name(goal, COLUMNS)}"
        return f"{cell_name(square, COLUMNS)}-{cell_name(goal, COLUMNS)}"
