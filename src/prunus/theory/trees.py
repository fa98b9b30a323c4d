"""Game trees of any shape as plain Python values: the subject of the theorems on critical positions
and permutations.

A `Tree` has its value for the player to move (negamax) and its children. Positions are named
by Dewey coordinates, a tuple (a_1, ..., a_l) of child numbers from 1, the root being (); players
alternate.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Final, NamedTuple

from prunus.core.errors import PrunusError
from prunus.core.game import INFINITY, Game
from prunus.games.tree import ExplicitTree, TreeNode, coordinates

Coordinates = tuple[int, ...]

LARGEST: Final = 1_000_000
"""The most positions that `tree_of` writes out."""

UNBOUNDED: Final = (-INFINITY, INFINITY)
"""The bounds of values of which nothing is known."""

Orders = Mapping[Coordinates, Sequence[int]]
"""A new order of the children (numbers from 1) for some inner nodes, by their coordinates."""


class TreeError(PrunusError, ValueError):
    """The input is not a game tree of the kind needed; the message says where and why."""


class Tree(NamedTuple):
    """A position: `value` is the minimax value for the player to move, `children` are the positions
    after each action."""

    value: int
    children: tuple[Tree, ...] = ()


def inner(children: Sequence[Tree]) -> Tree:
    """The position with these children: F(s) = max -F(s_i)."""
    return Tree(max(-child.value for child in children), tuple(children))


def tree_of(
    source: object, state: object = None, depth: int | None = None, largest: int = LARGEST
) -> Tree:
    """The game tree below a State, or that of nested lists.

    source: a Game, or nested lists whose leaves are integers for MAX, who moves first: `[[3, 12,
    8], [2, 4, 6]]`. state (for a game): the root, by default the start. depth (for a game):
    positions this many plies below the root are leaves, worth their evaluation. Raises TreeError if
    an action keeps the turn (the theorems are about players who alternate), a leaf is not an
    integer, a list is empty, or the tree has more than `largest` positions.
    """
    if isinstance(source, Game):
        return _Reader(source, largest).read(
            source.initial() if state is None else state, depth, ()
        )
    return _nested(source, 1, ())


class _Reader:
    """Writes a game's tree out and counts its positions."""

    def __init__(self, game: Game, largest: int) -> None:
        self.game, self.largest, self.count = game, largest, 0

    def read(self, state: object, depth: int | None, place: Coordinates) -> Tree:
        self.count += 1
        if self.count > self.largest:
            raise TreeError(
                f"{self.game.title()}: the tree has more than {self.largest:,} positions; give a "
                f"depth, or a smaller game"
            )
        if self.game.is_terminal(state):
            return Tree(int(self.game.utility(state)))
        if depth == 0:
            return Tree(int(self.game.evaluate(state)))
        children = []
        for number, action in enumerate(self.game.actions(state), 1):
            child, below = self.game.result(state, action), (*place, number)
            if self.game.keeps_turn(state, child):
                raise TreeError(
                    f"{self.game.title()}: the turn does not change on the way to {dotted(below)}; "
                    f"players have to alternate"
                )
            children.append(self.read(child, None if depth is None else depth - 1, below))
        if not children:
            raise TreeError(
                f"{self.game.title()}: {dotted(place)} is not terminal but has no action"
            )
        return inner(children)


def _nested(data: object, sign: int, place: Coordinates) -> Tree:
    if isinstance(data, list | tuple) and not isinstance(data, Tree):
        if not data:
            raise TreeError(f"{dotted(place)} is an empty list: a leaf is an integer")
        return inner(
            [_nested(child, -sign, (*place, number)) for number, child in enumerate(data, 1)]
        )
    if isinstance(data, bool) or not isinstance(data, int):
        raise TreeError(f"{dotted(place)}: a leaf is an integer, not {data!r}")
    return Tree(sign * data)


def dotted(place: Coordinates) -> str:
    """Coordinates as text: `node 2.1.3`."""
    return f"node {'.'.join(map(str, place))}" if place else "the root"


def nested_of(tree: Tree, sign: int = 1) -> object:
    """The tree as nested lists with leaves valued for MAX: the inverse of `tree_of`."""
    return (
        [nested_of(child, -sign) for child in tree.children] if tree.children else sign * tree.value
    )


def positions_of(tree: Tree) -> Iterator[tuple[Coordinates, Tree]]:
    """Every position with its coordinates, parents before their children."""
    waiting: list[tuple[Coordinates, Tree]] = [((), tree)]
    while waiting:
        place, node = waiting.pop()
        yield place, node
        waiting += (
            ((*place, number), child)
            for number, child in reversed(list(enumerate(node.children, 1)))
        )


def leaves_of(tree: Tree) -> frozenset[Coordinates]:
    """The coordinates of all leaves."""
    return frozenset(place for place, node in positions_of(tree) if not node.children)


def height(tree: Tree) -> int:
    """The plies to the deepest leaf."""
    return 1 + max(map(height, tree.children)) if tree.children else 0


def uniform_shape(tree: Tree) -> tuple[int, int]:
    """The degree and the height of a tree whose inner positions all have the same number of
    children and whose leaves are all equally deep; (1, 0) for a single leaf. Raises TreeError for
    any other tree, naming the first position that differs."""
    degree, plies = max(1, len(tree.children)), 0
    node = tree
    while node.children:
        node, plies = node.children[0], plies + 1
    for place, node in positions_of(tree):
        if node.children and len(place) >= plies:
            raise TreeError(
                f"the tree is not uniform: {dotted(place)} has children, the first leaf is at ply "
                f"{plies}"
            )
        if not node.children and len(place) < plies:
            raise TreeError(
                f"the tree is not uniform: {dotted(place)} is a leaf, the first leaf is at ply "
                f"{plies}"
            )
        if node.children and len(node.children) != degree:
            raise TreeError(
                f"the tree is not uniform: {dotted(place)} has {len(node.children)} children, the "
                f"root has {degree}"
            )
    return degree, plies


def permuted(
    tree: Tree, orders: Orders, place: Coordinates = (), old: Coordinates = ()
) -> tuple[Tree, dict[Coordinates, Coordinates]]:
    """The tree with the children of some nodes in another order, and the old coordinates of every
    position by its new ones.

    The keys of `orders` are old coordinates. Raises TreeError if an order is not a permutation of
    the children's numbers.
    """
    names = {place: old}
    if not tree.children:
        return tree, names
    usual = range(1, len(tree.children) + 1)
    order = orders.get(old, usual)
    if sorted(order) != list(usual):
        raise TreeError(
            f"{dotted(old)} has {len(tree.children)} children; {list(order)} is not an order of "
            f"them"
        )
    children = []
    for number, child in enumerate(order, 1):
        below, named = permuted(tree.children[child - 1], orders, (*place, number), (*old, child))
        children.append(below)
        names |= named
    return Tree(tree.value, tuple(children)), names


def random_tree(
    random: Random, depth: int, branching: int, values: int, early: float = 0.2
) -> Tree:
    """A random tree of uneven shape: 1 to `branching` children; leaves at `depth` or, with
    probability `early`, before, worth -values ... values; the root is not a leaf. Raises ValueError
    for parameters out of range."""
    if depth < 1 or branching < 1 or values < 0 or not 0 <= early <= 1:
        raise ValueError(
            f"depth {depth}, branching {branching}, values {values}, early {early}: need >= 1, >= "
            f"1, >= 0 and 0 to 1"
        )

    def grow(left: int) -> Tree:
        if left == 0 or (left < depth and random.random() < early):
            return Tree(random.randint(-values, values))
        return inner([grow(left - 1) for _ in range(random.randint(1, branching))])

    return grow(depth)


class ExaminedTree(ExplicitTree):
    """A tree as a game that remembers which leaves were looked at: `seen` holds the coordinates of
    each leaf whose utility was asked for. It runs interpreted, and its inner nodes have no
    evaluation."""

    interpreted_only = True
    evaluate = Game.evaluate  # type: ignore[assignment]  # as if it had not been written

    def __init__(self, root: TreeNode, title: str = "tree") -> None:
        super().__init__(root, title)
        self.seen: set[Coordinates] = set()

    @classmethod
    def of(cls, tree: Tree, bounds: tuple[int, int] = UNBOUNDED) -> ExaminedTree:
        """The game of a tree. bounds: the lowest and the highest value for the first player, known
        to algorithms that use `Game.bounds`; by default none are known."""
        game = cls.from_nested(nested_of(tree))
        game.lowest, game.highest = bounds
        return game

    def utility(self, state: ExplicitTree.State) -> int:
        self.seen.add(coordinates(self.dewey(state)))
        return int(super().utility(state))
