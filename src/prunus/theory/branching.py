"""Random branching: the expected size of the critical tree when the number of successors is drawn
level by level (Knuth & Moore 1975, corollary 2; corollary 7.2 of the seminar), and a tree game to
measure it with."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, Protocol

import numpy as np

from prunus.algorithms.alphabeta import alphabeta
from prunus.algorithms.memory import PathSearchMemory
from prunus.core.bits import GOLDEN, Runtime, i64, mix, u8, u64
from prunus.core.game import INFINITY, Game
from prunus.core.rng import word_at
from prunus.kernel.backends import prepare
from prunus.kernel.memory import Spec
from prunus.run.memories import new_memory
from prunus.run.registry import algorithm_named

Law = Sequence[float]
"""The probabilities that a position has 0, 1, 2, ... successors."""

UNIT = 1 << 32
LARGEST_GAIN = 1 << 20
WIDEST = 64
"""The most successors that a law may give."""


def check_laws(laws: Sequence[Law]) -> None:
    """Check the laws. Raises ValueError, naming the wrong one, unless there is at least one law and
    each consists of 1 to 65 probabilities that add up to 1."""
    if not laws:
        raise ValueError(
            "no law of branching is given; give one for each level above the level that is counted"
        )
    for level, law in enumerate(laws):
        if not 1 <= len(law) <= WIDEST + 1:
            raise ValueError(
                f"level {level}: a law has 1 to {WIDEST + 1} probabilities, not {len(law)}"
            )
        wrong = [p for p in law if not 0 <= p <= 1]
        if wrong:
            raise ValueError(f"level {level}: {wrong[0]} is not a probability between 0 and 1")
        if not math.isclose(math.fsum(law), 1, abs_tol=1e-9):
            raise ValueError(
                f"level {level}: the probabilities add up to {math.fsum(law)}, not to 1"
            )


def inner_probability(law: Law) -> float:
    """q_j: the probability that a position has successors."""
    return 1 - law[0]


def mean_successors(law: Law) -> float:
    """d_j: the mean number of successors of a position; leaves count as 0."""
    return math.fsum(count * p for count, p in enumerate(law))


def expected_positions(laws: Sequence[Law]) -> float:
    """The expected number of positions on the level below all laws: d_0 d_1 ... d_{l-1}."""
    check_laws(laws)
    return math.prod(map(mean_successors, laws))


def expected_critical(laws: Sequence[Law]) -> float:
    """The expected number of critical positions on the level l = len(laws), which are those that
    alpha-beta examines in best order: (9) for even l and (10) for odd l. laws[j] applies on level
    j; positions of one level may follow different laws as long as q_j and d_j are the same. Raises
    ValueError for invalid laws (`check_laws`)."""
    check_laws(laws)
    q, d = [inner_probability(law) for law in laws], [mean_successors(law) for law in laws]
    levels = range(len(laws))
    free_even = math.prod(d[j] if j % 2 == 0 else q[j] for j in levels)
    free_odd = math.prod(q[j] if j % 2 == 0 else d[j] for j in levels)
    return free_even + free_odd - math.prod(q)


class BranchingTree(Game):
    """A random tree in best order: the first successor is always a best one, the others are worse
    or equal, and their number is drawn by the law of the level. The tree ends at the level
    len(laws), where every position is worth its value.

    The seed and the laws are data. Raises ValueError for invalid laws (`check_laws`).
    """

    class State(NamedTuple):
        """A position: its level, its random word, its value for the player to move."""

        level: u8
        node: u64
        value: i64

    seed: Runtime[u64]
    levels: Runtime[i64]

    def __init__(self, laws: Sequence[Law], seed: int = 0) -> None:
        check_laws(laws)
        self.seed, self.levels = u64(seed), len(laws)
        # thresholds[level, k]: words (of 2**32) below it give at most k successors.
        thresholds = np.full((len(laws), WIDEST + 1), UNIT, np.int64)
        for level, law in enumerate(laws):
            thresholds[level, : len(law) - 1] = [
                round(UNIT * math.fsum(law[: count + 1])) for count in range(len(law) - 1)
            ]
        self.thresholds = thresholds.reshape(-1)

    def root(self, number: int) -> State:
        """The root of the tree `number`; the trees are independent."""
        node = word_at(word_at(self.seed, 1), number)
        return self.State(0, node, i64(node % (2 * LARGEST_GAIN)) - LARGEST_GAIN)

    def initial(self) -> State:
        return self.root(0)

    def count(self, state: State) -> int:
        """The number of successors of a position."""
        word = i64(mix(state.node ^ u64(GOLDEN)) >> 32)
        start = state.level * (WIDEST + 1)
        count = 0
        while word >= self.thresholds[start + count]:
            count += 1
        return count

    def is_terminal(self, state: State) -> bool:
        return state.level < self.levels and self.count(state) == 0

    def actions(self, state: State) -> Iterator[int]:
        for action in range(self.count(state)):  # noqa: UP028 - the compiler does not know `yield from`
            yield action

    def result(self, state: State, action: int) -> State:
        node = word_at(state.node, action + 1)
        # The first successor is worth minus the value. Every other one is worth up to LARGEST_GAIN
        # more, for the opponent; one in four is equal.
        gain = 0 if action == 0 or node % 4 == 0 else i64(node % LARGEST_GAIN)
        return self.State(state.level + 1, node, gain - state.value)

    def utility(self, state: State) -> int:
        return state.value

    def evaluate(self, state: State) -> int:
        return state.value


def count_examined(game: BranchingTree, depth: int, memory: BranchingMemory) -> int:
    """Run alpha-beta on the trees 0 ... memory.trees - 1: add the number of positions examined at
    `depth` to memory.total, and its square to memory.squares. The result is the number of trees in
    which it found a wrong value."""
    wrong = 0
    for number in range(memory.trees):
        before = memory.evaluated
        memory.root_count = 0
        state = game.root(number)
        if alphabeta(game, state, depth, -INFINITY, INFINITY, memory) != state.value:
            wrong += 1
        found = memory.evaluated - before
        memory.total += found
        memory.squares += found * found
    return wrong


def simulate(
    laws: Sequence[Law], seed: int, trees: int, compile: bool | None = None
) -> tuple[int, int]:
    """The positions on the level len(laws) that alpha-beta examines in random trees in best order:
    their sum over `trees` trees, and the sum of their squares. Raises ValueError for invalid laws
    or fewer than one tree."""
    game = BranchingTree(laws, seed)
    if trees < 1:
        raise ValueError(f"trees must be at least 1, not {trees}")
    depth = len(laws)
    memory = new_memory(
        replace(algorithm_named("alphabeta"), fields=_sums), game.initial(), depth, WIDEST
    )
    memory.trees = trees
    function, _ = prepare(count_examined, {"game": game, "depth": depth, "memory": memory}, compile)
    if function(game, depth, memory):
        raise AssertionError("alpha-beta found another value than the tree was made with")
    return memory.total, memory.squares


def _sums(depth: int, room: int) -> Spec:
    return {"trees": "i64", "total": "i64", "squares": "i64"}


class BranchingMemory(PathSearchMemory, Protocol):
    """The memory of `count_examined`: how many trees, and the sums over them."""

    trees: int
    total: int
    squares: int
