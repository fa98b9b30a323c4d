"""Whether the length of a list changes in the function that makes it, in Numba's intermediate
code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from types import BuiltinFunctionType
from typing import Any

from numba.core import ir


def reached(func_ir: Any, variable: Any, through: Callable[[Any], Iterable[Any]]) -> Iterator[Any]:
    """The expressions that a variable's value may come from, through copies; and those of the
    variables that `through` gives for an expression."""
    seen: set[str] = set()
    work = [variable]
    while work:
        name = work.pop().name
        if name in seen:
            continue
        seen.add(name)
        for value in func_ir._definitions.get(name, ()):
            if isinstance(value, ir.Var):
                work.append(value)
            else:
                yield value
                work += through(value)


def origin_of(func_ir: Any, variable: Any) -> Any:
    """The one expression that a variable's value comes from, through copies; None if there are
    several."""
    found = list({id(each): each for each in reached(func_ir, variable, lambda _: ())}.values())
    return found[0] if len(found) == 1 else None


def values_of(func_ir: Any, variable: Any) -> list[Any]:
    """The expressions that a variable's value may come from, through copies and casts."""

    def through(value: Any) -> Iterable[Any]:
        return value.list_vars() if _is_copy(value) else ()

    found = reached(func_ir, variable, through)
    return [value for value in found if not _is_copy(value)]


def _is_copy(value: Any) -> bool:
    return isinstance(value, ir.Expr) and value.op in ("cast", "phi")


RESIZING = frozenset(("append", "extend", "insert", "pop", "remove", "clear"))
"""The methods that make a list longer or shorter."""


def is_resized(func_ir: Any, made: Any, methods: frozenset[str] = RESIZING) -> bool:
    """Whether the function changes the length of a list that it makes, by one of these methods or
    in another way."""
    for block in func_ir.blocks.values():
        for statement in block.body:
            value = getattr(statement, "value", None)
            if isinstance(statement, ir.DelItem):
                holder = statement.target
            elif isinstance(value, ir.Expr) and (value.op == "getattr" and value.attr in methods):
                holder = value.value
            elif isinstance(value, ir.Expr) and value.op == "inplace_binop":
                holder = value.lhs
            else:
                continue
            if origin_of(func_ir, holder) is made:
                return True
    return False


_READING = frozenset(("count", "index", "copy", "sort", "reverse"))

_OPERATIONS = frozenset(("getiter", "getitem", "static_getitem", "binop", "unary", "exhaust_iter"))


def keeps_length(func_ir: Any, made: Any) -> bool:
    """Whether a list certainly has the length with which an expression makes it: nothing is done
    with it but to read and write items, and nothing else refers to it."""
    names = _names_of(func_ir, made)
    return all(
        _keeps(func_ir, statement, names)
        for block in func_ir.blocks.values()
        for statement in block.body
        if any(used.name in names for used in statement.list_vars())
    )


def _names_of(func_ir: Any, made: Any) -> set[str]:
    """The names that the result of an expression may be given."""
    names: set[str] = set()
    grown = True
    while grown:
        grown = False
        for name, values in func_ir._definitions.items():
            is_one = any(
                value is made or (isinstance(value, ir.Var) and value.name in names)
                for value in values
            )
            if is_one and name not in names:
                names.add(name)
                grown = True
    return names


def _keeps(func_ir: Any, statement: Any, names: set[str]) -> bool:
    """Whether a statement that uses a list by one of these names does no more than that."""
    if isinstance(statement, ir.SetItem | ir.StaticSetItem):
        return statement.value.name not in names and not _is_slice(func_ir, statement)
    if not isinstance(statement, ir.Assign):
        return isinstance(statement, ir.Del | ir.Return | ir.Branch)
    value = statement.value
    if isinstance(value, ir.Var) or not any(used.name in names for used in value.list_vars()):
        return True
    if value.op == "getattr":
        return value.attr in _READING
    if value.op == "call":
        called = origin_of(func_ir, value.func)
        function = called.value if isinstance(called, ir.Global | ir.FreeVar) else None
        return isinstance(function, BuiltinFunctionType | type) or (
            getattr(function, "__module__", "") or ""
        ).startswith("prunus.kernel.")
    return value.op in _OPERATIONS


def _is_slice(func_ir: Any, statement: Any) -> bool:
    """Whether a statement assigns a slice."""
    if isinstance(statement, ir.StaticSetItem):
        return isinstance(statement.index, slice)
    index = origin_of(func_ir, statement.index)
    return isinstance(index, ir.Expr) and index.op in ("build_slice", "call")
