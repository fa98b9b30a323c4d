"""A game that cannot be compiled still works: interpreted, with one warning that names the method,
the line and the reason."""

from __future__ import annotations

import dataclasses
import warnings
from typing import NamedTuple

import pytest

import prunus
from prunus import Game, u8
from prunus.kernel.backends import InterpretedWarning, _warned
from prunus.kernel.reporting.messages import CannotCompile


class Countdown(Game):
    class State(NamedTuple):
        left: u8

    def __init__(self) -> None:
        self.steps = {1: "one", 2: None}

    def initial(self):
        return self.State(6)

    def actions(self, state):
        for step in self.steps:
            if step <= state.left:
                yield step

    def result(self, state, action):
        return self.State(state.left - action)

    def is_terminal(self, state):
        return state.left == 0

    def utility(self, state):
        return -1


class Odd(Countdown):
    """Positions with a field that is not a machine type."""

    class State(NamedTuple):
        left: int
        path: list

    def initial(self):
        return self.State(4, [])

    def actions(self, state):
        return [step for step in (1, 2) if step <= state.left]

    def result(self, state, action):
        return self.State(state.left - action, [*state.path, action])


def test_one_warning_and_a_right_answer():
    _warned.clear()
    with pytest.warns(InterpretedWarning) as caught:
        found = prunus.analyze(Countdown())
    assert (found.value, found.backend) == (-1, "interpreted")
    text = str(caught[0].message)
    line = Countdown.actions.__code__.co_firstlineno + 1
    assert "self.steps is a dict" in text
    assert f"test_fallback.py:{line}, in actions" in text
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        prunus.analyze(Countdown())


def test_compile_true_is_an_error_and_false_asks_for_the_interpreter():
    with pytest.raises(CannotCompile, match="self.steps is a dict"):
        prunus.analyze(Countdown(), compile=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert prunus.analyze(Countdown(), compile=False).value == -1


def test_a_state_of_other_types_runs_interpreted():
    _warned.clear()
    with pytest.warns(InterpretedWarning, match="field .path. of Odd.State"):
        found = prunus.analyze(Odd())
    assert (found.value, found.backend) == (1, "interpreted")


def test_equal_states_of_any_types_have_equal_keys():
    """Two equal States, built in different orders, and one that is not equal; what cannot be hashed
    at all is ignored."""

    class Bag:
        __hash__ = None

    first = Odd.State(1, [{3, 11, 19}, {"a": [1], "b": {2}}, (Bag(), [4])])
    second = Odd.State(1, [{19, 11, 3}, {"b": {2}, "a": [1]}, (Bag(), [4])])
    assert Odd().key(first) == Odd().key(second)
    assert Odd().key(first) != Odd().key(
        Odd.State(1, [{3, 11, 19}, {"a": [2], "b": {2}}, (Bag(), [4])])
    )


def test_a_missing_method_is_named():
    class Half(Game):
        class State(NamedTuple):
            left: u8

        def initial(self):
            return self.State(3)

    with pytest.raises(TypeError, match=r"Half has to define is_terminal\(state\)"):
        prunus.analyze(Half())


def test_evaluations_must_be_integers():
    class Floating(Countdown):
        def __init__(self) -> None:
            self.limit = 2

        def actions(self, state):
            for step in range(1, self.limit + 1):
                if step <= state.left:
                    yield step

        def evaluate(self, state):
            return state.left / 2

    with pytest.raises(
        CannotCompile, match="evaluate returns a float; values are integers: scale it"
    ):
        prunus.analyze(Floating(), depth=2, compile=True)


class Halving(Game):
    """Subtract 1 or 2 from a State of any kind; whoever takes the last loses nothing more."""

    def start(self, left):
        return left

    def left(self, state):
        return state

    def initial(self):
        return self.start(5)

    def actions(self, state):
        return [1, 2]

    def result(self, state, action):
        return self.start(max(0, self.left(state) - action))

    def is_terminal(self, state):
        return self.left(state) == 0

    def utility(self, state):
        return -1


class WithTuples(Halving):
    def start(self, left):
        return (left, 0)

    def left(self, state):
        return state[0]


class WithDataclass(Halving):
    @dataclasses.dataclass(frozen=True)
    class State:
        count: int

    def start(self, left):
        return self.State(left)

    def left(self, state):
        return state.count


@pytest.mark.parametrize(
    ("game", "says"),
    [
        (Halving, "plain int|machine integers"),
        (WithTuples, "a plain tuple"),
        (WithDataclass, "a dataclass"),
    ],
)
@pytest.mark.parametrize("algorithm", ["minimax", "engine"])
def test_what_a_state_is_made_of_is_said(game, says, algorithm):
    with pytest.raises(CannotCompile, match=rf"({says}|machine integers).*NamedTuple"):
        prunus.solve(game(), algorithm=algorithm, compile=True)
    assert prunus.solve(game(), algorithm=algorithm, compile=False).value == 1


class Measured(Countdown):
    """A State with a length of its own, which compiled code does not ask for."""

    class State(NamedTuple):
        left: u8

        def __len__(self):
            return 7

    def utility(self, state):
        return len(state)


def test_a_state_with_special_methods_is_refused():
    with pytest.raises(CannotCompile, match=r"defines __len__, .*, in __len__"):
        prunus.analyze(Measured(), compile=True)
    assert abs(prunus.analyze(Measured(), compile=False).value) == 7
