"""Ordering successors by their values is not always best: the seminar's remark 7.2 and figure 7,
and all the smallest such trees.

If branches have different sizes, a refutation that is not the best one can be the cheapest. In
uniform trees this cannot happen: there every best-first order attains the minimum.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import Final, NamedTuple

from prunus.theory.critical import fewest
from prunus.theory.trees import Tree, inner
from prunus.theory.uneven import critical_leaves

MOST_LEAVES: Final = 8
"""One more leaf means about twenty times as many trees; with 8 leaves there are 660,032."""


def ordered_by_value(tree: Tree) -> Tree:
    """The tree with the successors of every position ordered by value, the best for the mover
    first."""
    return Tree(
        tree.value,
        tuple(sorted(map(ordered_by_value, tree.children), key=lambda child: child.value)),
    )


def excess(tree: Tree) -> int:
    """The number of unnecessary leaves that alpha-beta examines if all successors are ordered by
    value."""
    return critical_leaves(ordered_by_value(tree)) - fewest(tree)


def trees_with(leaves: int) -> Iterator[Tree]:
    """Every game tree with the leaves 1 ... n (for MAX, who moves first), up to the order of
    successors, in which no position has a single successor. Their numbers are 1, 1, 4, 26, 236,
    2,752, 39,208, ... (Schroeder's fourth problem). Raises ValueError unless 1 <= leaves <=
    MOST_LEAVES."""
    if not 1 <= leaves <= MOST_LEAVES:
        raise ValueError(f"leaves must be 1 to {MOST_LEAVES}, not {leaves}")
    return _Forest().trees(tuple(range(1, leaves + 1)), 1)


class _Forest:
    """The trees over sets of leaves; subtrees are kept, because they come up again and again."""

    def __init__(self) -> None:
        self.known: dict[tuple[tuple[int, ...], int], list[Tree]] = {}

    def trees(self, labels: tuple[int, ...], sign: int) -> Iterator[Tree]:
        if len(labels) == 1:
            yield Tree(sign * labels[0])
            return
        for blocks in _partitions(labels):
            if len(blocks) > 1:
                yield from map(inner, product(*(self.kept(block, -sign) for block in blocks)))

    def kept(self, labels: tuple[int, ...], sign: int) -> list[Tree]:
        key = (labels, sign)
        if key not in self.known:
            self.known[key] = list(self.trees(labels, sign))
        return self.known[key]


def _partitions(labels: Sequence[int]) -> Iterator[list[tuple[int, ...]]]:
    """Every way to divide the labels into blocks."""
    if not labels:
        yield []
        return
    first, *rest = labels
    for size in range(len(rest) + 1):
        for others in combinations(rest, size):
            left = [label for label in rest if label not in others]
            for blocks in _partitions(left):
                yield [(first, *others), *blocks]


class Survey(NamedTuple):
    """All trees with a given number of leaves: how many there are, in how many of them ordering by
    value examines unnecessary leaves, the largest number of these, and the first tree with that
    number (None if there is none)."""

    trees: int
    worse: int
    most: int
    example: Tree | None


def survey(leaves: int) -> Survey:
    """The exhaustive search for trees in which ordering by value is not best. Raises ValueError
    unless 1 <= leaves <= MOST_LEAVES."""
    count = worse = most = 0
    example: Tree | None = None
    for tree in trees_with(leaves):
        count += 1
        more = excess(tree)
        worse += more > 0
        if more > most:
            most, example = more, tree
    return Survey(count, worse, most, example)


def counterexamples(leaves: int) -> Iterator[Tree]:
    """The trees with this many leaves in which ordering by value is not best. Raises ValueError
    unless 1 <= leaves <= MOST_LEAVES."""
    return (tree for tree in trees_with(leaves) if excess(tree) > 0)
