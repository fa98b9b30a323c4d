"""Random trees as nested lists (leaves are MAX's values), and minimax on them: the ground for
showing the slips."""

from __future__ import annotations

import random

from prunus.theory.errata.cases import INF, Tree, estimate

__all__ = ["INF", "Tree", "estimate", "minimax", "minimax_to", "negamax", "random_tree", "trees"]


def random_tree(rng: random.Random, depth: int, branching: int = 3, values: int = 10) -> Tree:
    """Leaves at unequal depths, few values, at least one child everywhere; the root is not a
    leaf."""

    def grow(left: int) -> Tree:
        if left == 0 or (left < depth and rng.random() < 0.15):
            return rng.randrange(-values, values + 1)
        return [grow(left - 1) for _ in range(rng.randint(1, branching))]

    return grow(depth)


def trees(count: int, depth: int = 4, **shape: int):
    """`count` random trees, always the same ones."""
    for seed in range(count):
        yield random_tree(random.Random(seed), depth, **shape)


def minimax(tree: Tree, is_max: bool = True) -> int:
    """The value for MAX."""
    if not isinstance(tree, list):
        return tree
    values = [minimax(child, not is_max) for child in tree]
    return max(values) if is_max else min(values)


def negamax(tree: Tree, sign: int = 1) -> int:
    """The value for the player to move; `sign` is 1 if that is MAX."""
    return (
        sign * tree if not isinstance(tree, list) else max(-negamax(child, -sign) for child in tree)
    )


def minimax_to(tree: Tree, depth: int, is_max: bool = True) -> int:
    """The value for MAX within `depth` plies."""
    if not isinstance(tree, list):
        return tree
    if depth == 0:
        return estimate(tree)
    values = [minimax_to(child, depth - 1, not is_max) for child in tree]
    return max(values) if is_max else min(values)
