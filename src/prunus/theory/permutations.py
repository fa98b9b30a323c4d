"""Theorem 7.2: whatever an algorithm examined, there is an order of the successors in which
alpha-beta examines nothing else (Knuth & Moore 1975, theorem 2)."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from prunus.run.driver import analyze
from prunus.theory.trees import (
    UNBOUNDED,
    Coordinates,
    ExaminedTree,
    Tree,
    TreeError,
    dotted,
    height,
    positions_of,
)

TABLE = 0.25
"""The megabytes of a transposition table: the trees are small."""


def seen_by(
    tree: Tree, algorithm: str, bounds: tuple[int, int] = UNBOUNDED
) -> tuple[int, frozenset[Coordinates]]:
    """The value that an algorithm of the registry finds, and the leaves it looked at. `bounds` are
    the extreme values that it is told (`Game.bounds`)."""
    game = ExaminedTree.of(tree, bounds)
    found = analyze(
        game, algorithm=algorithm, depth=height(tree), compile=False, table=TABLE, book=False
    )
    if found.value is None:
        raise KeyboardInterrupt
    return found.value, frozenset(game.seen)


class Known(NamedTuple):
    """F_l(s) and F_u(s): the bounds of a position's value that follow from the leaves looked at."""

    low: int
    high: int


def bounds_from(
    tree: Tree, seen: Collection[Coordinates], bounds: tuple[int, int] = UNBOUNDED
) -> dict[Coordinates, Known]:
    """F_l and F_u of every position, by (11) and (12), for the player to move there. Of an unseen
    leaf only the bounds of all values are known, given for the first player."""
    found: dict[Coordinates, Known] = {}
    for place, node in reversed(list(positions_of(tree))):
        if node.children:
            below = [found[*place, number] for number in range(1, len(node.children) + 1)]
            found[place] = Known(max(-b.high for b in below), max(-b.low for b in below))
        elif place in seen:
            found[place] = Known(node.value, node.value)
        else:
            low, high = bounds
            found[place] = Known(low, high) if len(place) % 2 == 0 else Known(-high, -low)
    return found


def permutation_for(
    tree: Tree, seen: Collection[Coordinates], bounds: tuple[int, int] = UNBOUNDED
) -> dict[Coordinates, tuple[int, ...]]:
    """An order of the successors under which alpha-beta, with the bounds as its window, examines
    only leaves of `seen`; if the value of the root is not one of the bounds, exactly the critical
    ones.

    seen: the leaves that some algorithm looked at. The result names, for each position whose order
    matters, the numbers of its children in their new order. Raises TreeError if the leaves do not
    determine the value of the root.
    """
    known = bounds_from(tree, seen, bounds)
    low, high = known[()]
    if low != high:
        raise TreeError(
            f"the leaves that were seen leave the root's value between {low} and {high}; more are "
            f"needed to determine it"
        )
    # A root worth one of the bounds is examined as a position of type 2 or 3: one side of its
    # window is closed from the start.
    kind = 2 if high == bounds[1] else 3 if low == bounds[0] else 1
    orders: dict[Coordinates, tuple[int, ...]] = {}
    waiting: list[tuple[Coordinates, Tree, int]] = [((), tree, kind)]
    for place, node, kind in waiting:
        count = len(node.children)
        if not count:
            continue
        if kind == 3:
            waiting += (
                ((*place, number), child, 2) for number, child in enumerate(node.children, 1)
            )
            continue
        first = _first(place, known, count, kind)
        others = [number for number in range(1, count + 1) if number != first]
        orders[place] = (first, *others)
        waiting.append(((*place, first), node.children[first - 1], 1 if kind == 1 else 3))
        if kind == 1:
            waiting += (((*place, number), node.children[number - 1], 2) for number in others)
    return orders


def _first(place: Coordinates, known: dict[Coordinates, Known], count: int, kind: int) -> int:
    """The successor to put first: one with F_l(s) = -F_u(s_j) and, at a position of type 1, an
    exact value."""
    low = known[place].low
    for number in range(1, count + 1):
        below = known[*place, number]
        if below.high == -low and (kind == 2 or below.low == below.high):
            return number
    raise AssertionError(f"{dotted(place)}: no successor is known to be worth {low}")
