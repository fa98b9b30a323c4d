"""Methods that Prunus could not call are refused where their class is made."""

from __future__ import annotations

import functools
import inspect
from typing import NamedTuple

import pytest

import prunus
from prunus import Evaluation, Game, u8
from prunus.core.methods import MethodError


class Countdown(Game):
    class State(NamedTuple):
        left: u8

    def initial(self):
        return self.State(5)

    def actions(self, state):
        return [taken for taken in (1, 2) if taken <= state.left]

    def result(self, state, taken):
        return self.State(state.left - taken)

    def is_terminal(self, state):
        return state.left == 0

    def utility(self, state):
        return -1


def test_one_value_for_each_player_is_refused_in_words():
    with pytest.raises(MethodError) as caught:

        class Wrong(Countdown):
            def utility(self, state, player):
                return 1 if player else -1

    message = str(caught.value)
    line = inspect.getsourcelines(test_one_value_for_each_player_is_refused_in_words)[1] + 4
    assert f"Wrong.utility(self, state, player) in {__file__}:{line} is called as" in message
    assert "write `def utility(self, state)`" in message and "for the player to move" in message


def bodies():
    def no_state(self):
        return -1

    def without_self():
        return -1

    def one_by_name(self, state, *, player):
        return -1

    return [no_state, without_self, one_by_name]


@pytest.mark.parametrize("body", bodies(), ids=lambda body: body.__name__)
def test_methods_that_cannot_be_called_are_refused(body):
    with pytest.raises(MethodError, match=r"is called as utility\(state\)"):
        type("Wrong", (Countdown,), {"utility": body})


def test_evaluations_are_looked_at_too():
    with pytest.raises(MethodError, match=r"is called as evaluate\(state\)"):

        class Wrong(Evaluation):
            def evaluate(self, state, player):
                return 0


def test_whatever_can_be_called_is_taken():
    def counted(method):
        @functools.wraps(method)
        def outer(*given):
            return method(*given)

        return outer

    class Fine(Countdown):
        def initial(self, left=4):
            return self.State(left)

        def actions(self, position, /, *more):
            return super().actions(position)

        @counted
        def result(self, state, taken):
            return self.State(state.left - taken)

        @staticmethod
        def is_terminal(state):
            return state.left == 0

        def utility(self, state, *, lost=-1):
            return lost

        def reply(self, state, player, more):  # a name that no base class has
            return self.play([], state)

        def row(self, state, r):  # one that has another meaning for those who need it
            return r

        def play(self, names, state=None, *, slowly=False):  # called by name as well
            return super().play(names, state)

    assert prunus.analyze(Fine(), compile=False).value == 1
