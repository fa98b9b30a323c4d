"""NumPy's numbers of fewer than 64 bits where paths join: a variable, or the result of a function,
that is such a number on one path and a plain integer on another would lose, with its type, what
Python makes of it in the next operation."""

from __future__ import annotations

from typing import Any

from numba.core import errors, ir
from numba.core.compiler_machinery import FunctionPass, register_pass

from prunus.kernel.numbers.operators import WRAPS, is_narrow


@register_pass(mutates_CFG=False, analysis_only=True)
class NarrowNumbers(FunctionPass):
    """Refuses such paths."""

    _name = "prunus_narrow_numbers"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Look at the types of one function's variables; nothing changes."""
        kinds = state.typemap
        if not any(map(is_narrow, set(kinds.values()))):
            return False
        for block in state.func_ir.blocks.values():
            for statement in block.find_insts(ir.Assign):
                made = kinds[statement.target.name]
                for source in _copied(statement.value):
                    kind = kinds.get(source.name)
                    if is_narrow(kind) and kind != made:
                        raise errors.TypingError(
                            f"a value is a plain integer on one path and on another a NumPy number "
                            f"of type {kind}, {WRAPS}",
                            statement.loc,
                        )
        return False


def _copied(value: Any) -> list[Any]:
    """The variables that an assignment only passes on."""
    if isinstance(value, ir.Var):
        return [value]
    if isinstance(value, ir.Expr) and value.op == "cast":
        return [value.value]
    if isinstance(value, ir.Expr) and value.op == "phi":
        return [coming for coming in value.incoming_values if isinstance(coming, ir.Var)]
    return []
