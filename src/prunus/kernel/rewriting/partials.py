"""`functools.partial(f, a)` where it is made and called: each call becomes one of `f`, with what
was given when the partial was made."""

from __future__ import annotations

import functools
from typing import Any

from numba.core import ir, ir_utils

from prunus.kernel.rewriting.held import check_round
from prunus.kernel.rewriting.inlining import global_value


def is_partial(func_ir: Any, value: Any) -> bool:
    """Whether an expression makes a partial of a function, with arguments written out."""
    return (
        isinstance(value, ir.Expr)
        and value.op == "call"
        and bool(value.args)
        and value.vararg is None
        and value.varkwarg is None
        and global_value(func_ir, value.func) is functools.partial
    )


def partial_of(func_ir: Any, variable: Any) -> Any:
    """The expression that makes a partial, if a variable certainly holds one; None otherwise."""
    found = ir_utils.guard(ir_utils.get_definition, func_ir, variable)
    return found if is_partial(func_ir, found) else None


def hold_arguments(func_ir: Any) -> bool:
    """Keep what partials are given as it is when they are made: the variables may change before the
    calls. True if there were any variables."""
    changed = False
    for block in func_ir.blocks.values():
        for statement in list(block.body):
            made = statement.value if isinstance(statement, ir.Assign) else None
            if is_partial(func_ir, made):
                made.args = [_held(block, statement, each) for each in made.args]
                made.kws = [(name, _held(block, statement, each)) for name, each in made.kws]
                changed = True
    if changed:
        func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
    return changed


def _held(block: Any, statement: Any, variable: Any) -> Any:
    """A copy of a variable of the source, made right before a statement."""
    if "$" in variable.name:
        return variable
    copy = block.scope.redefine(ir_utils.mk_unique_var("$bound"), loc=statement.loc)
    block.body.insert(block.body.index(statement), ir.Assign(variable, copy, statement.loc))
    return copy


def call_partial(func_ir: Any, label: int, i: int) -> bool:
    """Replace the call of a partial by one of its function; false if the call is something else."""
    statement = func_ir.blocks[label].body[i]
    call = statement.value
    made = partial_of(func_ir, call.func)
    if made is None or call.vararg is not None or call.varkwarg is not None:
        return False
    check_round(func_ir, call.func, made, "what functools.partial gives")
    function, *given = made.args
    named = dict(made.kws) | dict(call.kws)
    statement.value = ir.Expr.call(
        function, [*given, *call.args], tuple(named.items()), statement.loc
    )
    made._kws["called"] = True
    return True


def is_used_up(func_ir: Any, value: Any) -> bool:
    """Whether an expression makes a partial that certainly can be made and whose calls, if any,
    were replaced, or looks up the maker of partials."""
    if is_partial(func_ir, value):
        function = ir_utils.guard(ir_utils.get_definition, func_ir, value.args[0])
        is_inner = isinstance(function, ir.Expr) and function.op == "make_function"
        return "called" in value._kws or is_inner or callable(global_value(func_ir, value.args[0]))
    is_looked_up = isinstance(value, ir.Expr) and value.op == "getattr"
    return is_looked_up and global_value(func_ir, value) is functools.partial
