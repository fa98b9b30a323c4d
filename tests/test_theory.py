"""What alpha-beta examines: critical positions, counts, the path rule, F1's positions, the minimal
tree."""

from __future__ import annotations

import random

import pytest

import prunus
from prunus.games import ExplicitTree, UniformTree
from prunus.run.registry import ALGORITHMS
from prunus.theory.critical import (
    critical_type,
    fewest_leaves,
    is_critical,
    is_examined_without_deep_cutoffs,
    leaves_without_deep_cutoffs,
    minimal_leaves,
    path_rule_prunes,
    positions,
)
from tests.amount import few

SIZES = [(1, 4), (2, 1), (2, 6), (2, 7), (3, 5), (4, 4), (5, 3)]
COMPILED = [(2, 7), (4, 4)]
"""Each size is a game of its own to the compiler; a few suffice for comparing counts."""
ALPHABETAS = ["alphabeta", "alphabeta-hard", "alphabeta-maxmin", "open-list-alphabeta"]


def visited(found):
    return {tuple(int(name) for name in found.path(node)) for node in found.nodes}


@pytest.mark.parametrize("algorithm", ALPHABETAS)
@pytest.mark.parametrize(("degree", "height"), SIZES)
def test_best_order_visits_exactly_the_critical_positions(algorithm, degree, height):
    for seed in range(3):
        game = UniformTree(degree, height, "best", seed)
        found = prunus.trace(game, algorithm=algorithm)
        assert visited(found) == {p for p in positions(degree, height) if is_critical(p)}
        assert found.statistics.leaves == minimal_leaves(degree, height)


@pytest.mark.parametrize("algorithm", ALPHABETAS)
@pytest.mark.parametrize(("degree", "height"), few(COMPILED, 1))
def test_best_order_counts_compiled(algorithm, degree, height):
    found = prunus.analyze(
        UniformTree(degree, height, "best", 4), algorithm=algorithm, compile=True
    )
    assert found.statistics.leaves == minimal_leaves(degree, height)


@pytest.mark.parametrize(("degree", "height"), few([(2, 40), (8, 12), (10, 10)], 1))
def test_best_order_counts_on_large_trees(degree, height):
    found = prunus.analyze(
        UniformTree(degree, height, "best", 5), algorithm="alphabeta", depth=None, compile=True
    )
    assert found.statistics.leaves == minimal_leaves(degree, height)


@pytest.mark.parametrize(("degree", "height"), SIZES)
def test_types_of_critical_positions(degree, height):
    """Theorem 7.1: the first child of a type 1 node has type 1, its other children type 2; of a
    type 2 node only the first child, of type 3, is critical; all children of a type 3 node have
    type 2."""
    for position in positions(degree, height - 1):
        kinds = [critical_type((*position, child)) for child in range(1, degree + 1)]
        expected = {
            1: [1] + [2] * (degree - 1),
            2: [3] + [0] * (degree - 1),
            3: [2] * degree,
            0: [0] * degree,
        }
        assert kinds == expected[critical_type(position)]


@pytest.mark.parametrize(("degree", "height"), SIZES)
def test_branch_and_bound_in_best_order(degree, height):
    """F1 visits exactly the positions in which a_i > 1 implies a_{i+1} = 1, and as many leaves as
    recurrence (26) says."""
    game = UniformTree(degree, height, "best", 2)
    found = prunus.trace(game, algorithm="branch-and-bound")
    assert visited(found) == {
        p for p in positions(degree, height) if is_examined_without_deep_cutoffs(p)
    }
    assert found.statistics.leaves == leaves_without_deep_cutoffs(degree, height)


@pytest.mark.parametrize("algorithm", ALPHABETAS)
def test_worst_order_visits_every_leaf(algorithm):
    for degree, height in SIZES:
        found = prunus.analyze(
            UniformTree(degree, height, "worst", 1),
            algorithm=algorithm,
            compile=(degree, height) in COMPILED,
        )
        assert found.statistics.leaves == degree**height


def random_tree(rng, depth):
    if depth == 0 or rng.random() < 0.2:
        return rng.randrange(-4, 5)
    return [random_tree(rng, depth - 1) for _ in range(rng.randrange(1, 4))]


@pytest.mark.parametrize(
    "name",
    sorted(a.name for a in ALGORITHMS.values() if not a.deepens and a.name != "minimax-extreme"),
)
def test_no_algorithm_beats_the_minimal_tree(name):
    """Corollary 7.3 on trees of uneven shape: any algorithm that finds the value examines at least
    the leaves of the least critical tree. (An algorithm that stops at an extreme value, and
    deepening that ends before the leaves, use more than the tree alone tells, and may need
    fewer.)"""
    for seed in range(150):
        rng = random.Random(seed)
        game = ExplicitTree.from_nested([random_tree(rng, 4) for _ in range(3)])
        found = prunus.analyze(game, algorithm=name, compile=False, room=4096)
        assert found.statistics.leaves >= fewest_leaves(game, game.initial())


def test_alphabeta_reaches_the_minimal_tree_in_best_order():
    game = UniformTree(3, 4, "best", 7)
    found = prunus.analyze(game, algorithm="alphabeta", compile=False)
    assert found.statistics.leaves == fewest_leaves(game, game.initial()) == minimal_leaves(3, 4)


@pytest.mark.parametrize("algorithm", ALPHABETAS)
def test_the_path_rule_allows_exactly_the_cuts_of_the_trace(algorithm):
    """The rule is asked at each node and before each of its children: it allows a cut where the
    trace has one, and nowhere else."""
    for seed in range(200):
        rng = random.Random(seed)
        game = ExplicitTree.from_nested([random_tree(rng, 4) for _ in range(3)])
        found = prunus.trace(game, algorithm=algorithm)
        for node in found.nodes:
            check_path_rule(found, node)


def check_path_rule(found, node):
    path = [node]
    while path[0].parent is not None:
        path.insert(0, found.nodes[path[0].parent])
    for i, child in enumerate(node.children):
        finished = node.children[:i]
        assert not path_rule_prunes(labels(found, path, finished), True), (
            "a child was visited that the rule prunes"
        )
        assert child in found.nodes[node.number].children
    if node.pruned:
        assert path_rule_prunes(labels(found, path, node.children), True), (
            "a cut that the rule does not allow"
        )


def labels(found, path, finished):
    """For each node of the path, the values for MAX of those of its children that were finished by
    then."""
    rows = []
    for node, below in zip(path, [*path[1:], None], strict=True):
        children = finished if below is None else [c for c in node.children if c < below.number]
        values = []
        for number in children:
            values.append(found.nodes[number].value)
        rows.append(values)
    return rows
