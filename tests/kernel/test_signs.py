"""Operators in messages."""

import operator

import pytest

from prunus.kernel.reporting.signs import SIGNS, as_written


@pytest.mark.parametrize(
    ("message", "written"),
    [
        ("lshift does not take these types: lshift(int, str)", "`<<` ...: int << str"),
        ("add does not take these types: iadd(list of int, int)", "`+=` ...: list of int += int"),
        ("contains does not take these types: contains(list, float)", "`in` ...: float in list"),
        ("getitem does not take these types: getitem(tuple [int, str], float)",
         "`[]` ...: tuple [int, str][float]"),
        ("setitem does not take these types: setitem(list, int, f(a, b))",
         "`[] =` ...: list[int] = f(a, b)"),
        ("neg does not take these types: neg(str)", "`-` ...: -str"),
        ("unicode_find does not take these types: unicode_find(str, float)",
         "find ...: find(str, float)"),
        ("gcd does not take these types: gcd()", "gcd ...: gcd()"),
        ("sub does not take these types: sub(str)", "sub ...: sub(str)"),
        ("anything else", "anything else"),
    ],
)  # fmt: skip
def test_operators_are_shown_as_they_are_written(message, written):
    assert as_written(message) == written.replace("...", "does not take these types")


def test_the_names_are_those_of_pythons_operators():
    assert all(hasattr(operator, name) for name in SIGNS)
