"""Ordering by value is not always best (remark 7.2, figure 7)."""

from __future__ import annotations

import random

import pytest

from prunus.games.figures import FIGURES
from prunus.theory.by_value import counterexamples, excess, ordered_by_value, survey, trees_with
from prunus.theory.critical import fewest
from prunus.theory.trees import leaves_of, nested_of, positions_of, random_tree, tree_of
from prunus.theory.uneven import critical_leaves, examined, is_best_first
from tests.theory.test_uneven import uniform


def test_figure_7():
    tree = tree_of(FIGURES["000-figure-7"]().tree)
    assert ordered_by_value(tree) == tree
    assert len(examined(tree).leaves) == 4
    assert (
        fewest(tree) == 2 == len(examined(tree_of(FIGURES["000-figure-7-reordered"]().tree)).leaves)
    )
    assert excess(tree) == 2


def test_the_excess_is_what_alphabeta_examines():
    for seed in range(200):
        tree = random_tree(random.Random(seed), 4, 3, 50)
        ordered = ordered_by_value(tree)
        assert is_best_first(ordered)
        for _, node in positions_of(ordered):
            assert [child.value for child in node.children] == sorted(
                child.value for child in node.children
            )
        assert len(examined(ordered).leaves) == critical_leaves(ordered)
        assert excess(tree) == len(examined(ordered).leaves) - fewest(tree) >= 0


def test_uniform_trees_have_no_excess():
    for seed in range(40):
        assert excess(uniform(random.Random(seed), 3, 3)) == 0


@pytest.mark.parametrize(("leaves", "count"), [(1, 1), (2, 1), (3, 4), (4, 26), (5, 236)])
def test_all_trees_are_found_once(leaves, count):
    """Schroeder's fourth problem, OEIS A000311."""
    trees = list(trees_with(leaves))

    def shape(tree, sign=1):
        return (
            (frozenset(shape(child, -sign) for child in tree.children))
            if tree.children
            else sign * tree.value
        )

    assert len(trees) == len({shape(tree) for tree in trees}) == count
    for tree in trees:
        assert len(leaves_of(tree)) == leaves
        assert all(len(node.children) != 1 for _, node in positions_of(tree))


def test_the_smallest_counterexample():
    """No tree with fewer than four leaves, and with four distinct values just one: figure 7 without
    its third leaf."""
    assert [survey(leaves).worse for leaves in (1, 2, 3)] == [0, 0, 0]
    (smallest,) = counterexamples(4)
    assert sorted(map(str, nested_of(smallest))) == ["4", "[[1, 2], 3]"]
    assert excess(smallest) == 1


def test_counterexamples_get_more_and_worse():
    assert [survey(leaves)[:3] for leaves in (4, 5, 6)] == [
        (26, 1, 1),
        (236, 16, 2),
        (2752, 250, 3),
    ]


@pytest.mark.parametrize("leaves", [0, 9])
def test_too_many_leaves_are_refused(leaves):
    with pytest.raises(ValueError, match="leaves must be 1 to 8"):
        survey(leaves)
