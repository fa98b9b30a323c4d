"""Integers in compiled code: Python's results, or an error; random expressions, and each fault on
its own."""

from __future__ import annotations

import pytest

from prunus.kernel.compiling.compiled import compile_function
from prunus.kernel.memory import Memory
from tests.kernel.expressions import NAMES, Carrier, differences, source

# Python 3.12 and later warn about `~` on a truth value, which still gives the same result.
pytestmark = pytest.mark.filterwarnings("ignore:Bitwise inversion:DeprecationWarning")

START = Carrier().initial()._replace(a=2**64 - 1, b=-(2**63), c=70, d=-21)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_random_expressions_agree_or_raise(seed):
    compared, _, found = differences(seed, count=10, states=25)
    assert compared > 100
    assert not found, found[0]


CASES = {
    "s.d // (1 << 3)": -3,
    "s.d % (1 << 3)": 3,
    "~(s.c > 3)": -2,
    "(1 << s.c - 30) - 1": 2**40 - 1,
    "(1 << s.c - 6) - 1": 2**64 - 1,
    "int(s.a) - int(s.a) - 5": -5,
    "(1 << 63) | k": 2**63 | 2**40,
    "s.b % -1": 0,
    "(True * s.a) // -1": -(2**64 - 1),
    "3 ** 5": 243,
    "s.b // -1": OverflowError,
    "-s.b": OverflowError,
    "abs(s.b)": OverflowError,
    "k * k": OverflowError,
    "s.b + s.b": OverflowError,
    "1 << s.c": OverflowError,
    "3 << s.c - 7": OverflowError,
    "k ** 2": OverflowError,
    "k % ((1 << 31) * k)": OverflowError,
    "1 << s.d": ValueError,
    "s.a >> s.d": ValueError,
    "s.d % (s.c - 70)": ZeroDivisionError,
    "s.t[k]": IndexError,
}


@pytest.mark.parametrize(("text", "expected"), CASES.items())
def test_one_by_one(text, expected):
    game, scope, k = Carrier(), dict(NAMES), 2**40
    exec(source([text]), scope)
    memory = Memory({"out": ("u64", 3)})
    arguments = {"game": game, "s": START, "k": k, "which": 0, "memory": memory}
    native = compile_function(scope["run"], arguments)
    if isinstance(expected, int):
        for call in (scope["run"], native):
            call(game, START, k, 0, memory)
            assert memory.out[0] == expected % 2**64
            assert memory.out[1] == (expected < 0)
    else:
        with pytest.raises(expected):
            native(game, START, k, 0, memory)


@pytest.mark.parametrize(
    ("field", "value"),
    [("c", 256), ("c", -1), ("d", 2**15), ("a", -1), ("b", 2**63), ("t", (0, 0, 0, 256))],
)
def test_a_state_refuses_what_its_field_cannot_hold(field, value):
    with pytest.raises(OverflowError, match=f"State field '{field}'"):
        START._replace(**{field: value})
    with pytest.raises(TypeError, match="State field 'c' is a u8 but is given 1.5"):
        START._replace(c=1.5)
    with pytest.raises(TypeError, match="State field 't' is a tuple but is given 7"):
        START._replace(t=7)
