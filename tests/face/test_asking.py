"""Python and the command line agree: the same defaults, the same words about contradictory
arguments."""

from __future__ import annotations

import inspect
import json
import os

import numpy as np
import pytest

import prunus
from prunus.core.errors import SearchError
from prunus.games import MNK, ConnectFour, Nim, TicTacToe, UniformTree
from prunus.run.request import USUAL_PLIES, USUAL_PLIES_INTERPRETED, usual_limit
from tests.commands import prunus as command


def told(found):
    """What a result says, without times, without the game's name (in the command line's form there)
    and without the backend: a new process has no code at hand."""
    data = found if isinstance(found, dict) else found.to_dict()
    return {
        name: value
        for name, value in data.items()
        if name not in ("seconds", "compile_seconds", "game", "backend", "moves_statistics")
    }


@pytest.mark.parametrize(
    ("words", "call"),
    [
        (("analyze", "mnk:m=3,n=4,k=3"), lambda: prunus.analyze(MNK(3, 4, 3))),
        (("analyze", "mnk:m=3,n=4,k=3", "--backend", "interpreted"), lambda: prunus.analyze(MNK(3, 4, 3), compile=False)),
        (("analyze", "connect-four", "4455", "--nodes", "5000"), lambda: prunus.analyze(ConnectFour(), "4455", nodes=5000)),
        (("analyze", "connect-four", "4455", "--depth", "5", "--multi-pv", "2"), lambda: prunus.analyze(ConnectFour(), "4455", depth=5, multi_pv=2)),
        (("solve", "nim", "1,2,4", "--all-moves"), lambda: prunus.solve(Nim((3, 5, 7)), "1,2,4", all_moves=True)),
        (("solve", "connect-four", "4455", "--no-book", "--nodes", "3000"), lambda: prunus.solve(ConnectFour(), "4455", book=False, nodes=3000)),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)  # fmt: skip
def test_the_same_question_has_the_same_answer(words, call):
    """Node for node: both search with one thread unless told otherwise."""
    game, position = words[1], words[2] if len(words) > 2 and not words[2].startswith("-") else ""
    from_command = told(json.loads(command(*words, "--json").stdout))
    from_python = told(call())
    if not position:
        del from_command["position"], from_python["position"]
    else:
        from_command["position"] = from_python["position"]
    assert from_command == from_python, game


def test_an_analysis_without_limits_ends():
    """As deep as usual, whatever the backend; to the end of the game if asked for."""
    found = prunus.analyze(UniformTree(2, 12), compile=False)
    assert (found.depth, found.proved, found.interrupted) == (USUAL_PLIES, False, False)
    never = type("Never", (UniformTree,), {"interpreted_only": True})
    assert prunus.analyze(never(2, 12)).depth == USUAL_PLIES_INTERPRETED
    assert prunus.analyze(TicTacToe(), "X.O/.X./...", depth=None, compile=False).proved
    assert usual_limit(TicTacToe(), "engine", None, 2.0, False) == prunus.Limit(seconds=2.0)
    assert usual_limit(TicTacToe(), "alphabeta", None, 2.0, False) == prunus.Limit(10, seconds=2.0)
    assert usual_limit(TicTacToe(), "engine", 99, None, True) == prunus.Limit(10, nodes=99)


def test_what_contradicts_itself_is_said():
    game = TicTacToe()
    for given, says in (
        ({"depth": 3, "limit": prunus.Limit(5)}, r"depth=3 beside limit=Limit\(depth=5\)"),
        ({"depth": None, "limit": prunus.Limit(5)}, r"depth=None beside"),
        (
            {"nodes": 10, "limit": prunus.Limit(5, nodes=20)},
            r"nodes=10 beside limit=Limit\(nodes=20\)",
        ),
        ({"seconds": 1, "limit": prunus.Limit(seconds=2)}, "seconds=1 beside"),
        ({"threads": -1}, "threads is -1"),
    ):
        with pytest.raises(SearchError, match=says):
            prunus.analyze(game, compile=False, **given)
    with pytest.raises(SearchError, match="solve searches to the end"):
        prunus.solve(game, limit=prunus.Limit(3), compile=False)
    with pytest.raises(TypeError, match="depth"):
        prunus.solve(game, depth=3)


def test_parts_of_a_limit_go_together():
    found = prunus.analyze(TicTacToe(), depth=2, limit=prunus.Limit(nodes=10**6), compile=False)
    assert found.depth == 2
    assert prunus.analyze(TicTacToe(), depth=2, limit=prunus.Limit(2), compile=False).depth == 2
    stopped = prunus.solve(TicTacToe(), limit=prunus.Limit(nodes=50), compile=False)
    assert stopped.interrupted and stopped.statistics.nodes <= 51


def test_solve_has_the_arguments_of_analyze():
    """All but the depth, with the same defaults."""
    analyze, solve = (
        inspect.signature(function).parameters for function in (prunus.analyze, prunus.solve)
    )
    assert set(analyze) - set(solve) == {"depth"} and set(solve) <= set(analyze)
    assert all(solve[name].default == analyze[name].default for name in solve)


def test_zero_threads_are_all_cores():
    from prunus.run.request import threads_asked

    assert (threads_asked(0), threads_asked(3)) == (os.cpu_count(), 3)


def test_trace_reads_positions_as_analyze_does():
    game = TicTacToe()
    text = "X.O/.X./.O."
    found = prunus.trace(game, text)
    assert (
        found.state == game.parse(text)
        and found.value == prunus.solve(game, text, "alphabeta", compile=False).value
    )
    with pytest.raises(prunus.PositionError):
        prunus.trace(game, "nonsense")
    with pytest.raises(prunus.TraceTooLarge, match="10,000"):
        prunus.trace(game)


@pytest.mark.parametrize(
    "ask", [prunus.analyze, prunus.solve, prunus.trace, prunus.check, prunus.compare]
)
@pytest.mark.parametrize(
    ("given", "advice"),
    [
        (ConnectFour, r"made from it, by ConnectFour\(\.\.\.\)"),
        ("connect-four", r"make_game\('connect-four'\)"),
        (None, "derives from prunus.Game, not NoneType"),
    ],
    ids=["class", "text", "nothing"],
)  # fmt: skip
def test_what_is_no_game_is_told_what_to_write(ask, given, advice):
    with pytest.raises(TypeError, match=advice):
        ask(given)


@pytest.mark.parametrize(
    ("given", "kind", "words"),
    [
        ({"nodes": "9"}, TypeError, "nodes is '9'; it must be an integer"),
        ({"nodes": 1.5}, TypeError, "nodes is 1.5"),
        ({"seconds": "1"}, TypeError, "seconds is '1'; it must be a number"),
        ({"threads": 1.5}, TypeError, "threads is 1.5"),
        ({"limit": 5}, TypeError, r"it must be a Limit, such as Limit\(seconds=2\)"),
        ({"algorithm": None}, TypeError, "a name that `prunus algorithms` lists"),
        ({"options": "killers"}, TypeError, "it must be Options, or their values by name"),
        ({"book": True}, TypeError, "it must be a Book, a Database, False"),
        ({"table": "64"}, TypeError, "a number of megabytes"),
        ({"table": -1}, SearchError, "table is -1; it must be 0 or more"),
        ({"table": 1e12}, SearchError, "there is no memory for a table of 1,000,000,000,000"),
        ({"multi_pv": 0}, SearchError, "multi_pv is 0; it must be 1 or more"),
        ({"compile": "yes"}, TypeError, "it must be True, False or None"),
        ({"stop": True}, TypeError, "it must be a Stop"),
        ({"state": 5}, TypeError, r"5 is no position of tic-tac-toe: give a State\(mine, theirs\)"),
        ({"state": Nim((1, 2)).initial()}, TypeError, "is no position of tic-tac-toe"),
    ],
    ids=str,
)
def test_an_argument_of_the_wrong_kind_is_told_what_to_write(given, kind, words):
    with pytest.raises(kind, match=words):
        prunus.analyze(TicTacToe(), **({"compile": False, "depth": 1} | given))


def test_whole_numbers_may_be_written_as_floats_or_with_numpy():
    assert prunus.solve(TicTacToe(), "X.O/.X./...", nodes=1e6, compile=False).proved
    assert prunus.analyze(TicTacToe(), depth=np.int64(2), compile=False).depth == 2


def test_one_name_of_an_algorithm_is_compared_alone():
    (row,) = prunus.compare(TicTacToe(), depth=2, algorithms="minimax", compile=False).rows
    assert row.algorithm == "minimax"


def test_an_empty_window_is_refused():
    with pytest.raises(SearchError, match="the window is empty: alpha is 5, and beta 1"):
        prunus.trace(TicTacToe(), depth=2, alpha=5, beta=1)
