"""Rules may return NumPy's numbers where an integer is expected; its floats are refused."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from prunus import Game, analyze, u8, u64
from prunus.core.values import ResultError

VALUE = {}


class Once(Game):
    class State(NamedTuple):
        over: u8

    def initial(self):
        return self.State(0)

    def actions(self, state):
        return (0,)

    def result(self, state, action):
        return self.State(1)

    def is_terminal(self, state):
        return state.over == 1

    def utility(self, state):
        return VALUE["utility"]


@pytest.mark.parametrize(
    ("value", "meant"),
    [
        (np.uint8(200), 200),
        (np.int8(-5), -5),
        (np.uint64(7), 7),
        (np.bool_(True), 1),
        (np.array(3), 3),
    ],
)
def test_numbers_of_numpy_are_plain_results(value, meant):
    VALUE["utility"] = value
    found = analyze(Once(), algorithm="minimax", compile=False)
    assert type(found.value) is int
    assert found.value == -meant  # `utility` is for the player to move after the only action


def test_a_number_beyond_the_values_is_refused():
    VALUE["utility"] = np.uint64(1 << 63)
    with pytest.raises(OverflowError, match="uint64"):
        analyze(Once(), algorithm="minimax", compile=False)


def test_a_negative_u64_names_its_method():
    VALUE["utility"] = u64(0) - 1
    with pytest.raises(OverflowError, match=r"Once.utility gave .*test_numpy_results.py:\d+\)"):
        analyze(Once(), algorithm="minimax", compile=False)


@pytest.mark.parametrize("value", [np.float64(0.5), np.float32(1.0)])
def test_floats_of_numpy_are_refused(value):
    VALUE["utility"] = value
    with pytest.raises(ResultError, match="not an integer"):
        analyze(Once(), algorithm="minimax", compile=False)


def test_tables_of_uint64_join_with_u64_in_rules_that_are_called_directly():
    table = np.array([1, 1 << 63, 7], dtype=np.uint64)
    assert table[1] & u64(3 << 62) == 1 << 63
    assert u64(3) & table[2] == 3
    assert u64(1) << table[2] == 128
    assert (table & u64(3)).tolist() == [1, 0, 3]
    assert (u64(1) | table).tolist() == [1, (1 << 63) | 1, 7]
    assert (np.array([1, -2]) * u64(3)).tolist() == [3, -6]
