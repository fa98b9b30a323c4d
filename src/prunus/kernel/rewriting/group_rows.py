"""The lists or sets that a dictionary gets as its values, as far as they can be told from the code:
for `groups.py`."""

from __future__ import annotations

import operator
from typing import Any

from numba.core import ir

from prunus.kernel.rewriting.escapes import definition, names_of, statements, used_in
from prunus.kernel.rewriting.inlining import global_value

_JOINING = (
    operator.add,
    operator.mul,
    operator.or_,
    operator.and_,
    operator.sub,
    operator.xor,
)
_MAKING = {list: list, sorted: list, set: set}
_FILLING = ("append", "add")


def kind_of_new(func_ir: Any, variable: Any, put: Any) -> type | None:
    """`list` or `set` for a variable whose value is a new one, which nothing but the statement
    `put` keeps; `object` for the sum or difference of two values, which is new if they are lists or
    sets; None for others."""
    made = definition(func_ir, variable)
    if not isinstance(made, ir.Expr) or not is_kept_by(func_ir, variable, put, _FILLING):
        return None
    return _kind_of(func_ir, made)


def _kind_of(func_ir: Any, made: Any) -> type | None:
    if not isinstance(made, ir.Expr):
        return None
    if made.op == "binop" and any(made.fn is each for each in _JOINING):
        sides = (_kind_of(func_ir, definition(func_ir, side)) for side in (made.lhs, made.rhs))
        return next(filter(None, sides), object)
    if made.op in ("build_list", "build_set"):
        return list if made.op == "build_list" else set
    is_call = made.op == "call" and not made.kws and made.vararg is None
    function = global_value(func_ir, made.func) if is_call else None
    return next((kind for each, kind in _MAKING.items() if each is function), None)


def is_kept_by(func_ir: Any, variable: Any, put: Any, filling: tuple[str, ...] = ()) -> bool:
    """Whether a value has no name of the user's, and nothing but `filling` methods are looked up in
    it, as those of a comprehension are, before a statement puts it somewhere."""
    names = names_of(func_ir, [variable.name])
    if not all("$" in name for name in names):
        return False
    for _, _, statement in statements(func_ir):
        if statement is put or not any(each.name in names for each in used_in(statement)):
            continue
        value = statement.value if isinstance(statement, ir.Assign) else None
        is_filled = isinstance(value, ir.Expr) and value.op == "getattr" and value.attr in filling
        if not (is_filled or isinstance(statement, ir.Del)):
            return False
    values = [value for name in names for value in func_ir._definitions[name]]
    return len([value for value in values if not isinstance(value, ir.Var)]) == 1
