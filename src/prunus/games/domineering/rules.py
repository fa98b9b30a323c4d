"""Domineering's rules on boards of bits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final, Protocol

from prunus.core.bits import CASTS, bit_index, lowest_bit, u64
from prunus.core.rules import Rules

VERTICAL, HORIZONTAL = 0, 1
"""The players: who puts dominoes on two cells of a column, and who on two cells of a row."""

WIN: Final = 128
"""What a win is worth: more than the moves that a player can have on 128 cells."""


class Board(Protocol):
    """A State: the free cells, and the player to move."""

    free: u64
    turn: int


class DomineeringRules(Rules):
    """The rules, for boards of `rows` x `columns` cells; `word` says how many bits a board has."""

    word: ClassVar[type[u64]] = u64

    def __init__(self, rows: int = 8, columns: int = 8, horizontal: bool = False) -> None:
        limit = CASTS[self.word][0]
        if min(rows, columns) < 1:
            raise ValueError(f"rows and columns must be at least 1, not {rows} and {columns}")
        if rows * columns > limit or columns > 26:
            raise ValueError(
                f"a board of {rows} rows and {columns} columns has {rows * columns} cells; {limit} "
                f"cells and 26 columns are the limit"
            )
        self.rows, self.columns, self.horizontal = int(rows), int(columns), bool(horizontal)
        row = (1 << columns - 1) - 1
        self.board = self.word((1 << rows * columns) - 1)
        self.left = self.word(sum(row << columns * number for number in range(rows)))

    def initial(self) -> Board:
        state: Board = self.State(self.board, HORIZONTAL if self.horizontal else VERTICAL)
        return state

    def step(self, turn: int) -> int:
        """From the first cell of a player's domino to its second, in bits."""
        return 1 if turn == HORIZONTAL else self.columns

    def places(self, free: u64, turn: int) -> u64:
        """The cells on which a player's domino can begin, of these that are free."""
        if turn == HORIZONTAL:
            return free & (free >> 1) & self.left
        return free & (free >> self.columns)

    def actions(self, state: Board) -> Iterator[int]:
        places = self.places(state.free, state.turn)
        while places:
            yield bit_index(places)
            places ^= lowest_bit(places)

    def result(self, state: Board, action: int) -> Board:
        one = (state.free & 0) | 1
        domino = one << action | one << (action + self.step(state.turn))
        after: Board = self.State(state.free ^ domino, 1 - state.turn)
        return after

    def is_terminal(self, state: Board) -> bool:
        return self.places(state.free, state.turn) == 0

    def utility(self, state: Board) -> int:
        return -WIN

    def canonical(self, state: Board) -> Board:
        """The one with the smallest number of the four images under the symmetries of the
        rectangle, which leave vertical dominoes vertical."""
        mirrored = self.mirrored(state.free)
        turned = self.upside_down(state.free)
        best = min(state.free, mirrored, turned, self.upside_down(mirrored))
        image: Board = self.State(best, state.turn)
        return image

    def upside_down(self, cells: u64) -> u64:
        """The cells with the rows in reverse order."""
        row = (1 << self.columns) - 1
        turned = cells & 0
        for i in range(self.rows):
            turned |= (cells >> i * self.columns & row) << (self.rows - 1 - i) * self.columns
        return turned

    def mirrored(self, cells: u64) -> u64:
        """The cells with the columns in reverse order."""
        column = cells & 0
        for i in range(self.rows):
            column |= (cells & 0 | 1) << i * self.columns
        turned = cells & 0
        for j in range(self.columns):
            turned |= (cells >> j & column) << self.columns - 1 - j
        return turned
