"""Lists, sets and dictionaries that begin empty, in Numba's pipeline. Numba takes the type of their
items from the first `add`, `append` or `d[k] = v` in the same function. Here it may also come from

- a set or dictionary that they are joined with (`found |= more`, `found | more`, `d.update(e)`);
- the function of the rules that they are passed to, which adds items: integers, or tuples where it
  writes them out;
- the other lists that the function returns, for `return []`, and those that a list is extended by;
- its own length, `ids[v] = len(ids)`;
- the key and the default of a `d.get(key, 0)`;
- what is pushed to a heap.

Where this is a wrong guess, types do not fit, and the game is refused as before.
"""

from __future__ import annotations

import operator
from typing import Any

from numba.core import errors, ir, ir_utils
from numba.core.compiler_machinery import FunctionPass, register_pass

from prunus.kernel.containers.empties import HOLDS, empty_list, empty_map, empty_set
from prunus.kernel.containers.resizing import is_resized, origin_of, values_of
from prunus.kernel.containers.sequences import call_instead
from prunus.kernel.rewriting.calls import called_function
from prunus.kernel.rewriting.escapes import names_of
from prunus.kernel.rewriting.extending import extend_in_place
from prunus.kernel.rewriting.filled_by_calls import kind_of, tell_by_calls
from prunus.kernel.rewriting.handling import intermediate
from prunus.kernel.rewriting.inlining import global_value
from prunus.kernel.rewriting.telling import (
    call_like,
    comes_from,
    is_method,
    tell_floats,
    tell_gets,
    tell_lengths,
)
from prunus.kernel.rewriting.tuple_parts import (
    DEEPEST,
    is_only_returned,
    is_pushed,
    parts_of_items,
    parts_of_keys,
    parts_of_list,
    parts_returned,
)

_JOINING = {
    operator.or_,
    operator.ior,
    operator.and_,
    operator.iand,
    operator.sub,
    operator.isub,
    operator.xor,
    operator.ixor,
}
_ONE_BY_ONE = frozenset(("append", "insert", "pop", "remove"))
"""The methods of lists that say what the items are, or need some."""

_METHODS = frozenset(("update", "union", "difference", "intersection", "issubset", "issuperset"))


@register_pass(mutates_CFG=False, analysis_only=False)
class Beginnings(FunctionPass):
    """Tells the types of such containers."""

    _name = "prunus_beginnings"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything changed."""
        func_ir = state.func_ir
        func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        extend_in_place(func_ir)
        begun = [
            (block, statement, kind)
            for block in func_ir.blocks.values()
            for statement in block.find_insts(ir.Assign)
            if (kind := _begins(func_ir, statement.value)) is not None
        ]
        if not begun:
            return False
        made = [statement.value for _, statement, kind in begun if kind is not list]
        joined = _tell(func_ir, made) if made else []
        for block, statement, kind in begun:
            found = statement.value
            if tell_lengths(func_ir, found) or (kind is dict and tell_floats(func_ir, found)):
                continue
            if kind is list and not _tell_items(func_ir, found):
                parts = _of_list(func_ir, statement, state.args)
                if parts is not None:
                    call_instead(block, statement, empty_list, parts)
            elif (
                kind is dict
                and _has_method(func_ir, found, "get")
                and not _has_known_item(func_ir, found)
            ):
                if not tell_gets(func_ir, found):
                    call_instead(block, statement, empty_map, parts_of_keys(func_ir, found))
            elif (
                kind is not list
                and found not in joined
                and not _is_filled(func_ir, found, kind)
                and _is_single(func_ir, statement.target.name)
                and not tell_by_calls(func_ir, found, state.args)
            ):
                parts = _passed(func_ir, found, state.args)
                call_instead(block, statement, _EMPTY[kind], parts)
        func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        return True


_EMPTY = {set: empty_set, dict: empty_map}


def _of_list(func_ir: Any, statement: Any, args: Any) -> int | None:
    """What is expected in an empty list; None if Numba finds out."""
    made = statement.value
    if is_only_returned(func_ir, statement.target.name):
        return parts_returned(func_ir, args)
    if is_resized(func_ir, made, _ONE_BY_ONE):
        return None
    parts = parts_of_list(func_ir, statement.target, args)
    if parts or is_resized(func_ir, made):
        return parts or None
    return None if tell_by_calls(func_ir, made, args) else _passed(func_ir, made, args)


def _begins(func_ir: Any, value: Any) -> Any:
    """The class of an empty container that an expression makes; None for others."""
    if not isinstance(value, ir.Expr):
        return None
    if value.op in ("build_list", "build_map") and not value.items:
        return list if value.op == "build_list" else dict
    if value.op != "call" or value.args or value.kws or value.vararg is not None:
        return None
    function = global_value(func_ir, value.func)
    return function if function in (set, dict) else None


def _tell(func_ir: Any, made: list[Any]) -> list[Any]:
    """Before an operator or method that joins a container that may be empty with another, tell it
    to be like that. Returns the expressions of those that are told."""
    told = []
    for block in func_ir.blocks.values():
        for statement in list(block.body):
            value = statement.value if isinstance(statement, ir.Assign) else None
            pair = _joined(func_ir, value) if isinstance(value, ir.Expr) else None
            for one, other in (pair, pair[::-1]) if pair else ():
                known = [
                    found for found in values_of(func_ir, one) if any(found is new for new in made)
                ]
                if known:
                    call_like(block, statement, one, other)
                    told += known
    return told


def _joined(func_ir: Any, value: Any) -> Any:
    """The two containers that an expression joins or compares; None for others."""
    if value.op in ("binop", "inplace_binop") and value.fn in _JOINING:
        return value.lhs, value.rhs
    if value.op == "call" and len(value.args) == 1 and not value.kws:
        method = ir_utils.guard(ir_utils.get_definition, func_ir, value.func)
        if isinstance(method, ir.Expr) and method.op == "getattr" and method.attr in _METHODS:
            return method.value, value.args[0]
    return None


def _tell_items(func_ir: Any, made: Any) -> bool:
    """Before something is pushed to a heap that begins as this empty list, tell the list that it
    holds such an item; true if there is such a place."""
    told = False
    for block in func_ir.blocks.values():
        for statement in list(block.body):
            call = statement.value if isinstance(statement, ir.Assign) else None
            if isinstance(call, ir.Expr) and call.op == "call" and is_pushed(func_ir, call, made):
                call_like(block, statement, *call.args, name=HOLDS)
                told = True
    return told


def _has_method(func_ir: Any, made: Any, name: str) -> bool:
    """Whether the function uses a method of this name of an expression's result."""
    found = (value for block in func_ir.blocks.values() for value in block.find_exprs("getattr"))
    return any(value.attr == name and origin_of(func_ir, value.value) is made for value in found)


def _has_known_item(func_ir: Any, made: Any) -> bool:
    """Whether something is put into a dictionary of which neither key nor value come from what the
    dictionary itself gives."""
    items = [
        (statement.index, statement.value)
        for block in func_ir.blocks.values()
        for statement in block.body
        if isinstance(statement, ir.SetItem) and origin_of(func_ir, statement.target) is made
    ] + [
        tuple(call.args)
        for block in func_ir.blocks.values()
        for call in block.find_exprs("call")
        if is_method(func_ir, call.func, "__setitem__", made)
    ]
    return any(not any(comes_from(func_ir, part, made) for part in item) for item in items)


def _is_filled(func_ir: Any, made: Any, kind: Any) -> bool:
    """Whether the function itself puts something into a set or dictionary that it makes."""
    names = ("add", "update") if kind is set else ("update", "setdefault", "__setitem__")
    return any(
        isinstance(value, ir.Expr)
        and value.op == "getattr"
        and value.attr in names
        and any(found is made for found in values_of(func_ir, value.value))
        for block in func_ir.blocks.values()
        for value in (getattr(statement, "value", None) for statement in block.body)
    ) or any(
        isinstance(statement, ir.SetItem | ir.StaticSetItem)
        and any(found is made for found in values_of(func_ir, statement.target))
        for block in func_ir.blocks.values()
        for statement in block.body
    )


def _is_single(func_ir: Any, name: str) -> bool:
    """Whether a variable, and all that its value is given to, have no other value."""
    return all(len(func_ir._definitions[each]) == 1 for each in names_of(func_ir, [name]))


def _passed(func_ir: Any, made: Any, args: Any, depth: int = 0) -> int:
    """What the functions that a container is passed to put into it: the number of items of tuples,
    0 for integers, and if it is passed to none of the rules' functions."""
    found = 0
    for block in func_ir.blocks.values():
        for call in block.find_exprs("call"):
            if not any(origin_of(func_ir, given) is made for given in call.args):
                continue
            called = called_function(func_ir, call, args)
            if called is None or depth == DEEPEST:
                continue
            function, given = called
            kinds = [kind_of(func_ir, value, args) for value in given]
            for i, variable in enumerate(given):
                if isinstance(variable, ir.Var) and origin_of(func_ir, variable) is made:
                    found = max(found, _put_by(function, i, kinds, depth))
    return found


def _put_by(function: Any, parameter: int, kinds: list[Any], depth: int) -> int:
    """The same for a parameter of a function whose parameters are of these types, as far as they
    are known."""
    try:
        inner = intermediate(function)
    except errors.NumbaError:
        return 0
    inner._definitions = ir_utils.build_definitions(inner.blocks)
    for block in inner.blocks.values():
        for statement in block.find_insts(ir.Assign):
            if isinstance(statement.value, ir.Arg) and statement.value.index == parameter:
                own = statement.value
                parts = max(parts_of_keys(inner, own), parts_of_items(inner, own))
                return parts or _passed(inner, own, kinds, depth + 1)
    return 0
