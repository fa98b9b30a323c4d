"""Whether a node's value is exact or a bound: true of every node of every algorithm, and no bound
where what was visited proves the value."""

from __future__ import annotations

from math import inf
from random import Random

import pytest

import prunus
from prunus.games import ExplicitTree, PodiumNim, RandomGame
from prunus.games.figures import FIGURES
from prunus.run.registry import ALGORITHMS
from prunus.view.events import Improve, Leave
from tests.naive import minimax_value
from tests.test_cycles import LosingGraph, random_graph

EXACT = sorted(name for name in ALGORITHMS if ALGORITHMS[name].watch and not ALGORITHMS[name].apart)
BOUNDED = ["alphabeta", "alphabeta-hard", "alphabeta-maxmin", "alphabeta-strict", "engine", "pvs"]
PLAIN = ["alphabeta", "alphabeta-maxmin", "alphabeta-hard", "alphabeta-strict", "branch-and-bound"]
"""They know nothing but what they visit, and visit it once."""


def games():
    for seed in range(5):
        yield RandomGame(seed, depth=5, values=2 + seed, passes=seed % 2), None
        yield RandomGame(seed, depth=8, passes=seed % 2), 4
    draws = Random(5)
    for _ in range(5):

        def grow(plies):
            if plies == 0 or draws.random() < 0.15:
                return draws.randint(-4, 4)
            return [grow(plies - 1) for _ in range(draws.randint(1, 3))]

        yield ExplicitTree.from_nested([grow(4), grow(4), grow(3)]), None


def truth(game, node, depth):
    left = None if depth is None else depth - node.ply
    value = minimax_value(game, node.state, left)
    return value if node.maximizing else -value


def expect_true(game, found, depth):
    """How many values had which sign."""
    count = {"": 0, "≥": 0, "≤": 0}
    worth = [truth(game, node, depth) for node in found.nodes]
    for event in found.events:
        if not isinstance(event, Improve | Leave) or event.value is None:
            continue
        exact = worth[event.node]
        is_open = isinstance(event, Improve)
        assert event.bound != "≥" or exact >= event.value, (event, exact)
        assert event.bound != "≤" or exact <= event.value, (event, exact)
        assert event.bound or is_open or exact == event.value, (event, exact)
        count[event.bound] += not is_open
    return count


@pytest.mark.parametrize("algorithm", EXACT)
def test_a_value_without_a_sign_is_minimaxs_and_bounds_hold(algorithm):
    seen = {"": 0, "≥": 0, "≤": 0}
    for game, depth in games():
        found = prunus.trace(game, algorithm=algorithm, depth=depth)
        for sign, count in expect_true(game, found, depth).items():
            seen[sign] += count
    assert seen[""]
    assert (seen["≥"] > 0) == (found.has_windows or found.has_merits)


@pytest.mark.parametrize("algorithm", BOUNDED)
def test_bounds_hold_in_a_window_at_the_root(algorithm):
    for game, depth in games():
        for alpha, beta in ((-1, 1), (0, 1), (1, 3)):
            found = prunus.trace(game, algorithm=algorithm, depth=depth, alpha=alpha, beta=beta)
            expect_true(game, found, depth)


def proved(found, node):
    """The values that a node may have, as far as its visited leaves tell."""
    if node.leaf:
        low, high = (-inf, inf) if node.bound else (node.value, node.value)
        return node.value if node.bound == "≥" else low, node.value if node.bound == "≤" else high
    ends = [proved(found, found.nodes[child]) for child in node.children]
    ends += [(-inf, inf)] if node.pruned else []
    best = max if node.maximizing else min
    return best(low for low, _ in ends), best(high for _, high in ends)


@pytest.mark.parametrize("algorithm", PLAIN)
def test_what_is_proved_is_shown_as_a_value(algorithm):
    outside = 0
    for game, depth in games():
        found = prunus.trace(game, algorithm=algorithm, depth=depth)
        for node in found.nodes:
            if proved(found, node) == (node.value, node.value):
                assert not node.bound
                outside += node.alpha is not None and node.value <= node.alpha and not node.leaf
    assert outside or algorithm == "alphabeta-hard"  # which has no values outside the window


def test_the_signs_of_figure_3_of_the_seminar():
    """B is worth 3, C at most 2, and D exactly 2, although 2 is outside its window."""
    found = prunus.trace(FIGURES["000-figure-2"]().tree)
    assert [found.nodes[0].bound] + [found.nodes[n].bound for n in found.nodes[0].children] == [
        "", "", "≤", "",
    ]  # fmt: skip
    assert "3  MIN (3, ∞) = 2" in str(found)
    assert "2  MIN (3, ∞) ≤2  not visited: 2 3" in str(found)
    assert ">≤2</text>" in found.svg()
    assert "2 returned ≤2" in "\n".join(found.replay())
    told = found.to_dict()
    assert [node["bound"] for node in told["nodes"] if node["ply"] == 1] == ["", "≤", ""]
    assert [e["bound"] for e in told["events"] if e["event"] == "leave" and e["node"] == 5] == ["≤"]


def test_what_quiescence_stands_on_is_a_bound_outside_the_window():
    """At the depth limit the engine may stand pat at beta, which says nothing of better actions."""
    for seed in range(20):
        game = RandomGame(seed, depth=8, passes=False)
        quiet = prunus.trace(game, algorithm="engine", depth=3, options={"quiescence": False})
        noisy = prunus.trace(game, algorithm="engine", depth=3, options={"quiescence": True})
        assert not any(node.bound for node in quiet.nodes if node.leaf)
        if any(node.bound for node in noisy.nodes if node.leaf == "horizon"):
            return
    pytest.fail("no horizon had a bound")


def test_payoffs_of_several_players_have_no_signs():
    found = prunus.trace(PodiumNim(), "1,2,1", "maxn")
    assert not any(node.bound for node in found.nodes)


def test_the_node_itself_searched_less_deep_is_reached_by_no_action():
    """Internal iterative deepening searches its own node again, in games that come back to a
    position, too."""
    again = 0
    for seed in range(6):
        game = random_graph(seed, 5, LosingGraph)
        found = prunus.trace(game, algorithm="engine", depth=5, options={"iid": 2})
        for node in found.nodes:
            if node.parent is not None and node.state is found.nodes[node.parent].state:
                assert node.action is None
                again += 1
    assert again > 5


def test_what_options_leave_out_might_be_better():
    """Of a selective search it is not said that nothing could improve its values."""
    found = prunus.trace(
        RandomGame(3, depth=8, passes=True),
        algorithm="engine",
        depth=3,
        options={"late_pruning": 1},
    )
    assert any(node.reason == "selective" and node.pruned for node in found.nodes)
    assert "the options of the search leave them out" in str(found)
    assert "cannot be improved" not in str(found)
