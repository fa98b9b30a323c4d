"""(m,n,k) games: k stones in a row on a board of m rows and n columns; tic-tac-toe is (3,3,3)."""

from __future__ import annotations

import string
from collections.abc import Iterator
from typing import ClassVar, NamedTuple

from prunus.core.bits import CASTS, bit_index, lowest_bit, mix, u64, u128, u256
from prunus.core.game import Game, PositionError
from prunus.games.boards import is_start, read_rows


class MNK(Game):
    """Two players put a stone on a free cell in turn; the first to have k in a row, column or
    diagonal wins (with `misere`: loses).

    m rows, n columns; a `k` longer than both sides is allowed and makes every game a draw. A board
    fits if m (n + 1) <= 257 and n <= 26, otherwise ValueError. Utility 1, 0, -1. A cell is one bit,
    and every row ends in a bit that stays empty, so that lines do not continue into the next row
    (here m = n = 3):

         0  1  2 | 3        row 1
         4  5  6 | 7        row 2
         8  9 10 |          row 3

    Actions are the numbers of these bits; in text a cell is its column's letter and its row's
    number from the top: bit 5 is `b2`. Positions: rows from the top, `X` for the first player, as
    in `X.O/.X./...`; the side to move follows from the counts.
    """

    drawn_as = "marks"

    class State(NamedTuple):
        mine: u64
        theirs: u64

    word: ClassVar[type[u64]] = u64

    def __new__(cls, m: int = 3, n: int = 3, k: int = 3, misere: bool = False) -> MNK:
        # A larger board is the same game with longer words.
        return object.__new__(_fitting(m, n) if cls is MNK else cls)

    def __init__(self, m: int = 3, n: int = 3, k: int = 3, misere: bool = False) -> None:
        if min(m, n, k) < 1:
            raise ValueError(f"m, n and k must be at least 1, not {m}, {n}, {k}")
        needed, limit = m * (n + 1) - 1, CASTS[self.word][0]
        if needed > limit or n > 26:
            raise ValueError(
                f"a board of {m} rows and {n} columns needs {needed} bits; {limit} bits and 26 "
                f"columns are the limit"
            )
        self.m, self.n, self.k, self.misere = m, n, k, bool(misere)
        self.bits = m * (n + 1)
        self.steps = (1, n + 1, n, n + 2)
        self.board = self.word(sum(((1 << n) - 1) << row * (n + 1) for row in range(m)))

    def initial(self) -> State:
        none = self.board & 0
        return self.State(none, none)

    def actions(self, state: State) -> Iterator[int]:
        free = self.board & ~(state.mine | state.theirs)
        while free:
            yield bit_index(free)
            free ^= lowest_bit(free)

    def result(self, state: State, action: int) -> State:
        return self.State(state.theirs, state.mine | 1 << action)

    def has_line(self, stones: u64) -> bool:
        """Whether these stones hold k in a row."""
        for step in self.steps:
            run = stones
            length = 1
            while run and length < self.k:
                run &= run >> step
                length += 1
            if run:
                return True
        return False

    def is_terminal(self, state: State) -> bool:
        return (state.mine | state.theirs) == self.board or self.has_line(state.theirs)

    def utility(self, state: State) -> int:
        if self.has_line(state.theirs):
            return 1 if self.misere else -1
        return 0

    def bounds(self, state: State) -> tuple[int, int]:
        return (-1, 1)

    def key(self, state: State) -> int:
        """Both bitboards side by side if they fit, otherwise a hash of them."""
        if self.bits <= 32:
            return (state.mine << self.bits) | state.theirs
        return mix(mix(state.mine) ^ state.theirs)

    def canonical(self, state: State) -> State:
        """The smallest of the images under the symmetries of the rectangle, or of the square."""
        best = state
        image = state
        for turn in range(8 if self.m == self.n else 4):
            if turn % 4 == 0 and turn > 0:
                image = self.State(self.transposed(image.mine), self.transposed(image.theirs))
            elif turn % 2 == 0:
                image = self.State(self.upside_down(image.mine), self.upside_down(image.theirs))
            else:
                image = self.State(self.mirrored(image.mine), self.mirrored(image.theirs))
            if image.mine < best.mine or (image.mine == best.mine and image.theirs < best.theirs):
                best = image
        return best

    def upside_down(self, stones: u64) -> u64:
        """The stones with the rows in reverse order."""
        row = (1 << self.n) - 1
        turned = stones & 0
        for i in range(self.m):
            turned |= ((stones >> (i * (self.n + 1))) & row) << ((self.m - 1 - i) * (self.n + 1))
        return turned

    def mirrored(self, stones: u64) -> u64:
        """The stones with the columns in reverse order."""
        column = stones & 0
        for i in range(self.m):
            column |= 1 << (i * (self.n + 1))
        turned = stones & 0
        for j in range(self.n):
            turned |= ((stones >> j) & column) << (self.n - 1 - j)
        return turned

    def transposed(self, stones: u64) -> u64:
        """The stones of a square board with rows and columns exchanged."""
        turned = stones & 0
        rest = stones
        while rest:
            place = bit_index(rest)
            rest ^= lowest_bit(rest)
            turned |= 1 << ((place % (self.n + 1)) * (self.n + 1) + place // (self.n + 1))
        return turned

    # Texts.

    def parse(self, text: str) -> State:
        if is_start(text):
            return self.initial()
        stones = {"X": 0, "O": 0, ".": 0}
        for i, row in enumerate(read_rows(text, self.m, self.n)):
            for j, cell in enumerate(row):
                stones[cell] |= 1 << i * (self.n + 1) + j
        first, second = self.word(stones["X"]), self.word(stones["O"])
        if self.has_line(first) and self.has_line(second):
            raise PositionError(f"both X and O have {self.k} in a row: {text!r}")
        first_moves = first.bit_count() == second.bit_count()
        if self.has_line(first if first_moves else second):
            done, other = ("X", "O") if first_moves else ("O", "X")
            raise PositionError(
                f"{done} has {self.k} in a row, which ends the game, but {other} has moved after "
                f"it: {text!r}"
            )
        return self.State(first, second) if first_moves else self.State(second, first)

    def whose_turn(self, state: State) -> int:
        return int(state.mine.bit_count() != state.theirs.bit_count())

    def format(self, state: State) -> str:
        first_moves = state.mine.bit_count() == state.theirs.bit_count()
        first, second = (state.mine, state.theirs) if first_moves else (state.theirs, state.mine)

        def cell(place: int) -> str:
            return "X" if first >> place & 1 else "O" if second >> place & 1 else "."

        return "/".join(
            "".join(cell(i * (self.n + 1) + j) for j in range(self.n)) for i in range(self.m)
        )

    def action_name(self, state: State, action: int) -> str:
        row, column = divmod(int(action), self.n + 1)
        return f"{string.ascii_lowercase[column]}{row + 1}"


class MNK128(MNK):
    """The same on boards of up to 128 bits."""

    class State(NamedTuple):
        mine: u128
        theirs: u128

    name = "MNK"
    word = u128
    key = Game.key  # type: ignore[assignment]


class MNK256(MNK):
    """The same on boards of up to 256 bits."""

    class State(NamedTuple):
        mine: u256
        theirs: u256

    name = "MNK"
    word = u256
    key = Game.key  # type: ignore[assignment]


def _fitting(m: int, n: int) -> type[MNK]:
    """The class for a board of this size; the last one if none is large enough."""
    return next((cls for cls in (MNK, MNK128) if m * (n + 1) - 1 <= CASTS[cls.word][0]), MNK256)


class TicTacToe(MNK):
    """Three in a row on 3 x 3: the (3,3,3) game."""

    name = "tic-tac-toe"

    def __init__(self, misere: bool = False) -> None:
        super().__init__(3, 3, 3, misere)
