"""Indices of a game's own arrays: out of range they raise, and negative ones count from the end,
interpreted and compiled."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from prunus import Game, analyze, i64, trace, u8


class Lookup(Game):
    """One action, then the item of an array at an index that the State holds."""

    class State(NamedTuple):
        place: i64
        over: u8

    def __init__(self, dtype: str = "int64") -> None:
        self.items = np.array([10, 20, 30], dtype)
        self.rows = np.array([[1, 2], [3, 4], [5, 6]], dtype)

    def initial(self):
        return self.State(0, 0)

    def actions(self, state):
        yield 0

    def result(self, state, action):
        return self.State(state.place, 1)

    def is_terminal(self, state):
        return state.over == 1

    def utility(self, state):
        return int(self.items[state.place])


class Row(Lookup):
    def utility(self, state):
        return int(self.rows[state.place][1])


class Pair(Lookup):
    def utility(self, state):
        return int(self.rows[state.place, state.place])


def asked(game, place, compiled):
    """The game's answer about the item at an index."""
    return analyze(game, game.State(place, 0), algorithm="minimax", compile=compiled)


VALUES = {Lookup: (10, 20, 30), Row: (2, 4, 6)}


@pytest.mark.parametrize("game", [Lookup, Row])
@pytest.mark.parametrize("place", [0, 1, 2, -1, -2, -3])
@pytest.mark.parametrize("dtype", ["int64", "uint64"])
@pytest.mark.parametrize("compiled", [False, True])
def test_negative_indices_count_from_the_end(game, place, dtype, compiled):
    assert asked(game(dtype), place, compiled).value == -VALUES[game][place]


@pytest.mark.parametrize("game", [Lookup, Row, Pair])
@pytest.mark.parametrize("place", [3, 70, -4, -(2**62), 2**62])
@pytest.mark.parametrize("compiled", [False, True])
def test_an_index_outside_raises_with_its_line(game, place, compiled):
    with pytest.raises(IndexError, match=r"in utility"):
        asked(game(), place, compiled)


@pytest.mark.parametrize("place", [2, -3])
@pytest.mark.parametrize("compiled", [False, True])
def test_every_dimension_is_checked(place, compiled):
    with pytest.raises(IndexError):
        asked(Pair(), place, compiled)


class Masks(Lookup):
    """Rules that compute with the items of an array of uint64 from their first call."""

    def initial(self):
        return self.State(int(self.items[0] ^ (1 << 3)), 0)

    def result(self, state, action):
        return self.State(int(self.items[1] & ~(1 << 2)) - 14, 1)


def test_arrays_serve_before_the_first_search():
    assert Masks("uint64").play(["0"]) == (2, 1)
    assert Masks("uint64").parse("0") == (2, 1)
    assert analyze(Masks("uint64"), "", algorithm="minimax", compile=False).best == 0
    assert trace(Masks("uint64"), "", depth=1) is not None
