"""Which lists of equal items never leave the function that makes them: see `equal_lists.py`, and
`escapes.py` for the conditions."""

from __future__ import annotations

from collections import Counter
from typing import Any

from numba.core import ir, ir_utils
from numba.core.compiler_machinery import FunctionPass, register_pass

from prunus.kernel.containers.equal_lists import MOST, equal_items
from prunus.kernel.containers.lengths import number_in
from prunus.kernel.containers.sequences import call_instead, repeated
from prunus.kernel.rewriting.changed import field_of_list
from prunus.kernel.rewriting.escapes import (
    DEPTH,
    Watch,
    are_latest,
    assigns_call,
    come_from,
    definition,
    is_in_loop,
    names_of,
    statements,
)
from prunus.kernel.rewriting.inlining import used_variables


@register_pass(mutates_CFG=False, analysis_only=False)
class EqualLists(FunctionPass):
    """Makes such lists by `equal_items`."""

    _name = "prunus_equal_lists"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything changed."""
        func_ir = state.func_ir
        made = [found for found in statements(func_ir) if assigns_call(func_ir, found[2], repeated)]
        if func_ir.is_generator or not made:
            return False
        func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        changed = False
        for label, block, statement in made:
            changed |= _replace(func_ir, label, block, statement, state.args)
            func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        return changed


def _replace(func_ir: Any, label: int, block: Any, statement: Any, args: Any) -> bool:
    written, times, _ = statement.value.args
    single, count = definition(func_ir, written), number_in(func_ir, times)
    if (
        not (isinstance(single, ir.Expr) and single.op == "build_list" and len(single.items) == 1)
        or Counter(used_variables(func_ir))[written.name] != 1
        or count is None
        or not 0 < count <= MOST
    ):
        return False
    names, again = names_of(func_ir, [statement.target.name]), is_in_loop(func_ir, label)
    if not come_from(func_ir, names, [statement.value]) or (
        again and not are_latest(func_ir, names)
    ):
        return False
    watch = Watch(func_ir, names, args, not again, DEPTH)
    if not watch.stays():
        return False
    scalar = field_of_list(watch, args).partition(" ")[0]
    for other in func_ir.blocks.values():
        other.body = [kept for kept in other.body if getattr(kept, "value", None) is not single]
    call_instead(block, statement, equal_items, single.items[0], count, scalar)
    return True
