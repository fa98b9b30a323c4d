"""What inner functions hold: their defaults, and the variables around them that they use.

In a loop, an inner function is made anew in each round, with the defaults of that round. A call is
replaced by the body of the function that was made last; but `if k == 0: kept = f` keeps the one of
an earlier round, whose defaults are gone.
"""

from __future__ import annotations

import dis
from types import CodeType
from typing import Any

from numba.core import errors, ir, ir_utils


def check_round(func_ir: Any, variable: Any, made: Any, what: str) -> None:
    """Raise UnsupportedError if a variable may hold what the expression `made` gave in an earlier
    round of a loop; `what` names that in the message."""
    copies = _own_copies(func_ir, variable)
    if not copies:
        return
    labels = [
        label
        for label, block in func_ir.blocks.items()
        if any(getattr(statement, "value", None) is made for statement in block.body)
    ]
    if not labels:
        return
    label = labels[0]
    if not _are_made_at_once(func_ir, label, made, copies) and _is_in_loop(func_ir, label):
        raise errors.UnsupportedError(
            f"{what} is kept for a later round of a loop under the name {copies[0]!r}: call it in "
            "the round that makes it, or write a method",
            made.loc,
        )


def check_made(func_ir: Any, label: int, i: int, made: Any, loc: Any) -> None:
    """Raise UnsupportedError unless the expression `made` is on every way to statement `i` of a
    block, so that the inner function certainly exists there."""
    places = [
        (place, number)
        for place, block in func_ir.blocks.items()
        for number, statement in enumerate(block.body)
        if getattr(statement, "value", None) is made
    ]
    if not places or (places[0][0] == label and places[0][1] < i):
        return
    if places[0][0] == min(func_ir.blocks) != label:
        return  # where the function begins
    before = ir_utils.compute_cfg_from_blocks(func_ir.blocks).dominators()[label]
    if places[0][0] == label or places[0][0] not in before:
        raise errors.UnsupportedError(
            f"the inner function {made.code.co_name!r} may be called here before it is made: "
            "make it above, outside of `if` and loops",
            loc,
        )


def closed_over(func_ir: Any, made: Any) -> list[Any]:
    """The variables around an inner function that it uses."""
    return _items(func_ir, made.closure)


def is_assigned_inside(func_ir: Any, variable: Any) -> bool:
    """Whether an inner function that is left in this one assigns a variable that it shares."""
    shared = getattr(original(func_ir, variable), "name", None)
    return shared is not None and any(
        assigns(made.code, name)
        for block in func_ir.blocks.values()
        for made in block.find_exprs("make_function")
        for name, held in zip(made.code.co_freevars, closed_over(func_ir, made), strict=False)
        if getattr(original(func_ir, held), "name", None) == shared
    )


def assigns(code: CodeType, name: str) -> bool:
    """Whether a function, or one inside it, assigns a variable of a function around it."""
    return any(
        each.opname in ("STORE_DEREF", "DELETE_DEREF") and each.argval == name
        for each in dis.get_instructions(code)
    ) or is_assigned_within(code, name)


def is_assigned_within(code: CodeType, name: str) -> bool:
    """Whether a function inside another one, at any depth, assigns a variable that they share."""
    return any(assigns(inner, name) for inner in inner_codes(code) if name in inner.co_freevars)


def inner_codes(code: CodeType) -> list[CodeType]:
    """The functions that are written in a function."""
    return [each for each in code.co_consts if isinstance(each, CodeType)]


def has_values_of_its_own(func_ir: Any, made: Any) -> bool:
    """Whether an inner function reads more than constants, and variables that all functions of
    that name share."""
    held = held_by(func_ir, made)
    shared = len(closed_over(func_ir, made))
    for place, value in enumerate(held):
        is_shared = place >= len(held) - shared and _is_own(func_ir, original(func_ir, value))
        if not is_shared and not isinstance(_definition(func_ir, value), ir.Const | ir.Global):
            return True
    return False


def held_by(func_ir: Any, made: Any) -> list[Any]:
    """What an inner function holds: its defaults, and the variables around it that it uses."""
    return [*_items(func_ir, made.defaults), *closed_over(func_ir, made)]


def _items(func_ir: Any, known: Any) -> list[Any]:
    """The variables of the defaults, or of the closure, of an inner function."""
    if isinstance(known, ir.Var | str):
        known = func_ir.get_definition(known)
    found = getattr(known, "items", known)
    return list(found) if isinstance(found, list | tuple) else []


def _definition(func_ir: Any, value: Any) -> Any:
    if not isinstance(value, ir.Var):
        return ir.Const(value, None)
    return ir_utils.guard(ir_utils.get_definition, func_ir, value)


def original(func_ir: Any, value: Any) -> Any:
    """The variable of the source that a temporary one is a copy of."""
    while isinstance(value, ir.Var) and "$" in value.name:
        found = func_ir._definitions[value.name]
        if len(found) != 1 or not isinstance(found[0], ir.Var):
            break
        (value,) = found
    return value


def _is_own(func_ir: Any, variable: Any) -> bool:
    """Whether a variable is one of the function's source, not of a function that was inlined."""
    code = func_ir.func_id.func.__code__
    name = variable.name.partition(".")[0] if isinstance(variable, ir.Var) else ""
    return name in code.co_varnames or name in code.co_cellvars or name in code.co_freevars


def _own_copies(func_ir: Any, variable: Any) -> list[str]:
    """The names in the source under which a variable's value is known, but for the first one."""
    names: list[str] = []
    while isinstance(variable, ir.Var):
        found = func_ir._definitions[variable.name]
        if len(found) != 1:
            break
        if isinstance(found[0], ir.Var) and _is_own(func_ir, variable):
            names.append(variable.name)
        (variable,) = found
    return names


def _are_made_at_once(func_ir: Any, label: int, made: Any, copies: list[str]) -> bool:
    """Whether the copies are certainly made right after what they hold, and not used in between."""
    left, seen, is_made = set(copies), set[int](), False
    while label not in seen:
        seen.add(label)
        for statement in func_ir.blocks[label].body:
            is_made |= getattr(statement, "value", None) is made
            if not is_made:
                continue
            target = statement.target.name if isinstance(statement, ir.Assign) else ""
            if any(each.name in left and each.name != target for each in statement.list_vars()):
                return False
            left.discard(target)
        if not left:
            return True
        end = func_ir.blocks[label].body[-1]
        if not isinstance(end, ir.Jump):
            return False
        label = end.target
    return False


def _is_in_loop(func_ir: Any, label: int) -> bool:
    loops = ir_utils.compute_cfg_from_blocks(func_ir.blocks).loops().values()
    return any(label in loop.body for loop in loops)
