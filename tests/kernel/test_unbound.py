"""Which variables are checked for having a value where they are read: those that may have none. The
idioms `unbound_...` and `test_raising.py` show what the checks do."""

from __future__ import annotations

import contextlib
import importlib
import inspect
import pkgutil

import pytest
from numba.core import errors, ir

import prunus.algorithms
import prunus.engine
import prunus.solving
from prunus.kernel.compiling import compiled  # noqa: F401 - teaches Numba
from prunus.kernel.rewriting.handling import intermediate
from prunus.kernel.rewriting.unbound import bound, guard_unbound


def checks(function):
    """The number of checks that a function gets."""
    func_ir = intermediate(function)
    guard_unbound(func_ir)
    return sum(
        isinstance(statement.value, ir.Global) and statement.value.value is bound
        for block in func_ir.blocks.values()
        for statement in block.find_insts(ir.Assign)
    )


def on_every_path(n):
    if n > 2:
        m = 1
    elif n < 0:
        raise ValueError
    else:
        m = 2
    for k in range(n):
        j = k + m
        m = j
    return m


def in_every_way(n):
    try:
        m = 5 // n
    except ZeroDivisionError:
        m = 1
    while True:
        k = m * 2
        if k > 5:
            break
        m = k
    return k


def once_checked(n):
    if n:
        m = 1
    k = m
    return k + m + m


def before_the_error(n):
    m = 1
    try:
        del m
        m = 5 // n
    except ZeroDivisionError:
        return m
    return m


def after_a_pass(n):
    for k in range(n):
        if k > 0:
            n += m  # noqa: F821
        m = 3  # noqa: F841
    return n


@pytest.mark.parametrize(
    ("function", "number"),
    [
        (on_every_path, 0),
        (in_every_way, 0),
        (once_checked, 1),
        (before_the_error, 1),
        (after_a_pass, 1),
    ],
)
def test_only_doubtful_reads_are_checked(function, number):
    assert checks(function) == number


def test_searches_need_no_checks():
    functions = {
        function
        for package in (prunus.algorithms, prunus.engine, prunus.solving)
        for found in pkgutil.walk_packages(package.__path__, package.__name__ + ".")
        for function in vars(importlib.import_module(found.name)).values()
        if inspect.isfunction(function)
        and {"game", "memory"} & {*inspect.signature(function).parameters}
    }
    counts = {}
    for function in functions:
        with contextlib.suppress(
            errors.NumbaError, errors.UnsupportedBytecodeError
        ):  # some only run in Python
            counts[function.__qualname__] = checks(function)
    assert len(counts) > 100
    assert not any(counts.values()), counts
