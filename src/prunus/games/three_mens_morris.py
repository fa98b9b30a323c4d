"""Three men's morris and achi: three in a row with stones that move, so positions can come up
again."""

from __future__ import annotations

import string
from collections.abc import Iterator
from typing import NamedTuple

from prunus.core.bits import bit_index, lowest_bit, u8, u16, u64
from prunus.core.game import Game, PositionError
from prunus.games.boards import is_start, joined, read_rows, split_mover

LINES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
"""The rows, columns and diagonals of the board as sets of cells; cell 0 is at the top left, cell 8
at the bottom right."""

BOARD = 0o777
CENTRE = 4

IMAGES = tuple(
    place
    for rows in (False, True)
    for columns in (False, True)
    for swapped in (False, True)
    for cell in range(9)
    for row, column in (
        ((2 - cell // 3 if rows else cell // 3), (2 - cell % 3 if columns else cell % 3)),
    )
    for place in (3 * column + row if swapped else 3 * row + column,)
)
"""The cells to which the eight symmetries of the square take each cell, one symmetry after
another."""


def _neighbours(cell: int) -> int:
    """The cells one step from this one: beside, above, below, and along the diagonals through the
    centre."""
    row, column = divmod(cell, 3)
    found = 0
    for other in range(9):
        steps = abs(other // 3 - row) + abs(other % 3 - column)
        diagonal = abs(other // 3 - row) == abs(other % 3 - column) == 1 and CENTRE in (cell, other)
        found |= (steps == 1 or diagonal) << other
    return found


NEIGHBOURS = tuple(_neighbours(cell) for cell in range(9))


class ThreeMensMorris(Game):
    """Two players put their stones on a 3 x 3 board in turn; when all are placed, they move a stone
    along a line to a free neighbouring cell. Three in a row win; a player who cannot move loses; a
    position that comes up again is a draw.

    `stones` for each player: 3 (three men's morris, tapatan) or 4 (achi). With `centre` false the
    first stone may not be put on the centre. Other values: ValueError. Utility, for the player to
    move at the end: -1. Actions are the cell for a placement, 9 (from + 1) + to for a move; in text
    `b2` and `a1-b2`: the column's letter and the row's number from the top. Positions are the rows
    from the top, `X` for the first player, and the player to move: `XX./.O./..O X`.
    """

    drawn_as = "points"

    name = "three men's morris"
    repetition = "draw"

    class State(NamedTuple):
        mine: u16
        theirs: u16
        turn: u8

    def __init__(self, stones: int = 3, centre: bool = True) -> None:
        if stones not in (3, 4):
            raise ValueError(
                f"three men's morris is played with 3 stones each, achi with 4, not {stones}"
            )
        self.stones, self.centre = int(stones), bool(centre)

    def initial(self) -> State:
        return self.State(0, 0, 0)

    def is_placing(self, state: State) -> bool:
        """Whether the player to move has stones in hand."""
        return u64(state.mine).bit_count() < self.stones

    def actions(self, state: State) -> Iterator[int]:
        free = u64(BOARD) & ~u64(state.mine | state.theirs)
        if self.is_placing(state):
            if free == BOARD and not self.centre:
                free ^= u64(1) << CENTRE
            while free:
                yield bit_index(free)
                free ^= lowest_bit(free)
        else:
            for start in range(9):
                goals = free & NEIGHBOURS[start] if state.mine >> start & 1 else u64(0)
                while goals:
                    yield 9 * (start + 1) + bit_index(goals)
                    goals ^= lowest_bit(goals)

    def result(self, state: State, action: int) -> State:
        moved = state.mine | 1 << action % 9
        if action >= 9:
            moved ^= 1 << (action // 9 - 1)
        return self.State(state.theirs, moved, 1 - state.turn)

    def has_line(self, stones: int) -> bool:
        """Whether these stones hold three in a row."""
        for line in LINES:
            if stones & line == line:
                return True
        return False

    def is_blocked(self, state: State) -> bool:
        """Whether the player to move has all stones placed and none that can move."""
        if self.is_placing(state):
            return False
        free = BOARD ^ (state.mine | state.theirs)
        for start in range(9):
            if state.mine >> start & 1 and free & NEIGHBOURS[start]:
                return False
        return True

    def is_terminal(self, state: State) -> bool:
        return self.has_line(state.theirs) or self.is_blocked(state)

    def utility(self, state: State) -> int:
        return -1

    def bounds(self, state: State) -> tuple[int, int]:
        return (-1, 1)

    def canonical(self, state: State) -> State:
        """The smallest of the images under the eight symmetries of the square."""
        best = state
        for first in range(0, 72, 9):
            mine, theirs = 0, 0
            for cell in range(9):
                mine |= (state.mine >> cell & 1) << IMAGES[first + cell]
                theirs |= (state.theirs >> cell & 1) << IMAGES[first + cell]
            if mine < best.mine or (mine == best.mine and theirs < best.theirs):
                best = self.State(mine, theirs, state.turn)
        return best

    # Texts.

    def drawn_lines(self) -> Iterator[tuple[int, int]]:
        return joined(range(9), NEIGHBOURS)

    def parse(self, text: str) -> State:
        if is_start(text):
            return self.initial()
        board, turn = split_mover(text, "XO", "X../.O./... X")
        cells = "".join(read_rows(board, 3, 3))
        stones = [
            sum(1 << place for place, cell in enumerate(cells) if cell == player) for player in "XO"
        ]
        counts = [cells.count(player) for player in "XO"]
        if max(counts) > self.stones:
            raise PositionError(
                f"a player has {max(counts)} stones, more than {self.stones}: {text!r}"
            )
        if turn != counts[0] - counts[1] and min(counts) < self.stones:
            raise PositionError(
                f"with {counts[0]} X and {counts[1]} O on the board it is the other player's turn: "
                f"{text!r}"
            )
        if self.has_line(stones[turn]):
            raise PositionError(
                f"{'XO'[turn]} has three in a row, which ends the game, and cannot be to move: "
                f"{text!r}"
            )
        return self.State(stones[turn], stones[1 - turn], turn)

    def format(self, state: State) -> str:
        first, second = (
            (state.mine, state.theirs) if state.turn == 0 else (state.theirs, state.mine)
        )
        cells = "".join(
            "X" if first >> place & 1 else "O" if second >> place & 1 else "." for place in range(9)
        )
        return f"{cells[:3]}/{cells[3:6]}/{cells[6:]} {'XO'[state.turn]}"

    def action_name(self, state: State, action: int) -> str:
        goal = _cell_name(int(action) % 9)
        return goal if action < 9 else f"{_cell_name(int(action) // 9 - 1)}-{goal}"


def _cell_name(cell: int) -> str:
    return f"{string.ascii_lowercase[cell % 3]}{cell // 3 + 1}"
