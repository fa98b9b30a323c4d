"""What functions of the rules put into a container that begins empty and is passed to them, as the
`seen` or `memo` of a function that calls itself: their arguments, and tuples of these. Before the
call, the container is told that it holds such an item."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any

from numba.core import errors, ir, ir_utils

from prunus.kernel.containers.empties import HOLDS
from prunus.kernel.containers.resizing import origin_of, values_of
from prunus.kernel.rewriting.calls import called_function
from prunus.kernel.rewriting.consumers import Code
from prunus.kernel.rewriting.handling import intermediate
from prunus.kernel.rewriting.inlining import global_value, is_slice
from prunus.kernel.rewriting.tuple_parts import DEEPEST, is_pushed

_TRUTHS = (
    operator.lt,
    operator.le,
    operator.gt,
    operator.ge,
    operator.eq,
    operator.ne,
    operator.contains,
    operator.is_,
    operator.is_not,
    operator.not_,
)
_ADDING = ("append", "appendleft", "add")


def tell_by_calls(func_ir: Any, made: Any, args: Any) -> bool:
    """Tell the container that an expression makes, before each call of a function that fills it;
    true if there is one."""
    told = False
    for block in func_ir.blocks.values():
        for statement in list(block.body):
            call = statement.value if isinstance(statement, ir.Assign) else None
            found = _put_by_call(func_ir, call, made, args, 0)
            if found is None:
                continue
            item, given = found
            code = Code(block.scope, statement.loc, [])
            holder = next(each for each in given if _is(func_ir, each, made))
            parts = item if isinstance(item, list) else [item]
            tell(code, holder, HOLDS, *(_built(code, each, given) for each in parts))
            place = block.body.index(statement)
            block.body[place:place] = code.body
            told = True
    return told


def tell(code: Code, container: Any, name: str, *others: Any) -> None:
    """Call the method of a container that tells its type by other values, and does nothing."""
    method = code.variable("told")
    code.assign(method, ir.Expr.getattr(container, name, code.loc))
    code.call(method, *others)


def _is(func_ir: Any, variable: Any, made: Any) -> bool:
    return isinstance(variable, ir.Var) and origin_of(func_ir, variable) is made


def _put_by_call(
    func_ir: Any, call: Any, made: Any, args: Any, depth: int
) -> tuple[Any, list[Any]] | None:
    """What a call puts into a container, by the parameters of the function called, and what these
    get; None if it is not known."""
    if not (isinstance(call, ir.Expr) and call.op == "call") or depth == DEEPEST:
        return None
    if not any(_is(func_ir, each, made) for each in (*call.args, *(v for _, v in call.kws))):
        return None
    called = called_function(func_ir, call, args)
    if called is None:
        return None
    function, given = called
    place = next((i for i, each in enumerate(given) if _is(func_ir, each, made)), None)
    kinds = [kind_of(func_ir, each, args) for each in given]
    item = None if place is None else _put_by(function, place, kinds, depth)
    return None if item is None else (item, given)


def kind_of(func_ir: Any, value: Any, args: Any) -> Any:
    """The type of a value that is a parameter of the function; None for others."""
    origin = origin_of(func_ir, value) if isinstance(value, ir.Var) else None
    return args[origin.index] if isinstance(origin, ir.Arg) else None


def _put_by(function: Any, parameter: int, kinds: list[Any], depth: int) -> Any:
    """What a function, whose parameters are of these types as far as they are known, puts into the
    container that one of them is: the number of another parameter, a constant, or a tuple of
    such; a list of two of them for a dictionary."""
    try:
        inner = intermediate(function)
    except errors.NumbaError:
        return None
    inner._definitions = ir_utils.build_definitions(inner.blocks)
    own = next(
        (
            statement.value
            for block in inner.blocks.values()
            for statement in block.find_insts(ir.Assign)
            if isinstance(statement.value, ir.Arg) and statement.value.index == parameter
        ),
        None,
    )
    if own is None:
        return None
    for item, *values in _items_put(inner, own):
        found = _described(inner, item)
        if found is not None:
            return [found, *(_value(inner, each) for each in values)] if values else found
    for block in inner.blocks.values():
        for call in block.find_exprs("call"):
            passed = _put_by_call(inner, call, own, kinds, depth + 1)
            if passed is not None and (found := _through(inner, *passed)) is not None:
                return found
    return None


def _items_put(func_ir: Any, made: Any) -> Iterator[tuple[Any, ...]]:
    """The variables that are put into a list or set, or are keys and values of a dictionary."""
    methods = set()
    for block in func_ir.blocks.values():
        for statement in block.body:
            value = getattr(statement, "value", None)
            if isinstance(statement, ir.SetItem) and _is(func_ir, statement.target, made):
                yield statement.index, statement.value
            is_method = isinstance(value, ir.Expr) and value.op == "getattr"
            if is_method and value.attr in _ADDING and _is(func_ir, value.value, made):
                methods.add(statement.target.name)
    for block in func_ir.blocks.values():
        for call in block.find_exprs("call"):
            if call.func.name in methods and len(call.args) == 1:
                yield (call.args[0],)
            elif is_pushed(func_ir, call, made):
                yield (call.args[1],)


def _described(func_ir: Any, variable: Any) -> Any:
    """A value by the function's parameters, as `_put_by` gives it; None for others. A copy of a
    list counts as the list, and what is not known in a tuple as an integer."""
    value = origin_of(func_ir, variable)
    if isinstance(value, ir.Arg):
        return value.index
    if isinstance(value, ir.Const) and isinstance(value.value, int | str):
        return value
    if not isinstance(value, ir.Expr):
        return None
    if value.op == "build_tuple":
        parts = [_described(func_ir, each) for each in value.items]
        zero = ir.Const(0, value.loc)
        return tuple(zero if part is None else part for part in parts)
    if value.op in ("getitem", "static_getitem") and is_slice(func_ir, value.index):
        return _described(func_ir, value.value)
    if value.op == "binop" and value.fn in _TRUTHS:
        return ir.Const(True, value.loc)
    if value.op == "call" and len(value.args) == 1:
        function = global_value(func_ir, value.func)
        if function is str:
            return ir.Const("", value.loc)
        return _described(func_ir, value.args[0]) if function is list else None
    return None


def _value(func_ir: Any, variable: Any) -> Any:
    """The value of a dictionary: a truth value, a text, a float, or a tuple of such and of
    integers; an integer if it is nothing of these for certain."""
    return _constant(_example(func_ir, variable, 3), func_ir.loc)


def _example(func_ir: Any, variable: Any, depth: int) -> Any:
    """The same by an example: what is known of some of the values that a variable may have."""
    known = {_kind(func_ir, each, depth) for each in values_of(func_ir, variable)} - {None}
    return known.pop() if len(known) == 1 else 0


def _kind(func_ir: Any, value: Any, depth: int) -> Any:
    """An example of what an expression gives; None if that is not known."""
    if isinstance(value, ir.Const | ir.Global | ir.FreeVar):
        return {bool: True, str: "", float: 0.5, int: 0}.get(type(value.value))
    if not isinstance(value, ir.Expr) or depth == 0:
        return None
    if value.op == "build_tuple":
        return tuple(_example(func_ir, each, depth - 1) for each in value.items)
    if value.op in ("binop", "unary"):
        return True if value.fn in _TRUTHS else None
    function = global_value(func_ir, value.func) if value.op == "call" else None
    if function in (any, all, bool, isinstance):
        return True
    is_one_of_them = function in (max, min) and len(value.args) > 1 and not value.kws
    return _example(func_ir, value.args[0], depth - 1) if is_one_of_them else None


def _constant(example: Any, loc: Any) -> Any:
    if isinstance(example, tuple):
        return tuple(_constant(each, loc) for each in example)
    return ir.Const(example, loc)


def _through(func_ir: Any, item: Any, given: list[Any]) -> Any:
    """What is known by the parameters of a function that is called, by those of the caller."""
    if isinstance(item, list):
        key, value = (_through(func_ir, each, given) for each in item)
        return None if key is None else [key, value]
    if isinstance(item, tuple):
        zero = ir.Const(0, func_ir.loc)
        return tuple(
            zero if (part := _through(func_ir, each, given)) is None else part for each in item
        )
    if isinstance(item, ir.Const):
        return item
    return _described(func_ir, given[item]) if isinstance(given[item], ir.Var) else None


def _built(code: Code, item: Any, given: list[Any]) -> Any:
    """A variable for such an item, made of what the function gets."""
    if isinstance(item, tuple):
        parts = [_built(code, each, given) for each in item]
        return code.assign(code.variable("item"), ir.Expr.build_tuple(parts, code.loc))
    value = item if isinstance(item, ir.Const) else given[item]
    if isinstance(value, ir.Var):
        return value
    value = value if isinstance(value, ir.Const) else ir.Const(value, code.loc)
    return code.assign(code.variable("item"), value)
