"""Generators that hold heap memory between two items, such as a list: compiled, they collect all
their items first.

A loop that is left early drops its generator, and the memory that the generator holds would be
lost: a search leaves such loops at every cut-off. A list of all items is freed by its last user.
A generator that was given a list, a set or a dictionary stays one: the loop may change that for the
items that follow.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from numba.core import ir, ir_utils, types
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.registry import cpu_target


def holds_memory(kind: Any) -> bool:
    """Whether a function's result type is a generator that holds heap memory."""
    if not isinstance(kind, types.Generator):
        return False
    return _any_in_memory((*kind.state_types, *kind.arg_types))


def shares_memory(kind: Any) -> bool:
    """Whether a generator was given heap memory, which its caller can change too."""
    return _any_in_memory(kind.arg_types)


def _any_in_memory(kinds: Iterable[Any]) -> bool:
    models = cpu_target.target_context.data_model_manager
    return any(models[kind].contains_nrt_meminfo() for kind in kinds)


@register_pass(mutates_CFG=False, analysis_only=False)
class Collecting(FunctionPass):
    """Turns a generator into a function that returns a list."""

    _name = "prunus_collecting"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite the function's intermediate code."""
        func_ir = state.func_ir
        first = func_ir.blocks[min(func_ir.blocks)]
        items, add = (
            first.scope.redefine(ir_utils.mk_unique_var(name), loc=first.loc)
            for name in ("$collected", "$add")
        )
        for block in func_ir.blocks.values():
            for statement in block.body:
                value = statement.value if isinstance(statement, ir.Assign) else None
                if isinstance(value, ir.Yield):
                    statement.value = ir.Expr.call(add, [value.value], (), value.loc)
            ending = block.body[-1]
            if isinstance(ending, ir.Return):
                cast = block.scope.redefine(ir_utils.mk_unique_var("$cast"), loc=ending.loc)
                block.body[-1:] = [
                    ir.Assign(ir.Expr.cast(items, ending.loc), cast, ending.loc),
                    ir.Return(cast, ending.loc),
                ]
        first.body[:0] = [
            ir.Assign(ir.Expr.build_list([], first.loc), items, first.loc),
            ir.Assign(ir.Expr.getattr(items, "append", first.loc), add, first.loc),
        ]
        func_ir.is_generator = func_ir.func_id.is_generator = False
        func_ir.generator_info = None
        func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        return True
