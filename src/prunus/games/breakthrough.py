"""Breakthrough (Troyka 2001) and hexapawn (Gardner 1962) on boards of any size up to 64 cells."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from prunus.core.bits import bit_index, lowest_bit, u8, u64
from prunus.core.game import Game, PositionError
from prunus.core.grids import cell_name, from_masks, mask, read_grid, write_grid
from prunus.games.boards import is_start, split_mover

PLAYERS = "XO"
LEFT, AHEAD, RIGHT = 0, 1, 2
"""The directions of a step, as seen on the board."""


class Breakthrough(Game):
    """Pawns on a board: X begins at the top and moves down, O at the bottom moves up. A pawn steps
    one row ahead, straight or along a diagonal, onto a free cell; along a diagonal it may capture.
    Whoever brings a pawn to the last row, or leaves the opponent without a move, wins.

    Each player begins with `rows` rows of pawns, at most half of the board, which has 2 to 26
    columns, 3 rows at least, and at most 64 cells; otherwise ValueError. Utility, for the player to
    move at the end: -1. A cell is one bit, row by row from the top left. An action is 3 x the
    pawn's cell + the direction of its step (0 left, 1 ahead, 2 right); in text `a2-b3`, or `a2xb3`
    for a capture.
    """

    drawn_as = "stones"

    class State(NamedTuple):
        down: u64
        up: u64
        turn: u8

    diagonal_steps = True

    def __init__(self, width: int = 8, height: int = 8, rows: int = 2) -> None:
        if not 2 <= width <= 26 or height < 3 or width * height > 64:
            raise ValueError(
                f"the board has 2 to 26 columns, 3 rows at least and at most 64 cells, not {width} "
                f"columns and {height} rows"
            )
        if not 1 <= rows <= height // 2:
            raise ValueError(
                f"a player has 1 to {height // 2} rows of pawns on {height} rows, not {rows}"
            )
        self.width, self.height, self.rows = int(width), int(height), int(rows)
        self.board = u64((1 << self.width * self.height) - 1)
        self.top = u64((1 << self.width) - 1)
        self.bottom = self.top << self.width * (self.height - 1)
        column = sum(1 << self.width * row for row in range(self.height))
        self.not_left = self.board ^ u64(column)
        self.not_right = self.board ^ (u64(column) << self.width - 1)

    def initial(self) -> State:
        pawns = (1 << self.width * self.rows) - 1
        last = pawns << self.width * (self.height - self.rows)
        return self.State(u64(pawns), u64(last), 0)

    def can_step(self, state: State, direction: int) -> u64:
        """The pawns of the player to move that can step in this direction."""
        mine = state.down if state.turn == 0 else state.up
        theirs = state.up if state.turn == 0 else state.down
        goals = self.board ^ (mine | theirs)
        if direction != AHEAD:
            goals = self.board ^ mine if self.diagonal_steps else theirs
        pawns = mine
        if direction == LEFT:
            pawns &= self.not_left
        elif direction == RIGHT:
            pawns &= self.not_right
        shift = self.shift(state.turn, direction)
        return pawns & (goals >> shift if shift > 0 else goals << -shift)

    def shift(self, turn: int, direction: int) -> int:
        """The number of the cell to which a step leads less that of the cell where it begins."""
        return (self.width if turn == 0 else -self.width) + direction - 1

    def actions(self, state: State) -> Iterator[int]:
        for direction in (LEFT, AHEAD, RIGHT):
            pawns = self.can_step(state, direction)
            while pawns:
                yield 3 * bit_index(pawns) + direction
                pawns ^= lowest_bit(pawns)

    def result(self, state: State, action: int) -> State:
        cell = action // 3
        start = u64(1) << cell
        goal = u64(1) << (cell + self.shift(state.turn, action % 3))
        if state.turn == 0:
            return self.State(state.down ^ start | goal, state.up & ~goal, 1)
        return self.State(state.down & ~goal, state.up ^ start | goal, 0)

    def has_arrived(self, state: State) -> bool:
        """Whether the player who has just moved has a pawn on the last row."""
        if state.turn == 0:
            return state.up & self.top != 0
        return state.down & self.bottom != 0

    def is_terminal(self, state: State) -> bool:
        if self.has_arrived(state):
            return True
        return (
            self.can_step(state, LEFT) | self.can_step(state, AHEAD) | self.can_step(state, RIGHT)
        ) == 0

    def utility(self, state: State) -> int:
        return -1

    def bounds(self, state: State) -> tuple[int, int]:
        """A pawn that can step onto the last row wins."""
        if self.has_arrived(state):
            return (-1, -1)
        last = self.bottom >> self.width if state.turn == 0 else self.top << self.width
        for direction in (LEFT, AHEAD, RIGHT):
            if self.can_step(state, direction) & last:
                return (1, 1)
        return (-1, 1)

    def order(self, state: State, action: int) -> int:
        """Captures first, then the pawns that are farthest ahead."""
        goal = action // 3 + self.shift(state.turn, action % 3)
        row = goal // self.width
        ahead = row if state.turn == 0 else self.height - 1 - row
        theirs = state.up if state.turn == 0 else state.down
        return 2 * ahead + (self.height if theirs >> goal & 1 else 0)

    def plies_left(self, state: State) -> int:
        """Each pawn steps at most to the last row."""
        rows, cells = 0, self.top
        for row in range(self.height):
            rows += (self.height - 1 - row) * (state.down & cells).bit_count()
            rows += row * (state.up & cells).bit_count()
            cells <<= self.width
        return rows

    def canonical(self, state: State) -> State:
        """The smaller of the position and its mirror image, comparing `down`, then `up`."""
        down, up = self.mirrored(state.down), self.mirrored(state.up)
        if down < state.down or (down == state.down and up < state.up):
            return self.State(down, up, state.turn)
        return state

    def mirrored(self, pawns: u64) -> u64:
        """The pawns with the columns in reverse order."""
        column = self.board ^ self.not_left
        turned = u64(0)
        for place in range(self.width):
            turned |= (pawns >> place & column) << self.width - 1 - place
        return turned

    # Texts.

    def parse(self, text: str) -> State:
        if is_start(text):
            return self.initial()
        board, turn = split_mover(text, PLAYERS, self.format(self.initial()))
        cells = read_grid(board.upper(), self.height, self.width)
        state = self.State(u64(mask(cells, 1)), u64(mask(cells, 2)), turn)
        arrived = state.down & self.bottom if state.turn == 0 else state.up & self.top
        if arrived:
            raise PositionError(
                f"{PLAYERS[turn]} has a pawn on the last row, which ends the game, and cannot be "
                f"to move: {text!r}"
            )
        return state

    def format(self, state: State) -> str:
        cells = from_masks(self.width * self.height, int(state.down), int(state.up))
        return f"{write_grid(cells, self.width)} {PLAYERS[state.turn]}"

    def action_name(self, state: State, action: int) -> str:
        cell, direction = divmod(int(action), 3)
        goal = cell + self.shift(state.turn, direction)
        sign = "x" if (state.down | state.up) >> goal & 1 else "-"
        return f"{cell_name(cell, self.width)}{sign}{cell_name(goal, self.width)}"


class Hexapawn(Breakthrough):
    """One row of pawns each, which move as in chess: straight ahead onto a free cell, and along a
    diagonal only to capture. Otherwise as in Breakthrough: a pawn on the last row wins, and so does
    leaving the opponent without a move."""

    diagonal_steps = False

    def __init__(self, width: int = 3, height: int = 3) -> None:
        super().__init__(width, height, 1)
