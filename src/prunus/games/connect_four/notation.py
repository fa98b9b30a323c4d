"""Positions of Connect Four as text: the columns played, and boards."""

from __future__ import annotations

from prunus.core.rules import PositionError
from prunus.games.boards import is_start, read_rows
from prunus.games.connect_four.rules import Board, ConnectFourRules


class ConnectFourNotation(ConnectFourRules):
    """Reading and writing positions and moves; `prunus.games.ConnectFour` describes the
    notation."""

    drawn_as = "drop"

    def parse(self, text: str) -> Board:
        if is_start(text):
            return self.initial()
        has_columns = any(letter.isdecimal() for letter in text)
        if "." in text or "/" in text or ("X" in text.upper() and not has_columns):
            return self._parse_rows(text)
        separated = self.width > 9 or "," in text or " " in text.strip()
        return self._play_columns(
            text.replace(",", " ").split() if separated else list(text.strip())
        )

    def _play_columns(self, columns: list[str]) -> Board:
        state = self._dropped(columns)
        # A four stays on the board: without one in the end, the game was never over before.
        if state is None or self.has_four(state.mine) or self.has_four(state.mine ^ state.mask):
            return self._play_checked(columns)
        return state

    def _dropped(self, columns: list[str]) -> Board | None:
        """The position after these moves, even if the game is over before the last; None if one of
        them cannot be made at all."""
        state, stones = self.initial(), [0] * self.width
        for column in columns:
            place = int(column) - 1 if column.isdecimal() else -1
            if not 0 <= place < self.width or stones[place] == self.height:
                return None
            stones[place] += 1
            state = self.result(state, place)
        return state

    def _play_checked(self, columns: list[str]) -> Board:
        """The position after these moves. Raises PositionError for the first that is wrong."""
        state = self.initial()
        for number, column in enumerate(columns, 1):
            where = f"move {number} (column {column})"
            if not column.isdecimal():
                raise PositionError(f"move {number} ({column!r}) is not the number of a column")
            if not 1 <= int(column) <= self.width:
                raise PositionError(
                    f"{where}: there is no such column; columns are 1 to {self.width}"
                )
            if self.is_terminal(state):
                raise PositionError(f"{where}: the game is already over")
            if int(column) - 1 not in self.actions(state):
                raise PositionError(f"{where}: the column is full")
            state = self.result(state, int(column) - 1)
        return state

    def _parse_rows(self, text: str) -> Board:
        stones = {"X": 0, "O": 0, ".": 0}
        for row, cells in enumerate(read_rows(text, self.height, self.width)):
            for column, cell in enumerate(cells):
                stones[cell] |= 1 << column * (self.height + 1) + self.height - 1 - row
        first, second = self.one * stones["X"], self.one * stones["O"]
        for column in range(self.width):
            heap = int((first | second) >> column * (self.height + 1)) & ((1 << self.height) - 1)
            if heap & (heap + 1):
                raise PositionError(f"column {column + 1}: a stone hangs over an empty cell")
        mine, theirs = (
            (first, second) if first.bit_count() == second.bit_count() else (second, first)
        )
        if self.has_four(mine):
            raise PositionError(
                f"the player to move already has four in line, which would have ended the game: "
                f"{text!r}"
            )
        return self.made(mine, mine | theirs)

    def whose_turn(self, state: Board) -> int:
        return int(state.mask).bit_count() % 2

    def format(self, state: Board) -> str:
        mine, mask = int(state.mine), int(state.mask)
        first = mine if mask.bit_count() % 2 == 0 else mine ^ mask

        def cell(place: int) -> str:
            return "." if not mask >> place & 1 else "X" if first >> place & 1 else "O"

        stride, rows = self.height + 1, reversed(range(self.height))
        return "/".join(
            "".join(cell(column * stride + row) for column in range(self.width)) for row in rows
        )

    def action_name(self, state: Board, action: int) -> str:
        return str(int(action) + 1)
