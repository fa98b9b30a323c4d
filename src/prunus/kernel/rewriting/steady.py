"""Slices of tuples at variable places that have the same length wherever they are: rows,
`cells[r * 3 : r * 3 + 3]`, and columns, `cells[c::3]`.

A tuple's length is part of its type. Here it is guessed from how the places are written: from their
difference, or from the step. The code checks the guess each time and raises OverflowError, which no
handler catches, for places at which Python makes a tuple of another length. A slice that is only
read needs no guess (`slices.py`).
"""

from __future__ import annotations

import operator
from collections import Counter
from functools import cache
from typing import Any

from numba.core import errors, ir, types
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.cpython.unsafe.tuple import tuple_setitem
from numba.extending import overload, register_jitable

from prunus.kernel.boards.packed import Packed, long_type
from prunus.kernel.containers.sequences import call_instead, tuple_from_list
from prunus.kernel.numbers.operators import meant
from prunus.kernel.rewriting.escapes import definition, statements
from prunus.kernel.rewriting.slices import UNKNOWN, known_value, places_of

OTHER_LENGTH = (
    "a slice at the edge of a tuple does not have the {count} items that compiled code expects: "
    "leave such places out, or make a list of it, list(t[a:b])"
)

DEEPEST = 6
"""How deep expressions are looked into to tell whether they are the same."""


def row_of(items, start, stop, step, width):
    """`items[start:stop:step]` in compiled code, where stop - start is `width`."""
    raise NotImplementedError


def column_of(items, start, step):
    """`items[start::step]` in compiled code, where start is less than the step."""
    raise NotImplementedError


@overload(row_of, prefer_literal=True)
def _row_of(items, start, stop, step, width):
    if not isinstance(step, types.Literal):
        return None
    if not isinstance(items, types.UniTuple | Packed):
        if step.literal_value == 1:
            return lambda items, start, stop, step, width: items[start:stop]
        return lambda items, start, stop, step, width: items[start:stop:step]
    _check_places(start, stop)
    by = step.literal_value
    count = len(range(0, width.literal_value, by))
    if count > len(items):
        raise errors.TypingError("slice: it is longer than its tuple")
    words = OTHER_LENGTH.format(count=count)
    last = (count - 1) * by
    taken = _taking(types.unliteral(items.dtype), count)

    def row(items, start, stop, step, width):
        if not 0 <= start < len(items) - last or stop - start != width:
            raise OverflowError(words)
        return taken(items, start, by)

    return row


@overload(column_of, prefer_literal=True)
def _column_of(items, start, step):
    if not isinstance(step, types.Literal):
        return None
    if not isinstance(items, types.UniTuple | Packed):
        return lambda items, start, step: items[start::step]
    _check_places(start)
    by = step.literal_value
    count, rest = divmod(len(items), by)
    if rest or not count:
        raise errors.TypingError("slice: its length depends on where it begins")
    words = OTHER_LENGTH.format(count=count)
    taken = _taking(types.unliteral(items.dtype), count)

    def column(items, start, step):
        if not 0 <= start < by:
            raise OverflowError(words)
        return taken(items, start, by)

    return column


def _check_places(*places):
    if not all(isinstance(place, types.Integer) for place in places):
        raise errors.TypingError("slice: its places are no plain integers")


@cache
def _taking(item, count):
    """The function that takes `count` items of a tuple into another one."""
    if isinstance(long_type(item, count), Packed):
        make = tuple_from_list(count)

        def taken(items, start, step):
            return make([items[start + i * step] for i in range(count)])

    else:

        def taken(items, start, step):
            made = items[:count]
            for i in range(count):
                made = tuple_setitem(made, i, items[start + i * step])
            return made

    return register_jitable(taken)


@register_pass(mutates_CFG=False, analysis_only=False)
class SteadySlices(FunctionPass):
    """Makes such slices by `row_of` and `column_of`."""

    _name = "prunus_steady_slices"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything changed."""
        func_ir, changed = state.func_ir, False
        for _, block, statement in list(statements(func_ir)):
            places = places_of(func_ir, statement)
            if not places:
                continue
            values = [known_value(func_ir, place, state.args) for place in places]
            items, (start, stop) = statement.value.value, places[:2]
            step = values[2] if len(values) == 3 else 1
            step = 1 if step is None else step
            if type(step) is not int or step < 1 or UNKNOWN not in values[:2]:
                continue
            if values[1] is None:
                if step == 1:
                    continue
                call_instead(block, statement, column_of, items, start, step)
            else:
                width = _difference(func_ir, stop, start, state.args)
                if width is None or width < 1:
                    continue
                call_instead(block, statement, row_of, items, start, stop, step, width)
            func_ir._definitions[statement.target.name] = [statement.value]
            changed = True
        return changed


def _difference(func_ir: Any, stop: Any, start: Any, kinds: Any) -> int | None:
    """How far two places are apart, if that is the same whatever the variables in them are."""
    last, first = (linear(func_ir, place, kinds) for place in (stop, start))
    if last is None or first is None:
        return None
    last.subtract(first)
    number = last.pop("", 0)
    return None if any(last.values()) else number


def linear(func_ir: Any, variable: Any, kinds: Any) -> Counter[str] | None:
    """A number as a sum: how often each variable is in it, and under "" what is constant; None if
    it is no such sum."""
    value = known_value(func_ir, variable, kinds)
    if value is not UNKNOWN:
        return None if value is None else Counter({"": value})
    found = definition(func_ir, variable)
    if not isinstance(found, ir.Expr) or found.op not in ("binop", "inplace_binop"):
        return Counter({name_of(func_ir, variable): 1})
    left, right = (linear(func_ir, side, kinds) for side in (found.lhs, found.rhs))
    fn = meant(found) if found.op == "binop" else found.immutable_fn
    if left is None or right is None:
        return None
    if fn in (operator.add, operator.sub):
        sign = 1 if fn is operator.add else -1
        for name, times in right.items():
            left[name] += sign * times
        return left
    if fn is operator.mul and (set(left) <= {""} or set(right) <= {""}):
        one, other = (left, right) if set(right) <= {""} else (right, left)
        return Counter({name: times * other[""] for name, times in one.items()})
    return Counter({name_of(func_ir, variable): 1})


def name_of(func_ir: Any, variable: Any, depth: int = 0) -> str:
    """How the value of a variable is computed, as a text: what is computed in the same way has, it
    is guessed, the same value."""
    found = definition(func_ir, variable)
    if isinstance(found, ir.Const | ir.Global | ir.FreeVar):
        return repr(found.value)
    if isinstance(found, ir.Arg):
        return found.name
    if not isinstance(found, ir.Expr) or depth == DEEPEST or found.op not in _SIMPLE:
        return _first_name(func_ir, variable)
    inner = (name_of(func_ir, each, depth + 1) for each in found.list_vars())
    operation = {"binop": lambda: meant(found), "getattr": lambda: found.attr}.get(found.op, str)()
    return f"{found.op} {operation}({', '.join(inner)})"


_SIMPLE = ("binop", "unary", "getattr", "getitem", "call")
"""The kinds of expressions that are told apart by their parts alone."""


def _first_name(func_ir: Any, variable: Any) -> str:
    """The first name of a variable's value, through copies."""
    seen: set[str] = set()
    while variable.name not in seen:
        seen.add(variable.name)
        values = func_ir._definitions[variable.name]
        if len(values) != 1 or not isinstance(values[0], ir.Var):
            break
        variable = values[0]
    return str(variable.name)
