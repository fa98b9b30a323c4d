"""Hex (Hein 1942, Nash 1948) on boards of up to 11 x 11 cells."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, NamedTuple

from prunus.core.bits import CASTS, bit_index, lowest_bit, u8, u64, u128
from prunus.core.game import Game, PositionError
from prunus.core.grids import cell_name, from_masks, mask, read_grid, write_grid
from prunus.games.boards import is_start, split_mover

PLAYERS = "XO"
LARGEST = 11
SWAP = "swap"


class Hex(Game):
    """Two players put a stone on a free cell in turn. X wins with a chain of stones from the top to
    the bottom, O with one from the left to the right; one of them always does. A cell's neighbours
    are those beside it, above and below, and one step up to the right and down to the left.

    `size` is 1 to 11, otherwise ValueError. With `swap`, O may answer the first stone by taking
    it: it is removed, and O gets the stone that mirrors it. Utility, for the player to move at the
    end: -1. A cell is one bit, row by row from the top left. An action is the number of a cell, or
    size x size to swap; in text `b1` (column b, row 1 from the top) and `swap`.
    """

    class State(NamedTuple):
        first: u64
        second: u64
        turn: u8

    word: ClassVar[type[u64]] = u64

    def __new__(cls, size: int = 11, swap: bool = False) -> Hex:
        # A larger board is the same game with longer words.
        large = cls is Hex and size * size > CASTS[cls.word][0]
        return object.__new__(Hex128 if large else cls)

    def __init__(self, size: int = 11, swap: bool = False) -> None:
        if not 1 <= size <= LARGEST:
            raise ValueError(f"a board of Hex has 1 to {LARGEST} rows, not {size}")
        self.size, self.swap = int(size), bool(swap)
        self.cells = self.size * self.size
        self.board = self.word((1 << self.cells) - 1)
        self.top = self.word((1 << self.size) - 1)
        self.bottom = self.top << self.cells - self.size
        self.left = self.word(sum(1 << self.size * row for row in range(self.size)))
        self.right = self.left << self.size - 1

    def initial(self) -> State:
        return self.State(self.word(0), self.word(0), 0)

    def may_swap(self, state: State) -> bool:
        """Whether O may take X's first stone."""
        return (
            self.swap
            and state.turn == 1
            and state.first != 0
            and state.second == 0
            and (state.first & (state.first - 1)) == 0
        )

    def actions(self, state: State) -> Iterator[int]:
        free = self.board ^ (state.first | state.second)
        while free:
            yield bit_index(free)
            free ^= lowest_bit(free)
        if self.may_swap(state):
            yield self.cells

    def result(self, state: State, action: int) -> State:
        one = (state.first & 0) | 1
        if action == self.cells:
            cell = bit_index(state.first)
            mirrored = cell % self.size * self.size + cell // self.size
            return self.State(state.first & 0, one << mirrored, 0)
        if state.turn == 0:
            return self.State(state.first | one << action, state.second, 1)
        return self.State(state.first, state.second | one << action, 0)

    def is_terminal(self, state: State) -> bool:
        if state.turn == 0:
            return self.connects(state.second, self.left, self.right)
        return self.connects(state.first, self.top, self.bottom)

    def connects(self, stones: u64, start: u64, goal: u64) -> bool:
        """Whether a chain of these stones leads from one edge to another."""
        chain = stones & start
        if chain == 0 or stones & goal == 0:
            return False
        while True:
            if chain & goal:
                return True
            grown = chain | chain << self.size | chain >> self.size
            # Steps to the right leave from all columns but the last, and arrive in all but the
            # first.
            grown |= (chain << 1 | chain >> self.size - 1) & ~self.left
            grown |= (chain >> 1 | chain << self.size - 1) & ~self.right
            grown &= stones
            if grown == chain:
                return False
            chain = grown

    def utility(self, state: State) -> int:
        return -1

    def bounds(self, state: State) -> tuple[int, int]:
        return (-1, 1)

    def plies_left(self, state: State) -> int:
        stones = (state.first | state.second).bit_count()
        return self.cells - stones + (1 if self.swap and stones < 2 else 0)

    def canonical(self, state: State) -> State:
        """The smaller of the position and the one turned by half a circle, comparing `first`, then
        `second`."""
        first, second = self.turned(state.first), self.turned(state.second)
        if first < state.first or (first == state.first and second < state.second):
            return self.State(first, second, state.turn)
        return state

    def turned(self, stones: u64) -> u64:
        """The stones on the board turned by half a circle."""
        found = stones & 0
        one = found | 1
        while stones:
            found |= one << self.cells - 1 - bit_index(stones)
            stones ^= lowest_bit(stones)
        return found

    def order(self, state: State, action: int) -> int:
        """Cells near the centre first."""
        if action == self.cells:
            return 0
        row, column = action // self.size, action % self.size
        return -abs(2 * row - self.size + 1) - abs(2 * column - self.size + 1)

    # Texts.

    def parse(self, text: str) -> State:
        if is_start(text):
            return self.initial()
        board, turn = split_mover(text, PLAYERS, self.format(self.initial()))
        cells = read_grid(board.upper(), self.size, self.size)
        first, second = self.word(mask(cells, 1)), self.word(mask(cells, 2))
        state = self.State(first, second, turn)
        if self.is_terminal(self.State(state.first, state.second, 1 - state.turn)):
            raise PositionError(
                f"{PLAYERS[turn]} has a chain from edge to edge, which ends the game, and cannot "
                f"be to move: {text!r}"
            )
        return state

    def format(self, state: State) -> str:
        cells = from_masks(self.cells, int(state.first), int(state.second))
        return f"{write_grid(cells, self.size)} {PLAYERS[state.turn]}"

    def action_name(self, state: State, action: int) -> str:
        return SWAP if action == self.cells else cell_name(int(action), self.size)


class Hex128(Hex):
    """Hex on boards of more than 64 cells."""

    class State(NamedTuple):
        first: u128
        second: u128
        turn: u8

    name = "Hex"
    word = u128
