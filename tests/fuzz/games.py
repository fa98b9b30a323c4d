"""Random games of many kinds: a graph of positions in arrays, and classes that define various
optional methods of a game.

The arrays are data, so that one class is compiled once for all its games. A position is the number
of a node. With `twins`, the nodes 2k and 2k + 1 represent one position and its mirror image.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from prunus import Game, i8, u8, u16, u64, u128, u256, with_item


class Nodes(Game):
    """The five methods and whose turn it is; nothing else. Players alternate."""

    twins = False

    class State(NamedTuple):
        node: u16

    def __init__(self, arrays: dict[str, Any]) -> None:
        for name, values in arrays.items():
            setattr(self, name, np.array(values, np.int64))

    def of(self, node: int) -> Any:
        """The State of a node."""
        return self.State(node)

    def initial(self) -> Any:
        return self.of(0)

    def actions(self, state: Any) -> Any:
        first = self.first[state.node]
        for place in range(first, first + self.count[state.node]):
            yield self.action[place]

    def result(self, state: Any, action: int) -> Any:
        first = self.first[state.node]
        for place in range(first, first + self.count[state.node]):
            if self.action[place] == action:
                return self.of(self.child[place])
        return state

    def is_terminal(self, state: Any) -> bool:
        return self.count[state.node] == 0

    def utility(self, state: Any) -> int:
        return self.worth[state.node]


class Turns(Nodes):
    """Extra turns."""

    def to_move(self, state: Any) -> int:
        return self.turn[state.node]


class Guesses(Nodes):
    """An evaluation, an order and noisy actions; a key that four nodes share."""

    def bounds(self, state: Any) -> tuple[int, int]:
        return (self.low[state.node], self.high[state.node])

    def evaluate(self, state: Any) -> int:
        return self.estimate[state.node]

    def order(self, state: Any, action: int) -> int:
        return self.look[state.node] * (action & 7) - (action & 5)

    def noisy_actions(self, state: Any) -> Any:
        first = self.first[state.node]
        for place in range(first, first + self.count[state.node]):
            if self.action[place] % 3 == 0:
                yield self.action[place]

    def key(self, state: Any) -> u64:
        return u64(state.node // 4)


class Solved(Turns):
    """Everything that helps a search to the end of the game: `bounds`, `secured`, `worthwhile`,
    `plies_left`, `last_value`."""

    last_plies = 3

    def bounds(self, state: Any) -> tuple[int, int]:
        return (self.low[state.node], self.high[state.node])

    def secured(self, state: Any, alpha: int) -> tuple[int, int]:
        return (self.low[state.node], self.high[state.node])

    def worthwhile(self, state: Any) -> Any:
        first = self.first[state.node]
        for place in range(first, first + self.count[state.node]):
            if self.good[place] != 0:
                yield self.action[place]

    def plies_left(self, state: Any) -> int:
        return self.height[state.node]

    def last_value(self, state: Any, alpha: int) -> int:
        return self.truth[state.node]


class Mirrored(Turns):
    """Mirror images, an evaluation and `plies_left`; a State of several fields, whose key is a
    hash."""

    twins = True

    class State(NamedTuple):
        spread: tuple[u8, u8]
        tag: u64
        node: u16

    def of(self, node: int) -> Any:
        return self.State((node & 255, node >> 8), u64(node) << 40, node)

    def canonical(self, state: Any) -> Any:
        return self.of(state.node - state.node % 2)

    def bounds(self, state: Any) -> tuple[int, int]:
        return (self.low[state.node], self.high[state.node])

    def evaluate(self, state: Any) -> int:
        return self.estimate[state.node]

    def plies_left(self, state: Any) -> int:
        return self.height[state.node]


class Wide(Solved):
    """The node in the upper bits of numbers of 128 and 256 bits."""

    class State(NamedTuple):
        place: u128
        spread: u256

        @property
        def node(self) -> int:
            return int(self.place >> 70)

    def of(self, node: int) -> Any:
        return self.State(u128(node) << 70 | 5, u256(1) << node % 256)


LOW, HIGH, CELLS = 7, 24, 25
BLANK, CLEAR = (0,) * CELLS, (False,) * CELLS


class Cells(Mirrored):
    """The node in two cells of a board of 25, with one more cell, and one of 25 flags, that are the
    node's own."""

    class State(NamedTuple):
        board: tuple[u8, ...]
        flags: tuple[bool, ...]

        @property
        def node(self) -> int:
            return self.board[LOW] + 256 * self.board[HIGH]

    def of(self, node: int) -> Any:
        board = with_item(with_item(BLANK, LOW, node % 256), HIGH, node // 256)
        return self.State(with_item(board, node % LOW, 200), with_item(CLEAR, node % CELLS, True))


class Rows(Cells):
    """The same on five rows, with another column of numbers below 0."""

    class State(NamedTuple):
        board: tuple[tuple[u8, ...], ...]
        flags: tuple[tuple[bool, ...], ...]
        more: tuple[tuple[i8, i8], tuple[i8, i8]]

        @property
        def node(self) -> int:
            return self.board[1][2] + 256 * self.board[4][4]

    def of(self, node: int) -> Any:
        board = [[0] * 5 for _ in range(5)]
        board[1][2], board[4][4] = node % 256, node // 256
        board[0][node % 5] = 200
        flags = tuple(tuple(node % 25 == 5 * r + c for c in range(5)) for r in range(5))
        below = -(node % 100)
        return self.State(tuple(tuple(row) for row in board), flags, ((below, 3), (-3, below)))


class Drawn(Turns):
    """With cycles: a repetition is a draw."""

    repetition = "draw"


class DrawnImages(Drawn):
    """The same with mirror images, and limits that hold for the whole game. A mirror image is not a
    repetition."""

    twins = True

    def canonical(self, state: Any) -> Any:
        return self.of(state.node - state.node % 2)

    def bounds(self, state: Any) -> tuple[int, int]:
        return (self.low[state.node], self.high[state.node])


class Lost(Turns):
    """With cycles: whoever repeats loses 3."""

    repetition = "loss"
    repetition_loss = 3


class Forbidden(Turns):
    """With cycles: nobody may repeat; whoever has no other action loses 2."""

    repetition = "forbidden"
    repetition_loss = 2


class LostOnWords(Lost):
    """The same on a number of 256 bits, which no key can hold."""

    class State(NamedTuple):
        place: u256

        @property
        def node(self) -> int:
            return int(self.place >> 130)

    def of(self, node: int) -> Any:
        return self.State(u256(node) << 130)


ACYCLIC = (Nodes, Turns, Guesses, Solved, Mirrored, Wide, Cells, Rows)
CYCLIC = (Drawn, DrawnImages, Lost, Forbidden, LostOnWords)
