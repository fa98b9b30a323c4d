"""A method that gives something of the wrong kind is named, with what it gives and its place,
whatever error that leads to elsewhere; and nothing of the wrong kind is taken for an integer."""

from __future__ import annotations

from typing import NamedTuple

import pytest

import prunus
from prunus import Game, PrunusError, u8
from prunus.core.values import ResultError
from prunus.run.kinds import wrong_kind
from tests.amount import thinned


class Take(Game):
    """Take one or two of five; whoever takes the last one wins."""

    class State(NamedTuple):
        left: u8
        turn: u8

    def initial(self):
        return self.State(5, 0)

    def to_move(self, state):
        return state.turn

    def actions(self, state):
        return [1, 2] if state.left > 1 else [1]

    def result(self, state, action):
        return self.State(state.left - int(action), 1 - state.turn)

    def is_terminal(self, state):
        return state.left == 0

    def utility(self, state):
        return -1


class Team(Game):
    """One action each for three players."""

    players = 3

    class State(NamedTuple):
        turn: u8

    def initial(self):
        return self.State(0)

    def to_move(self, state):
        return state.turn % 3

    def actions(self, state):
        return [1]

    def result(self, state, action):
        return self.State(state.turn + 1)

    def is_terminal(self, state):
        return state.turn == 3

    def utilities(self, state):
        return 1, "two", 3


def but(base=Take, **methods):
    """The same game with other methods."""
    cls = type("Wrong", (base,), methods)
    return cls()


WRONG = {
    "actions gives the action '1'; it must be an integer": but(
        actions=lambda self, state: ["1", "2"][: state.left]
    ),
    "actions gives the action (0, 1); it must be an integer of 64 bits: number the actions": but(
        actions=lambda self, state: [(0, 1)]
    ),
    "actions gives the action 2.5; it must be an integer": but(
        actions=lambda self, state: [state.left / 2, 1] if state.left > 1 else [1]
    ),
    "actions gives the action 1.0; it must be an integer": but(actions=lambda self, state: [1.0]),
    f"actions gives the action {2**70}; it must be an integer of 64 bits": but(
        actions=lambda self, state: [2**70]
    ),
    "actions gives 1; it must be a list of integers": but(actions=lambda self, state: 1),
    "actions gives None; it must be a list of integers; is a `return` or `yield` missing?": but(
        actions=lambda self, state: None
    ),
    "result gives None; it must be a new State; is a `return` missing?": but(
        result=lambda self, state, action: None
    ),
    "result gives (4, 1); it must be a new State": but(
        result=lambda self, state, action: (state.left - action, 1 - state.turn)
    ),
    "to_move gives 'max'; it must be the number of a player, 0 or 1": but(
        to_move=lambda self, state: "max"
    ),
    "is_terminal gives None; it must be True or False; is a `return` missing?": but(
        is_terminal=lambda self, state: None
    ),
    "utility gives 'won'; it must be an integer": but(utility=lambda self, state: "won"),
    "utilities gives 'two'; it must be an integer": Team(),
}


@pytest.mark.parametrize("words", WRONG)
def test_the_method_is_named(words):
    game = WRONG[words]
    algorithm = "maxn" if game.players > 2 else "engine"
    with pytest.raises(ResultError, match="test_kinds.py:[0-9]+") as raised:
        prunus.solve(game, algorithm=algorithm, compile=False)
    assert words in str(raised.value)


@pytest.mark.filterwarnings("ignore::prunus.kernel.backends.InterpretedWarning")
@pytest.mark.parametrize("words", thinned([*WRONG][:4], 4))
def test_also_where_compiling_was_tried(words):
    game = WRONG[words]
    with pytest.raises(ResultError) as raised:
        prunus.solve(game, algorithm="minimax")
    assert words in str(raised.value)


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta", "sss", "mtdf", "cached-minimax"])
def test_in_other_searches(algorithm):
    game = but(actions=lambda self, state: [state.left / 2, 1] if state.left > 1 else [1])
    with pytest.raises(ResultError, match=r"gives the action 2\.5"):
        prunus.solve(game, algorithm=algorithm, compile=False)
    with pytest.raises(ResultError, match=r"gives the action 2\.5"):
        list(prunus.iterations(game, algorithm="engine", compile=False))


@pytest.mark.parametrize(
    "actions", [lambda self, state: None, lambda self, state: [(1, 1)]], ids=["none", "pairs"]
)
def test_in_traces(actions):
    with pytest.raises(ResultError, match="actions gives"):
        prunus.trace(but(actions=actions), algorithm="engine", depth=3)


def test_a_position_that_comes_later():
    game = but(actions=lambda self, state: [1, 2] if state.left > 2 else ["1"])
    with pytest.raises(ResultError, match="gives the action '1'"):
        prunus.solve(game, compile=False)


def test_no_start():
    with pytest.raises(PrunusError, match="initial gives None"):
        prunus.solve(but(initial=lambda self: None))


def test_an_integer_that_becomes_too_large_is_told_where_it_does():
    def actions(self, state):
        number = 1 << 62
        for _ in range(state.left):
            number += number
        return [number]

    with pytest.raises(OverflowError, match=r"test_kinds\.py:\d+, in actions"):
        prunus.solve(but(actions=actions), compile=True)


def test_errors_of_the_rules_are_their_own():
    def result(self, state, action):
        raise ValueError("a rule of its own")

    with pytest.raises(ValueError, match="a rule of its own") as raised:
        prunus.solve(but(result=result), compile=False)
    assert not isinstance(raised.value, PrunusError)


def test_nothing_is_said_of_a_game_that_is_right():
    game = Take()
    assert wrong_kind(game, game.initial()) is None
    assert prunus.solve(game).value == 1
