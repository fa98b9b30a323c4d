"""Evaluations whose rows are carried from parent to child."""

from __future__ import annotations

from typing import NamedTuple

import pytest

import prunus
from prunus import i16
from prunus.theory.ladder import without

PLAIN = prunus.games.ConnectFour(4, 4)


class Columns(prunus.Evaluation):
    """Stones weighed by their columns; a row holds the sums of the player to move and of his
    opponent."""

    class Row(NamedTuple):
        mine: i16
        theirs: i16

    def row(self, state):
        return self.Row(self.worth(state.mine), self.worth(state.mine ^ state.mask))

    def worth(self, stones):
        total = 0
        for column in range(self.width):
            cells = (stones >> (column * (self.height + 1))) & ((1 << self.height) - 1)
            total += cells.bit_count() * (1 + min(column, self.width - 1 - column))
        return total

    def next_row(self, row, state, action, child):
        return self.Row(row.theirs, row.mine + 1 + min(action, self.width - 1 - action))

    def evaluate_row(self, state, row):
        return max(-4, min(4, row.mine - row.theirs))


class Checked(Columns):
    def evaluate_row(self, state, row):
        assert row == self.row(state)
        return super().evaluate_row(state, row)


class Scratch(Columns):
    def evaluate(self, state):
        return self.evaluate_row(state, self.row(state))


class Wrong(Columns):
    def next_row(self, row, state, action, child):
        return self.Row(row.theirs, row.mine + 1 + action)


class Apart(Columns):
    def evaluate(self, state):
        return 1

    def evaluate_row(self, state, row):
        return 2


class Loose(Columns):
    def row(self, state):
        return super().row(state), "loose"

    def next_row(self, row, state, action, child):
        return super().next_row(row[0], state, action, child), "loose"

    def evaluate_row(self, state, row):
        return super().evaluate_row(state, row[0])


class Passing(prunus.Tactics):
    """What the engine's options ask for."""

    def pass_turn(self, state):
        return self.State(state.mine ^ state.mask, state.mask)


OPTIONS = (
    {},
    {"quiescence": 1, "quiet": 1},
    {"null_move": 2, "futility": 2, "singular": 1, "presearch": 2, "reductions": 2},
    {"beam": 3, "second": 1, "floyd": 40},
)


def game_with(part):
    return PLAIN.with_parts(evaluation=part, tactics=Passing, certainties=prunus.Certainties)


def searched(part, options, compile, algorithm="engine"):
    options = options if algorithm == "engine" else None
    how = {"algorithm": algorithm, "depth": 6, "compile": compile, "book": False}
    found = prunus.analyze(game_with(part), "33", options=options, **how)
    return found.value, found.best, found.to_dict()["pv"], found.statistics.nodes


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: " ".join(options) or "plain")
def test_rows_are_those_computed_from_scratch(options):
    """In each frame, whatever led to it: actions, null moves, searches that only order or test."""
    assert searched(Checked, options, False) == searched(Scratch, options, False)


def test_compiled_and_in_algorithms_without_frames():
    options = OPTIONS[2] | OPTIONS[1]
    assert searched(Columns, options, True) == searched(Scratch, options, False)
    assert searched(Columns, {}, False)[0] == searched(Columns, {}, False, "alphabeta")[0]


def test_what_is_defined_last_counts():
    game = game_with(Columns)
    assert game.has_evaluate and game.has_evaluate_row
    state = game.parse("3")
    assert game.evaluate(state) == game.evaluate_row(state, game.row(state)) == -2
    own = type("Own", (Columns,), {"evaluate": lambda self, state: 3})
    assert not game_with(own).has_evaluate_row and game_with(own).evaluate(state) == 3
    again = type("Again", (own,), {"evaluate_row": lambda self, state, row: 4})
    assert game_with(again).has_evaluate_row and game_with(again).evaluate(state) == 4
    assert not game_with(prunus.Evaluation).has_evaluate
    assert not without(game, ("evaluate",)).has_evaluate_row
    assert PLAIN.with_parts(evaluation="textbook").has_evaluate_row is False


def test_a_class_that_holds_everything():
    whole = type("Whole", (Columns, prunus.games.ConnectFour), {})
    game = whole(4, 4)
    assert game.has_evaluate_row and game.evaluate(game.parse("3")) == -2


def test_check_compares_rows():
    assert prunus.check(game_with(Columns), games=3, compile=False).ok
    for part, message in (
        (Wrong, "next_row for action 2 gives"),
        (Apart, "evaluate_row gives 2 with the row of the State, but evaluate 1"),
    ):
        assert message in str(prunus.check(game_with(part), games=5, compile=False))


def test_rows_that_are_no_machine_integers_run_interpreted():
    assert searched(Loose, {}, False) == searched(Scratch, {}, False)
    with pytest.raises(prunus.CannotCompile, match=r"class Row\(NamedTuple\)"):
        searched(Loose, {}, True)


def test_a_row_is_needed():
    game = game_with(type("Half", (prunus.Evaluation,), {"evaluate_row": lambda self, s, row: 0}))
    with pytest.raises(TypeError, match="must define row"):
        prunus.analyze(game, depth=2, compile=False)
