"""Gomoku on 15 x 15 points: five in a row win. The 225 points and an empty column on the right take
240 bits, so the State uses a `u256`.

Try: prunus analyze examples/gomoku.py:Gomoku --depth 3
"""

from collections.abc import Iterator
from typing import NamedTuple

from prunus import Game, u256
from prunus.core.bits import bit_index


class Gomoku(Game):
    """Stones are placed next to other stones, where good moves are; the first one in the middle.
    Bit 16 * row + column is a point."""

    class State(NamedTuple):
        mine: u256
        theirs: u256

    def __init__(self, size: int = 15) -> None:
        self.size = size
        self.middle = size // 2 * 17
        self.board = u256(sum(((1 << size) - 1) << 16 * row for row in range(size)))

    def initial(self) -> State:
        return self.State(0, 0)

    def actions(self, state: State) -> Iterator[int]:
        stones = state.mine | state.theirs
        row = stones | stones << 1 | stones >> 1
        near = (row | row << 16 | row >> 16) & self.board & ~stones
        if stones == 0:
            yield self.middle
        while near:
            yield bit_index(near)
            near &= near - 1

    def result(self, state: State, action: int) -> State:
        return self.State(state.theirs, state.mine | 1 << action)

    def has_five(self, stones: u256) -> bool:
        for step in (1, 15, 16, 17):
            pairs = stones & stones >> step
            if pairs & pairs >> 2 * step & stones >> 4 * step:
                return True
        return False

    def is_terminal(self, state: State) -> bool:
        return self.has_five(state.theirs) or state.mine | state.theirs == self.board

    def utility(self, state: State) -> int:
        return -1 if self.has_five(state.theirs) else 0

    def action_name(self, state: State, action: int) -> str:
        return f"{'abcdefghijklmno'[action % 16]}{action // 16 + 1}"
