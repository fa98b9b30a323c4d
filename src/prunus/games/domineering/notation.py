"""Domineering's positions and moves as text."""

from __future__ import annotations

import string

from prunus.core.game import PositionError
from prunus.games.boards import is_start, split_mover
from prunus.games.domineering.rules import Board, DomineeringRules

PLAYERS = "VH"
FREE, TAKEN = ".#"


class DomineeringNotation(DomineeringRules):
    """Rows from the top, `#` a covered cell, and the player to move: `..#/..#/... H`. A move is the
    first cell of its domino, the upper one or the left one: `b1` is column b, row 1 from the
    top."""

    drawn_as = "tiles"

    def parse(self, text: str) -> Board:
        if is_start(text):
            return self.initial()
        board, turn = split_mover(text, PLAYERS, "..#/..#/... H")
        rows = [row.strip() for row in board.strip().replace("\n", "/").split("/")]
        if len(rows) != self.rows:
            raise PositionError(f"the board has {self.rows} rows, not {len(rows)}: {text!r}")
        for number, row in enumerate(rows, 1):
            self.expect_row(row, number)
        cells = "".join(rows)
        free = sum(1 << place for place, cell in enumerate(cells) if cell == FREE)
        if cells.count(TAKEN) % 2:
            raise PositionError(f"a domino covers two cells, but {cells.count(TAKEN)} are covered")
        state: Board = self.State(self.word(free), turn)
        return state

    def expect_row(self, row: str, number: int) -> None:
        """Raises PositionError unless this is a row of the board."""
        if len(row) != self.columns:
            raise PositionError(f"row {number} ({row!r}) has {len(row)} cells, not {self.columns}")
        for place, cell in enumerate(row, 1):
            if cell not in (FREE, TAKEN):
                raise PositionError(
                    f"row {number}, column {place}: {cell!r} is neither {FREE!r} nor {TAKEN!r}"
                )

    def whose_turn(self, state: Board) -> int:
        return int(state.turn)

    def format(self, state: Board) -> str:
        cells = "".join(
            FREE if state.free >> place & 1 else TAKEN for place in range(self.rows * self.columns)
        )
        rows = [cells[i : i + self.columns] for i in range(0, len(cells), self.columns)]
        return f"{'/'.join(rows)} {PLAYERS[state.turn]}"

    def action_name(self, state: Board, action: int) -> str:
        row, column = divmod(int(action), self.columns)
        return f"{string.ascii_lowercase[column]}{row + 1}"
