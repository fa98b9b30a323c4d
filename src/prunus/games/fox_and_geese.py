"""Fox and geese on a draughts board (Berlekamp, Conway & Guy 1982, Winning Ways)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from prunus.core.bits import bit_index, lowest_bit, u8, u32, u64
from prunus.core.game import Game, PositionError
from prunus.core.grids import cell_name, read_grid, write_grid
from prunus.games.boards import is_start, split_mover

PLAYERS: Final = "GF"
GEESE: Final = 0
SQUARES: Final = 32
"""The base in which actions are written: the piece's square x `SQUARES` + the square it goes to."""


class FoxAndGeese(Game):
    """Geese on the dark squares of the last row move one step ahead along a diagonal, the fox one
    step along a diagonal, ahead or back; there are no captures. Whoever cannot move loses. The fox
    also wins when, after a move of his, he is nearer to the row where the geese began than each of
    them: he can then go back and forth until they cannot move.

    `size` rows and columns, 4, 6 or 8 (otherwise ValueError), and half as many geese. The geese
    begin; the fox stands on the dark square of the first row that is in the middle, or left of it.
    Utility, for the player to move at the end: -1.

    Dark squares are those whose row and column, from 0 at the top left, add up to an odd number;
    they are numbered row by row. In text a move is `c8-d7`. Positions are the rows from the top,
    `F` the fox and `G` a goose, and the player to move: `...F/..../..../G.G. G`.
    """

    drawn_as = "draughts"

    name = "fox and geese"

    class State(NamedTuple):
        geese: u32
        fox: u8
        turn: u8

    def __init__(self, size: int = 8) -> None:
        if size not in (4, 6, 8):
            raise ValueError(f"the board has 4, 6 or 8 rows and columns, not {size}")
        self.size, self.half = int(size), int(size) // 2
        squares = range(self.size * self.half)
        self.ahead = tuple(self._steps(square, -1) for square in squares)
        self.back = tuple(self._steps(square, 1) for square in squares)

    def cell(self, square: int) -> int:
        """The cell of the board, row by row from the top left, that is a dark square."""
        row, place = divmod(square, self.half)
        return self.size * row + 2 * place + 1 - row % 2

    def _steps(self, square: int, down: int) -> u64:
        """The squares one step from this one, in the row above (-1) or below (1)."""
        row, column = divmod(self.cell(square), self.size)
        return u64(
            sum(
                1 << (self.half * (row + down) + goal // 2)
                for goal in (column - 1, column + 1)
                if 0 <= goal < self.size and 0 <= row + down < self.size
            )
        )

    def initial(self) -> State:
        geese = ((1 << self.half) - 1) << self.half * (self.size - 1)
        return self.State(geese, (self.half - 1) // 2, GEESE)

    def goals(self, state: State, square: int) -> u64:
        """The squares to which the piece on this square can step, if it is its player's turn."""
        free = ~(u64(state.geese) | u64(1) << state.fox)
        if state.turn == GEESE:
            return self.ahead[square] & free
        return (self.ahead[square] | self.back[square]) & free

    def movers(self, state: State) -> u64:
        """The pieces of the player to move."""
        return u64(state.geese) if state.turn == GEESE else u64(1) << state.fox

    def actions(self, state: State) -> Iterator[int]:
        pieces = self.movers(state)
        while pieces:
            square = bit_index(pieces)
            goals = self.goals(state, square)
            while goals:
                yield SQUARES * square + bit_index(goals)
                goals ^= lowest_bit(goals)
            pieces ^= lowest_bit(pieces)

    def result(self, state: State, action: int) -> State:
        square, goal = action // SQUARES, action % SQUARES
        if state.turn == GEESE:
            geese = u64(state.geese) ^ u64(1) << square | u64(1) << goal
            return self.State(geese, state.fox, 1)
        return self.State(state.geese, goal, GEESE)

    def has_passed(self, state: State) -> bool:
        """Whether all geese are in rows farther ahead than the fox's."""
        return u64(state.geese) >> self.half * (state.fox // self.half) == 0

    def is_terminal(self, state: State) -> bool:
        if state.turn == GEESE and self.has_passed(state):
            return True
        pieces = self.movers(state)
        while pieces:
            if self.goals(state, bit_index(pieces)):
                return False
            pieces ^= lowest_bit(pieces)
        return True

    def utility(self, state: State) -> int:
        return -1

    def bounds(self, state: State) -> tuple[int, int]:
        return (-1, 1)

    def order(self, state: State, action: int) -> int:
        """The goose that is farthest behind, so that the line stays closed; the fox ahead."""
        return (action // SQUARES if state.turn == GEESE else action % SQUARES) // self.half

    def plies_left(self, state: State) -> int:
        """Each goose steps at most to the first row, and the fox moves once for each step."""
        steps, geese = 0, u64(state.geese)
        while geese:
            steps += bit_index(geese) // self.half
            geese ^= lowest_bit(geese)
        return 2 * steps + state.turn

    # Texts.

    def parse(self, text: str) -> State:
        if is_start(text):
            return self.initial()
        board, turn = split_mover(text, PLAYERS, self.format(self.initial()))
        cells = read_grid(board.upper(), self.size, self.size, "." + PLAYERS)
        for cell, piece in enumerate(cells):
            if piece and (cell // self.size + cell) % 2 == 0:
                raise PositionError(f"{cell_name(cell, self.size)} is no dark square: {text!r}")
        squares = [cells[self.cell(square)] for square in range(self.size * self.half)]
        for letter, wanted in zip(PLAYERS, (self.half, 1), strict=True):
            found = squares.count(PLAYERS.index(letter) + 1)
            if found != wanted:
                raise PositionError(f"there are {found} {letter}, not {wanted}: {text!r}")
        geese = sum(1 << square for square, piece in enumerate(squares) if piece == 1)
        return self.State(geese, squares.index(2), turn)

    def format(self, state: State) -> str:
        cells = [0] * self.size**2
        for square in range(self.size * self.half):
            if state.geese >> square & 1:
                cells[self.cell(square)] = 1
        cells[self.cell(state.fox)] = 2
        return f"{write_grid(cells, self.size, '.' + PLAYERS)} {PLAYERS[state.turn]}"

    def action_name(self, state: State, action: int) -> str:
        return "-".join(
            cell_name(self.cell(square), self.size) for square in divmod(int(action), SQUARES)
        )
