"""The two rules for ties: a branch is cut off at a value equal to its bound, or only beyond it."""

from __future__ import annotations

import random

import pytest

from prunus.games.tree import ExplicitTree
from prunus.run.registry import UnknownAlgorithm, algorithm_named
from prunus.run.tracing import trace


def leaves_visited(tree, cuts):
    """The places of the leaves that a plain alpha-beta visits, and the tree's value. `cuts(alpha,
    beta)`: whether what is left of a node is cut off."""
    seen = []

    def search(node, place, alpha, beta, is_max):
        if not isinstance(node, list):
            seen.append(place)
            return node
        best = None
        for number, child in enumerate(node, 1):
            value = search(child, (*place, str(number)), alpha, beta, not is_max)
            best = value if best is None else max(best, value) if is_max else min(best, value)
            if is_max:
                alpha = max(alpha, best)
            else:
                beta = min(beta, best)
            if cuts(alpha, beta):
                break
        return best

    return search(tree, (), float("-inf"), float("inf"), True), seen


def grown(rng, depth):
    """A random tree of few values, so that many are equal."""
    if depth == 0 or rng.random() < 0.1:
        return rng.randint(0, 2)
    return [grown(rng, depth - 1) for _ in range(rng.randint(1, 3))]


RULES = {
    "alphabeta": lambda alpha, beta: alpha >= beta,
    "alphabeta-strict": lambda alpha, beta: alpha > beta,
}


def test_both_rules_visit_what_they_say():
    rng, differing = random.Random(3), 0
    for _ in range(300):
        tree, counts = [grown(rng, 4) for _ in range(2)], []
        for name, cuts in RULES.items():
            found = trace(ExplicitTree.from_nested(tree), algorithm=name)
            value, seen = leaves_visited(tree, cuts)
            assert found.value == value
            assert [found.path(node) for node in found.nodes if node.leaf] == seen
            counts.append(len(seen))
        assert counts[0] <= counts[1]
        differing += counts[0] < counts[1]
    assert differing > 50


def test_the_strict_rule_is_there_to_be_watched_only():
    with pytest.raises(UnknownAlgorithm):
        algorithm_named("alphabeta-strict")
