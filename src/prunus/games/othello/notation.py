"""Positions of Othello as text: boards, and the moves from the start."""

from __future__ import annotations

import re
import string
from typing import Final

from prunus.core.bits import u64
from prunus.core.rules import PositionError
from prunus.games.boards import is_start
from prunus.games.othello.rules import PASS, Board, OthelloRules

MOVE: Final = re.compile(r"(pass|pa|--|[a-z][0-9]{1,2})[\s,]*", re.IGNORECASE)
"""One move of a transcript and what separates it from the next."""


class OthelloNotation(OthelloRules):
    """Reading and writing positions and moves; `prunus.games.Othello` describes the notation."""

    drawn_as = "discs"
    clear_lead = 12

    def parse(self, text: str) -> Board:
        if is_start(text):
            return self.initial()
        is_transcript = any(character.isdigit() for character in text) or "pa" in text.lower()
        return self._play_transcript(text.strip()) if is_transcript else self._parse_board(text)

    def _play_transcript(self, text: str) -> Board:
        state, place, number = self.initial(), 0, 0
        while place < len(text):
            found = MOVE.match(text, place)
            number += 1
            if found is None:
                raise PositionError(
                    f"move {number}: {text[place : place + 8]!r} begins neither with a square "
                    f"(such as f5) nor with a pass"
                )
            state = self._played(state, found[1].lower(), f"move {number} ({found[1]})")
            place = found.end()
        return state

    def _played(self, state: Board, name: str, where: str) -> Board:
        if self.is_terminal(state):
            raise PositionError(f"{where}: the game is already over")
        action = PASS if name in ("pass", "pa", "--") else self._square(name, where)
        legal = list(self.actions(state))
        if legal == [PASS] and action != PASS:
            state = self.result(state, PASS)
            legal = list(self.actions(state))
        if action not in legal:
            raise PositionError(
                f"{where} is illegal here; legal: "
                f"{' '.join(self.action_name(state, each) for each in legal)}"
            )
        return self.result(state, action)

    def _square(self, name: str, where: str) -> int:
        column, row = string.ascii_lowercase.index(name[0]), int(name[1:]) - 1
        if not (column < self.size and 0 <= row < self.size):
            raise PositionError(
                f"{where}: there is no such square; squares are a1 to {self._name(self.cells - 1)}"
            )
        return row * self.size + column

    def _parse_board(self, text: str) -> Board:
        *rows, mover = text.upper().replace("*", "X").split()
        if mover not in ("X", "O") or not rows:
            raise PositionError(
                f"{text!r} does not end with a blank and the player to move, X (black) or O (white)"
            )
        cells = "".join(rows).replace("/", "").replace(".", "-")
        if len(cells) != self.cells:
            raise PositionError(
                f"the board has {self.cells} squares, {self.size} rows of {self.size}, not "
                f"{len(cells)}: {text!r}"
            )
        for place, cell in enumerate(cells):
            if cell not in "XO-":
                raise PositionError(
                    f"square {place + 1} ({self._name(place)}): {cell!r} is not X, O or '-'"
                )
        black, white = (
            u64(sum(1 << place for place, cell in enumerate(cells) if cell == player))
            for player in "XO"
        )
        return self.State(white, black, True) if mover == "O" else self.State(black, white, False)

    def whose_turn(self, state: Board) -> int:
        return int(state.white)

    def format(self, state: Board) -> str:
        black, white = (state.theirs, state.mine) if state.white else (state.mine, state.theirs)
        cells = [
            "X" if black >> place & 1 else "O" if white >> place & 1 else "-"
            for place in range(self.cells)
        ]
        rows = (
            "".join(cells[place : place + self.size]) for place in range(0, self.cells, self.size)
        )
        return f"{'/'.join(rows)} {'O' if state.white else 'X'}"

    def action_name(self, state: Board, action: int) -> str:
        return "pass" if action == PASS else self._name(int(action))

    def _name(self, square: int) -> str:
        return f"{string.ascii_lowercase[square % self.size]}{square // self.size + 1}"
