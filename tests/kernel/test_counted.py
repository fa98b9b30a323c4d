"""Lists of which only the number of items is asked become numbers, and no others; that they mean
the same is tested by the battery (`idioms/counted.txt`)."""

from types import SimpleNamespace

import pytest
from numba.core import ir

from prunus.kernel.rewriting.closures import inline_closures
from prunus.kernel.rewriting.counted import CountedLists
from prunus.kernel.rewriting.handling import intermediate


def lists_left(function):
    """How many lists a function still makes."""
    func_ir = intermediate(function)
    inline_closures(func_ir)
    CountedLists().run_pass(SimpleNamespace(func_ir=func_ir, args=()))
    values = [
        statement.value
        for block in func_ir.blocks.values()
        for statement in block.find_insts(ir.Assign)
    ]
    return sum(isinstance(value, ir.Expr) and value.op == "build_list" for value in values)


def length(t):
    return len([v for v in t if v > 2])


def line(t, lines, own):
    return any([t[c] for c in line].count(own) == 4 for line in lines)


def written_out(t):
    found = []
    for v in t:
        if v > 2:
            found.append(v)
    return 0 if not found else len(found)


def each_round(t):
    total = 0
    for k in range(3):
        found = [v for v in t if v > k]
        total += len(found)
    return total


@pytest.mark.parametrize("function", [length, line, written_out, each_round])
def test_becomes_a_number(function):
    assert lists_left(function) == 0


def read(t):
    found = [v for v in t if v > 2]
    return len(found) + found[0]


def returned(t):
    found = [v for v in t if v > 2]
    return found if len(found) > 1 else None


def kept_for_the_next_round(t):
    total, old = 0, []
    for k in range(3):
        found = []
        for v in t:
            if v > k:
                found.append(v)
        total += len(old)
        old = found
    return total


def asked_before_it_is_made(t):
    total = 0
    for k in range(3):
        if k:
            total += len(found)  # noqa: F821 - of the round before
        found = [v for v in t if v > k]  # noqa: F841
    return total


def another_method_of_the_old_list(t):
    for k in range(3):
        if k == 0:
            found = []
            add = found.append
        for v in t:
            add(v)
    return k


def sought_later(t, own):
    found = [v for v in t if v > 2]
    own = own + 1
    return found.count(own)


def sought_from_the_list(t):
    found = [v for v in t if v > 2]
    return found.count(len(found))


@pytest.mark.parametrize(
    "function",
    [
        read,
        returned,
        kept_for_the_next_round,
        asked_before_it_is_made,
        another_method_of_the_old_list,
        sought_later,
        sought_from_the_list,
    ],
)
def test_stays_a_list(function):
    assert lists_left(function) > 0
