"""Options of the engine on the command line, and those that are none."""

from __future__ import annotations

import json

import pytest

import prunus as library
from prunus.games import TicTacToe
from tests.commands import prunus


def test_any_option_of_the_engine_is_an_option_of_analyze():
    words = ("analyze", "tic-tac-toe", "--depth", "5", "--backend", "interpreted", "--json")
    found = json.loads(prunus(*words, "--options", "late_pruning=1,history=true").stdout)
    expected = library.analyze(
        TicTacToe(), depth=5, compile=False, options={"late_pruning": 1, "history": True}
    )
    assert found["nodes"] == expected.statistics.nodes
    done = prunus(*words, "--options", "beem=2", status=2)
    assert "did you mean beam?" in done.stderr


@pytest.mark.parametrize("value", ["3", 3.0, None])
def test_an_options_value_is_a_number(value):
    with pytest.raises(library.SearchError, match="the option null_move is"):
        library.analyze(TicTacToe(), depth=2, options={"null_move": value})
