"""Functions of the rules that get an inner function, or a `functools.partial`, which uses variables
of the function around it: `self.best(cells, score)`. Their bodies replace their calls, so that the
inner function is called where its variables are."""

from __future__ import annotations

from typing import Any

from numba.core import ir, ir_utils
from numba.core.compiler_machinery import FunctionPass, register_pass

from prunus.kernel.rewriting.calls import called_function, functions_at
from prunus.kernel.rewriting.closures import inline_closures
from prunus.kernel.rewriting.escapes import definition, statements
from prunus.kernel.rewriting.held import closed_over, held_by, is_assigned_inside
from prunus.kernel.rewriting.helpers import helper_of, insert_helper
from prunus.kernel.rewriting.marks import catches
from prunus.kernel.rewriting.partials import partial_of


@register_pass(mutates_CFG=True, analysis_only=False)
class PassedFunctions(FunctionPass):
    """Inlines such functions."""

    _name = "prunus_passed_functions"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything changed."""
        func_ir, changed = state.func_ir, False
        left: list[Any] = []
        while _inline_one(func_ir, state.args, left):
            changed = True
            func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
            inline_closures(func_ir, always=True)
        return changed


def _inline_one(func_ir: Any, args: Any, left: list[Any]) -> bool:
    """Inline one call; false if none is left. Calls that stay are added to `left`."""
    for label, block, statement in list(statements(func_ir)):
        call = statement.value if isinstance(statement, ir.Assign) else None
        if not (isinstance(call, ir.Expr) and call.op == "call") or any(
            call is other for other in left
        ):
            continue
        given = [*call.args, *(each for _, each in call.kws)]
        if not any(_uses_variables(func_ir, each) for each in given):
            continue
        left.append(call)
        if catches(func_ir) or called_function(func_ir, call, args) is None:
            continue
        inlined = functions_at(func_ir, statement.loc)
        helper = helper_of(func_ir, call, args, inlined, _is_plain)
        if helper is not None:
            insert_helper(func_ir, label, block.body.index(statement), helper)
            return True
    return False


def _is_plain(func_ir: Any, args: Any, inlined: tuple[Any, ...]) -> bool:
    return not func_ir.is_generator


def _uses_variables(func_ir: Any, variable: Any) -> bool:
    """Whether a variable holds a partial, or an inner function that cannot stand alone
    (`passed_on.py`)."""
    found = definition(func_ir, variable)
    if isinstance(found, ir.Expr) and found.op == "make_function":
        known = [definition(func_ir, each) for each in held_by(func_ir, found)]
        return not all(isinstance(each, ir.Const | ir.Global | ir.FreeVar) for each in known) or (
            any(is_assigned_inside(func_ir, each) for each in closed_over(func_ir, found))
        )
    return partial_of(func_ir, variable) is not None
