"""Simulated trees: the compiled loops compared with counts on arrays of leaves, and their means
with closed forms."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest

import prunus
from prunus.games import AnyUniformTree, ReluctantTree, UniformTree
from prunus.theory.dependent import dependent_leaves
from prunus.theory.expected import expected_leaves
from prunus.theory.lab.experiments.random_trees import reluctant_leaves
from prunus.theory.sampling import SEARCHES, most_trees, sample
from tests.naive import minimax_value

WORD = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def scrambled(x):
    x &= WORD
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & WORD
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB & WORD
    return x ^ (x >> 31)


def leaves_of(d, h, seed, number, values):
    """The leaves of a random tree from left to right, with the same hash written out, as an array
    of h dimensions."""
    words = [scrambled(seed + (number + 1) * GOLDEN)]
    for _ in range(h):
        words = [scrambled(word + (child + 1) * GOLDEN) for word in words for child in range(d)]
    return np.array([(word >> 32) * values // 2**32 - values // 2 for word in words]).reshape(
        (d,) * h
    )


def value_of(leaves):
    """Negamax along the last axis, repeatedly."""
    while leaves.ndim:
        leaves = (-leaves).max(axis=-1)
    return int(leaves)


def examined(leaves, alpha, beta, deep):
    """Value and number of leaves of alpha-beta, or without `deep` of F1, whose only bound is the
    parent's -beta."""
    if leaves.ndim == 0:
        return int(leaves), 1
    best, count = -math.inf, 0
    for child in leaves:
        low = max(alpha, best) if deep else best
        value, looked_at = examined(child, -beta if deep else -math.inf, -low, deep)
        best, count = max(best, -value), count + looked_at
        if best >= beta:
            break
    return best, count


@pytest.mark.parametrize(
    ("d", "h", "values"),
    [(1, 3, 5), (2, 0, 5), (2, 5, 3), (2, 6, 1 << 32), (3, 4, 1 << 32), (4, 3, 2)],
)
def test_sums_are_those_of_counts_on_arrays(d, h, values):
    count, game = 25, AnyUniformTree(d, h, "random", 7, values)
    trees = [leaves_of(d, h, 7, number, values) for number in range(count)]
    wanted = {
        "minimax": [(value_of(tree), d**h) for tree in trees],
        "branch-and-bound": [examined(tree, -math.inf, math.inf, False) for tree in trees],
        "alphabeta": [examined(tree, -math.inf, math.inf, True) for tree in trees],
    }
    for name, each in wanted.items():
        assert [value for value, _ in each] == [value_of(tree) for tree in trees]
        total, squares = sum(n for _, n in each), sum(n * n for _, n in each)
        sums = (count, total, squares, sum(value for value, _ in each) % (1 << 64))
        assert sample(game, name, count, True) == sums
        assert sample(game, name, count, False) == sums


def test_the_same_with_degree_and_height_compiled_in():
    for name in ("minimax", "alphabeta"):
        assert sample(UniformTree(3, 5, "random", 2), name, 50, True) == sample(
            AnyUniformTree(3, 5, "random", 2), name, 50, True
        )


@pytest.mark.parametrize(
    ("algorithm", "searched"),
    [("alphabeta", "alphabeta"), ("branch-and-bound", "branch-and-bound")],
)
def test_one_tree_is_the_tree_of_analyze(algorithm, searched):
    """A memory that keeps no line gives the same counts as one that does."""
    for seed in range(5):
        game = AnyUniformTree(3, 5, "ordered", seed, strength=50)
        found = prunus.analyze(game, algorithm=searched, compile=True)
        assert sample(game, algorithm, 1, True) == (
            1,
            found.statistics.leaves,
            found.statistics.leaves**2,
            found.value % (1 << 64),
        )


def test_trees_of_a_seed_are_different_and_the_first_is_the_start():
    game = AnyUniformTree(3, 2, "random", 4)
    assert game.tree(0) == game.initial()
    assert len({game.tree(number) for number in range(100)}) == 100
    assert AnyUniformTree(3, 2, "random", 5).tree(0) != game.tree(0)


def sigmas(found, expected):
    mean = found.total / found.trees
    deviation = math.sqrt((found.squares / found.trees - mean**2) / found.trees)
    return abs(mean - expected) / deviation


@pytest.mark.parametrize(("d", "h"), [(2, 2), (2, 5), (3, 4), (5, 3)])
def test_random_trees_cost_what_is_expected(d, h):
    game, wanted = AnyUniformTree(d, h, "random", 11, 1 << 32), expected_leaves(d, h)
    assert sigmas(sample(game, "alphabeta", 20_000), float(wanted.alphabeta)) < 4
    assert sigmas(sample(game, "branch-and-bound", 20_000), float(wanted.without_deep)) < 4


@pytest.mark.parametrize(("d", "h"), [(2, 4), (3, 5), (7, 3)])
def test_totally_dependent_trees_cost_what_is_expected(d, h):
    found = sample(AnyUniformTree(d, h, "dependent", 3), "alphabeta", 20_000)
    assert sigmas(found, float(dependent_leaves(d, h))) < 4
    # The slip in the text, H_d = sum of 1/d = 1, is far outside.
    slip = (d - 1) / (d - 1) * (d ** -(-h // 2) + d ** (h // 2) - 2) + 1
    assert sigmas(found, slip) > 10


@pytest.mark.parametrize(
    ("d", "h", "won"), [(2, 6, False), (2, 7, True), (3, 4, False), (5, 2, True)]
)
def test_randomised_alphabeta_costs_what_is_expected(d, h, won):
    found = sample(ReluctantTree(d, h, 5, 6, won), "alphabeta-decided", 20_000)
    assert sigmas(found, reluctant_leaves(d, h, won)) < 4
    assert found.checksum == (20_000 if won else -20_000) % (1 << 64)


def test_randomised_alphabeta_interpreted():
    game = ReluctantTree(4, 3, 1, 2, True)
    assert sample(game, "alphabeta-decided", 30, True) == sample(
        game, "alphabeta-decided", 30, False
    )


def walk(game, state):
    yield state
    if not game.is_terminal(state):
        for action in game.actions(state):
            yield from walk(game, game.result(state, action))


@pytest.mark.parametrize("won", [False, True])
def test_reluctant_trees_are_won_by_one_action_at_most(won):
    game = ReluctantTree(3, 4, 8, 9, won)
    assert minimax_value(game, game.initial()) == (1 if won else -1)
    for state in walk(game, game.initial()):
        if not game.is_terminal(state):
            children = [game.result(state, action) for action in game.actions(state)]
            assert [child.wins for child in children].count(False) == int(state.wins)


def test_coins_change_the_order_and_nothing_else():
    one, other = (ReluctantTree(4, 2, 3, coins, True) for coins in (1, 2))
    moves = [list(game.actions(game.initial())) for game in (one, other)]
    assert sorted(moves[0]) == sorted(moves[1]) == [0, 1, 2, 3]
    assert {list(one.actions(one.tree(n)))[0] for n in range(50)} == {0, 1, 2, 3}
    for action in range(4):
        a, b = (game.result(game.initial(), action) for game in (one, other))
        assert (a.wins, a.node) == (b.wins, b.node)


def test_orders_are_uniform():
    """2,400 draws of 24 orders; chi-squared with 23 degrees of freedom exceeds 49.7 for one seed in
    a thousand."""
    game = ReluctantTree(4, 1, 3, 1)
    counts = Counter(tuple(game.actions(game.tree(number))) for number in range(2400))
    assert set(counts) == set(itertools.permutations(range(4)))
    assert sum((count - 100) ** 2 / 100 for count in counts.values()) < 49.7


def test_what_cannot_be_sampled():
    game = AnyUniformTree(2, 3)
    with pytest.raises(ValueError, match=r"'engine' cannot be sampled; these can: minimax"):
        sample(game, "engine", 1)
    with pytest.raises(ValueError, match="-1 trees"):
        sample(game, "alphabeta", -1)
    large = AnyUniformTree(10, 8)
    assert 0 < most_trees(large) < 1000
    with pytest.raises(ValueError, match="at once; 0 to"):
        sample(large, "alphabeta", most_trees(large) + 1)
    for options in ({"degree": 0}, {"degree": 17}, {"height": -1}, {"height": 256}):
        with pytest.raises(ValueError, match="must be"):
            ReluctantTree(**options)
    assert sample(game, "alphabeta", 0) == (0, 0, 0, 0)
    assert set(SEARCHES) == {"minimax", "branch-and-bound", "alphabeta", "alphabeta-decided"}
