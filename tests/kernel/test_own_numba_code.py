"""What Prunus teaches Numba is for rules: other compiled code in the same process stays as it is."""

from __future__ import annotations

import numba
import numpy as np
import pytest

import prunus
from prunus.games import make_game


def power(a):
    a **= 2


def shift(a):
    a <<= 1


def add(a):
    a += a


@pytest.mark.parametrize(
    ("change", "dtype"),
    [(power, np.float64), (shift, np.int64), (add, np.float32), (add, np.uint8), (add, complex)],
)
def test_arrays_are_changed_in_place(change, dtype):
    prunus.solve(make_game("nim"))
    expected, found = np.arange(4).astype(dtype), np.arange(4).astype(dtype)
    change(expected)
    numba.njit(change)(found)
    assert found.tolist() == expected.tolist()
