"""Calls of lists' methods without an object for the method: `items.append(item)`.

A method that is looked up holds a reference to its list, which is counted, up and down, by two
atomic operations: they take longer than appending. Where a method is only called at once, the call
takes the list itself.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from numba.core import ir, ir_utils, types
from numba.core.compiler_machinery import FunctionPass, register_pass

from prunus.kernel.rewriting.inlining import used_variables


@register_pass(mutates_CFG=False, analysis_only=False)
class Methods(FunctionPass):
    """Makes such calls; `PlacedLower.lower_call` knows them by their attribute `method`, the type
    of the method."""

    _name = "prunus_methods"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code, whose types are known; true if anything
        changed."""
        kinds = state.typemap
        found = [
            name
            for name, kind in kinds.items()
            if isinstance(kind, types.BoundFunction) and isinstance(kind.this, types.List)
        ]
        if not found:
            return False
        uses = Counter(used_variables(state.func_ir))
        once = {name for name in found if uses[name] == 1}
        changed = [_call_directly(block, kinds, once) for block in state.func_ir.blocks.values()]
        if any(changed):
            state.func_ir._definitions = ir_utils.build_definitions(state.func_ir.blocks)
        return any(changed)


def _call_directly(block: Any, kinds: Any, methods: set[str]) -> bool:
    """Do so in one block for these methods, which are used once each."""
    waiting: dict[str, Any] = {}
    gone = []
    for statement in block.body:
        if not isinstance(statement, ir.Assign):
            continue
        value, target = statement.value, statement.target.name
        # A list's name that is given to another one no longer stands for the method's list.
        waiting = {name: made for name, made in waiting.items() if _list_of(made).name != target}
        if not isinstance(value, ir.Expr):
            continue
        if value.op == "getattr" and target in methods:
            if kinds[value.value.name] == kinds[target].this:
                waiting[target] = statement
        elif value.op == "call" and value.func.name in waiting:
            made = waiting.pop(value.func.name)
            value.method = kinds[made.target.name]
            value.func = _list_of(made)
            gone.append(made)
    block.body = [each for each in block.body if not any(each is made for made in gone)]
    return bool(gone)


def _list_of(made: Any) -> Any:
    """The list whose method a statement looks up."""
    return made.value.value
