"""NaNs in lists and tuples that are compared or searched. A NaN is not equal to itself, but Python
takes it for equal there if it is the same object, which compiled code does not know. So it raises
an error where both sides have a NaN, and where one is a key.
"""

from __future__ import annotations

import operator
from typing import Any

from numba.core import ir, ir_utils, types
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.cpython import hashing
from numba.cpython.hashing import _Py_HashDouble
from numba.extending import overload

from prunus.kernel.containers.hashes import replace
from prunus.kernel.containers.known_tables import TableType
from prunus.kernel.numbers.operators import meant
from prunus.kernel.reporting.raising import SAME_NAN
from prunus.kernel.rewriting.escapes import definition, statements

_COMPARING = (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge)
_METHODS = ("count", "index", "remove")


@register_pass(mutates_CFG=False, analysis_only=False)
class Nans(FunctionPass):
    """Puts a test before such comparisons."""

    _name = "prunus_nans"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Add to one function's intermediate code, whose types are known; true if anything
        changed."""
        func_ir, kinds = state.func_ir, state.typemap
        if not any(map(_is_container, set(kinds.values()))):
            return False
        func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        changed = False
        for _, block, statement in list(statements(func_ir)):
            value = statement.value if isinstance(statement, ir.Assign) else None
            pair = _compared(func_ir, value) if isinstance(value, ir.Expr) else None
            if pair is not None and _may_be_same(*(kinds[side.name] for side in pair)):
                _test(state, block, statement, *pair)
                changed = True
        return changed


def _compared(func_ir: Any, value: Any) -> tuple[Any, Any] | None:
    """The two variables that an expression compares, or one of which it looks for in the other;
    None for others."""
    if value.op == "binop" and meant(value) in (*_COMPARING, operator.contains):
        return value.lhs, value.rhs
    if value.op != "call" or not value.args:
        return None
    method = definition(func_ir, value.func)
    is_search = isinstance(method, ir.Expr) and method.op == "getattr" and method.attr in _METHODS
    return (method.value, value.args[0]) if is_search else None


def _has_floats(kind: Any) -> bool:
    """Whether values of a type are floats, or lists or tuples with floats at any depth."""
    if isinstance(kind, types.BaseTuple):
        return any(map(_has_floats, set(kind)))
    if isinstance(kind, types.List | TableType):
        return _has_floats(kind.item if isinstance(kind, TableType) else kind.dtype)
    return isinstance(kind, types.Float)


def _is_container(kind: Any) -> bool:
    return not isinstance(kind, types.Float) and _has_floats(kind)


def _may_be_same(one: Any, other: Any) -> bool:
    """Whether Python may compare two floats of these types by identity."""
    both = _has_floats(one) and _has_floats(other)
    return both and (_is_container(one) or _is_container(other))


def _test(state: Any, block: Any, statement: Any, one: Any, other: Any) -> None:
    """Put the test of two variables before a statement."""
    kinds = tuple(state.typemap[side.name] for side in (one, other))
    sig = state.typingctx.resolve_function_type(differ_surely, kinds, {})
    nothing = block.scope.redefine(ir_utils.mk_unique_var("$nan"), loc=statement.loc)
    made = ir.Expr.binop(operator.add, one, other, statement.loc)
    made.fn = differ_surely
    state.typemap[nothing.name] = sig.return_type
    state.calltypes[made] = sig
    block.body.insert(block.body.index(statement), ir.Assign(made, nothing, statement.loc))


def has_nan(value):
    """Whether there is a NaN in a value."""
    raise NotImplementedError


def differ_surely(one, other):
    """True, after the test that not both values have a NaN."""
    raise NotImplementedError


@overload(differ_surely)
def _differ_surely(one, other):
    def test(one, other):
        if has_nan(one) and has_nan(other):
            raise ValueError(SAME_NAN)
        return True

    return test


@overload(has_nan)
def _has_nan(value):
    if isinstance(value, types.Float):
        return lambda value: value != value  # noqa: PLR0124 - only a NaN differs
    if not _has_floats(value):
        return lambda value: False
    if isinstance(value, types.BaseTuple) and not isinstance(value, types.UniTuple):
        return lambda value: has_nan(value[0]) or has_nan(value[1:])

    def any_nan(value):
        for item in value:  # noqa: SIM110 - Numba compiles the loop
            if has_nan(item):
                return True
        return False

    return any_nan


def _hash_of_float(val):
    def hash_of(val):
        wide = val * 1.0
        if wide != wide:  # noqa: PLR0124 - only a NaN differs
            raise ValueError(SAME_NAN)
        return _Py_HashDouble(wide)

    return hash_of


replace(hashing.float_hash, _hash_of_float)
