"""Critical positions: those that alpha-beta examines if the first action is always best, and the
least that any algorithm must examine (Knuth & Moore 1975).

Positions are named by Dewey coordinates, a tuple (a_1, ..., a_l) of child numbers from 1, the root
being (); players alternate.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, product

from prunus.core.game import Game, S
from prunus.theory.trees import Coordinates, Tree, TreeError, tree_of


def is_critical(position: Sequence[int]) -> bool:
    """Whether a position is critical: a_i = 1 for all even i or for all odd i (definition 7.1)."""
    return all(a == 1 for a in position[0::2]) or all(a == 1 for a in position[1::2])


def critical_type(position: Sequence[int]) -> int:
    """The type of a critical position, 0 for others. Type 1: every a_i is 1. Otherwise let a_j be
    the first that is not 1: type 2 if l - j is even, type 3 if it is odd (theorem 7.1)."""
    if not is_critical(position):
        return 0
    first = next((j for j, a in enumerate(position, 1) if a > 1), None)
    if first is None:
        return 1
    return 2 if (len(position) - first) % 2 == 0 else 3


def minimal_leaves(degree: int, height: int) -> int:
    """The leaves of the critical tree of a uniform tree: d**ceil(h/2) + d**floor(h/2) - 1
    (corollary 7.1); no algorithm that finds the root's value examines fewer (corollary 7.3)."""
    return int(degree ** (-(-height // 2)) + degree ** (height // 2) - 1)


def is_examined_without_deep_cutoffs(position: Sequence[int]) -> bool:
    """Whether F1 examines a position when the first action is always best: a_i > 1 implies a_{i+1}
    = 1 (section 7.3 of the seminar)."""
    return all(b == 1 for a, b in pairwise(position) if a > 1)


def leaves_without_deep_cutoffs(degree: int, height: int) -> int:
    """The leaves that F1 examines when the first action is always best, by A_0 = 1, A_1 = d,
    A_{n+2} = A_{n+1} + (d - 1) A_n (26)."""
    now, after = 1, degree
    for _ in range(height):
        now, after = after, after + (degree - 1) * now
    return now


def positions(degree: int, height: int) -> Iterator[Coordinates]:
    """Every position of a uniform tree, level by level."""
    for level in range(height + 1):
        yield from product(range(1, degree + 1), repeat=level)


def fewest_leaves(game: Game[S], state: S, depth: int | None = None) -> int:
    """The fewest leaves that prove the value of a State, over all orders of the actions: the least
    critical tree. The game's tree must be small enough to write out (`trees.tree_of`) and its
    players must alternate; otherwise TreeError."""
    return fewest(tree_of(game, state, depth))


def fewest_if(game: Game[S], state: S, depth: int | None, most: int) -> int | None:
    """`fewest_leaves`; None if the game's tree has more than `most` nodes or is too deep, if
    repetitions count in it, or if its players do not alternate."""
    if game.players != 2 or game.repetition != "none":
        return None
    try:
        return fewest(tree_of(game, state, depth, most))
    except (TreeError, RecursionError):
        return None


def fewest(tree: Tree) -> int:
    """The fewest leaves that prove the value of the root, over all orders of the children: those of
    the least critical tree, which no algorithm can undercut (theorem 7.2, corollary 7.3).
    Exponential in theory, fast for trees that can be written out."""
    return _exact(tree) if tree.children else 1


def _exact(tree: Tree) -> int:
    """The leaves needed to prove the value: a best child's exact value, and for each other child
    that it is worth at least minus the value to its own mover."""
    if not tree.children:
        return 1
    bounds = [_at_least(child, -tree.value) for child in tree.children]
    best = (i for i, child in enumerate(tree.children) if -child.value == tree.value)
    return min(sum(bounds) - bounds[i] + _exact(tree.children[i]) for i in best)


def _at_least(tree: Tree, value: int) -> int:
    """The leaves needed to prove that the value is at least `value`: one child that is worth enough
    suffices."""
    return (
        min(_at_most(child, -value) for child in tree.children if -child.value >= value)
        if tree.children
        else 1
    )


def _at_most(tree: Tree, value: int) -> int:
    """The leaves needed to prove that the value is at most `value`: every child has to be
    refuted."""
    return sum(_at_least(child, -value) for child in tree.children) if tree.children else 1


def path_rule_prunes(labels: Sequence[Sequence[int]], maximizing: bool) -> bool:
    """The path rule for cuts, as the course notes on adversary search state it (source 001, with >=
    and its dual).

    labels[i] are the values, for MAX, of the finished children of the i-th node on the path from
    the root to the parent p of the node in question (root first, p last); `maximizing` says that
    MAX moves at the root. The unvisited children of p can be pruned when p has a finished child s
    and some ancestor of p where the other player moves has a finished child n' with v(n') >= v(s)
    (p a MIN node; for a MAX node v(n') <= v(s)).
    """
    *above, siblings = labels
    is_max = maximizing == (len(above) % 2 == 0)
    if not siblings:
        return False
    others = [
        value
        for i, values in enumerate(above)
        if (maximizing == (i % 2 == 0)) != is_max
        for value in values
    ]
    if is_max:
        return any(value <= max(siblings) for value in others)
    return any(value >= min(siblings) for value in others)
