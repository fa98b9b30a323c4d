"""NumPy arrays in rules whose items do not behave as plain integers: of fewer than 64 bits,
unsigned, or floats of 32 bits.

What Python computes with them wraps or raises where compiled code, which computes with 64 bits,
would not. Tables of such numbers may be read, which gives plain integers; arrays of them may not be
made in rules, nor be computed with. Shifts and powers of arrays are undefined, in machine code, for
some of the numbers for which NumPy defines them.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numba.core import errors, ir, types
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.extending import lower_builtin

from prunus.kernel.numbers.integers import WORD
from prunus.kernel.numbers.operators import OPERATIONS
from prunus.kernel.reporting.raising import fail_if
from prunus.kernel.rewriting.escapes import statements
from prunus.kernel.rewriting.inlining import global_value

MADE = (
    "an array of {kind} is made in the rules, whose numbers wrap or raise in Python: let it be one "
    "of plain integers, dtype=int, or of truth values, dtype=bool"
)
COMPUTED = (
    "an array of {kind} is computed with, which wraps in Python: write .astype(int) behind it, or "
    "a loop with int(...)"
)
STORED = "a plain integer is put into an array of {kind}: write np.{kind}(...) around it"
SHIFTED = "shifts and powers of whole arrays cannot be compiled: write a loop"

_FREE = (np.zeros, np.ones, np.empty, np.zeros_like, np.ones_like, np.empty_like, np.copy)
"""The functions that put no number of the rules into the array that they make."""

_UNSAFE = frozenset(
    OPERATIONS[each]
    for each in (
        operator.lshift,
        operator.ilshift,
        operator.rshift,
        operator.irshift,
        operator.pow,
        operator.ipow,
    )
)


@register_pass(mutates_CFG=False, analysis_only=True)
class NarrowArrays(FunctionPass):
    """Refuses such arrays."""

    _name = "prunus_narrow_arrays"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Look at the types of one function's variables; nothing changes."""
        kinds = state.typemap
        if not any(isinstance(kind, types.Array) for kind in set(kinds.values())):
            return False
        for _, _, statement in statements(state.func_ir):
            words = None
            if isinstance(statement, ir.Assign) and isinstance(statement.value, ir.Expr):
                words = _refusal(state.func_ir, kinds, statement)
            elif isinstance(statement, ir.SetItem | ir.StaticSetItem):
                words = _refused_item(kinds, statement)
            if words:
                raise errors.TypingError(words, statement.loc)
        return False


def _refusal(func_ir: Any, kinds: Any, statement: Any) -> str | None:
    """Why an expression cannot be compiled; None if it can."""
    value, made = statement.value, kinds[statement.target.name]
    if not isinstance(made, types.Array) or value.op not in (
        "call",
        "binop",
        "inplace_binop",
        "unary",
    ):
        return None
    if value.op != "call" and getattr(value, "fn", None) in _UNSAFE:
        return SHIFTED
    used = [kinds[each.name] for each in value.list_vars() if each.name in kinds]
    if value.op == "call":
        function = global_value(func_ir, value.func)
        if not _is_numpys(function, kinds[value.func.name]):
            return None
        if _is_small(made) or (_is_other(made) and not _keeps(function, used)):
            return MADE.format(kind=made.dtype)
        if function in _FREE:
            return None
    found = next((kind for kind in used if _is_other(kind)), None)
    if found is not None and made.dtype != types.boolean:
        return COMPUTED.format(kind=found.dtype)
    return None


def _is_numpys(function: Any, kind: Any) -> bool:
    """Whether a function is NumPy's, or a method of an array."""
    if isinstance(kind, types.BoundFunction):
        return isinstance(kind.this, types.Array)
    return (getattr(function, "__module__", None) or "").split(".")[0] == "numpy"


def _keeps(function: Any, used: list[Any]) -> bool:
    """Whether a call of a function, or of a method of an array, gives back what is in the array, or
    zeros."""
    method = used[0] if used and isinstance(used[0], types.BoundFunction) else None
    if method is not None:
        name = str(method.template.key).rpartition(".")[2]
        return name in ("reshape", "copy", "flatten", "ravel", "transpose")
    return function in _FREE


def _refused_item(kinds: Any, statement: Any) -> str | None:
    """Why an item, or several, cannot be stored; None if they can."""
    kind = kinds.get(statement.target.name)
    if not _is_other(kind):
        return None
    item = kinds.get(statement.value.name)
    if item == kind.dtype or (isinstance(item, types.Array) and item.dtype == kind.dtype):
        return None
    if isinstance(item, types.IntegerLiteral) and 0 <= item.literal_value < 1 << 7:
        return None
    return STORED.format(kind=kind.dtype)


def _is_small(kind: Any) -> bool:
    """Whether a type is that of an array of integers of fewer than 64 bits, or of short floats."""
    return isinstance(kind, types.Array) and (
        (isinstance(kind.dtype, types.Integer) and kind.dtype.bitwidth < 64)
        or kind.dtype in (types.float32, types.float16)
    )


def _is_other(kind: Any) -> bool:
    """The same, or of unsigned integers of 64 bits."""
    return _is_small(kind) or (isinstance(kind, types.Array) and kind.dtype == types.uint64)


@lower_builtin(types.NumberClass, types.Integer)
def _number(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """`np.uint8(n)`, which raises in Python if the number does not fit."""
    made, given = sig.return_type, sig.args[0]
    value = args[0]
    if isinstance(made, types.Integer) and given.signed and given.bitwidth == 64:
        limit = made.bitwidth - (1 if made.signed else 0)
        if limit < 63:
            low = -(1 << limit) if made.signed else 0
            above = builder.icmp_signed(">=", value, WORD(1 << limit))
            outside = builder.or_(above, builder.icmp_signed("<", value, WORD(low)))
        else:
            outside = builder.icmp_signed("<", value, WORD(0))
        if limit < 63 or not made.signed:
            text = f"a number is outside the range of np.{made}"
            fail_if(context, builder, outside, OverflowError, text)
    return context.cast(builder, value, given, made)
