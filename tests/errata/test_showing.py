"""`prunus errata`: the smallest cases, and both programs on them."""

from __future__ import annotations

import sys

import pytest

from prunus.theory.errata.cases import graphs_by_size, shapes, smallest, trees_by_size
from prunus.theory.errata.slips import SLIPS, is_decided, slip_named
from prunus.theory.errata.tracing import watched
from tests.commands import prunus as run
from tests.errata.graphs import backward
from tests.errata.trees import minimax

NAMES = [slip.name for slip in SLIPS]


def size(case):
    """The nodes of a tree, the steps of a graph, or a depth."""
    if isinstance(case, dict):
        return sum(len(below) for below in case.values() if isinstance(below, list))
    return 1 + sum(map(size, case)) if isinstance(case, list) else 1


def test_shapes_are_counted_by_catalan():
    assert [len(shapes(nodes)) for nodes in range(1, 8)] == [1, 1, 2, 5, 14, 42, 132]


def test_trees_come_smallest_first_and_once():
    trees = list(trees_by_size((0, 1), most=6))
    assert len(trees) == len({repr(tree) for tree in trees})
    sizes = [size(tree) for tree in trees]
    assert sizes == sorted(sizes)
    assert all(isinstance(tree, list) for tree in trees)


def test_graphs_come_smallest_first_and_all_their_nodes_are_reached():
    graphs = list(graphs_by_size(most=4))
    sizes = [size(graph) for graph in graphs]
    assert sizes == sorted(sizes)
    assert len(graphs) == len({repr(graph) for graph in graphs})
    for graph in graphs[:: max(1, len(graphs) // 200)]:
        truth = backward(graph)["a", True]
        assert not is_decided(graph) or truth != 0


@pytest.mark.parametrize("name", NAMES)
def test_both_programs_run_on_the_smallest_case(name):
    slip = slip_named(name)
    if name == "003-cache":  # takes seconds to find
        case = {"a": ["b", "c"], "b": ["d", "loss"], "c": ["b"], "d": ["c", "win"]}
        case |= {"win": 1, "loss": -1}
        assert slip.differs(case)
    else:
        case = slip.smallest()
    printed, cured = slip.runs(case)
    assert printed.result != cured.result
    assert printed.lines
    assert cured.lines
    if name in ("000-f1", "000-f2", "000-g2", "001-loop", "001-pvs", "001-open-list"):
        assert cured.result == minimax(case)


def test_no_smaller_case_differs():
    slip = slip_named("001-pvs")
    case = slip.smallest()
    for tree in trees_by_size((-2, -1, 0, 1, 2), most=size(case) - 1):
        assert not slip.differs(tree)


def test_nothing_differs_among_no_cases():
    with pytest.raises(LookupError):
        smallest(iter([1, 2]), lambda case: False)


def test_watching_leaves_the_profiler_as_it_was():
    before = sys.getprofile()

    def fails(depth):
        if depth == 0:
            raise IndexError("no such item")
        return fails(depth - 1)

    found = watched(lambda: fails(1), [fails])
    assert found.result == "error: no such item"
    assert found.lines == ["fails 1 = error", "  fails 0 = error"]
    assert sys.getprofile() is before


def test_the_command():
    assert all(name in run("errata").stdout for name in NAMES)
    shown = run("errata", "000-f2").stdout
    assert "case:    [0 [0] 1]" in shown
    assert "result: 0" in shown
    assert "cured" in shown
    assert "there is no slip 'nonsense'" in run("errata", "nonsense", status=2).stderr
