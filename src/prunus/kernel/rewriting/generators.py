"""In compiled code, a function that returns a generator expression (`return (c for c in range(7) if
...)`) is itself a generator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core import ir, ir_utils, postproc


def return_generator(func_ir: Any, insert: Callable[..., Any], made_by: Callable[..., Any]) -> bool:
    """If a function's results are all generator expressions, or empty, make it yield their items;
    true if so. `made_by` finds the maker of an inner function that a variable holds, `insert`
    replaces a call by its body."""
    places = []
    for label, block in func_ir.blocks.items():
        if isinstance(block.terminator, ir.Return):
            call = _returned(func_ir, block.terminator.value)
            is_generator = (
                isinstance(call, ir.Expr)
                and call.op == "call"
                and made_by(func_ir, call.func) is not None
            )
            if not (is_generator or _is_empty(call)):
                return False
            places.append((label, call if is_generator else None))
    if not any(call is not None for _, call in places) or func_ir.is_generator:
        return False
    for label, call in places:
        block = func_ir.blocks[label]
        found = [
            i
            for i, statement in enumerate(block.body)
            if isinstance(statement, ir.Assign) and statement.value is call
        ]
        if call is not None and len(found) != 1:
            return False
    for label, call in places:
        _yield_from(func_ir, label, call, insert, made_by)
    func_ir.is_generator = func_ir.func_id.is_generator = True
    func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
    postproc.PostProcessor(func_ir).run()
    return True


def _returned(func_ir: Any, variable: Any) -> Any:
    found = ir_utils.guard(ir_utils.get_definition, func_ir, variable)
    if isinstance(found, ir.Expr) and found.op == "cast":
        return ir_utils.guard(ir_utils.get_definition, func_ir, found.value)
    return found


def _is_empty(value: Any) -> bool:
    if isinstance(value, ir.Const):
        return value.value == ()
    return (
        isinstance(value, ir.Expr) and value.op in ("build_list", "build_tuple") and not value.items
    )


def _yield_from(
    func_ir: Any, label: int, call: Any, insert: Callable[..., Any], made_by: Callable[..., Any]
) -> None:
    """Put the loop of a generator expression before a return, which then returns nothing."""
    block = func_ir.blocks[label]
    last = label
    if call is not None:
        i = next(
            i
            for i, statement in enumerate(block.body)
            if isinstance(statement, ir.Assign) and statement.value is call
        )
        after, blocks = insert(func_ir, label, i, made_by(func_ir, call.func), call)
        for inner in blocks.values():
            if isinstance(inner.terminator, ir.Return):
                inner.body[-1] = ir.Jump(after.label, inner.terminator.loc)
        func_ir.blocks.update(blocks)
        last = after.label
    ending = func_ir.blocks[last]
    loc = ending.terminator.loc
    nothing = ending.scope.redefine(ir_utils.mk_unique_var("$nothing"), loc=loc)
    cast = ending.scope.redefine(ir_utils.mk_unique_var("$cast"), loc=loc)
    kept = [] if call is not None else ending.body[:-1]
    ending.body = [
        *kept,
        ir.Assign(ir.Const(None, loc), nothing, loc),
        ir.Assign(ir.Expr.cast(nothing, loc), cast, loc),
        ir.Return(cast, loc),
    ]
