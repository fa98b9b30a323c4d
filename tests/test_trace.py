"""The trace shows the search as it went: the figures of the sources are pruned exactly as printed,
each cut with its cause."""

from __future__ import annotations

import gc
import json

import pytest

import prunus
from prunus.games import ConnectFour, ExplicitTree, RandomGame, TicTacToe
from prunus.games.figures import FIGURES
from prunus.games.nim import Nim, nim_value
from prunus.kernel.memory import Memory
from prunus.run.recording import TraceTooLarge
from prunus.run.registry import ALGORITHMS
from prunus.view.events import Cut

WINDOWED = ["alphabeta", "alphabeta-hard", "alphabeta-maxmin"]


def pruned(found):
    """The Dewey coordinates of the branches that were cut off."""
    result = []
    for node in found.nodes:
        path = []
        current = node
        while current.parent is not None:
            path.append(current.action + 1)
            current = found.nodes[current.parent]
        result += [".".join(map(str, [*reversed(path), action + 1])) for action in node.pruned]
    return sorted(result)


def has_open_window(name):
    return FIGURES[name]().window == (-prunus.INFINITY, prunus.INFINITY)


# The open list has no window at the root; figures whose cuts need one are for the other algorithms.
CASES = [
    (name, algorithm)
    for name in FIGURES
    for algorithm in [*WINDOWED, "open-list-alphabeta"]
    if algorithm in WINDOWED or has_open_window(name)
]


@pytest.mark.parametrize(("name", "algorithm"), CASES)
def test_figures_are_pruned_as_printed(name, algorithm):
    figure = FIGURES[name]()
    window = {} if has_open_window(name) else {"alpha": figure.window[0], "beta": figure.window[1]}
    found = prunus.trace(figure.tree, algorithm=algorithm, **window)
    assert pruned(found) == sorted(figure.pruned)
    if has_open_window(name):
        assert found.value == figure.value


def test_nim_is_drawn_as_in_the_lecture_notes():
    """Figure 1 of source 003: 28 nodes, and each worth what Bouton says, 1 for MAX and 0 for
    MIN."""
    found = prunus.trace(FIGURES["003-figure-1"]().tree, algorithm="minimax")
    assert len(found.nodes) == 28
    for node in found.nodes:
        piles = tuple(map(int, found.path(node)[-1])) if node.parent is not None else (1, 2, 2)
        wins = nim_value(piles, misere=True) == 1
        assert node.value == int(wins == node.maximizing), found.path(node)
    assert [found.path(found.nodes[child])[0] for child in found.nodes[0].children] == [
        "112",
        "12",
        "22",
    ]
    assert [found.nodes[child].value for child in found.nodes[0].children] == [0, 0, 1]


def test_estimates_at_the_limit_of_depth():
    """Figures d9 and d10 of source 001: two plies deep the estimates decide, and wrongly; the
    single drastic answer is worth another look."""
    d9, d10 = (FIGURES[name]().tree for name in ("001-d9", "001-d10"))
    found = prunus.trace(d9, depth=2)
    assert found.value == 150
    assert (prunus.analyze(d9, depth=2).best, prunus.solve(d9).best) == (1, 0)
    assert prunus.trace(d10, depth=2).value == -30
    looked = prunus.trace(d10, algorithm="engine", depth=2, options={"quiescence": True})
    assert looked.value == 40
    below = {tuple(looked.path(node)) for node in looked.nodes if node.parent is not None}
    assert ("w", "e", "h") in below and not any(
        path[:2] == ("w", "f") for path in below - {("w", "f")}
    )


def test_the_slides_of_alphabeta_show_a_node_each():
    found = prunus.trace(FIGURES["004-alphabeta"]().tree)
    assert len(found.nodes) == 19
    assert {node.cut for node in found.nodes if node.pruned} == {"shallow", "deep"}


def test_the_tic_tac_toe_of_the_slides_has_no_draw():
    """O to move is MAX there, X wins are -1: both occur, and draws do not."""
    found = prunus.trace(TicTacToe(), "..O/.XO/XX.", "minimax")
    ends = {node.value for node in found.nodes if not node.children}
    assert (len(found.nodes), found.value, ends) == (24, 1, {-1, 1})


def test_the_deep_cut_of_figure_4_names_its_ancestor():
    """Leaves 2.2.1.2 and 2.2.2.2 are cut by the root's own value, three plies up; F1, which has no
    deep cut-offs, examines them."""
    tree = FIGURES["000-figure-4"]().tree
    found = prunus.trace(tree)
    deep = [node for node in found.nodes if node.cut == "deep"]
    assert deep
    assert {node.cut_by for node in deep} == {0}
    assert all("deep cut-off" in found.why(node) and "the root" in found.why(node) for node in deep)
    assert all(
        node.cut != "deep" for node in prunus.trace(tree, algorithm="branch-and-bound").nodes
    )


def test_every_cut_has_a_reason():
    for name in filter(lambda name: ALGORITHMS[name].watch, ALGORITHMS):
        for seed in range(20):
            found = prunus.trace(RandomGame(seed, depth=5), algorithm=name)
            for node in found.nodes:
                assert bool(node.pruned) == bool(node.reason) == bool(found.why(node))
                if node.reason == "bound":
                    assert node.value >= node.beta if node.maximizing else node.value <= node.alpha
                    assert node.cut in (
                        "shallow",
                        "deep",
                        *(["window", ""] if ALGORITHMS[name].table or name == "scout" else []),
                    )
                    assert (node.cut_by is not None) == (node.cut in ("shallow", "deep"))


def test_what_a_solved_node_of_sss_leaves_out_promised_no_more():
    """SSS* has no windows, and knows nothing of the best value that there can be."""
    found = prunus.trace(FIGURES["000-figure-4"]().tree, algorithm="sss-stockman")
    cuts = [event for event in found.events if isinstance(event, Cut)]
    assert {event.reason for event in cuts} == {"merit"}
    assert any(found.nodes[event.node].is_finished for event in cuts)
    assert "2: no strategy through them had a higher merit" in str(found)


def test_an_extreme_value_is_a_reason():
    game = TicTacToe()
    found = prunus.trace(game, game.parse("XX./OO./..."), algorithm="minimax-extreme")
    assert any(node.reason == "extreme" and node.value == 1 for node in found.nodes)


def test_a_remembered_value_is_a_reason():
    found = prunus.trace(ConnectFour(3, 3), algorithm="cached-minimax", depth=5)
    assert any(node.reason == "remembered" for node in found.nodes)


def test_windows_values_and_parents():
    tree = ExplicitTree.from_nested([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    found = prunus.trace(tree)
    root, second = found.nodes[0], found.nodes[5]
    assert (root.alpha, root.beta, root.value, root.maximizing) == (None, None, 3, True)
    # The second move: MAX is sure of 3, MIN's first answer is worth 2 to MAX.
    assert (second.alpha, second.beta, second.value, second.cut, second.cut_by) == (
        3,
        None,
        2,
        "shallow",
        0,
    )
    assert found.path(second) == ("2",)
    assert found.pruned_paths() == [("2", "2"), ("2", "3")]


def test_too_large_a_search_is_refused_with_advice():
    with pytest.raises(TraceTooLarge, match="more than 50 nodes.*raise the limit"):
        prunus.trace(TicTacToe(), limit=50)


def test_json_holds_everything():
    found = prunus.trace(FIGURES["000-figure-2"]().tree)
    data = json.loads(found.to_json())
    assert data["visited"] == len(data["nodes"]) == len(found.nodes)
    assert {"id", "parent", "action", "alpha", "beta", "value", "pruned", "why"} <= data["nodes"][
        0
    ].keys()


def test_tracing_leaves_the_algorithm_untouched():
    from prunus.algorithms import alphabeta as module

    before = module.alphabeta
    prunus.trace(RandomGame(1))
    assert module.alphabeta is before
    assert module.alphabeta.__globals__["alphabeta"] is before


def test_a_trace_is_stopped_from_another_thread():
    """Half a search has no value, so there is no trace of it."""
    stop = prunus.Stop()

    class Stopping(ExplicitTree):
        def utility(self, state):
            stop.now()
            return super().utility(state)

    tree = Stopping.from_nested([[1, 2], [3, 4]])
    with pytest.raises(prunus.SearchError, match="stopped"):
        prunus.trace(tree, stop=stop)
    assert prunus.trace(tree, stop=prunus.Stop()).value == 3


@pytest.mark.parametrize("name", ["alphabeta", "mtdf", "open-list-alphabeta", "sss-stockman"])
def test_what_a_trace_worked_with_is_free_when_it_ends(name):
    """Not when Python next looks for circles: it may be gigabytes by then."""

    def memories():
        return sum(issubclass(type(each), Memory) for each in gc.get_objects())

    game = Nim((1, 2, 2))
    gc.collect()
    gc.disable()
    try:
        before = memories()
        for lines in (False, True):
            prunus.trace(game, algorithm=name, lines=lines)
        assert memories() == before
        with pytest.raises(TraceTooLarge):
            prunus.trace(game, algorithm=name, limit=3)
        assert memories() == before
    finally:
        gc.enable()
