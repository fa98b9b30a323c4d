"""The rules of Othello, on 8 x 8 and on the smaller boards 6 x 6 and 4 x 4, and its positions as text."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from prunus.bits import bit_index, u64
from prunus.game import Game, PositionError
from prunus.games.boards import LINES, is_start, rays, reached

PASS: Final = 64
"""The action of who cannot move while the opponent can. No board has a square 64, and `u64(1) << PASS` is 0: a pass sets no disc."""

MOVE: Final = re.compile(r"(pass|pa|--|[a-z][0-9]{1,2})[\s,]*", re.IGNORECASE)
"""One move of a transcript and what separates it from the next."""


class OthelloRules(Game):
    """Othello by its rules alone; `prunus.games.Othello`, which is derived from it, describes them and adds what makes searches fast.

    `size` is 8, 6 or 4, otherwise ValueError."""

    class State(NamedTuple):
        mine: u64
        theirs: u64
        white: bool

    def __init__(self, size: int = 8) -> None:
        if size not in (4, 6, 8):
            raise ValueError(f"Othello is played on 4 x 4, 6 x 6 or 8 x 8 squares, not on {size} x {size}")
        self.size = int(size)
        self.cells = size * size
        last = size - 1
        self.board = u64((1 << size * size) - 1)
        self.inner = u64(sum(((1 << last) - 2) << row * size for row in range(size)))  # without the first and the last column
        self.rays = rays(size, PASS)

    def initial(self) -> Any:
        foot = (self.size // 2 - 1) * (self.size + 1)
        white = u64(1) << foot | u64(1) << (foot + self.size + 1)
        return self.State(u64(1) << (foot + 1) | u64(1) << (foot + self.size), white, False)

    def moves(self, mine: u64, theirs: u64) -> u64:
        """The empty squares on which a player with the discs `mine` may set one."""
        # A run along a row or a diagonal ends before the outer columns, so that no line runs on into the next row.
        n, inner = self.size, theirs & self.inner
        found = reached(mine, inner, 1) | reached(mine, theirs, n) | reached(mine, inner, n - 1) | reached(mine, inner, n + 1)
        return found & self.board & ~(mine | theirs)

    def actions(self, state: Any) -> Iterator[int]:
        free = self.moves(state.mine, state.theirs)
        if free == 0:
            yield PASS
        while free:
            yield bit_index(free)
            free &= free - 1

    def result(self, state: Any, action: int) -> Any:
        turned = self.turned(state.mine, state.theirs, action)
        return self.State(state.theirs ^ turned, state.mine | turned | u64(1) << action, not state.white)

    def turned(self, mine: u64, theirs: u64, square: int) -> u64:
        """The discs of `theirs` that a disc of the other player turns over on an empty square; none for a pass."""
        turned = u64(0)
        for ray in range(2 * LINES * square, 2 * LINES * square + LINES):
            up, down = self.rays[ray], self.rays[ray + LINES]
            # The first square of a ray that is not theirs: upwards a carry runs to it, downwards it is the highest bit.
            end = ((theirs | ~up) + 1) & up & mine
            turned |= (end - u64(end != 0)) & up
            end = (u64(1) << (((down & ~theirs) | 1).bit_length() - 1)) & down & mine
            turned |= -(end << 1) & down
        return turned

    def is_terminal(self, state: Any) -> bool:
        if state.mine | state.theirs == self.board:
            return True
        return not (self.can_move(state.mine, state.theirs) or self.can_move(state.theirs, state.mine))

    def can_move(self, mine: u64, theirs: u64) -> bool:
        """Whether a player with the discs `mine` may set one; one direction mostly says so."""
        n, inner, empty = self.size, theirs & self.inner, self.board & ~(mine | theirs)
        if reached(mine, inner, 1) & empty or reached(mine, theirs, n) & empty:
            return True
        return ((reached(mine, inner, n - 1) | reached(mine, inner, n + 1)) & empty) != 0

    def utility(self, state: Any) -> int:
        return self.difference(state.mine, state.theirs)

    def difference(self, mine: u64, theirs: u64) -> int:
        """The difference of discs at the end of the game, the empty squares counting for the winner."""
        ours, others = mine.bit_count(), theirs.bit_count()
        if ours == others:
            return 0
        return self.cells - 2 * others if ours > others else 2 * ours - self.cells

    def empties(self, state: Any) -> int:
        """The number of empty squares."""
        return self.cells - (state.mine | state.theirs).bit_count()

    # Texts.

    def parse(self, text: str) -> Any:
        if is_start(text):
            return self.initial()
        is_transcript = any(character.isdigit() for character in text) or "pa" in text.lower()
        return self._play_transcript(text.strip()) if is_transcript else self._parse_board(text)

    def _play_transcript(self, text: str) -> Any:
        state, place, number = self.initial(), 0, 0
        while place < len(text):
            found = MOVE.match(text, place)
            number += 1
            if found is None:
                raise PositionError(f"move {number}: {text[place : place + 8]!r} begins with no square (as f5) and no pass")
            state = self._played(state, found[1].lower(), f"move {number} ({found[1]})")
            place = found.end()
        return state

    def _played(self, state: Any, name: str, where: str) -> Any:
        if self.is_terminal(state):
            raise PositionError(f"{where}: the game is already over")
        action = PASS if name in ("pass", "pa", "--") else self._square(name, where)
        legal = list(self.actions(state))
        if legal == [PASS] and action != PASS:
            state = self.result(state, PASS)
            legal = list(self.actions(state))
        if action not in legal:
            raise PositionError(f"{where} is illegal here; legal: {' '.join(self.action_name(state, each) for each in legal)}")
        return self.result(state, action)

    def _square(self, name: str, where: str) -> int:
        column, row = string.ascii_lowercase.index(name[0]), int(name[1:]) - 1
        if not (column < self.size and 0 <= row < self.size):
            raise PositionError(f"{where}: there is no such square; squares are a1 to {self._name(self.cells - 1)}")
        return row * self.size + column

    def _parse_board(self, text: str) -> Any:
        *rows, mover = text.upper().replace("*", "X").split()
        if mover not in ("X", "O") or not rows:
            raise PositionError(f"{text!r} does not end with a blank and the player to move, X (black) or O (white)")
        cells = "".join(rows).replace("/", "").replace(".", "-")
        if len(cells) != self.cells:
            raise PositionError(f"the board has {self.cells} squares, {self.size} rows of {self.size}, not {len(cells)}: {text!r}")
        for place, cell in enumerate(cells):
            if cell not in "XO-":
                raise PositionError(f"square {place + 1} ({self._name(place)}): {cell!r} is none of X, O and '-'")
        black, white = (u64(sum(1 << place for place, cell in enumerate(cells) if cell == player)) for player in "XO")
        return self.State(white, black, True) if mover == "O" else self.State(black, white, False)

    def format(self, state: Any) -> str:
        black, white = (state.theirs, state.mine) if state.white else (state.mine, state.theirs)
        cells = ["X" if black >> place & 1 else "O" if white >> place & 1 else "-" for place in range(self.cells)]
        rows = ("".join(cells[place : place + self.size]) for place in range(0, self.cells, self.size))
        return f"{'/'.join(rows)} {'O' if state.white else 'X'}"

    def action_name(self, state: Any, action: int) -> str:
        return "pass" if action == PASS else self._name(int(action))

    def _name(self, square: int) -> str:
        return f"{string.ascii_lowercase[square % self.size]}{square // self.size + 1}"
