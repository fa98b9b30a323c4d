"""Random games of many kinds: a graph of positions in arrays, and classes that define this or that of a game's optional methods.

The arrays are data, so that one class is compiled once for all its games. A position is the number of a node. With `twins` two nodes 2k and
2k + 1 stand for one position and its mirror image.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from prunus import Game, u8, u16, u64


class Nodes(Game):
    """The five methods and whose turn it is; nothing else. Players alternate."""

    twins = False

    class State(NamedTuple):
        node: u16

    def __init__(self, arrays: dict[str, Any]) -> None:
        for name, values in arrays.items():
            setattr(self, name, np.array(values, np.int64))

    def initial(self) -> Any:
        return self.State(0)

    def actions(self, state: Any) -> Any:
        first = self.first[state.node]
        for place in range(first, first + self.count[state.node]):
            yield self.action[place]

    def result(self, state: Any, action: int) -> Any:
        first = self.first[state.node]
        for place in range(first, first + self.count[state.node]):
            if self.action[place] == action:
                return self.State(self.child[place])
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
    """An evaluation, an order and noisy actions; keys that three positions in four share."""

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
    """All that helps a search to the end of the game: `bounds`, `secured`, `worthwhile`, `plies_left`, `last_value`."""

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
    """Mirror images, an evaluation and `plies_left`; a State of several fields, whose key is a hash."""

    twins = True

    class State(NamedTuple):
        spread: tuple[u8, u8]
        tag: u64
        node: u16

    def of(self, node: int) -> Any:
        return self.State((node & 255, node >> 8), u64(node) << 40, node)

    def initial(self) -> Any:
        return self.of(0)

    def result(self, state: Any, action: int) -> Any:
        first = self.first[state.node]
        for place in range(first, first + self.count[state.node]):
            if self.action[place] == action:
                return self.of(self.child[place])
        return state

    def canonical(self, state: Any) -> Any:
        return self.of(state.node - state.node % 2)

    def bounds(self, state: Any) -> tuple[int, int]:
        return (self.low[state.node], self.high[state.node])

    def evaluate(self, state: Any) -> int:
        return self.estimate[state.node]

    def plies_left(self, state: Any) -> int:
        return self.height[state.node]


class Drawn(Turns):
    """With cycles: a repetition is a draw."""

    repetition = "draw"


class DrawnImages(Drawn):
    """The same with mirror images, and limits that hold for the whole game. A mirror image is no repetition."""

    twins = True

    def canonical(self, state: Any) -> Any:
        return self.State(state.node - state.node % 2)

    def bounds(self, state: Any) -> tuple[int, int]:
        return (self.low[state.node], self.high[state.node])


class Lost(Turns):
    """With cycles: who repeats loses 3."""

    repetition = "loss"
    repetition_loss = 3


class Forbidden(Turns):
    """With cycles: nobody may repeat; who has nothing else loses 2."""

    repetition = "forbidden"
    repetition_loss = 2


ACYCLIC = (Nodes, Turns, Guesses, Solved, Mirrored)
CYCLIC = (Drawn, DrawnImages, Lost, Forbidden)
