"""Critical positions of trees of any shape: the least that alpha-beta, and that any algorithm, can
examine (Knuth & Moore 1975)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from random import Random
from typing import NamedTuple

from prunus.core.game import INFINITY
from prunus.run.configuration import Configuration
from prunus.run.registry import algorithm_named
from prunus.run.session import Session
from prunus.run.task import Root
from prunus.theory.trees import Coordinates, ExaminedTree, Tree, height, leaves_of

TYPES = (1, 2, 3)
"""The types of critical positions (`critical_type`)."""

BELOW = {1: (1, 2), 2: (3, 0), 3: (2, 2), 0: (0, 0)}
"""For each type, the type of the first child and that of the others; 0 is a position that is not
critical (theorem 7.1)."""


def critical_tree(tree: Tree) -> dict[Coordinates, int]:
    """The critical positions of a tree of any shape, with the type of each (definition 7.1, theorem
    7.1)."""
    found: dict[Coordinates, int] = {}
    waiting: list[tuple[Coordinates, Tree, int]] = [((), tree, 1)]
    for place, node, kind in waiting:
        found[place] = kind
        first, others = BELOW[kind]
        for number, child in enumerate(node.children, 1):
            below = first if number == 1 else others
            if below:
                waiting.append(((*place, number), child, below))
    return found


def critical_leaves(tree: Tree, kind: int = 1) -> int:
    """The number of critical leaves below a position of type `kind`."""
    if not tree.children:
        return 1
    first, others = BELOW[kind]
    count = critical_leaves(tree.children[0], first)
    return (
        count + sum(critical_leaves(child, others) for child in tree.children[1:])
        if others
        else count
    )


def critical_levels(tree: Tree) -> Counter[int]:
    """The number of critical positions on each level."""
    return Counter(len(place) for place in critical_tree(tree))


def is_best_first(tree: Tree, kinds: Collection[int] = (0, *TYPES), kind: int = 1) -> bool:
    """Whether the first child is a best one, F(s) = -F(s_1) as (7) requires, at every inner
    position of the given types; 0 stands for positions that are not critical."""
    if not tree.children:
        return True
    if kind in kinds and tree.value != -tree.children[0].value:
        return False
    first, others = BELOW[kind]
    return all(
        is_best_first(child, kinds, others if number else first)
        for number, child in enumerate(tree.children)
    )


def best_first(
    tree: Tree, kinds: Collection[int] = (0, *TYPES), random: Random | None = None, kind: int = 1
) -> Tree:
    """The tree with a best child moved to the front at the positions of the given types; at
    positions of other types the children come in random order, or unchanged if `random` is None."""
    if not tree.children:
        return tree
    children = list(tree.children)
    if kind in kinds:
        best = next(i for i, child in enumerate(children) if -child.value == tree.value)
        children.insert(0, children.pop(best))
    elif random is not None:
        random.shuffle(children)
    first, others = BELOW[kind]
    ordered = (
        best_first(child, kinds, random, others if number else first)
        for number, child in enumerate(children)
    )
    return Tree(tree.value, tuple(ordered))


class Examined(NamedTuple):
    """An algorithm's work on a tree: the value it returned, the leaves it looked at, the number of
    nodes it visited."""

    value: int
    leaves: frozenset[Coordinates]
    nodes: int


def examined(
    tree: Tree, algorithm: str = "alphabeta", window: tuple[int, int] = (-INFINITY, INFINITY)
) -> Examined:
    """The work of an algorithm on a tree. algorithm: a name of `prunus algorithms` that searches
    once and without a table ("alphabeta", "branch-and-bound", ...). window: alpha and beta at the
    root, for those that have a window."""
    if not tree.children:
        return Examined(tree.value, leaves_of(tree), 1)
    game = ExaminedTree.of(tree)
    plies = height(tree)
    how = Configuration(algorithm_named(algorithm), compile=False)
    session = Session(game, Root(game.initial()), how, plies)
    outcome = session.run(plies, *window)
    if outcome.value is None:
        raise KeyboardInterrupt
    return Examined(outcome.value, frozenset(game.seen), outcome.counts["nodes"])
