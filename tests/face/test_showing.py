"""How results display themselves: on a line, as text, as pictures, in notebooks."""

from __future__ import annotations

import sys
import types
import webbrowser
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import NamedTuple

import pytest

import prunus
from prunus.core.analysis import speed_text
from prunus.games import MNK, TicTacToe
from prunus.run.registry import ALGORITHMS

POSITION = "X.O/.X./.O."


def test_an_analysis_is_a_line_long():
    game = TicTacToe()
    found = prunus.analyze(game, depth=2, compile=False)
    assert repr(found).startswith(
        "<Analysis of tic-tac-toe '.../.../...': value "
    ) and "not proved, best " in repr(found)
    solved = prunus.solve(game, POSITION, compile=False)
    assert (
        f"value {solved.value}, proved, best {solved.action_name(solved.best)}; engine, "
        in repr(solved)
    )
    over = prunus.solve(game, "XXX/OO./...", compile=False)
    assert "best" not in repr(over)
    unknown = prunus.solve(game, nodes=1, compile=False)
    assert "value unknown, not proved" in repr(unknown)
    for result in (
        found,
        solved,
        over,
        unknown,
        prunus.analyze(MNK(7, 8, 4), depth=1, compile=False),
    ):
        assert (
            len(repr(result)) < 200 and "\n" not in repr(result) and repr(result) in repr([result])
        )


class Heap(prunus.Game):
    """Take 1, 4 or 9 counters; whoever takes the last one wins."""

    class State(NamedTuple):
        left: prunus.u8

    def initial(self):
        return self.State(32)

    def actions(self, state):
        for taken in (1, 4, 9):
            if taken <= state.left:
                yield taken

    def result(self, state, action):
        return self.State(state.left - action)

    def is_terminal(self, state):
        return state.left == 0

    def utility(self, state):
        return -1


class BoundedHeap(Heap):
    def bounds(self, state):
        return (-1, 1)


class WideHeap(Heap):
    def bounds(self, state):
        return (-2, 2)


def test_a_value_that_ends_the_game_unproved_says_why():
    """Without bounds another line might be worth more than a win."""

    def ends(game):
        found = prunus.analyze(game, game.State(11), depth=3, compile=False)
        assert found.value == 1 and found.distance is not None
        return found.proved, dict(found.rows())["ends"]

    plain = "after 3 plies"
    doubt = f"{plain}; other lines are only estimated"
    assert ends(BoundedHeap()) == (True, plain)
    assert ends(WideHeap()) == (False, doubt)
    more = ", and no bounds(state) says that none is worth more"
    assert ends(Heap()) == (False, doubt + more)
    assert "estimated" not in str(prunus.solve(Heap(), Heap.State(11), compile=False))


@pytest.mark.parametrize("algorithm", sorted(name for name in ALGORITHMS if ALGORITHMS[name].watch))
def test_every_trace_can_be_drawn(algorithm):
    trace = prunus.trace(TicTacToe(), POSITION, algorithm)
    drawn = ElementTree.fromstring(trace.svg())
    groups = [
        group.get("id") for group in drawn.iter("{http://www.w3.org/2000/svg}g") if group.get("id")
    ]
    assert len(groups) == len(trace.nodes)
    assert trace._repr_svg_() == trace.svg()
    assert str(trace).count("\n") == len(trace.nodes)
    assert (
        algorithm in repr(trace)
        and f"{len(trace.nodes)} nodes" in repr(trace)
        and "\n" not in repr(trace)
    )


def test_show_opens_a_browser_or_writes_into_the_notebook(monkeypatch):
    trace = prunus.trace(TicTacToe(), POSITION)
    opened = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    path = trace.show()
    assert opened == [Path(path).as_uri()] and path.read_text() == trace.html()
    path.unlink()

    shown = []
    shell = types.SimpleNamespace(kernel=object())
    ipython = types.ModuleType("IPython")
    ipython.get_ipython = lambda: shell
    display = types.ModuleType("IPython.display")
    display.HTML, display.display = str, shown.append
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    assert trace.show() is None
    assert (
        len(opened) == 1 and shown[0].startswith("<iframe srcdoc=") and "<!doctype" not in shown[0]
    )


def test_speeds_are_read_at_a_glance():
    texts = [speed_text(speed) for speed in (1903.4, 99_999, 2.34e6, 3e9)]
    assert texts == ["1,903/s", "99,999/s", "2.3 million/s", "3,000.0 million/s"]
