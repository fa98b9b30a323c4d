"""Uniform trees, with `degree` children at every inner node and every leaf at depth `height`:
leaves are computed, nothing is stored."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from prunus.core.bits import GOLDEN, Runtime, i64, mix, u64
from prunus.core.game import Game
from prunus.core.rng import word_at

ORDERS = ("random", "best", "ordered", "worst", "dependent")
RANDOM, BEST, ORDERED, WORST, DEPENDENT = range(5)
LEVEL_BITS = 8
LEVELS = (1 << LEVEL_BITS) - 1
LARGEST_GAIN = 1 << 20
"""In "best" and "ordered" trees every child but one is worse than that one, by at most this
much."""
MOST_LEAVES = 1 << 62
MOST_DISTINCT_LEAVES = MOST_LEAVES >> LEVEL_BITS
"""The limit on the leaves of a tree, and on those of a tree whose leaves all have different values
("worst" or "dependent")."""


class UniformTree(Game):
    """A uniform tree from one of the models in which alpha-beta is analysed (Knuth & Moore 1975).
    The orders of its values:

    - "random": leaves are independent draws from `values` equally likely integers around 0 (for the
      player to move at the leaf);
    - "best": everywhere the first child is the best one, so that alpha-beta examines the least:
      d**ceil(h/2) + d**floor(h/2) - 1 leaves;
    - "ordered": in `strength` of a hundred nodes the first child is the best one; in the others any
      other child is, each equally likely;
    - "worst": every child is better than its elder siblings, but never by enough for a cut-off:
      alpha-beta examines all d**h leaves;
    - "dependent": totally dependent; the subtrees of a node are in a random order, every
      permutation equally likely, and all leaves of one are better than all leaves of the next.

    degree >= 1, 0 <= height <= 255, degree**height < 2**62 (worst and dependent trees: 2**54), 1 <=
    values <= 2**32, 0 <= strength <= 100, otherwise ValueError. The seed, `values` and `strength`
    are data: trees that differ only in these run the same machine code. Actions are the numbers of
    the children, from 0.
    """

    class State(NamedTuple):
        """A node's random word, and `way`: its level in the lowest bits and, except in a random
        tree, a number above them. In a best or ordered tree the number is the node's own value. In
        the others it is the first player's value as far as it is known, in base `degree`: each ply
        adds a digit, positive for the first player's moves and negative for the second's, and all
        later digits together weigh less than one unit of it. A State is two words, so a compiled
        search passes it in registers."""

        node: u64
        way: i64

    seed: Runtime[u64]
    values: Runtime[i64]
    strength: Runtime[i64]

    def __init__(
        self,
        degree: int = 3,
        height: int = 6,
        order: str = "random",
        seed: int = 0,
        values: int = 1 << 30,
        strength: int = 80,
    ) -> None:
        if order not in ORDERS:
            raise ValueError(f"there is no order {order!r}; the orders are {', '.join(ORDERS)}")
        if degree < 1 or not 0 <= height <= 255:
            raise ValueError(
                f"degree must be at least 1 and height 0 to 255, not {degree} and {height}"
            )
        most = MOST_DISTINCT_LEAVES if order in ("worst", "dependent") else MOST_LEAVES
        if degree**height >= most:
            few = f"2**{most.bit_length() - 1} are too many" + (
                f" in {order} order" if most < MOST_LEAVES else ""
            )
            raise ValueError(
                f"a tree of degree {degree} and height {height} has {degree}**{height} leaves; "
                f"{few}"
            )
        if not 1 <= values <= 1 << 32:
            raise ValueError(f"values must be 1 to 2**32, not {values}")
        if not 0 <= strength <= 100:
            raise ValueError(
                f"strength is the number of nodes in a hundred whose first child is the best, 0 to "
                f"100, not {strength}"
            )
        self.degree, self.height = degree, height
        self.shape = ORDERS.index(order)
        self.seed, self.values, self.strength = u64(seed), values, strength
        self._order = order

    def initial(self) -> State:
        return self.tree(0)

    def tree(self, number: int) -> State:
        """The root of one of the many trees of a seed, which are independent of each other; number
        0 is the game's start."""
        node = word_at(self.seed, number + 1)
        value = i64(node % LARGEST_GAIN) - LARGEST_GAIN // 2 if self.shape in (BEST, ORDERED) else 0
        return self.State(node, value << LEVEL_BITS)

    def actions(self, state: State) -> Iterator[int]:
        for action in range(self.degree):  # the compiler does not know `yield from`
            yield action

    def result(self, state: State, action: int) -> State:
        node = self.child(state.node, action)
        if self.shape == RANDOM:
            return self.State(node, state.way + 1)
        level, value = state.way & LEVELS, state.way >> LEVEL_BITS
        if self.shape in (BEST, ORDERED):
            gain = (
                0
                if action == (0 if self.shape == BEST else self.best_child(state.node))
                else 1 + i64(node % LARGEST_GAIN)
            )
            value = gain - value
        else:
            digit = action if self.shape == WORST else self.place_by_value(state.node, action)
            value = value * self.degree + (digit if level % 2 == 0 else -digit)
        return self.State(node, value << LEVEL_BITS | level + 1)

    def child(self, node: u64, action: int) -> u64:
        """The random word of a child."""
        return word_at(node, action + 1)

    def best_child(self, node: u64) -> int:
        """The child of an ordered tree's node that is worth most."""
        word = mix(node ^ u64(GOLDEN))
        if self.degree == 1 or i64((word & 0xFFFFFFFF) % 100) < self.strength:
            return 0
        return 1 + i64((word >> 32) % (self.degree - 1))

    def place_by_value(self, node: u64, action: int) -> int:
        """The number of children smaller than this one in the node's random order."""
        own = self.child(node, action)
        smaller = 0
        for other in range(self.degree):
            word = self.child(node, other)
            if word < own or (word == own and other < action):
                smaller += 1
        return smaller

    def is_terminal(self, state: State) -> bool:
        return (state.way if self.shape == RANDOM else state.way & LEVELS) >= self.height

    def utility(self, state: State) -> int:
        if self.shape == RANDOM:
            # The leaf's word scaled to 0 ... values - 1 by a product: a division would cost more
            # than the rest of the search.
            return i64(((state.node >> 32) * self.values) >> 32) - self.values // 2
        value = state.way >> LEVEL_BITS
        return value if self.shape in (BEST, ORDERED) or state.way % 2 == 0 else -value

    def action_name(self, state: State, action: int) -> str:
        return str(int(action) + 1)

    def __repr__(self) -> str:
        strength = f", strength={self.strength}" if self.shape == ORDERED else ""
        shape = f"degree={self.degree}, height={self.height}, order={self._order!r}"
        return f"UniformTree({shape}, seed={int(self.seed)}, values={self.values}{strength})"


class AnyUniformTree(UniformTree):
    """The same trees with degree and height as data too: all trees of one order are one compiled
    game. Searches lose a tenth of their speed, but a laboratory that draws trees of many sizes
    compiles only once."""

    degree: Runtime[i64]
    height: Runtime[i64]
