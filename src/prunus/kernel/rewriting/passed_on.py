"""Inner functions that are passed on, to another function or in a table: they are compiled like any
other function, with what they use of the function around them as constants.

Numba writes the source of such a function anew, with its defaults and what it uses as text: there a
text would become a name of the module, and so would the object whose attribute or item a default
is.
"""

from __future__ import annotations

import types as pytypes
from typing import Any

import numba
from numba.core import errors, ir, ir_utils, postproc
from numba.core.compiler_machinery import FunctionPass, register_pass

from prunus.kernel.rewriting.held import closed_over, is_assigned_inside
from prunus.kernel.rewriting.recursive import refused


@register_pass(mutates_CFG=True, analysis_only=False)
class InnerFunctions(FunctionPass):
    """Compiles an inner function that is passed on (for example to `sorted`, as a key) like any
    other function."""

    _name = "prunus_inner_functions"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything changed."""
        changed = False
        for block in state.func_ir.blocks.values():
            for statement in block.find_insts(ir.Assign):
                made = statement.value
                if isinstance(made, ir.Expr) and made.op == "make_function":
                    function = _standing_alone(state.func_ir, block, statement)
                    compiled = numba.jit(
                        nopython=True,
                        nogil=True,
                        boundscheck=True,
                        pipeline_class=type(state.pipeline),
                    )(function)
                    statement.value = ir.Global(made.code.co_name, compiled, statement.loc)
                    changed = True
        if changed:
            postproc.PostProcessor(state.func_ir).run()
        return changed


def _standing_alone(func_ir: Any, block: Any, statement: Any) -> pytypes.FunctionType:
    """The function that a statement makes, with constants for what it uses."""
    made = statement.value
    code, held = made.code, []
    for name, variable in zip(code.co_freevars, closed_over(func_ir, made), strict=True):
        known = _constant(func_ir, variable)
        if name == code.co_name:
            raise refused(statement.loc, "if it is passed on or has a decorator")
        if (
            not isinstance(known, ir.Const)
            or not _is_set_before(func_ir, variable, block, statement)
            or is_assigned_inside(func_ir, variable)
        ):
            raise errors.TypingError(
                f"an inner function that uses {name} of the function around it can only be called, "
                f"or passed to sorted, sort, min, max, reduce, or a function of the rules that "
                f"calls it, without `try`, `yield` and recursion: write a comprehension or a loop",
                statement.loc,
            )
        held.append(pytypes.CellType(known.value))
    defaults = made.defaults
    if isinstance(defaults, ir.Var):
        defaults = func_ir.get_definition(defaults)
    given = getattr(defaults, "items", defaults) or ()
    names = code.co_varnames[code.co_argcount - len(given) : code.co_argcount]
    values = []
    for name, value in zip(names, given, strict=True):
        known = _constant(func_ir, value)
        is_known = isinstance(known, ir.Const | ir.Global | ir.FreeVar)
        if not is_known or not _is_set_before(func_ir, value, block, statement):
            raise errors.TypingError(
                f"the default of {name}, of an inner function that is passed on, is not a "
                f"constant: give it as an argument, or write a comprehension or a loop",
                statement.loc,
            )
        values.append(known.value)
    module = func_ir.func_id.func.__globals__
    return pytypes.FunctionType(code, module, code.co_name, tuple(values), tuple(held))


def _constant(func_ir: Any, variable: Any) -> Any:
    """What a variable always holds; None if it is not assigned once."""
    return ir_utils.guard(ir_utils.get_definition, func_ir, variable)


def _is_set_before(func_ir: Any, variable: Any, block: Any, statement: Any) -> bool:
    """Whether every way to a statement of the block leads through the variable's assignment."""
    name = getattr(variable, "name", variable)
    graph = ir_utils.compute_cfg_from_blocks(func_ir.blocks)
    for label, other in func_ir.blocks.items():
        for assigned in other.body:
            if assigned is statement:
                break
            if isinstance(assigned, ir.Assign) and assigned.target.name == name:
                here = next(at for at, each in func_ir.blocks.items() if each is block)
                return label in graph.dominators()[here]
    return False
