"""Random branching: corollary 7.2."""

from __future__ import annotations

import math
from itertools import product

import pytest

import prunus
from prunus.theory.branching import BranchingTree, expected_critical, expected_positions, simulate
from prunus.theory.critical import is_critical
from prunus.theory.trees import positions_of, tree_of
from prunus.theory.uneven import critical_levels, is_best_first

LAWS = [(0.2, 0.1, 0.3, 0.4), (0, 0.5, 0.5), (0.3, 0.2, 0.2, 0.3), (0.1, 0.3, 0.3, 0.3)]


def exact(laws, place=()):
    """The expected number of critical positions on the last level, position by position of the
    largest tree: each exists with the probability that all its ancestors have enough successors."""
    total = 0.0
    for coordinates in product(*(range(1, len(law)) for law in laws)):
        if is_critical(coordinates):
            total += math.prod(math.fsum(law[a:]) for law, a in zip(laws, coordinates, strict=True))
    return total


@pytest.mark.parametrize("levels", [1, 2, 3, 4])
def test_equations_9_and_10(levels):
    assert expected_critical(LAWS[:levels]) == pytest.approx(exact(LAWS[:levels]))


def test_uniform_trees_are_a_special_case():
    for d, h in [(2, 4), (3, 5), (4, 1)]:
        laws = [(0,) * d + (1,)] * h
        assert expected_critical(laws) == d ** -(-h // 2) + d ** (h // 2) - 1
        assert expected_positions(laws) == d**h
        assert simulate(laws, 1, 10, compile=False) == (
            10 * expected_critical(laws),
            10 * expected_critical(laws) ** 2,
        )


def test_the_tree_is_in_best_order_and_alphabeta_counts_its_critical_positions():
    laws = LAWS[:3]
    total = squares = 0
    for number in range(60):
        game = BranchingTree(laws, 5)
        tree = tree_of(game, game.root(number), depth=3)
        assert is_best_first(tree)
        assert tree.value == game.root(number).value
        found = critical_levels(tree)[3]
        total, squares = total + found, squares + found * found
    assert simulate(laws, 5, 60, compile=False) == (total, squares)


def test_successors_follow_the_law():
    game, count = BranchingTree(LAWS[:1], 3), 4000
    drawn = [game.count(game.root(number)) for number in range(count)]
    for k, p in enumerate(LAWS[0]):
        assert abs(drawn.count(k) / count - p) < 4 * math.sqrt(p * (1 - p) / count)


def test_compiled_and_interpreted_agree():
    assert simulate(LAWS, 9, 200, compile=True) == simulate(LAWS, 9, 200, compile=False)


@pytest.mark.parametrize("levels", [1, 2, 3, 4])
def test_the_simulation_agrees_with_the_formula(levels):
    count = 100_000
    total, squares = simulate(LAWS[:levels], 12, count, compile=True)
    error = math.sqrt((squares / count - (total / count) ** 2) / count)
    assert abs(total / count - expected_critical(LAWS[:levels])) < 4 * error


def test_a_game_of_the_tree_plays_by_itself():
    game = BranchingTree([(0, 0.5, 0.5)] * 5, 2)
    assert (
        prunus.analyze(game, algorithm="alphabeta", depth=5, compile=False).value
        == game.initial().value
    )
    assert len(list(positions_of(tree_of(game, depth=5)))) > 6


@pytest.mark.parametrize(
    ("laws", "message"),
    [
        ([], "no law"),
        ([(0.5, 0.6)], "level 0: the probabilities add up to 1.1"),
        ([(1.0,), (0.5, 1.5, -1.0)], "level 1: 1.5 is not a probability"),
        ([()], "level 0: a law has 1 to 65"),
        ([(1 / 66,) * 66], "a law has 1 to 65"),
    ],
)
def test_what_is_no_law_is_refused(laws, message):
    for function in (expected_critical, expected_positions, BranchingTree):
        with pytest.raises(ValueError, match=message):
            function(laws)


def test_no_trees_are_refused():
    with pytest.raises(ValueError, match="trees must be at least 1"):
        simulate(LAWS, 1, 0)
