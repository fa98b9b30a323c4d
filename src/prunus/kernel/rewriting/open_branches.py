"""Branches that a constant rules out, such as `if self.castling:` in a variant without it.

They are not compiled, which allows rules for one variant only. But where nothing else is put into a
list, a set or a dictionary, or given by a generator, no type is left for the items. Such a function
is compiled once more, with all its branches.
"""

from __future__ import annotations

import re
from typing import Any, Final

from numba.core import errors, ir
from numba.core.compiler import CompilerBase
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.ir_utils import find_const, guard
from numba.core.untyped_passes import ExtractByteCode
from numba.extending import overload

from prunus.kernel.containers.sequences import call_instead
from prunus.kernel.rewriting.escapes import definition, function_of

_UNKNOWN: Final = re.compile(
    r"undefined|imprecise type|cannot be determined|[Cc]annot infer the type|does not yield any"
)
"""What Numba says of a variable for which it finds no type."""


def as_truth(value):
    """`bool(value)` in compiled code, for a condition whose branches are both compiled."""
    raise NotImplementedError


@overload(as_truth)
def _as_truth(value):
    return lambda value: bool(value)  # noqa: PLW0108 - Numba compiles the lambda


@register_pass(mutates_CFG=False, analysis_only=False)
class OpenBranches(FunctionPass):
    """Finds the branches that constants decide, and keeps both sides of them if that is asked."""

    _name = "prunus_open_branches"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything changed."""
        func_ir = state.func_ir
        decided = {
            block.body[-1].cond.name
            for block in func_ir.blocks.values()
            if isinstance(block.body[-1], ir.Branch) and _is_decided(func_ir, block.body[-1])
        }
        if not state.get("prunus_open"):
            state["prunus_decided"] = bool(decided)
            return False
        for block in func_ir.blocks.values():
            for statement in list(block.find_insts(ir.Assign)):
                if statement.target.name in decided:
                    call_instead(block, statement, as_truth, statement.value.args[0])
        return bool(decided)


def _is_decided(func_ir: Any, branch: Any) -> bool:
    """Whether a branch is known from constants other than None."""
    truth = definition(func_ir, branch.cond)
    if not (
        isinstance(truth, ir.Expr)
        and truth.op == "call"
        and function_of(func_ir, truth.func) is bool
    ):
        return False
    condition = definition(func_ir, truth.args[0])
    if isinstance(condition, ir.Expr) and condition.op == "binop":
        sides = [guard(find_const, func_ir, side) for side in (condition.lhs, condition.rhs)]
        return None not in sides
    return guard(find_const, func_ir, truth.args[0]) is not None


class OpeningCompiler(CompilerBase):
    """Compiles a function once more, with all its branches, if no type can be found for something
    without those that constants rule out."""

    def _compile_core(self) -> Any:
        try:
            return super()._compile_core()
        except errors.TypingError as error:
            if not self.state.get("prunus_decided") or not _UNKNOWN.search(str(error)):
                raise
            self.state["prunus_open"], self.state["prunus_decided"] = True, False
            self.state.func_ir, self.state.status.fail_reason = None, None
            ExtractByteCode().run_pass(self.state)
            try:
                return super()._compile_core()
            except errors.NumbaError:
                raise error from None
