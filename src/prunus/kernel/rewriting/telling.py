"""What a container that begins empty is told in the function that makes it: by `d.get(key, 0)`, its
own length, floats among its values. For `beginnings.py`."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable
from typing import Any

from numba.core import ir, ir_utils

from prunus.kernel.containers.empties import HOLDS, LIKE
from prunus.kernel.containers.resizing import origin_of, reached
from prunus.kernel.rewriting.consumers import Code
from prunus.kernel.rewriting.filled_by_calls import tell
from prunus.kernel.rewriting.inlining import global_value

_ARITHMETIC = {operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod}


def tell_gets(func_ir: Any, made: Any) -> bool:
    """Before each `d.get(key, 0)` of a dictionary that begins empty, tell it that it has such keys
    and values; true if there is such a place, of which neither comes from the dictionary."""
    told = False
    for block in func_ir.blocks.values():
        for statement in list(block.body):
            call = statement.value if isinstance(statement, ir.Assign) else None
            is_call = isinstance(call, ir.Expr) and call.op == "call" and not call.kws
            if not is_call or not is_method(func_ir, call.func, "get", made):
                continue
            if len(call.args) > 2 or any(comes_from(func_ir, each, made) for each in call.args):
                continue
            holder = ir_utils.get_definition(func_ir, call.func).value
            given = call.args if _has_default(func_ir, call) else call.args[:1]
            call_like(block, statement, holder, *given, name=HOLDS)
            told = True
    return told


def _has_default(func_ir: Any, call: Any) -> bool:
    """Whether a call of `d.get` says what is there in place of a value, other than None."""
    if len(call.args) < 2:
        return False
    default = ir_utils.guard(ir_utils.get_definition, func_ir, call.args[1])
    return not (isinstance(default, ir.Const) and default.value is None)


def tell_lengths(func_ir: Any, made: Any) -> bool:
    """Before a container that begins empty gets its own length, as in `ids[v] = len(ids)`, tell it
    that it holds integers; true if there is such a place."""
    told = False
    for block in func_ir.blocks.values():
        for statement in list(block.body):
            put = _put_into(func_ir, statement, made)
            if put is None or not _is_length(func_ir, put[-1], made):
                continue
            holder, *keys, _ = put
            if any(comes_from(func_ir, key, made) for key in keys):
                continue
            _call_with(block, statement, holder, keys, 0)
            told = True
    return told


def tell_floats(func_ir: Any, made: Any) -> bool:
    """If one of the values that a dictionary begins with is a float, as an infinite distance, tell
    it so wherever it gets one, also an integer; true if there is such a place."""
    puts = [
        (block, statement, put)
        for block in func_ir.blocks.values()
        for statement in block.body
        if (put := _put_into(func_ir, statement, made)) is not None and len(put) == 3
    ]
    if not any(_is_float(func_ir, value) for *_, (_, _, value) in puts):
        return False
    for block, statement, (holder, key, _) in puts:
        if not comes_from(func_ir, key, made):
            _call_with(block, statement, holder, [key], 0.5)
    return True


def _is_float(func_ir: Any, variable: Any) -> bool:
    value = origin_of(func_ir, variable)
    if isinstance(value, ir.Const):
        return isinstance(value.value, float)
    if not isinstance(value, ir.Expr):
        return False
    if value.op == "unary":
        return value.fn is operator.neg and _is_float(func_ir, value.value)
    if value.op == "getattr":
        return value.attr == "inf" and global_value(func_ir, value.value) is math
    return value.op == "call" and global_value(func_ir, value.func) is float


def _put_into(func_ir: Any, statement: Any, made: Any) -> tuple[Any, ...] | None:
    """The container that an expression makes, if a statement puts something into it, perhaps a
    key, and the item or value."""
    if isinstance(statement, ir.SetItem) and origin_of(func_ir, statement.target) is made:
        return statement.target, statement.index, statement.value
    call = statement.value if isinstance(statement, ir.Assign) else None
    if not isinstance(call, ir.Expr) or call.op != "call":
        return None
    for name, count in (("append", 1), ("add", 1), ("setdefault", 2), ("__setitem__", 2)):
        if len(call.args) == count and is_method(func_ir, call.func, name, made):
            return ir_utils.get_definition(func_ir, call.func).value, *call.args
    return None


def _is_length(func_ir: Any, variable: Any, made: Any) -> bool:
    """Whether a value is the length of what an expression makes, or computed from it."""
    value = origin_of(func_ir, variable)
    if not isinstance(value, ir.Expr):
        return False
    if value.op == "binop" and value.fn in _ARITHMETIC:
        return any(_is_length(func_ir, side, made) for side in (value.lhs, value.rhs))
    is_call = value.op == "call" and len(value.args) == 1
    return (
        is_call
        and global_value(func_ir, value.func) is len
        and origin_of(func_ir, value.args[0]) is made
    )


def _call_with(block: Any, statement: Any, holder: Any, keys: list[Any], example: Any) -> None:
    """Tell a container before a statement that it has such keys, and an example as item."""
    item = block.scope.redefine(ir_utils.mk_unique_var("$example"), loc=statement.loc)
    place = block.body.index(statement)
    block.body.insert(place, ir.Assign(ir.Const(example, statement.loc), item, statement.loc))
    call_like(block, statement, holder, *keys, item, name=HOLDS)


def call_like(block: Any, statement: Any, one: Any, *others: Any, name: str = LIKE) -> None:
    """Tell a container before a statement that it is like others, or holds them (HOLDS)."""
    code = Code(block.scope, statement.loc, [])
    tell(code, one, name, *others)
    place = block.body.index(statement)
    block.body[place:place] = code.body


def is_method(func_ir: Any, variable: Any, name: str, made: Any) -> bool:
    """Whether a variable is a method of an expression's result."""
    found = origin_of(func_ir, variable)
    return (
        isinstance(found, ir.Expr)
        and found.op == "getattr"
        and found.attr == name
        and origin_of(func_ir, found.value) is made
    )


def comes_from(func_ir: Any, variable: Any, made: Any) -> bool:
    """Whether an expression's result is among what a value is computed from."""

    def through(value: Any) -> Iterable[Any]:
        return value.list_vars() if isinstance(value, ir.Expr) and value is not made else ()

    return any(value is made for value in reached(func_ir, variable, through))
