"""`found += more` of a list that begins empty is `found.extend(more)`: the name then refers to one
list all along, whose type may also come from what is appended to it elsewhere."""

from __future__ import annotations

import operator
from typing import Any

from numba.core import ir, ir_utils

from prunus.kernel.rewriting.consumers import Code


def extend_in_place(func_ir: Any) -> bool:
    """Write such calls; true if there is one."""
    changed = False
    for block in func_ir.blocks.values():
        for place, statement in reversed(list(enumerate(block.body))):
            after = block.body[place + 1] if place + 1 < len(block.body) else None
            if not _extends(func_ir, statement, after):
                continue
            code = Code(block.scope, statement.loc, [])
            held, more = statement.value.lhs, statement.value.rhs
            method = code.assign(
                code.variable("extend"), ir.Expr.getattr(held, "extend", statement.loc)
            )
            code.call(method, more)
            block.body[place : place + 2] = code.body
            changed = True
    if changed:
        func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
    return changed


def _extends(func_ir: Any, statement: Any, after: Any) -> bool:
    """Whether two statements are `$new = held += more` and `held = $new`, and `held` is a list that
    begins empty, whatever path has led here."""
    value = statement.value if isinstance(statement, ir.Assign) else None
    if not isinstance(value, ir.Expr) or value.op != "inplace_binop":
        return False
    if value.fn is not operator.iadd or not isinstance(after, ir.Assign):
        return False
    names = [after.value.name] if isinstance(after.value, ir.Var) else []
    held = _name_of(func_ir, value.lhs)
    if names != [statement.target.name] or after.target.name != held:
        return False
    makers = [_made(func_ir, each) for each in func_ir._definitions[held]]
    return all(
        isinstance(made, ir.Expr)
        and (
            (made.op == "build_list" and not made.items)
            or (made.op == "inplace_binop" and _name_of(func_ir, made.lhs) == held)
        )
        for made in makers
    )


def _name_of(func_ir: Any, variable: Any) -> str:
    """The user's name for what a temporary variable holds."""
    found = func_ir._definitions[variable.name]
    is_copy = len(found) == 1 and isinstance(found[0], ir.Var)
    return str(found[0].name if is_copy and variable.is_temp else variable.name)


def _made(func_ir: Any, value: Any) -> Any:
    return (
        ir_utils.guard(ir_utils.get_definition, func_ir, value)
        if isinstance(value, ir.Var)
        else value
    )
