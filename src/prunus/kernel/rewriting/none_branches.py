"""Branches that the types rule out, because something can only be None, or never is.

`found = self.find(state)` has no number if a parameter of the game leaves `find` nothing to return
but None. Then `return found + 1` behind `if found is None: return 0` is never reached, and cannot
be typed. Only a function in which types do not fit is looked at: branches that types decide are
left out of it, and it is typed again.
"""

from __future__ import annotations

import operator
from typing import Any, Final, NamedTuple

from numba.core import errors, ir, ir_utils, types
from numba.core.compiler_machinery import register_pass
from numba.core.postproc import PostProcessor
from numba.core.typed_passes import NopythonTypeInference, type_inference_stage

from prunus.kernel.numbers.operators import OPERATIONS
from prunus.kernel.rewriting.escapes import definition, function_of
from prunus.kernel.rewriting.phis import repair_phis

_IS_NONE: Final = {
    made: answer
    for fn, answer in (
        (operator.is_, True),
        (operator.eq, True),
        (operator.is_not, False),
        (operator.ne, False),
    )
    for made in (fn, OPERATIONS.get(fn, fn))
}
"""The comparisons with None, and what they give if the other side is None."""

_NOT: Final = (operator.not_, OPERATIONS.get(operator.not_))


class _Test(NamedTuple):
    """What a branch asks: whether `variable` is None (`exact`), or whether it is true. `answer` is
    the side that is taken if it is None."""

    variable: Any
    exact: bool
    answer: bool


@register_pass(mutates_CFG=True, analysis_only=False)
class TypeInference(NopythonTypeInference):
    """Numba's pass; if types do not fit, once more without the branches that types rule out."""

    _name = "prunus_type_inference"

    def run_pass(self, state: Any) -> bool:
        """Find the types of one function; it may lose branches."""
        decided: list[tuple[Any, bool]] = []
        while True:
            try:
                done: bool = super().run_pass(state)
                break
            except errors.TypingError:
                found = _leave_out(state)
                if not found:
                    raise
                decided += found
        # Code that was not typed before may have given a variable another type by now.
        for variable, is_none in decided:
            kind = state.typemap.get(variable.name)
            if kind is not None and _is_none(kind) is not is_none:
                raise errors.TypingError(
                    f"whether {variable.name} is None depends on itself", loc=variable.loc
                )
        return done


def _leave_out(state: Any) -> list[tuple[Any, bool]]:
    """Leave out the branches of one function that the type of a variable rules out: that variable,
    and whether it is None, for each of them."""
    func_ir = state.func_ir
    tests = [
        (block, test)
        for block in func_ir.blocks.values()
        if isinstance(block.terminator, ir.Branch)
        and (test := _test_of(func_ir, block.terminator)) is not None
    ]
    if not tests:
        return []
    kinds = type_inference_stage(
        state.typingctx,
        state.targetctx,
        func_ir,
        state.args,
        state.return_type,
        state.locals,
        raise_errors=False,
    ).typemap
    decided: list[tuple[Any, bool]] = []
    for block, test in tests:
        is_none = _is_none(kinds.get(test.variable.name, types.unknown))
        # What is not None may still be true or false.
        if is_none is None or not (is_none or test.exact):
            continue
        # Without these branches the type of another variable may turn out to be another one.
        if decided and test.variable.name != decided[0][0].name:
            continue
        branch = block.terminator
        taken = branch.truebr if is_none is test.answer else branch.falsebr
        block.body[-1] = ir.Jump(taken, branch.loc)
        decided.append((test.variable, is_none))
    if decided:
        for label in ir_utils.compute_cfg_from_blocks(func_ir.blocks).dead_nodes():
            del func_ir.blocks[label]
        repair_phis(func_ir)
        _give_types(func_ir)
        func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        if func_ir.is_generator:
            PostProcessor(func_ir).run()  # numbers the yields that are left
    return decided


def _give_types(func_ir: Any) -> None:
    """Give a type to variables that have no value on any way that is left: what reads them raises
    an error before (`unbound.py`), or is never reached."""
    for block in func_ir.blocks.values():
        for statement in block.find_insts(ir.Assign):
            made = statement.value
            if _is_expression(made, "phi") and all(v is ir.UNDEFINED for v in made.incoming_values):
                statement.value = ir.Const(0, statement.loc)


def _test_of(func_ir: Any, branch: Any) -> _Test | None:
    """What a branch asks; None if it is something else."""
    condition = definition(func_ir, branch.cond)
    if not (_is_expression(condition, "call") and function_of(func_ir, condition.func) is bool):
        return None
    variable, answer = condition.args[0], True
    while True:
        made = definition(func_ir, variable)
        if not (_is_expression(made, "unary") and made.fn in _NOT):
            break
        variable, answer = made.value, not answer
    if _is_expression(made, "binop") and made.fn in _IS_NONE:
        for side, other in ((made.lhs, made.rhs), (made.rhs, made.lhs)):
            constant = definition(func_ir, other)
            if isinstance(constant, ir.Const) and constant.value is None:
                return _Test(side, exact=True, answer=answer is _IS_NONE[made.fn])
        return None
    return _Test(variable, exact=False, answer=not answer)


def _is_expression(value: Any, op: str) -> bool:
    return isinstance(value, ir.Expr) and value.op == op


def _is_none(kind: Any) -> bool | None:
    """Whether a value of a type is None; None if the type does not tell."""
    if isinstance(kind, types.NoneType):
        return True
    if isinstance(kind, types.Optional) or kind is types.unknown or not kind.is_precise():
        return None
    return False
