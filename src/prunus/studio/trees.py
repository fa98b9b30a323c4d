"""Explicit trees that a browser sends, measured before they are read; random ones for practice."""

from __future__ import annotations

from random import Random

from prunus.games.tree import ExplicitTree
from prunus.studio import maxima
from prunus.studio.messages import Quiz
from prunus.studio.offer import AskedTooMuch


def tree_of(data: object) -> ExplicitTree:
    """The tree of nested lists of integers. Raises ValueError for what is none, AskedTooMuch for
    one that is too large."""
    waiting, nodes = [(data, 0)], 0
    while waiting:
        item, depth = waiting.pop()
        nodes += 1
        if nodes > maxima.TREE or depth > maxima.TREE_DEPTH:
            raise AskedTooMuch(
                f"a tree has up to {maxima.TREE:,} nodes and {maxima.TREE_DEPTH} plies here"
            )
        if isinstance(item, list):
            waiting += [(child, depth + 1) for child in item]
        elif isinstance(item, bool) or not isinstance(item, int):
            raise ValueError(f"a tree is nested lists of whole numbers; {str(item)[:40]!r} is none")
        elif abs(item) > maxima.TREE_VALUE:
            raise AskedTooMuch(f"{item}: values lie between ±{maxima.TREE_VALUE:,} here")
    return ExplicitTree.from_nested(data)


def random_tree(quiz: Quiz) -> list[object]:
    """The tree of an exercise, the same one for the same numbers."""
    random = Random(quiz.seed)  # noqa: S311 - an exercise, not a secret

    def grow(depth: int) -> object:
        if depth == 0:
            return random.randint(0, quiz.values)
        return [grow(depth - 1) for _ in range(quiz.degree)]

    tree = grow(quiz.depth)
    assert isinstance(tree, list)
    return tree
