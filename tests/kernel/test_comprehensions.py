"""Comprehensions bring no check for errors into a function that catches none. The idiom
`try_around_comprehension` shows what happens in one that does."""

from __future__ import annotations

import pytest

from prunus.kernel.compiling import compiled  # noqa: F401 - teaches Numba
from prunus.kernel.rewriting.handling import intermediate
from prunus.kernel.rewriting.marks import catches


def with_condition(n):
    return [i for i in range(n) if i % 2]


def nested(n):
    i = n
    return [[j for j in range(i) if j > 2] for i in range(n) if i > 1], i


def to_set_and_dictionary(n):
    return {i for i in range(n) if i % 3 if i % 2}, {i: i for i in range(n) if i > 1 or n == 3}


def giving(n):
    for k in [i for i in range(n) if i % 2]:
        yield k


def caught(n):
    i = n
    try:
        return [8 // i for i in range(3, -n, -1) if i < 9]
    except ZeroDivisionError:
        return [i]


@pytest.mark.parametrize("function", [with_condition, nested, to_set_and_dictionary, giving])
def test_comprehensions_catch_nothing(function):
    assert not catches(intermediate(function))


def test_what_the_function_catches_is_caught():
    assert catches(intermediate(caught))
