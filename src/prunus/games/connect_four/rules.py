"""The rules of Connect Four for words of any length, shared by the classes for boards of 64, 128
and 256 bits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, TypeAlias

from prunus.core.bits import u64, u128, u256
from prunus.core.rules import Rules

Board: TypeAlias = Any
"""A State: each class has its own, whose fields are `mine`, `mask` and what else it stores."""


class ConnectFourRules(Rules):
    """The rules for boards of every size; see `prunus.games.ConnectFour`. A derived class has a
    `State` with `mine` and `mask`."""

    bits: ClassVar[int]
    """The number of bits in the fields of a State."""

    def __init__(self, width: int = 7, height: int = 6) -> None:
        if width < 1 or height < 1:
            raise ValueError(f"width and height must be at least 1, not {width} and {height}")
        if width * (height + 1) > self.bits:
            needed = (
                f"a board of {width} x {height} needs {width * (height + 1)} bits, width x "
                f"(height + 1)"
            )
            raise ValueError(f"{needed}; {self.bits} are the limit of {type(self).__name__}")
        word = {64: u64, 128: u128, 256: u256}[self.bits]
        self.width, self.height = width, height
        self.columns = tuple(
            sorted(range(width), key=lambda column: (abs(2 * column - width + 1), column))
        )
        self.one = word(1)
        self.foot = word(sum(1 << column * (height + 1) for column in range(width)))
        self.full = word(
            sum(((1 << height) - 1) << column * (height + 1) for column in range(width))
        )
        self.roof = self.foot << height
        self.middle = word(
            ((2 << height) - 1) << width // 2 * (height + 1) if width % 2 == 1 else 0
        )
        # The rows from which the number of cells to the top, this one included, is even, and the
        # other rows.
        self.even = word(
            sum(int(self.foot) << row for row in range(height) if (height - row) % 2 == 0)
        )
        self.odd = self.full ^ self.even

    def initial(self) -> Board:
        return self.State(0, 0)

    def actions(self, state: Board) -> Iterator[int]:
        for column in self.columns:
            if (state.mask >> (column * (self.height + 1) + self.height - 1)) & 1 == 0:
                yield column

    def result(self, state: Board, action: int) -> Board:
        # Adding a bit at the foot of a column carries up to its lowest free cell.
        foot = self.one << (action * (self.height + 1))
        return self.State(state.mine ^ state.mask, state.mask | (state.mask + foot))

    def has_four(self, stones: u64) -> bool:
        """Whether these stones hold four in line."""
        h = self.height
        pairs = stones & (stones >> 1)  # vertical
        if pairs & (pairs >> 2):
            return True
        pairs = stones & (stones >> (h + 1))  # horizontal
        if pairs & (pairs >> (2 * h + 2)):
            return True
        pairs = stones & (stones >> h)  # falling to the right
        if pairs & (pairs >> (2 * h)):
            return True
        pairs = stones & (stones >> (h + 2))  # rising to the right
        return (pairs & (pairs >> (2 * h + 4))) != 0

    def is_terminal(self, state: Board) -> bool:
        return state.mask == self.full or self.has_lost(state)

    def utility(self, state: Board) -> int:
        if self.has_lost(state):
            return -((self.width * self.height + 2 - state.mask.bit_count()) // 2)
        return 0

    # What a State tells about fours; a State of `SolvingConnectFour` stores it.

    def has_lost(self, state: Board) -> bool:
        """Whether the opponent has four in line."""
        return self.has_four(state.mine ^ state.mask)

    def wins_with(self, state: Board, stone: u64) -> bool:
        """Whether this stone gives the player to move four in line."""
        return self.has_four(state.mine | stone)

    def wins(self, state: Board) -> u64:
        """The empty cells that give the player to move four in line."""
        return self.completing(state.mine, state.mask)

    def threats(self, state: Board) -> u64:
        """The empty cells that give the opponent four in line."""
        return self.completing(state.mine ^ state.mask, state.mask)

    def completing(self, stones: u64, mask: u64) -> u64:
        """The empty cells, reachable now or not, where one more stone of this side makes four in
        line."""
        h = self.height
        cells = (stones << 1) & (stones << 2) & (stones << 3)  # vertical
        for step in (h + 1, h, h + 2):  # horizontal, falling, rising
            pair = (stones << step) & (stones << (2 * step))
            cells |= pair & ((stones << (3 * step)) | (stones >> step))
            pair = (stones >> step) & (stones >> (2 * step))
            cells |= pair & ((stones >> (3 * step)) | (stones << step))
        return cells & (self.full ^ mask)

    def canonical(self, state: Board) -> Board:
        """The smaller of the position and its mirror image, comparing `mine`, then `mask`."""
        mine = self.mirrored(state.mine)
        mask = self.mirrored(state.mask)
        if mine < state.mine or (mine == state.mine and mask < state.mask):
            return self.State(mine, mask)
        return state

    def mirrored(self, stones: u64) -> u64:
        """The stones with the columns in reverse order."""
        turned = stones & self.middle
        for i in range(self.width // 2):
            column = ((self.one << self.height + 1) - 1) << (i * (self.height + 1))
            distance = (self.width - 1 - 2 * i) * (self.height + 1)
            turned |= ((stones >> distance) & column) | ((stones & column) << distance)
        return turned

    def stones(self, state: Board) -> int:
        """The number of stones on the board."""
        return int(state.mask.bit_count())

    def made(self, mine: u64, mask: u64) -> Board:
        """The State with these stones."""
        return self.State(mine, mask)
