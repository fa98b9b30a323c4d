"""Games whose start is not level: what the bounds of the start say holds for it alone, so that no
search may take an estimate beyond them for the value of a finished game."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import pytest

import prunus
from prunus import Game, i16, u8

ROW = (5, 1, 4, 2, 3, 6, 2, 7, 1, 3, 8, 2, 5, 4, 9, 1)


class Ends(Game):
    """Players take a number from either end of a row; the second one has points to begin with."""

    class State(NamedTuple):
        first: u8
        last: u8
        lead: i16  # of the player who began
        turn: u8

    def __init__(self, numbers: int = 6, given: int = 30) -> None:
        self.row, self.given = ROW[:numbers], given

    def initial(self):
        return self.State(0, len(self.row), -self.given, 0)

    def actions(self, state):
        yield 0
        if state.last - state.first > 1:
            yield 1

    def result(self, state, action):
        first, last = state.first + (action == 0), state.last - (action == 1)
        taken = self.row[state.first if action == 0 else last]
        lead = state.lead + (taken if state.turn == 0 else -taken)
        return self.State(first, last, lead, 1 - state.turn)

    def is_terminal(self, state):
        return state.first == state.last

    def utility(self, state):
        return state.lead if state.turn == 0 else -state.lead

    def bounds(self, state):
        left, value = sum(self.row[state.first : state.last]), self.utility(state)
        return value - left, value + left


class Guessed(Ends):
    """The same with an estimate."""

    def evaluate(self, state):
        return self.utility(state)


class Decided(Game):
    """Heaps of which a player takes any number from one. The bounds say who wins."""

    class State(NamedTuple):
        heaps: tuple[u8, u8, u8]

    def initial(self):
        return self.State((1, 2, 4))

    def actions(self, state):
        return [8 * i + n for i, heap in enumerate(state.heaps) for n in range(1, heap + 1)]

    def result(self, state, action):
        return self.State(
            tuple(heap - action % 8 * (i == action // 8) for i, heap in enumerate(state.heaps))
        )

    def is_terminal(self, state):
        return state.heaps == (0, 0, 0)

    def utility(self, state):
        return -1

    def bounds(self, state):
        a, b, c = state.heaps
        return (1, 1) if a ^ b ^ c else (-1, -1)

    def evaluate(self, state):
        return 0


def _true_values(game):
    @cache
    def value(state):
        if game.is_terminal(state):
            return game.utility(state)
        return max(-value(game.result(state, action)) for action in game.actions(state))

    return value


def _positions(game, most):
    found = [game.initial()]
    for state in found:
        if len(found) < most and not game.is_terminal(state):
            found += [game.result(state, action) for action in game.actions(state)]
    return [state for state in dict.fromkeys(found) if not game.is_terminal(state)][:most]


ALGORITHMS = ("minimax", "minimax-extreme", "alphabeta", "pvs", "mtdf", "sss", "engine")


@pytest.mark.parametrize("game", [Ends(), Guessed(), Guessed(6, 100), Decided()], ids=repr)
def test_what_is_proved_is_right(game):
    value = _true_values(game)
    for state in _positions(game, 12):
        for algorithm in ALGORITHMS:
            for depth in (1, 2, 4):
                found = prunus.analyze(game, state, algorithm, depth, compile=False)
                assert not found.proved or found.value == value(state), (algorithm, depth, state)


@pytest.mark.parametrize("game", [Guessed(), Decided()], ids=repr)
def test_stopping_at_an_extreme_value_changes_nothing(game):
    for state in _positions(game, 12):
        for depth in (1, 2, 3):
            values = {
                prunus.analyze(game, state, algorithm, depth, compile=False).value
                for algorithm in ("minimax", "minimax-extreme")
            }
            assert len(values) == 1, (depth, state)


@pytest.mark.parametrize("game", [Ends(16, 90), Guessed(16, 90)], ids=repr)
def test_solving_from_the_other_side(game):
    value = _true_values(game)
    for state in _positions(game, 5):
        found = prunus.solve(game, state, compile=False)
        assert found.proved
        assert found.value == value(state), state
