"""Values that are a truth value on one path and a number on another, for Numba: it asks here when
it joins the types of two paths.

Numba itself would turn the truth value into a number there, and forget that it was one.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numba.core import errors, ir, typeinfer, types
from numba.core.base import BaseContext as BaseTargetContext
from numba.core.ir_utils import get_definition, guard
from numba.core.typing.context import BaseContext
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.cpython import builtins
from numba.cpython.numbers import int_sge_impl, int_sgt_impl, int_sle_impl, int_slt_impl
from numba.extending import intrinsic, lower_builtin
from numba.np import numpy_support

from prunus.kernel.numbers.integers import (
    TRUTH_OR_INT,
    Either,
    TruthOrInt,
    is_small,
    may_be_derived,
    mixture,
)
from prunus.kernel.numbers.wide import TRUTH_OR_WIDE, TruthOrWide
from prunus.kernel.pipeline.inference import is_ours

_joined_numbers = types.Number.unify
_as_dtype = numpy_support.as_dtype
_plain_refinement = typeinfer.SetItemRefinement._refine_target_type
_plain_cast = BaseTargetContext.cast
_resolve_setitem = BaseContext.resolve_setitem
_plain_results = typeinfer.TypeInferer._unify_return_types


def _with_truth(self: Any, typingctx: Any, other: Any) -> Any:
    """Join a truth value with the type on another path; outside Prunus, as Numba does."""
    return (
        TRUTH_OR_INT
        if is_ours() and is_small(other) and not isinstance(other, types.Boolean)
        else None
    )


def _with_number(self: Any, typingctx: Any, other: Any) -> Any:
    """Join one of Numba's numbers with the type on another path."""
    return (
        other.unify(typingctx, self)
        if isinstance(other, TruthOrInt | types.IntEnumMember)
        else _joined_numbers(self, typingctx, other)
    )


def _as_items(kind: Any) -> Any:
    """NumPy's name of a type, from which Numba finds out an operator's result."""
    return (
        np.dtype("int64") if isinstance(kind, TruthOrInt | types.IntEnumMember) else _as_dtype(kind)
    )


def _put(self: Any, target: Any, index: Any, value: Any) -> Any:
    """`items[i] = item`: the type of the items of a list or dictionary is already fixed."""
    if (
        is_ours()
        and isinstance(target, types.List)
        and target.dtype == types.int64
        and may_be_derived(value)
        and not isinstance(value, Either)
    ):
        # The list holds truth values or members too: see `_refined`.
        target = target.copy(dtype=TRUTH_OR_INT)
    words = (
        mixture(
            target.dtype if isinstance(target, types.List) else getattr(target, "value_type", None),
            value,
        )
        if is_ours()
        else ""
    )
    if words:
        raise errors.TypingError(words)
    return _resolve_setitem(self, target, index, value)


def _refined(self: Any, inference: Any, target: Any, index: Any, value: Any, sig: Any) -> None:
    """`items[i] = a > b`, or a member of an enumeration, with plain integers as items: the list
    holds both, from its beginning on. This is refused for a list that the function did not make,
    because others would go on to read plain integers."""
    made = sig.args[0]
    if is_ours() and made != target and getattr(made, "dtype", None) is TRUTH_OR_INT:
        if not is_fresh(inference.func_ir, guard(get_definition, inference.func_ir, self.target)):
            raise errors.TypingError(mixture(types.int64, value))
        inference.add_type(self.target.name, made, loc=self.loc)
        inference.propagate_refined_type(self.target.name, made)
        return
    _plain_refinement(self, inference, target, index, value, sig)


def _joined_results(self: Any, kinds: Any) -> Any:
    """The common type of a function's results, found in the same order in every process."""
    return _plain_results(self, sorted(kinds, key=str))


_MAKERS = (
    *("list", "sorted", "sized_list", "local_list"),
    *("equal_items", "settled_list", "stack_list", "repeated"),
)
"""The functions that make a new list."""


def is_fresh(func_ir: Any, made: Any) -> bool:
    """Whether an expression makes a new list that nothing else refers to."""
    if not isinstance(made, ir.Expr):
        return False
    if made.op == "binop":
        return getattr(made.fn, "functions", (made.fn,))[0] in (operator.mul, operator.add)
    function = guard(get_definition, func_ir, made.func) if made.op == "call" else None
    made_by = getattr(function, "value", None)
    is_known = str(getattr(made_by, "__module__", "")).startswith(("builtins", "prunus.kernel."))
    return made.op == "build_list" or (is_known and getattr(made_by, "__name__", "") in _MAKERS)


def _cast(self: Any, builder: Any, value: Any, fromty: Any, toty: Any) -> Any:
    """Cast a list that has just been made to one of truth values and numbers: the items have the
    same layout in memory."""
    is_made = (
        getattr(builder, "makes_list", False)
        and isinstance(toty, types.Sequence)
        and isinstance(fromty, types.Sequence)
    )
    if is_made and toty.mutable and toty.dtype is TRUTH_OR_INT and fromty.dtype == types.int64:
        return value
    if (
        isinstance(fromty, types.List | types.Set)
        and type(fromty) is type(toty)
        and fromty.dtype != toty.dtype
    ):
        raise errors.TypingError(f"a container of other items: {fromty} where {toty} is needed")
    return _plain_cast(self, builder, value, fromty, toty)


types.Boolean.unify = _with_truth  # type: ignore[method-assign]
types.Number.unify = _with_number  # type: ignore[method-assign]
numpy_support.as_dtype = _as_items  # type: ignore[assignment]
BaseContext.resolve_setitem = _put
BaseTargetContext.cast = _cast
typeinfer.SetItemRefinement._refine_target_type = _refined
typeinfer.TypeInferer._unify_return_types = _joined_results

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

    lower_builtin(name, TruthOrWide)(
        lambda context, builder, sig, args: args[0] if is_true else builder.not_(args[0])
    )


_ask(bool, True)
_ask(operator.truth, True)
_ask(operator.not_, False)

_cast_int = builtins.cast_int


@intrinsic
def _number_of(typingctx: Any, value: Any) -> Any:
    """`int(value)`, for which Numba would return the value itself if it is already an integer."""
    if isinstance(value, TruthOrInt | types.IntEnumMember):
        return types.int64(value), lambda context, builder, sig, args: args[0]
    return _cast_int._defn(typingctx, value)


builtins.cast_int = _number_of
