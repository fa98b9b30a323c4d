"""Theorem 7.2: whatever an algorithm has examined, some order lets alpha-beta examine nothing
else."""

from __future__ import annotations

import random

import pytest

from prunus.run.registry import ALGORITHMS
from prunus.theory.critical import fewest
from prunus.theory.permutations import bounds_from, permutation_for, seen_by
from prunus.theory.trees import (
    UNBOUNDED,
    TreeError,
    leaves_of,
    permuted,
    positions_of,
    random_tree,
    tree_of,
)
from prunus.theory.uneven import critical_tree, examined

VALUES = 4


def trees(count, depth=4):
    for seed in range(count):
        yield random_tree(random.Random(seed), depth, 3, VALUES)


def check(tree, seen, limits):
    ordered, names = permuted(tree, permutation_for(tree, seen, limits))
    found = examined(ordered, window=limits)
    assert {names[place] for place in found.leaves} <= seen
    if tree.value not in limits:
        assert found.value == tree.value
        assert found.leaves == critical_tree(ordered).keys() & leaves_of(ordered)
    return len(seen) - len(found.leaves)


@pytest.mark.parametrize("limits", [UNBOUNDED, (-VALUES, VALUES)], ids=["unlimited", "limited"])
@pytest.mark.parametrize("algorithm", sorted(ALGORITHMS))
def test_alphabeta_examines_only_what_the_algorithm_examined(algorithm, limits):
    for tree in trees(25):
        value, seen = seen_by(tree, algorithm, limits)
        assert value == tree.value
        assert check(tree, seen, limits) >= 0


def test_minimax_examines_more_than_necessary():
    """The theorem would be trivial if the order always covered the whole tree."""
    assert sum(check(tree, leaves_of(tree), UNBOUNDED) > 0 for tree in trees(40)) > 20


def test_sets_of_leaves_that_no_algorithm_chose():
    """Any leaves that determine the root will do: leaves are removed at random as long as the rest
    still do."""
    for seed, tree in enumerate(trees(60)):
        rng = random.Random(seed)
        seen = set(leaves_of(tree))
        for leaf in rng.sample(sorted(seen), len(seen)):
            low, high = bounds_from(tree, seen - {leaf})[()]
            if low == high:
                seen.remove(leaf)
        # No leaf can be removed any more, so alpha-beta examines them all; that can be more than
        # the minimum.
        assert check(tree, seen, UNBOUNDED) == 0
        assert len(seen) >= fewest(tree)


def test_an_extreme_value_needs_the_limits():
    """A win seen settles the root only if it is known that nothing is better."""
    tree = tree_of([[3, 3], [1, 2]])
    seen = {(1, 1), (1, 2)}
    with pytest.raises(TreeError, match="do not|between"):
        permutation_for(tree, seen)
    assert check(tree, seen, (-3, 3)) == 0
    lost = tree_of([[-3, 3], [1, -3]])
    assert check(lost, {(1, 1), (2, 2)}, (-3, 3)) == 0


def test_bounds_are_what_the_leaves_seen_imply():
    """Values of the unseen leaves, chosen as low and as high as possible, reach both bounds and
    never pass them."""
    for seed, tree in enumerate(trees(60, depth=3)):
        rng = random.Random(seed)
        seen = {leaf for leaf in leaves_of(tree) if rng.random() < 0.6}
        bounds = bounds_from(tree, seen, (-VALUES, VALUES))
        for place, node in positions_of(tree):
            lowest, highest = (
                extreme(node, place, seen, side if len(place) % 2 == 0 else -side)
                for side in (-1, 1)
            )
            assert (lowest, highest) == bounds[place]
            assert lowest <= node.value <= highest


def extreme(node, place, seen, side):
    """The value of a node if all unseen leaves are worth `side` * VALUES to MAX."""
    if not node.children:
        return node.value if place in seen else (side if len(place) % 2 == 0 else -side) * VALUES
    return max(
        -extreme(child, (*place, number), seen, side)
        for number, child in enumerate(node.children, 1)
    )


def test_000_theorem_7_2_takes_minus_the_upper_bound():
    """Errata, theorem 7.2, point 2: the successor to put first has F_l(s) = -F_u(s_j); F_l(s) =
    F_u(s_j), as printed, names a wrong one or none."""
    wrong = 0
    for tree in trees(60):
        bounds = bounds_from(tree, leaves_of(tree))
        for place, node in positions_of(tree):
            if node.children:
                below = [bounds[*place, number].high for number in range(1, len(node.children) + 1)]
                assert -bounds[place].low in below
                wrong += bounds[place].low not in below
    assert wrong > 100
