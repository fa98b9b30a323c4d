"""The laboratory of cycles: four searches against backward analysis."""

from __future__ import annotations

import random

import pytest

from prunus.theory.lab.experiments import cycles
from prunus.theory.lab.registry import experiment_named

PROMISE = {"A": ("b", "c"), "b": ("D", "lost"), "c": ("D",), "D": ("b",)}
ROUND = {"A": ("b", "lost"), "b": ("A", "won")}


def plain(graph, node, path=()):
    """The value where a repetition is a draw, without any table."""
    if node in cycles.ENDS or node in path:
        return cycles.ENDS.get(node, 0)
    values = [plain(graph, child, (*path, node)) for child in graph[node]]
    return max(values) if node.isupper() else min(values)


def test_the_graphs_of_the_page_about_cycles():
    assert cycles.backward(ROUND) == {"A": 0, "b": 0}
    assert cycles.answers(ROUND, "visiting") == {"A": 1, "b": -1}
    assert cycles.backward(PROMISE)["A"] == -1
    assert "A" in cycles.wrong(PROMISE, "any-table")
    assert not cycles.wrong(PROMISE, "path-safe-table")


def test_backward_analysis_and_the_path_safe_table_agree_with_a_search_without_one():
    rng = random.Random(1)
    for _ in range(400):
        graph = cycles.random_graph(rng.randint(2, 7), rng)
        truth = {node: plain(graph, node) for node in graph}
        assert cycles.backward(graph) == truth, graph
        assert cycles.answers(graph, "path-safe-table") == truth, graph


def test_visiting_is_never_wrong_about_a_forced_end():
    rng = random.Random(2)
    for _ in range(400):
        graph = cycles.random_graph(6, rng)
        truth = cycles.backward(graph)
        assert all(truth[node] == 0 for node in cycles.wrong(graph, "visiting")), graph


def test_the_smallest_graphs_and_their_marks():
    assert cycles.smallest(("visiting",), 2) == {"A": ("b",), "b": ("A", "won")}
    assert cycles.smallest(("visiting-cached",), 2) is None
    assert cycles.smallest(("path-safe-table",), 3) is None
    graph = cycles.smallest(("visiting-cached",))
    assert set(cycles.errors(graph, "visiting-cached")).isdisjoint(cycles.wrong(graph, "visiting"))
    assert cycles.marked(ROUND, "visiting") == (
        "A -> b, lost (said won, is draw); b -> A, won (said lost, is draw)"
    )


def test_parameters_that_make_no_sense_are_refused():
    check = experiment_named("cycles").check
    for point in ({"positions": 1, "method": "visiting"}, {"positions": 4, "method": "x"}):
        with pytest.raises(ValueError, match="not"):
            check(point)
