"""Random games for tests, drawn from a seed: small games with everything that makes searches go
wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from prunus.core.bits import Runtime, i64, mix, u8, u32, u64
from prunus.core.game import Game
from prunus.core.rng import word_at

ENDS_EARLY = 6
"""One node in this many is terminal before the last level."""
KEEPS_TURN = 4
"""With passes, one action in this many leaves the turn with the player who made it."""

TERMINAL, BRANCHING, CHILD, TURN, UTILITY, EVALUATION = range(1, 7)


class RandomGame(Game):
    """An acyclic random game: leaves at unequal depths, few different values of both signs, an
    evaluation, transpositions and passes.

    `depth` levels of at most `width` nodes, 1 to `branching` actions in a node, utilities from
    -values to values, evaluations strictly between. Without `transpositions` the game is a tree,
    and `width` does not matter. Without `passes` the players alternate. A node's worth to player 0
    does not depend on who is to move there. All parameters and the seed are data: all random games
    are one compiled game. Ranges: 0 <= depth <= 255, 1 <= width <= 2**32, 1 <= branching <= 256, 1
    <= values < 2**61, and branching**depth <= 2**32 for a tree; otherwise ValueError.
    """

    class State(NamedTuple):
        level: u8
        turn: u8
        node: u32

    seed: Runtime[u64]
    depth: Runtime[i64]
    width: Runtime[i64]
    branching: Runtime[i64]
    values: Runtime[i64]
    passes: Runtime[i64]
    transpositions: Runtime[i64]

    def __init__(
        self,
        seed: int = 0,
        depth: int = 6,
        width: int = 6,
        branching: int = 4,
        values: int = 3,
        passes: bool = True,
        transpositions: bool = True,
    ) -> None:
        ranges = {
            "depth": (depth, 0, 255),
            "width": (width, 1, 1 << 32),
            "branching": (branching, 1, 256),
            "values": (values, 1, (1 << 61) - 1),
        }
        for name, (value, low, high) in ranges.items():
            if not low <= value <= high:
                raise ValueError(f"{name} must be {low} to {high}, not {value}")
        if not transpositions and branching**depth > 1 << 32:
            raise ValueError(
                f"a tree of branching {branching} and depth {depth} may have more than 2**32 nodes "
                f"in a level"
            )
        self.seed = u64(seed)
        self.depth, self.width, self.branching, self.values = depth, width, branching, values
        self.passes, self.transpositions = int(passes), int(transpositions)

    def draw(self, state: State, purpose: int, action: int) -> u64:
        """A random word for one purpose; it does not depend on the player to move."""
        word = word_at(self.seed, purpose)
        word = mix(word ^ (u64(state.level) << 32 | state.node))
        return word_at(word, action)

    def initial(self) -> State:
        return self.State(0, 0, 0)

    def actions(self, state: State) -> Iterator[int]:
        for action in range(
            1 + i64(self.draw(state, BRANCHING, 0) % self.branching)
        ):  # the compiler does not know `yield from`
            yield action

    def result(self, state: State, action: int) -> State:
        if self.transpositions != 0:
            node = i64(self.draw(state, CHILD, action) % self.width)
        else:
            node = state.node * self.branching + action
        turn = 1 - state.turn
        if self.passes != 0 and self.draw(state, TURN, action) % KEEPS_TURN == 0:
            turn = state.turn
        return self.State(state.level + 1, turn, node)

    def is_terminal(self, state: State) -> bool:
        if state.level >= self.depth:
            return True
        return state.level > 0 and self.draw(state, TERMINAL, 0) % ENDS_EARLY == 0

    def to_move(self, state: State) -> int:
        return state.turn

    def utility(self, state: State) -> int:
        worth = i64(self.draw(state, UTILITY, 0) % (2 * self.values + 1)) - self.values
        return worth if state.turn == 0 else -worth

    def evaluate(self, state: State) -> int:
        worth = i64(self.draw(state, EVALUATION, 0) % (2 * self.values - 1)) - (self.values - 1)
        return worth if state.turn == 0 else -worth

    def bounds(self, state: State) -> tuple[int, int]:
        return (-self.values, self.values)
