"""Hex (Hein 1942, Nash 1948) on boards of up to 11 x 11 cells."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, NamedTuple

from prunus.core.bits import CASTS, bit_index, lowest_bit, u8, u64, u128
from prunus.core.game import Game, PositionError
from prunus.core.grids import cell_name, from_masks, mask, read_grid, write_grid
from prunus.games.boards import is_start, split_mover

PLAYERS = "XO"
LARGEST = 11
SWAP = "swap"

UP, UP_RIGHT, RIGHT, DOWN, DOWN_LEFT, LEFT = range(6)
"""The six directions, in a circle."""


class Hex(Game):
    """Two players put a stone on a free cell in turn. X wins with a chain of stones from the top to
    the bottom, O with one from the left to the right; one of them always does. A cell's neighbours
    are those beside it, above and below, and one step up to the right and down to the left.

    `size` is 1 to 11, otherwise ValueError. With `swap`, O may answer the first stone by taking
    it: it is removed, and O gets the stone that mirrors it. Utility, for the player to move at the
    end: -1. A cell is one bit, row by row from the top left. An action is the number of a cell, or
    size x size to swap; in text `b1` (column b, row 1 from the top) and `swap`.
    """

    drawn_as = "hex"

    class State(NamedTuple):
        first: u64
        second: u64
        turn: u8

    word: ClassVar[type[u64]] = u64

    def __new__(cls, size: int = 11, swap: bool = False) -> Hex:
        # A larger board is the same game with longer words.
        large = cls is Hex and size * size > CASTS[cls.word][0]
        return object.__new__(Hex128 if large else cls)

    def __init__(self, size: int = 11, swap: bool = False) -> None:
        if not 1 <= size <= LARGEST:
            raise ValueError(f"a board of Hex has 1 to {LARGEST} rows, not {size}")
        self.size, self.swap = int(size), bool(swap)
        self.cells = self.size * self.size
        self.board = self.word((1 << self.cells) - 1)
        self.top = self.word((1 << self.size) - 1)
        self.bottom = self.top << self.cells - self.size
        self.left = self.word(sum(1 << self.size * row for row in range(self.size)))
        self.right = self.left << self.size - 1

    def initial(self) -> State:
        return self.State(self.word(0), self.word(0), 0)

    def may_swap(self, state: State) -> bool:
        """Whether O may take X's first stone."""
        return (
            self.swap
            and state.turn == 1
            and state.first != 0
            and state.second == 0
            and (state.first & (state.first - 1)) == 0
        )

    def actions(self, state: State) -> Iterator[int]:
        free = self.board ^ (state.first | state.second)
        while free:
            yield bit_index(free)
            free ^= lowest_bit(free)
        if self.may_swap(state):
            yield self.cells

    def result(self, state: State, action: int) -> State:
        one = (state.first & 0) | 1
        if action == self.cells:
            cell = bit_index(state.first)
            mirrored = cell % self.size * self.size + cell // self.size
            return self.State(state.first & 0, one << mirrored, 0)
        if state.turn == 0:
            return self.State(state.first | one << action, state.second, 1)
        return self.State(state.first, state.second | one << action, 0)

    def is_terminal(self, state: State) -> bool:
        if state.turn == 0:
            return self.connects(state.second, self.left, self.right)
        return self.connects(state.first, self.top, self.bottom)

    def connects(self, stones: u64, start: u64, goal: u64) -> bool:
        """Whether a chain of these stones leads from one edge to another."""
        chain = stones & start
        if chain == 0 or stones & goal == 0:
            return False
        while True:
            if chain & goal:
                return True
            grown = self.spread(chain) & stones
            if grown == chain:
                return False
            chain = grown

    def spread(self, chain: u64) -> u64:
        """These cells and their neighbours, some of them perhaps below the board."""
        grown = chain | chain << self.size | chain >> self.size
        # Steps to the right leave from all columns but the last, and arrive in all but the first.
        grown |= (chain << 1 | chain >> self.size - 1) & ~self.left
        return grown | (chain >> 1 | chain << self.size - 1) & ~self.right

    def utility(self, state: State) -> int:
        return -1

    def bounds(self, state: State) -> tuple[int, int]:
        """Whoever has linked his edges by bridges wins, whoever is to move."""
        if not self.may_swap(state):
            free = self.board ^ (state.first | state.second)
            if self.links(state.first, free, self.top, self.bottom, UP):
                return (1, 1) if state.turn == 0 else (-1, -1)
            if self.links(state.second, free, self.left, self.right, DOWN_LEFT):
                return (1, 1) if state.turn == 1 else (-1, -1)
        return (-1, 1)

    def links(self, stones: u64, free: u64, start: u64, goal: u64, way: int) -> bool:
        """Whether these stones lead from one edge to another by steps and bridges, of which no two
        need the same free cell: then each can be answered for itself, and the chain cannot be cut
        (a virtual connection by Anshelevich's rule of AND, 2002). A bridge joins two stones, or a
        stone and an edge, that have two free cells in common. The start lies in the direction `way`
        and the next one, the goal opposite. Bridges are taken as they come, so that some chains are
        not found."""
        if 2 * stones.bit_count() < self.size - 1:
            return False
        back, back_next = (way + 3) % 6, (way + 4) % 6
        chain = stones & start
        while True:
            grown = self.spread(chain) & stones
            while grown != chain:
                chain = grown
                grown = self.spread(chain) & stones
            ends = free & goal
            if chain & (goal | self.step(ends, way) & self.step(ends, (way + 1) % 6)):
                return True
            ends = free & start
            there = self.step(ends, back) & self.step(ends, back_next) & stones & ~chain
            here = back
            if there == 0:
                here = 0
                there = self.bridged(chain, free, here) & stones & ~chain
                while there == 0 and here < 5:
                    here += 1
                    there = self.bridged(chain, free, here) & stones & ~chain
            if there == 0:
                return False
            stone = lowest_bit(there)
            free &= ~(self.step(stone, (here + 3) % 6) | self.step(stone, (here + 4) % 6))
            chain |= stone

    def bridged(self, chain: u64, free: u64, way: int) -> u64:
        """The cells at the other end of bridges over the cells in a direction and the next one."""
        following = (way + 1) % 6
        return self.step(self.step(chain, way) & free, following) & self.step(
            self.step(chain, following) & free, way
        )

    def step(self, cells: u64, direction: int) -> u64:
        """These cells moved by one."""
        if direction == UP:
            return cells >> self.size
        if direction == UP_RIGHT:
            return cells >> self.size - 1 & ~self.left
        if direction == RIGHT:
            return cells << 1 & ~self.left & self.board
        if direction == DOWN:
            return cells << self.size & self.board
        if direction == DOWN_LEFT:
            return cells << self.size - 1 & ~self.right & self.board
        return cells >> 1 & ~self.right

    def plies_left(self, state: State) -> int:
        stones = (state.first | state.second).bit_count()
        return self.cells - stones + (1 if self.swap and stones < 2 else 0)

    def canonical(self, state: State) -> State:
        """The smaller of the position and the one turned by half a circle, comparing `first`, then
        `second`."""
        first, second = self.turned(state.first), self.turned(state.second)
        if first < state.first or (first == state.first and second < state.second):
            return self.State(first, second, state.turn)
        return state

    def turned(self, stones: u64) -> u64:
        """The stones on the board turned by half a circle."""
        found = stones & 0
        one = found | 1
        while stones:
            found |= one << self.cells - 1 - bit_index(stones)
            stones ^= lowest_bit(stones)
        return found

    def order(self, state: State, action: int) -> int:
        """Cells near the centre first."""
        if action == self.cells:
            return 0
        row, column = action // self.size, action % self.size
        return -abs(2 * row - self.size + 1) - abs(2 * column - self.size + 1)

    # Texts.

    def parse(self, text: str) -> State:
        if is_start(text):
            return self.initial()
        board, turn = split_mover(text, PLAYERS, self.format(self.initial()))
        cells = read_grid(board.upper(), self.size, self.size)
        first, second = self.word(mask(cells, 1)), self.word(mask(cells, 2))
        state = self.State(first, second, turn)
        if self.is_terminal(self.State(state.first, state.second, 1 - state.turn)):
            raise PositionError(
                f"{PLAYERS[turn]} has a chain from edge to edge, which ends the game, and cannot "
                f"be to move: {text!r}"
            )
        return state

    def format(self, state: State) -> str:
        cells = from_masks(self.cells, int(state.first), int(state.second))
        return f"{write_grid(cells, self.size)} {PLAYERS[state.turn]}"

    def action_name(self, state: State, action: int) -> str:
        return SWAP if action == self.cells else cell_name(int(action), self.size)


class Hex128(Hex):
    """Hex on boards of more than 64 cells."""

    class State(NamedTuple):
        first: u128
        second: u128
        turn: u8

    name = "Hex"
    word = u128
