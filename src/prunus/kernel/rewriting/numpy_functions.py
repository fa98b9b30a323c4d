"""Which functions of NumPy rules may call: those whose compiled results are Python's to the last
bit.

Numba has many more. But a sum of floats depends on the order in which NumPy adds them, `//` of
arrays of floats is another algorithm, `np.exp` and its like are rounded otherwise by NumPy than by
the C library, and an order of equal items that `argsort` leaves open depends even on the machine. A
value that was found with them would be no proof.
"""

from __future__ import annotations

import operator
import random
from typing import Any

import numpy as np
from numba.core import errors, ir, types
from numba.core.compiler_machinery import FunctionPass, register_pass

from prunus.kernel.numbers.operators import meant
from prunus.kernel.rewriting.escapes import statements

FLOATS = (
    "{name} of floats is rounded otherwise by NumPy than in compiled code: write a loop over them"
)
ORDERED = (
    "{name} leaves open which of two equal items comes first, and NumPy's answer depends on the "
    "machine: write np.argsort(a, kind='mergesort')"
)
OTHER = (
    "{name} may give another result in compiled code than in Python: write a loop, with the "
    "functions of math"
)

SHORT = (
    "a float of 32 bits from NumPy is computed with, which NumPy rounds otherwise than compiled "
    "code: write np.float64(...) around it"
)
DRAWN = (
    "random.{name} gives another number each time that a position is searched, so that no value is "
    "proved: draw what the rules need when the game is made"
)
OUT = "{name} with out= cannot be compiled: write out[:] = {name}(...)"
MASK = (
    "a mask of several dimensions cannot be compiled as an index: write np.where(mask, new, a), or "
    "a.ravel()[mask.ravel()]"
)

# fmt: off
_EXACT = frozenset(
    (
        "abs", "absolute", "add", "all", "amax", "amin", "any", "append", "argmax",
        "argmin", "argwhere", "array", "array_equal", "array_split", "asarray",
        "ascontiguousarray", "astype", "atleast_1d", "atleast_2d", "bincount", "bitwise_and",
        "bitwise_count", "bitwise_not", "bitwise_or", "bitwise_xor", "broadcast_to", "ceil",
        "clip", "column_stack", "concatenate", "copy", "count_nonzero", "cumprod", "cumsum",
        "delete", "diag", "diagonal", "diff", "divide", "dstack", "ediff1d", "empty",
        "empty_like", "equal", "expand_dims", "extract", "eye", "fabs", "fill", "fill_diagonal",
        "flatnonzero", "flatten", "flip", "fliplr", "flipud", "floor", "full",
        "full_like", "greater", "greater_equal", "hstack", "identity", "intersect1d", "invert",
        "isfinite", "isin", "isinf", "isnan", "item", "less", "less_equal", "logical_and",
        "logical_not", "logical_or", "logical_xor", "max", "maximum", "median", "min",
        "minimum", "mod", "multiply", "ndenumerate", "ndim", "ndindex", "negative", "nonzero",
        "not_equal", "ones", "ones_like", "outer", "ptp", "ravel", "remainder", "repeat",
        "reshape", "rint", "roll", "rot90", "searchsorted", "setdiff1d", "setxor1d", "shape",
        "sign", "size", "sort", "split", "sqrt", "square", "squeeze", "stack", "subtract",
        "swapaxes", "take", "tolist", "transpose", "tri", "tril", "triu", "true_divide",
        "trunc", "union1d", "unique", "vstack", "where", "zeros", "zeros_like",
    )
)
# fmt: on
"""Exact for integers, truth values and floats of 64 bits."""

_INTEGRAL = frozenset(
    ("arange", "dot", "floor_divide", "matmul", "mean", "prod", "sum", "trace", "vdot")
)
"""Exact for integers and truth values."""


_SHORT_FLOATS = (types.float32, types.float16)

_COMPUTING: tuple[Any, ...] = (divmod, max, min, pow, round, sorted, sum)


@register_pass(mutates_CFG=False, analysis_only=True)
class NumpyFunctions(FunctionPass):
    """Refuses the others."""

    _name = "prunus_numpy_functions"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Look at the calls of one function; nothing changes."""
        for _, _, statement in statements(state.func_ir):
            words = None
            if isinstance(statement, ir.Assign) and isinstance(statement.value, ir.Expr):
                words = _refusal(state, statement.value)
            elif isinstance(statement, ir.SetItem):
                words = _refused_index(state.typemap, statement)
            if words:
                raise errors.TypingError(words, statement.loc)
        return False


def _refusal(state: Any, value: Any) -> str | None:
    """Why an expression cannot be compiled; None if it can."""
    if value.op == "getitem":
        return _refused_index(state.typemap, value)
    if _computes(state, value) and any(
        state.typemap.get(each.name) in _SHORT_FLOATS for each in value.list_vars()
    ):
        return SHORT
    if value.op in ("binop", "inplace_binop"):
        if value.fn in (operator.matmul, operator.imatmul):
            return _refused_floats(state, value, "a product of matrices")
        if meant(value) in (operator.floordiv, operator.ifloordiv) and _has_array(state, value):
            return _refused_floats(state, value, "// of an array")
        return None
    return _refused_call(state, value) if value.op == "call" else None


def _computes(state: Any, value: Any) -> bool:
    """Whether an expression computes with its operands, or compares them."""
    if value.op != "call":
        return value.op in ("binop", "inplace_binop", "unary")
    kind = state.typemap[value.func.name]
    return isinstance(kind, types.Function) and kind.typing_key in _COMPUTING


def _refused_call(state: Any, value: Any) -> str | None:
    kind = state.typemap[value.func.name]
    if isinstance(kind, types.Function):
        drawing = kind.typing_key
        if isinstance(getattr(drawing, "__self__", None), random.Random):
            return DRAWN.format(name=drawing.__name__)
    name, words = _called(kind)
    if name is None:
        return None
    if name == "argsort":
        return None if _is_stable(state, value) else ORDERED.format(name=words)
    if name in _INTEGRAL:
        return _refused_floats(state, value, words)
    function = getattr(np, name, None)
    if isinstance(function, np.ufunc) and len(value.args) + len(value.kws) > function.nin:
        return OUT.format(name=words)
    return None if name in _EXACT else OTHER.format(name=words)


def _refused_floats(state: Any, value: Any, words: str) -> str | None:
    used = (state.typemap.get(each.name) for each in value.list_vars())
    return FLOATS.format(name=words) if any(map(_has_floats, used)) else None


def _refused_index(kinds: Any, item: Any) -> str | None:
    """Why an index of an array, or where something is stored, cannot be compiled."""
    array = kinds.get((item.target if isinstance(item, ir.SetItem) else item.value).name)
    index = kinds.get(item.index.name)
    if not isinstance(array, types.Array):
        return None
    several = index if isinstance(index, types.BaseTuple) else (index,)
    masks = (each for each in several if isinstance(each, types.Array))
    return MASK if any(each.dtype == types.boolean and each.ndim != 1 for each in masks) else None


def _called(kind: Any) -> tuple[str | None, str]:
    """The name of a function of NumPy, or of a method of an array, and how rules write it."""
    if isinstance(kind, types.BoundFunction) and isinstance(kind.this, types.Array):
        key = kind.template.key
        name = key[-1] if isinstance(key, tuple) else str(key).rpartition(".")[2]
        return name, f"{name}() of an array"
    if isinstance(kind, types.Function):
        function = kind.typing_key
        module = str(getattr(function, "__module__", None) or "")
        if isinstance(function, np.ufunc) or module.partition(".")[0] == "numpy":
            name = function.__name__
            return (name if getattr(np, name, None) is function else module + name), f"np.{name}"
    return None, ""


def _has_array(state: Any, value: Any) -> bool:
    return any(isinstance(state.typemap[each.name], types.Array) for each in value.list_vars())


def _has_floats(kind: Any) -> bool:
    if isinstance(kind, types.BoundFunction):
        kind = kind.this
    if isinstance(kind, types.BaseTuple):
        return any(map(_has_floats, kind))
    return isinstance(kind, types.Float) or isinstance(getattr(kind, "dtype", None), types.Float)


def _is_stable(state: Any, value: Any) -> bool:
    """Whether a call of `argsort` asks for the order that is the same everywhere."""
    given = dict(value.kws).get("kind")
    kind = given and state.typemap.get(given.name)
    return isinstance(kind, types.StringLiteral) and kind.literal_value == "mergesort"
