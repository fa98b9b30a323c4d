"""Critical positions on trees of any shape: theorem 7.1, corollaries 7.1 and 7.3."""

from __future__ import annotations

import random
from itertools import permutations, product

import pytest

import prunus
from prunus.games import ExplicitTree, Nim, RandomGame, TicTacToe, UniformTree
from prunus.theory.critical import critical_type, fewest, fewest_leaves, is_critical, minimal_leaves
from prunus.theory.trees import (
    ExaminedTree,
    Tree,
    TreeError,
    height,
    leaves_of,
    nested_of,
    permuted,
    positions_of,
    random_tree,
    tree_of,
    uniform_shape,
)
from prunus.theory.uneven import (
    best_first,
    critical_leaves,
    critical_levels,
    critical_tree,
    examined,
    is_best_first,
)
from tests.naive import minimax_value

ALPHABETAS = ["alphabeta", "alphabeta-hard", "alphabeta-maxmin", "open-list-alphabeta"]


def uneven(count, depth=4, branching=3, values=4):
    for seed in range(count):
        yield seed, random_tree(random.Random(seed), depth, branching, values)


def uniform(rng, d, h):
    return (
        tree_of(rng.randrange(-9, 10))
        if h == 0
        else tree_of([nested_of(uniform(rng, d, h - 1)) for _ in range(d)])
    )


# Trees.


def test_a_tree_of_nested_lists_has_minimax_values():
    for _, tree in uneven(100):
        game = ExplicitTree.from_nested(nested_of(tree))
        assert tree.value == minimax_value(game, game.initial())
        assert tree_of(nested_of(tree)) == tree == tree_of(game)


def test_the_tree_of_a_game():
    tree = tree_of(TicTacToe(), TicTacToe().parse("xox/oxo/..."))
    assert tree.value == 1
    game = Nim((1, 2, 2))
    assert tree_of(game).value == minimax_value(game, game.initial())
    assert len(leaves_of(tree_of(UniformTree(3, 4, seed=1)))) == 81


def test_a_depth_makes_leaves_of_positions():
    game = UniformTree(2, 6, "best", seed=3)
    tree = tree_of(game, depth=2)
    assert height(tree) == 2
    assert len(leaves_of(tree)) == 4


@pytest.mark.parametrize(
    ("source", "options", "message"),
    [
        ([[1], []], {}, "node 2 is an empty list"),
        ([[1], ["x"]], {}, "node 2.1: a leaf is an integer, not 'x'"),
        ([1, True], {}, "node 2: a leaf is an integer"),
        (UniformTree(3, 9), {"largest": 100}, "more than 100 positions"),
        (
            ExplicitTree.from_json('{"children": [{"player": "MAX", "children": [{"value": 1}]}]}'),
            {},
            "the turn does not change",
        ),
    ],
)
def test_what_is_no_tree_is_refused(source, options, message):
    with pytest.raises(TreeError, match=message):
        tree_of(source, **options)


def test_an_order_that_is_none_is_refused():
    with pytest.raises(TreeError, match="node 1 has 2 children"):
        permuted(tree_of([[1, 2], 3]), {(1,): (1, 1)})


def test_a_permuted_tree_knows_where_its_positions_come_from():
    for seed, tree in uneven(50):
        rng = random.Random(seed)
        orders = {
            place: rng.sample(range(1, len(node.children) + 1), len(node.children))
            for place, node in positions_of(tree)
        }
        moved, names = permuted(tree, orders)
        old, new = dict(positions_of(tree)), dict(positions_of(moved))
        assert set(names) == set(new)
        assert sorted(names.values()) == sorted(old)
        assert all(new[place].value == old[names[place]].value for place in new)


@pytest.mark.parametrize("bad", [(0, 2, 1, 0.1), (2, 0, 1, 0.1), (2, 2, -1, 0.1), (2, 2, 1, 1.5)])
def test_a_random_tree_checks_its_parameters(bad):
    with pytest.raises(ValueError, match="need >= 1"):
        random_tree(random.Random(1), *bad)


# Theorem 7.1.


def test_critical_positions_are_those_of_the_definition():
    for _, tree in uneven(100):
        expected = {
            place: critical_type(place) for place, _ in positions_of(tree) if is_critical(place)
        }
        assert critical_tree(tree) == expected
        assert critical_leaves(tree) == len(expected.keys() & leaves_of(tree))
        assert sum(critical_levels(tree).values()) == len(expected)


@pytest.mark.parametrize("algorithm", ALPHABETAS)
def test_in_best_order_alphabeta_examines_exactly_the_critical_positions(algorithm):
    """Theorem 7.1 on uneven trees: all positions, by the trace; leaves and counts, as the
    experiment sees them."""
    for seed, tree in uneven(60):
        ordered = best_first(tree)
        critical = critical_tree(ordered)
        found = prunus.trace(ExaminedTree.of(ordered), algorithm=algorithm)
        assert {tuple(map(int, found.path(node))) for node in found.nodes} == set(critical), seed
        seen = examined(ordered, algorithm)
        assert seen == (tree.value, critical.keys() & leaves_of(ordered), len(critical))


def test_in_another_order_it_may_not():
    different = sum(
        examined(tree).leaves != critical_tree(tree).keys() & leaves_of(tree)
        for _, tree in uneven(100)
    )
    assert different > 50


def test_best_first_puts_a_best_child_first():
    for seed, tree in uneven(100):
        assert is_best_first(best_first(tree))
        assert best_first(tree).value == tree.value
        some = best_first(tree, (1, 2), random.Random(seed))
        assert is_best_first(some, (1, 2))
        assert len(leaves_of(some)) == len(leaves_of(tree))
    assert sum(not is_best_first(tree) for _, tree in uneven(100)) > 50
    assert (
        sum(
            not is_best_first(best_first(tree, (1, 2), random.Random(7))) for _, tree in uneven(100)
        )
        > 20
    )


# Corollaries 7.1 and 7.3.


@pytest.mark.parametrize(("d", "h"), [(1, 3), (2, 5), (3, 4), (4, 3), (5, 2)])
def test_uniform_trees_have_the_critical_leaves_of_corollary_7_1(d, h):
    tree = uniform(random.Random(1), d, h)
    assert critical_leaves(tree) == fewest(tree) == minimal_leaves(d, h)


def test_ordering_types_1_and_2_is_enough():
    """With a best child first at positions of types 1 and 2 only, alpha-beta reaches the least
    number of leaves of a uniform tree."""
    for seed in range(60):
        rng = random.Random(seed)
        tree = best_first(uniform(rng, 3, 4), (1, 2), rng)
        assert examined(tree).leaves == critical_tree(tree).keys() & leaves_of(tree)
        assert len(examined(tree).leaves) == minimal_leaves(3, 4)


@pytest.mark.parametrize("kinds", [(1, 3), (2, 3)])
def test_ordering_other_types_is_not(kinds):
    more = 0
    for seed in range(60):
        rng = random.Random(seed)
        more += len(examined(best_first(uniform(rng, 3, 4), kinds, rng)).leaves) > minimal_leaves(
            3, 4
        )
    assert more > 30


def orders(tree):
    """Every tree that reordering successors can make from one."""
    for children in product(*(list(orders(child)) for child in tree.children)):
        for order in permutations(children):
            yield Tree(tree.value, order)


def test_fewest_is_the_least_over_all_orders():
    sizes = set()
    for _, tree in uneven(60, depth=3, branching=2):
        sizes.add(fewest(tree))
        assert fewest(tree) == min(len(examined(other).leaves) for other in orders(tree))
    assert len(sizes) > 3


def test_fewest_leaves_of_a_game():
    for seed in range(20):
        game = RandomGame(seed, depth=4, branching=3, passes=False)
        assert fewest_leaves(game, game.initial()) == fewest(tree_of(game))


@pytest.mark.parametrize(
    ("lists", "shape"),
    [(5, (1, 0)), ([1, 2], (2, 1)), ([[1, 2], [3, 4]], (2, 2)), ([[[1]]], (1, 3)), ([[1, 2], [3]], "node 2 has 1"), ([[1, 2], 3], "node 2 is a leaf"),
     ([1, [2, 3]], "node 2 has children")],
)  # fmt: skip
def test_the_shape_of_a_uniform_tree(lists, shape):
    if isinstance(shape, tuple):
        assert uniform_shape(tree_of(lists)) == shape
        return
    with pytest.raises(TreeError, match=shape):
        uniform_shape(tree_of(lists))
