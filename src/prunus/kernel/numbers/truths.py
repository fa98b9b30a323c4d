"""The types of what is a truth value on one path and a number on another, for Numba: where it joins the types of two paths, it asks here.

It would make the truth value a number there, and forget that it was one.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numba.core import errors, types
from numba.core.typing.context import BaseContext
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.cpython import builtins
from numba.cpython.numbers import int_sge_impl, int_sgt_impl, int_sle_impl, int_slt_impl
from numba.extending import intrinsic, lower_builtin
from numba.np import numpy_support

from prunus.kernel.numbers.integers import TRUTH_OR_INT, TruthOrInt, is_small, mixture
from prunus.kernel.numbers.wide import TRUTH_OR_WIDE, TruthOrWide
from prunus.kernel.pipeline.inference import is_ours

_joined_numbers = types.Number.unify
_as_dtype = numpy_support.as_dtype
_resolve_setitem = BaseContext.resolve_setitem


def _with_truth(self: Any, typingctx: Any, other: Any) -> Any:
    """A truth value on one path; outside Prunus as Numba has it."""
    return TRUTH_OR_INT if is_ours() and is_small(other) and not isinstance(other, types.Boolean) else None


def _with_number(self: Any, typingctx: Any, other: Any) -> Any:
    """A number of Numba's on one path."""
    return other.unify(typingctx, self) if isinstance(other, TruthOrInt) else _joined_numbers(self, typingctx, other)


def _as_items(kind: Any) -> Any:
    """NumPy's name of a type, which Numba asks for to find out what an operator gives."""
    return np.dtype("int64") if isinstance(kind, TruthOrInt) else _as_dtype(kind)


def _put(self: Any, target: Any, index: Any, value: Any) -> Any:
    """`items[i] = item`: what the items of lists and dictionaries are is said before."""
    words = mixture(target.dtype if isinstance(target, types.List) else getattr(target, "value_type", None), value) if is_ours() else ""
    if words:
        raise errors.TypingError(words)
    return _resolve_setitem(self, target, index, value)


types.Boolean.unify = _with_truth  # type: ignore[method-assign]
types.Number.unify = _with_number  # type: ignore[method-assign]
numpy_support.as_dtype = _as_items  # type: ignore[assignment]
BaseContext.resolve_setitem = _put

for _compared, _lower in (
    (operator.lt, int_slt_impl),
    (operator.le, int_sle_impl),
    (operator.gt, int_sgt_impl),
    (operator.ge, int_sge_impl),
):
    lower_builtin(_compared, TruthOrInt, TruthOrInt)(_lower)


def _ask(name: Any, is_true: bool) -> None:
    @infer_global(name)
    class Template(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            return signature(types.boolean, *args) if args == (TRUTH_OR_WIDE,) else None

    lower_builtin(name, TruthOrWide)(lambda context, builder, sig, args: args[0] if is_true else builder.not_(args[0]))


_ask(bool, True)
_ask(operator.truth, True)
_ask(operator.not_, False)

_cast_int = builtins.cast_int


@intrinsic
def _number_of(typingctx: Any, value: Any) -> Any:
    """`int(value)`, which Numba takes for the value itself where that is an integer already."""
    if isinstance(value, TruthOrInt):
        return types.int64(value), lambda context, builder, sig, args: args[0]
    return _cast_int._defn(typingctx, value)


builtins.cast_int = _number_of
