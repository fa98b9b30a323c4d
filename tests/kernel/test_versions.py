"""Versions of a variable share a place only if none is made while another one is still to be read.
Where Numba makes the versions, they never meet; a pass may read an earlier one later."""

from __future__ import annotations

import pytest
from numba.core import ir, ir_utils
from numba.core.compiler import run_frontend

from prunus.kernel.rewriting.versions import _alive_after, _meet


def apart(x):
    first = x + 1
    second = first + 2
    return second * 2


def together(x):
    first = x + 1
    second = x + 2
    return first + second


def apart_in_loop(x):
    first = x
    for _ in range(3):
        second = first + 1
        first = second
    return first


def together_in_loop(x):
    first = x
    second = 0
    for _ in range(3):
        second = first + second
        first = second - first
    return first


def copied(x):
    first = x + 1
    second = first
    return first + second


def apart_on_branches(x):
    first = second = 0
    if x:
        first = x + 1
        kept = first
    else:
        second = x + 2
        kept = second
    return kept


def needed_on_one_branch(x):
    first = x + 1
    second = x + 2
    return first if second else 0


@pytest.mark.parametrize(
    ("function", "meet"),
    [
        (apart, False),
        (together, True),
        (apart_in_loop, False),
        (together_in_loop, True),
        (copied, False),
        (apart_on_branches, False),
        (needed_on_one_branch, True),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_versions_meet_if_one_is_made_while_another_is_still_to_be_read(function, meet):
    """`first` and `second` stand for two versions of a variable."""
    func_ir = run_frontend(function)
    family = {"first", "second"}
    assert {
        statement.target.name
        for block in func_ir.blocks.values()
        for statement in block.find_insts(ir.Assign)
    } >= family
    func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
    assert _meet(func_ir, family, _alive_after(func_ir, family)) is meet
