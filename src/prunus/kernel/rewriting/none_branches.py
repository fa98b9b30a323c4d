"""Branches that the types rule out, because something can only be None, or never is, or is of
another class than the one asked for.

`found = self.find(state)` has no number if a parameter of the game leaves `find` nothing to return
but None. Then `return found + 1` behind `if found is None: return 0` is never reached, and cannot
be typed. Only a function in which types do not fit is looked at: branches that types decide are
left out of it, and it is typed again.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial
from typing import Any, Final, NamedTuple

from numba.core import errors, ir, ir_utils, types
from numba.core.compiler_machinery import register_pass
from numba.core.postproc import PostProcessor
from numba.core.typed_passes import NopythonTypeInference, type_inference_stage

from prunus.kernel.boards.packed import Packed
from prunus.kernel.containers.identity import belongs
from prunus.kernel.containers.views import ViewType
from prunus.kernel.numbers.operators import OPERATIONS
from prunus.kernel.rewriting.closing import expect_own_generator
from prunus.kernel.rewriting.escapes import definition, function_of
from prunus.kernel.rewriting.matching import is_sequence, may_match
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

_IDENTITY: Final = (operator.is_, operator.is_not)

_NOT: Final = (operator.not_, OPERATIONS.get(operator.not_))
_COMPARISONS: Final = {
    made: fn
    for fn in (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge)
    for made in (fn, OPERATIONS.get(fn, fn))
}

_TRUTH: Final = (bool, operator.truth)


class _Test(NamedTuple):
    """What a branch asks about `variable`, and the side that is taken if the answer is yes."""

    variable: Any
    asks: Callable[[Any], bool | None]
    answer: bool

    def taken(self, kinds: Any) -> bool | None:
        """The side that is taken if variables have these types; None if they do not tell."""
        kind = kinds.get(self.variable.name, types.unknown)
        found = None if kind is types.unknown or not kind.is_precise() else self.asks(kind)
        return None if found is None else found is self.answer


@register_pass(mutates_CFG=True, analysis_only=False)
class TypeInference(NopythonTypeInference):
    """Numba's pass; if types do not fit, once more without the branches that types rule out."""

    _name = "prunus_type_inference"

    def run_pass(self, state: Any) -> bool:
        """Find the types of one function; it may lose branches."""
        _leave_undefined(state.func_ir)
        whole: dict[int, Any] | None = None
        trusted = _Trusted()
        while True:
            try:
                done: bool = super().run_pass(state)
            except errors.TypingError:
                whole = whole or _copy(state.func_ir.blocks)
                if not _leave_out(state, trusted):
                    raise
                continue
            # Code that was not typed before may have given a variable another type by now.
            if trusted.still_hold(state.typemap):
                expect_own_generator(state.func_ir, state.return_type)
                return done
            _put_back(state.func_ir, whole or {})


class _Trusted:
    """The branches that were decided by types, and those that types decided wrongly before all
    were known."""

    def __init__(self) -> None:
        self.decided: list[tuple[_Test, bool]] = []
        self.wrong: set[str] = set()

    def still_hold(self, kinds: Any) -> bool:
        """Whether the types that were found in the end decide the branches alike. If not, what
        was decided is forgotten."""
        wrong = {
            test.variable.name
            for test, taken in self.decided
            if test.variable.name in kinds and test.taken(kinds) is not taken
        }
        if wrong:
            self.decided.clear()
            self.wrong |= wrong
        return not wrong


def _copy(blocks: dict[int, Any]) -> dict[int, Any]:
    """A copy of blocks from which branches can be left out."""
    made = {label: block.copy() for label, block in blocks.items()}
    for block in made.values():
        for place, statement in enumerate(block.body):
            if _is_phi(statement):
                phi = ir.Expr.phi(statement.value.loc)
                phi.incoming_blocks += statement.value.incoming_blocks
                phi.incoming_values += statement.value.incoming_values
                block.body[place] = ir.Assign(phi, statement.target, statement.loc)
    return made


def _put_back(func_ir: Any, whole: dict[int, Any]) -> None:
    """Make a function of all its blocks again."""
    func_ir.blocks = _copy(whole)
    _update(func_ir)


def _update(func_ir: Any) -> None:
    func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
    if func_ir.is_generator:
        PostProcessor(func_ir).run()  # numbers the yields that are left


def _leave_out(state: Any, trusted: _Trusted) -> bool:
    """Leave out the branches of one function that the type of a variable rules out; true if there
    are any."""
    func_ir = state.func_ir
    tests = [
        (block, test)
        for block in func_ir.blocks.values()
        if isinstance(block.terminator, ir.Branch)
        and (test := _test_of(func_ir, block.terminator)) is not None
        and test.variable.name not in trusted.wrong
    ]
    if not tests:
        return False
    kinds = type_inference_stage(
        state.typingctx,
        state.targetctx,
        func_ir,
        state.args,
        state.return_type,
        state.locals,
        raise_errors=False,
    ).typemap
    decided: str | None = None
    for block, test in tests:
        taken = test.taken(kinds)
        # Without these branches the type of another variable may turn out to be another one.
        if taken is None or decided not in (None, test.variable.name):
            continue
        branch = block.terminator
        block.body[-1] = ir.Jump(branch.truebr if taken else branch.falsebr, branch.loc)
        trusted.decided.append((test, taken))
        decided = test.variable.name
    if decided is None:
        return False
    for label in ir_utils.compute_cfg_from_blocks(func_ir.blocks).dead_nodes():
        del func_ir.blocks[label]
    repair_phis(func_ir)
    _give_types(func_ir)
    _update(func_ir)
    return True


def _leave_undefined(func_ir: Any) -> None:
    """Take out variables that Numba, where it found a phi with one value, assigned what stands for
    no value: phis go without it."""
    assigned = [
        (block, statement)
        for block in func_ir.blocks.values()
        for statement in block.find_insts(ir.Assign)
        if statement.value is ir.UNDEFINED
    ]
    gone = {statement.target.name for _, statement in assigned}
    if not gone:
        return
    read = set()
    for block in func_ir.blocks.values():
        for statement in block.body:
            if _is_phi(statement):
                values = statement.value.incoming_values
                values[:] = [
                    ir.UNDEFINED if getattr(value, "name", "") in gone else value
                    for value in values
                ]
            elif getattr(statement, "value", None) is not ir.UNDEFINED:
                read |= {variable.name for variable in statement.list_vars()}
    for block, statement in assigned:
        if statement.target.name in read:
            # What reads it raises an error before, or is never reached.
            statement.value = ir.Const(0, statement.loc)
        else:
            block.body.remove(statement)
    func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)


def _give_types(func_ir: Any) -> None:
    """Give a type to variables that have no value on any way that is left: what reads them raises
    an error before (`unbound.py`), or is never reached."""
    for block in func_ir.blocks.values():
        for statement in block.find_insts(ir.Assign):
            made = statement.value
            if _is_phi(statement) and all(v is ir.UNDEFINED for v in made.incoming_values):
                statement.value = ir.Const(0, statement.loc)


def _is_phi(statement: Any) -> bool:
    return isinstance(statement, ir.Assign) and _is_expression(statement.value, "phi")


def _test_of(func_ir: Any, branch: Any) -> _Test | None:
    """What a branch asks; None if it is something that types never tell."""
    variable, answer = branch.cond, True
    made = definition(func_ir, variable)
    while True:
        if _is_expression(made, "unary") and made.fn in _NOT:
            variable, answer = made.value, not answer
        elif _is_expression(made, "call") and function_of(func_ir, made.func) in _TRUTH:
            variable = made.args[0]
        elif _is_expression(made, "phi") and len(made.incoming_values) == 1:
            variable = made.incoming_values[0]  # other ways have been left out
        else:
            break
        made = definition(func_ir, variable)
    if _is_expression(made, "binop") and made.fn in _IS_NONE:
        for side, other in ((made.lhs, made.rhs), (made.rhs, made.lhs)):
            constant = definition(func_ir, other)
            if isinstance(constant, ir.Const) and constant.value is None:
                asks = _is_none if made.fn in _IDENTITY else _equals_none
                return _Test(side, asks, answer is _IS_NONE[made.fn])
    if _is_expression(made, "call"):
        asked = function_of(func_ir, made.func)
        if asked is is_sequence:
            return _Test(made.args[0], may_match, answer)
        if asked is isinstance and len(made.args) == 2:
            wanted = _classes(func_ir, made.args[1])
            if wanted:
                return _Test(made.args[0], partial(_is_instance, wanted), answer)
    if _is_expression(made, "binop"):
        compare, asked = _COMPARISONS.get(made.fn), definition(func_ir, made.lhs)
        count = ir_utils.guard(ir_utils.find_const, func_ir, made.rhs)
        is_length = _is_expression(asked, "call") and function_of(func_ir, asked.func) is len
        if compare and is_length and len(asked.args) == 1 and type(count) is int:
            return _Test(asked.args[0], partial(_has_length, compare, count), answer)
    return _Test(variable, _is_true, answer)


def _is_expression(value: Any, op: str) -> bool:
    return isinstance(value, ir.Expr) and value.op == op


def _is_none(kind: Any) -> bool | None:
    """Whether a value of a type is None; None if the type does not tell."""
    if isinstance(kind, types.NoneType):
        return True
    return None if isinstance(kind, types.Optional) else False


def _equals_none(kind: Any) -> bool | None:
    """The same for `==`, which goes over the items of an array."""
    return None if isinstance(kind, types.Array | ViewType) else _is_none(kind)


def _is_true(kind: Any) -> bool | None:
    """The same for its truth."""
    return False if isinstance(kind, types.NoneType) else None


def _has_length(compare: Callable[[int, int], bool], count: int, kind: Any) -> bool | None:
    """The same for how many items it has."""
    return compare(len(kind), count) if isinstance(kind, types.BaseTuple | Packed) else None


def _classes(func_ir: Any, variable: Any) -> tuple[type, ...]:
    """The classes that an argument names; none if it is not known."""
    made = definition(func_ir, variable)
    if _is_expression(made, "build_tuple"):
        parts = [_classes(func_ir, item) for item in made.items]
        return tuple(cls for part in parts for cls in part) if all(parts) else ()
    found = function_of(func_ir, variable)
    return (found,) if isinstance(found, type) else ()


def _is_instance(wanted: tuple[type, ...], kind: Any) -> bool | None:
    """Whether a value of a type belongs to one of these classes; None if the type does not
    tell."""
    answers = belongs(kind, wanted)
    return answers.pop() if len(answers) == 1 else None
