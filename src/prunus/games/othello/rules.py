"""The rules of Othello, on 8 x 8 and on the smaller boards 6 x 6 and 4 x 4."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from prunus.core.bits import bit_index, mix, u64
from prunus.core.rules import Rules
from prunus.games.boards import LINES, quarters, rays, reached

PASS: Final = 64
"""The action of a player who cannot move while the opponent can. No board has a square 64, and
`u64(1) << PASS` is 0: a pass places no disc."""


class OthelloRules(Rules):
    """The rules of Othello alone; the derived class `prunus.games.Othello` describes them and adds
    what searches know.

    `size` is 8, 6 or 4, otherwise ValueError."""

    class State(NamedTuple):
        mine: u64
        theirs: u64
        white: bool

    def __init__(self, size: int = 8) -> None:
        if size not in (4, 6, 8):
            raise ValueError(
                f"Othello is played on 4 x 4, 6 x 6 or 8 x 8 squares, not on {size} x {size}"
            )
        self.size = int(size)
        self.cells = size * size
        last = size - 1
        self.board = u64((1 << size * size) - 1)
        self.inner = u64(
            sum(((1 << last) - 2) << row * size for row in range(size))
        )  # without the first and the last column
        self.corners = u64(1 | 1 << last | 1 << last * size | 1 << last * (size + 1))
        self.quarters = quarters(size)
        self.rays = rays(size, PASS)

    def initial(self) -> State:
        foot = (self.size // 2 - 1) * (self.size + 1)
        white = u64(1) << foot | u64(1) << (foot + self.size + 1)
        return self.State(u64(1) << (foot + 1) | u64(1) << (foot + self.size), white, False)

    def moves(self, mine: u64, theirs: u64) -> u64:
        """The empty squares on which a player with the discs `mine` may place one."""
        # A run along a row or a diagonal ends before the outer columns, so no line continues into
        # the next row.
        n, inner = self.size, theirs & self.inner
        found = (
            reached(mine, inner, 1)
            | reached(mine, theirs, n)
            | reached(mine, inner, n - 1)
            | reached(mine, inner, n + 1)
        )
        return found & self.board & ~(mine | theirs)

    def actions(self, state: State) -> Iterator[int]:
        free = self.moves(state.mine, state.theirs)
        if free == 0:
            yield PASS
        while free:
            yield bit_index(free)
            free &= free - 1

    def result(self, state: State, action: int) -> State:
        turned = self.turned(state.mine, state.theirs, action)
        return self.State(
            state.theirs ^ turned, state.mine | turned | u64(1) << action, not state.white
        )

    def turned(self, mine: u64, theirs: u64, square: int) -> u64:
        """The discs of `theirs` that a disc of the other player turns over on an empty square; none
        for a pass."""
        turned = u64(0)
        for ray in range(2 * LINES * square, 2 * LINES * square + LINES):
            up, down = self.rays[ray], self.rays[ray + LINES]
            # Find the first square of a ray that is not theirs: upwards a carry runs to it,
            # downwards it is the highest bit.
            end = ((theirs | ~up) + 1) & up & mine
            turned |= (end - u64(end != 0)) & up
            end = (u64(1) << (((down & ~theirs) | 1).bit_length() - 1)) & down & mine
            turned |= -(end << 1) & down
        return turned

    def is_terminal(self, state: State) -> bool:
        if state.mine | state.theirs == self.board:
            return True
        return not (
            self.can_move(state.mine, state.theirs) or self.can_move(state.theirs, state.mine)
        )

    def can_move(self, mine: u64, theirs: u64) -> bool:
        """Whether a player with the discs `mine` may place one; one direction is usually enough to
        tell."""
        n, inner, empty = self.size, theirs & self.inner, self.board & ~(mine | theirs)
        if reached(mine, inner, 1) & empty or reached(mine, theirs, n) & empty:
            return True
        return ((reached(mine, inner, n - 1) | reached(mine, inner, n + 1)) & empty) != 0

    def utility(self, state: State) -> int:
        return self.difference(state.mine, state.theirs)

    def difference(self, mine: u64, theirs: u64) -> int:
        """The difference of discs at the end of the game, with the empty squares counted for the
        winner."""
        ours, others = mine.bit_count(), theirs.bit_count()
        if ours == others:
            return 0
        return self.cells - 2 * others if ours > others else 2 * ours - self.cells

    def empties(self, state: State) -> int:
        """The number of empty squares."""
        return self.cells - (state.mine | state.theirs).bit_count()

    def odd_quarters(self, empty: u64) -> u64:
        """The quarters of the board in which the number of empty squares is odd."""
        odd = u64(0)
        for quarter in self.quarters:
            if (empty & quarter).bit_count() & 1:
                odd |= quarter
        return odd

    def odd_regions(self, empty: u64) -> int:
        """The number of quarters in which the number of empty squares is odd."""
        return self.odd_quarters(empty).bit_count() * 4 // self.cells

    def key(self, state: State) -> u64:
        """A hash of the three fields, one-to-one in each of them if the others are fixed."""
        return mix(mix(state.mine) ^ state.theirs) ^ state.white


Board = OthelloRules.State
