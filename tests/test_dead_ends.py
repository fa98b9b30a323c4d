"""Positions that are not terminal but have no action: every search reports them, on both backends,
and none runs for ever."""

from __future__ import annotations

from typing import NamedTuple

import pytest

import prunus
from prunus import Game, u8
from prunus.core.errors import SearchError
from prunus.run.registry import ALGORITHMS, SEVERAL
from tests.amount import in_full

DEAD = "Corridor: the position place=4 is not terminal but has no action"


class Corridor(Game):
    """Two moves everywhere, except at place 4, which has none though the game is not over."""

    class State(NamedTuple):
        place: u8

    def initial(self):
        return self.State(0)

    def actions(self, state):
        if state.place != 4:
            yield 0
            yield 1

    def result(self, state, action):
        return self.State(state.place + 1)

    def is_terminal(self, state):
        return state.place == 200

    def utility(self, state):
        return 0

    def bounds(self, state):
        return (-1, 1)


class Company(Corridor):
    """The same for three players, the first of whom gets everything."""

    players = 3
    name = "Corridor"

    def to_move(self, state):
        return state.place % 3

    def utilities(self, state):
        return (1, 0, 0)


@pytest.mark.parametrize("depth", [8, None])
@pytest.mark.parametrize("name", [*ALGORITHMS, *SEVERAL])
def test_every_algorithm_names_a_position_without_actions(name, depth):
    game = Company() if name in SEVERAL else Corridor()
    with pytest.raises(SearchError, match=DEAD):
        prunus.analyze(game, algorithm=name, depth=depth, compile=False, room=4096)


@pytest.mark.parametrize("name", ["alphabeta-hard", "minimax-maxmin", "engine"])
def test_compiled_searches_name_it_too(name):
    with pytest.raises(SearchError, match=DEAD):
        prunus.analyze(Corridor(), algorithm=name, depth=8, compile=True)


def test_a_helping_thread_that_looks_farther_does_not_disturb():
    """Only what the answer rests on counts: of several threads some look one ply further ahead."""
    found = prunus.analyze(Corridor(), depth=4, threads=4, compile=True)
    assert (found.value, found.proved) == (0, False)


def test_traces_name_it():
    with pytest.raises(SearchError, match=DEAD):
        prunus.trace(Corridor(), depth=8)


class Blind(Corridor):
    """All positions have actions, but from the third on none is called worthwhile."""

    def actions(self, state):
        yield 0
        yield 1

    def worthwhile(self, state):
        if state.place < 3:
            yield 0
            yield 1

    def is_terminal(self, state):
        return state.place == 30


@pytest.mark.parametrize("compile", [False, pytest.param(True, marks=in_full)])
def test_tests_to_the_end_name_a_position_without_worthwhile_actions(compile, monkeypatch):
    monkeypatch.setattr("prunus.run.solver.CHEAP", 0)
    with pytest.raises(
        SearchError, match="place=3 is not terminal but has no action, or worthwhile leaves out all"
    ):
        prunus.solve(Blind(), compile=compile, options={"bounds": False})
