"""Calls that Numba does not know and that are written with what it knows, in its intermediate code:
`map`, `filter` and functions of `itertools` as the generators that give the same items, `insort`,
`zip(..., strict=True)`, `min` and `max` of several, `nsmallest` and `nlargest` by a key, and
`math.isclose` with tolerances."""

from __future__ import annotations

import bisect
import heapq
import inspect
import itertools
import math
from typing import Any

from numba.core import errors, ir, ir_utils, types
from numba.extending import overload

from prunus.kernel.numbers.float_functions import is_close
from prunus.kernel.rewriting.consumers import Code
from prunus.kernel.rewriting.inlining import WRITTEN_OUT, global_value, is_slice, made_by
from prunus.kernel.rewriting.partly import (
    CODES,
    PARTLY,
    iterator_of,
    make_generator,
    take_partly,
)


def _expression(function: Any) -> Any:
    """The code of the generator expression in a function."""
    return next(code for code in function.__code__.co_consts if hasattr(code, "co_code"))


_MAP = _expression(lambda f, items: (f(item) for item in items))
_MAP_PAIRS = _expression(lambda f, items: (f(a, b) for a, b in items))
_FILTER = _expression(lambda f, items: (item for item in items if f(item)))
_FILTER_TRUE = _expression(lambda f, items: (item for item in items if item))

_BEST, _FIRST = (min, max), (heapq.nsmallest, heapq.nlargest)
"""The functions that give the best item, and those that give the best ones."""

WRITTEN_OUT.update(code.co_filename for code in (_MAP, *CODES))


def write_out_maps(func_ir: Any) -> bool:
    """Replace such calls; true if there were any."""
    changed = False
    generators: set[str] = set()
    for block in func_ir.blocks.values():
        for statement in list(block.body):
            if _makes_generator(func_ir, statement):
                generators.add(statement.target.name)
            call = statement.value if isinstance(statement, ir.Assign) else None
            if not (isinstance(call, ir.Expr) and call.op == "call"):
                continue
            function = global_value(func_ir, call.func)
            code = Code(block.scope, statement.loc, [])
            if call.vararg is not None:
                done = function is zip and _columns(func_ir, code, call)
            elif function in (map, filter) and not call.kws:
                done = _generator(func_ir, code, function, call)
            elif _takes_partly(func_ir, function, call):
                done = take_partly(code, function, call, generators)
            elif function in (*_BEST, *_FIRST):
                done = (
                    _best_of_several(code, call)
                    if function in _BEST
                    else _first_sorted(func_ir, code, call)
                )
            elif function in (bisect.insort_left, bisect.insort_right):
                done = _insertion(func_ir, code, function, call)
            elif function is math.isclose:
                done = _with_tolerances(code, call)
            else:
                done = function is zip and _equal_lengths(func_ir, code, call)
            if done:
                place = block.body.index(statement)
                block.body[place:place] = code.body
                statement.value = done
                changed = True
                is_call = isinstance(done, ir.Expr) and done.op == "call"
                if is_call and function not in (zip, *_BEST, *_FIRST):
                    generators.add(statement.target.name)
    if changed:
        func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
    return changed


def _takes_partly(func_ir: Any, function: Any, call: Any) -> bool:
    """Whether a call is one for `take_partly`."""
    if function is itertools.accumulate:
        is_pair = len(call.args) == 2 and not call.kws
        return is_pair and made_by(func_ir, call.args[1]) is not None
    return any(function is known for known in PARTLY) and not call.kws


def _makes_generator(func_ir: Any, statement: Any) -> bool:
    """Whether a statement calls a generator expression."""
    call = statement.value if isinstance(statement, ir.Assign) else None
    made = made_by(func_ir, call.func) if isinstance(call, ir.Expr) and call.op == "call" else None
    return made is not None and bool(made.code.co_flags & inspect.CO_GENERATOR)


def _generator(func_ir: Any, code: Code, function: Any, call: Any) -> Any:
    """The call of the generator expression; None for other numbers of arguments."""
    if len(call.args) not in ((2, 3) if function is map else (2,)):
        return None
    applied, *sources = call.args
    found = ir_utils.guard(ir_utils.get_definition, func_ir, applied)
    if len(sources) == 2:
        items, made = code.call(zip, *sources), _MAP_PAIRS
    elif function is map:
        items, made = sources[0], _MAP
    else:
        is_none = isinstance(found, ir.Const) and found.value is None
        items, made = sources[0], _FILTER_TRUE if is_none else _FILTER
    return make_generator(code, made, {"f": applied}, iterator_of(code, items))


def check_lengths(items, others):
    """For `zip(items, others, strict=True)` in compiled code, before the first item."""
    raise NotImplementedError


@overload(check_lengths)
def _check_lengths(items, others):
    def check(items, others):
        if len(items) != len(others):
            raise ValueError("zip(strict=True): not equally many items")

    return check


def _equal_lengths(func_ir: Any, code: Code, call: Any) -> Any:
    """The call of `zip` without `strict`, after a test of the lengths if that is true. Raises
    UnsupportedError where it is not written as a constant."""
    if [name for name, _ in call.kws] != ["strict"]:
        return None
    strict = ir_utils.guard(ir_utils.get_definition, func_ir, call.kws[0][1])
    if not isinstance(strict, ir.Const) or not isinstance(strict.value, bool):
        raise errors.UnsupportedError("write zip(..., strict=True) or nothing", loc=code.loc)
    for other in call.args[1:] if strict.value else ():
        code.call(check_lengths, call.args[0], other)
    return ir.Expr.call(call.func, call.args, (), call.loc)


def _columns(func_ir: Any, code: Code, call: Any) -> Any:
    """The call of `zip(*rows)` with a tuple of the rows, which may be in a list; None if they are
    in a tuple."""
    rows = ir_utils.guard(ir_utils.get_definition, func_ir, call.vararg)
    op = rows.op if isinstance(rows, ir.Expr) else None
    if call.args or call.kws or op == "build_tuple":
        return None
    if op == "call" and global_value(func_ir, rows.func) is tuple:
        return None
    if op == "getitem" and is_slice(func_ir, rows.index):
        # The length of a list is known, that of a part of it is not.
        whole = code.call(tuple, rows.value)
        taken = ir.Expr.getitem(whole, rows.index, call.loc)
        given = code.assign(code.variable("rows"), taken)
    else:
        given = code.call(tuple, call.vararg)
    return ir.Expr.call(call.func, [], (), call.loc, vararg=given)


def _best_of_several(code: Code, call: Any) -> Any:
    """The call of `min` or `max` with one tuple instead of several arguments, if there is a key."""
    if len(call.args) < 2 or [name for name, _ in call.kws] != ["key"]:
        return None
    items = code.assign(code.variable("items"), ir.Expr.build_tuple(call.args, code.loc))
    return ir.Expr.call(call.func, [items], call.kws, code.loc)


def at_least_one(count):
    """The number of items that `nsmallest` gives in compiled code, which has all their keys: Python
    computes none, and raises none of their errors, if no item is wanted."""
    raise NotImplementedError


@overload(at_least_one)
def _at_least_one(count):
    def checked(count):
        if count < 1:
            raise OverflowError("nsmallest and nlargest by a key are compiled for one item or more")
        return count

    return checked


def _calls(func_ir: Any, value: Any, function: Any) -> bool:
    is_call = isinstance(value, ir.Expr) and value.op == "call"
    return is_call and global_value(func_ir, value.func) is function


def none_or_more(count):
    """The number of items that `nsmallest` gives without a key, in compiled code: none for a
    negative one."""
    raise NotImplementedError


@overload(none_or_more)
def _none_or_more(count):
    if isinstance(count, types.Integer) and not count.signed:
        return lambda count: count
    return lambda count: max(count, 0)


def _first_sorted(func_ir: Any, code: Code, call: Any) -> Any:
    """The first items of the sorted list, for a call of `heapq.nsmallest` or `nlargest` by a key;
    without one, the call with a number that is not negative."""
    if len(call.args) == 2 and not call.kws:
        given = ir_utils.guard(ir_utils.get_definition, func_ir, call.args[0])
        if _calls(func_ir, given, none_or_more):
            return None
        count = code.call(none_or_more, call.args[0])
        return ir.Expr.call(call.func, [count, call.args[1]], (), code.loc)
    if len(call.args) != 2 or [name for name, _ in call.kws] != ["key"]:
        return None
    count, items = call.args
    named, end = list(call.kws), code.call(at_least_one, count)
    if global_value(func_ir, call.func) is heapq.nlargest:
        named.append(("reverse", code.constant(code.variable("reverse"), True)))
    sort = code.assign(code.variable("sorted"), ir.Global("sorted", sorted, code.loc))
    ranked = ir.Expr.call(sort, [items], named, code.loc)
    whole = code.assign(code.variable("ranked"), ranked)
    first = code.constant(code.variable("first"), None)
    part = code.call(slice, first, end)
    return ir.Expr.getitem(whole, part, code.loc)


def _with_tolerances(code: Code, call: Any) -> Any:
    """The call of `is_close` for one of `math.isclose`, which takes tolerances by name only."""
    known = {"rel_tol": 1e-09, "abs_tol": 0.0}
    given = dict(call.kws)
    if len(call.args) != 2 or not given or given.keys() - known:
        return None
    tolerances = [
        given[name] if name in given else code.constant(code.variable(name), value)
        for name, value in known.items()
    ]
    return code.call(is_close, *call.args, *tolerances)


def _insertion(func_ir: Any, code: Code, function: Any, call: Any) -> Any:
    """The call of a list's `insert` for one of `insort`; None if it has a key."""
    if len(call.args) < 2 or "key" in dict(call.kws):
        return None
    items, item, *_ = call.args
    made = ir_utils.guard(ir_utils.get_definition, func_ir, items)
    if isinstance(made, ir.Expr) and made.op == "build_list" and not made.items:
        # What is added tells the type of the list, before it is searched.
        _method(code, items, "append", item)
        _method(code, items, "pop")
    search = bisect.bisect_left if function is bisect.insort_left else bisect.bisect_right
    place = code.call(search, *call.args)
    code.body[-1].value.kws = call.kws
    return _method(code, items, "insert", place, item)


def _method(code: Code, owner: Any, name: str, *arguments: Any) -> Any:
    """A variable with the result of a method."""
    found = code.assign(code.variable(name), ir.Expr.getattr(owner, name, code.loc))
    return code.call(found, *arguments)
