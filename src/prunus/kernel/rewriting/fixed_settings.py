"""The values of settings and parameters in place of their names, before types are inferred."""

from __future__ import annotations

from typing import Any

from numba.core import ir
from numba.core.compiler_machinery import FunctionPass, register_pass

from prunus.kernel.containers.memory import UNKNOWN
from prunus.kernel.rewriting.idle import replace_idle
from prunus.kernel.rewriting.settings import replace_definition, with_settings


@register_pass(mutates_CFG=False, analysis_only=False)
class FixedSettings(FunctionPass):
    """Replaces the names of a game's parameters and a memory's settings by their values before
    types are inferred, so that a branch that they rule out is not compiled at all; and calls that
    they leave nothing to do by their results."""

    _name = "prunus_settings"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything changed."""
        changed = False
        for block in state.func_ir.blocks.values():
            for statement in block.find_insts(ir.Assign):
                value = statement.value
                if not (isinstance(value, ir.Expr) and value.op == "getattr"):
                    continue
                owner = with_settings(state, value.value)
                setting = owner.known(value.attr) if owner is not None else UNKNOWN
                if setting is not UNKNOWN:
                    statement.value = ir.Const(setting, value.loc)
                    replace_definition(state.func_ir, statement.target, value, statement.value)
                    changed = True
        return replace_idle(state) or changed
