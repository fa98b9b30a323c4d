"""Lists, dictionaries and sets of constants that are written in a function and only read there:
`steps = [1, -1]`, `{0: 0, 1: 2, 2: 1}[cell]`.

They are the same each time, so that they need no heap memory: compiled code looks them up like
constants of the module.
"""

from __future__ import annotations

import operator
from typing import Any

from numba.core import ir, ir_utils
from numba.core.compiler_machinery import FunctionPass, register_pass

from prunus.kernel.containers.table_types import looked_up
from prunus.kernel.numbers.operators import meant
from prunus.kernel.numbers.wide import constant
from prunus.kernel.rewriting.escapes import come_from, definition, function_of, names_of, statements

_BUILDING = ("build_list", "build_map", "build_set")

_METHODS = ("index", "count", "get", "keys", "values", "items")

_FUNCTIONS = (len, enumerate, reversed)


@register_pass(mutates_CFG=False, analysis_only=False)
class Displays(FunctionPass):
    """Makes them constants."""

    _name = "prunus_displays"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything changed."""
        func_ir = state.func_ir
        written = [
            statement
            for _, _, statement in statements(func_ir)
            if isinstance(statement, ir.Assign)
            and isinstance(statement.value, ir.Expr)
            and statement.value.op in _BUILDING
            and statement.value.items
        ]
        if not written:
            return False
        func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        changed = [_make_constant(func_ir, statement) for statement in written]
        if any(changed):
            func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        return any(changed)


def _make_constant(func_ir: Any, statement: Any) -> bool:
    """Do so for what one statement writes; false if it is not constant, or not only read."""
    value = _value(func_ir, statement.value)
    if value is None or looked_up(constant(value)) is value:
        return False
    names = names_of(func_ir, [statement.target.name])
    if not come_from(func_ir, names, [statement.value]):
        return False
    users = [
        other
        for _, _, other in statements(func_ir)
        if other is not statement and any(used.name in names for used in other.list_vars())
    ]
    if not all(_only_reads(func_ir, user, names) for user in users):
        return False
    statement.value = ir.Global("display", value, statement.loc)
    return True


def _value(func_ir: Any, made: Any, is_item: bool = False) -> Any:
    """The constant that an expression makes; None for others, and for an item that could be changed
    itself."""
    if isinstance(made, ir.Const | ir.Global | ir.FreeVar):
        return made.value if type(made.value) in (int, bool, tuple) else None
    known = ("build_tuple",) if is_item else (*_BUILDING, "build_tuple")
    if not isinstance(made, ir.Expr) or made.op not in known:
        return None
    rows = [item if made.op == "build_map" else (item,) for item in made.items]
    found = [
        tuple(_value(func_ir, definition(func_ir, part), True) for part in row) for row in rows
    ]
    if any(None in row for row in found):
        return None
    if made.op == "build_map":
        return dict(found)
    return {"build_list": list, "build_set": set, "build_tuple": tuple}[made.op](
        row[0] for row in found
    )


def _only_reads(func_ir: Any, user: Any, names: set[str]) -> bool:
    """Whether a statement only reads what these names hold, or gives it another name."""
    if isinstance(user, ir.Del):
        return True
    value = user.value if isinstance(user, ir.Assign) else None
    if isinstance(value, ir.Var):
        return True
    if not isinstance(value, ir.Expr):
        return False
    if value.op in ("getitem", "static_getitem"):
        return value.value.name in names and getattr(value.index, "name", "") not in names
    if value.op == "getiter":
        return True
    if value.op == "getattr":
        return value.attr in _METHODS
    if value.op == "binop":
        return meant(value) is operator.contains and value.lhs.name not in names
    return value.op == "call" and function_of(func_ir, value.func) in _FUNCTIONS
