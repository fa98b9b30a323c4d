"""What Prunus teaches Numba is for rules: other compiled code in the same process stays as it is."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from numba import typeof
from numba.core.errors import NumbaExperimentalFeatureWarning
from numba.core.registry import cpu_target

import prunus
from prunus.games import make_game
from prunus.kernel.containers.choices import Choice
from prunus.kernel.pipeline.inference import remembering


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


@numba.njit
def after(value):
    return value + 1


@numba.njit
def twice(value):
    return 2 * value


def test_functions_have_the_common_type_that_numba_gives_them():
    """In what Prunus compiles it is a choice; elsewhere it is Numba's business."""
    context = cpu_target.typing_context
    kinds = [typeof(function) for function in (after, twice)]
    with pytest.warns(NumbaExperimentalFeatureWarning):
        assert not isinstance(context.unify_types(*kinds), Choice)
        with remembering():
            assert isinstance(context.unify_types(*kinds), Choice)


def united(s):
    t, u = s.copy(), {1}
    t.add(77)
    s.add(5)
    for i in range(2):
        if i:
            u = s
    return len(t) * 100 + len(s) * 10 + len(u)


@pytest.mark.filterwarnings("ignore::numba.core.errors.NumbaPendingDeprecationWarning")
def test_sets_that_python_holds_too_are_changed():
    """In what Prunus compiles, the type that they have is that of frozen sets."""
    prunus.solve(make_game("nim"))
    assert numba.njit(united)({1, 2}) == united({1, 2})
