"""At each event of a watched search, the line of the algorithm's own source that is running."""

from __future__ import annotations

import sys
import threading

import pytest

import prunus
from prunus.games import ExplicitTree
from prunus.games.figures import FIGURES
from prunus.run.lines import Lines, sources_of
from prunus.run.registry import ALGORITHMS

WATCHED = [each for each in ALGORITHMS.values() if each.watch is not None]
TREE = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]


def texts(algorithm, found):
    """The running lines themselves, without indentation."""
    files = sources_of((algorithm.function, *algorithm.watch.procedures))
    return [
        None if line is None else files[line[0]].splitlines()[line[1] - 1].strip()
        for line in found.lines
    ]


@pytest.mark.parametrize("algorithm", WATCHED, ids=lambda each: each.name)
def test_each_event_has_a_line_that_does_what_it_says(algorithm):
    """Nodes are entered and left where procedures are called, improvements where the variable is
    set, leaves where something is returned, cut-offs where a loop or a procedure ends."""
    found = prunus.trace(ExplicitTree.from_nested(TREE), algorithm=algorithm.name, lines=True)
    assert len(found.lines) == len(found.events)
    watch = algorithm.watch
    names = [each.__name__ for each in watch.procedures]
    for event, text in zip(found.events, texts(algorithm, found), strict=True):
        if text is None:  # the search is over, and says so about what it left open
            assert not hasattr(watch, "nodes")
            continue
        calls = any(f"{name}(" in text for name in names)
        if not hasattr(watch, "nodes"):
            assert calls
        elif event.kind in ("enter", "return"):
            assert calls, (event, text)
        elif event.kind == "improve":
            assert watch.best in text, (event, text)
            assert "=" in text
        elif event.kind == "leave":
            assert text.startswith("return ") or text.endswith(")"), (event, text)
        elif event.kind == "cut":
            assert text == "break" or text.startswith("return "), (event, text)


def test_the_lines_of_the_figure():
    algorithm = ALGORITHMS["alphabeta"]
    found = prunus.trace(FIGURES["000-figure-2"]().tree, lines=True)
    told = dict(zip(((e.kind, e.node) for e in found.events), texts(algorithm, found), strict=True))
    assert told["enter", 0].startswith("def alphabeta")
    assert told["enter", 1].startswith("value = -alphabeta(")
    assert told["leave", 2].startswith("return terminal(")
    assert told["improve", 0] == "best = value"
    assert [text for (kind, _), text in told.items() if kind == "cut"] == ["break"]


def test_lines_change_nothing_else():
    for algorithm in WATCHED:
        tree = ExplicitTree.from_nested(TREE)
        plain = prunus.trace(tree, algorithm=algorithm.name)
        found = prunus.trace(tree, algorithm=algorithm.name, lines=True)
        assert (plain.events, plain.statistics) == (found.events, found.statistics)
        assert plain.lines == ()
        assert "line" not in plain.to_dict()["events"][0]
    assert sys.gettrace() is None


def test_a_debugger_keeps_its_place():
    """Where something follows the program already, it goes on, and no line is known."""

    def mine(frame, event, argument):
        return None

    found = []

    def under_a_debugger():
        sys.settrace(mine)
        lines = Lines((texts,), (texts,))
        with lines.following():
            found.append((sys.gettrace(), lines.now()))
        found.append(sys.gettrace())
        sys.settrace(None)

    thread = threading.Thread(target=under_a_debugger)
    thread.start()
    thread.join()
    assert found == [(mine, None), mine]
