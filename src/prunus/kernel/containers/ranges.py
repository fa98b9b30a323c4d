"""Ranges in compiled code. Numba's count of a range's items wraps if first and last are further
apart than 2**63, and so does its `in`; such a range raises here."""

from __future__ import annotations

import operator
from typing import Any

from numba.core import cgutils, types
from numba.core.imputils import impl_ret_untracked, lower_builtin
from numba.core.typing.builtins import Range
from numba.cpython import rangeobj
from numba.extending import overload

from prunus.kernel.containers.hashes import replace
from prunus.kernel.numbers.integers import WORD, Number
from prunus.kernel.numbers.intrinsics import as_signed
from prunus.kernel.numbers.operators import OPERATIONS
from prunus.kernel.numbers.wide import AnyNumber
from prunus.kernel.pipeline.inference import is_ours
from prunus.kernel.reporting.raising import fail_if

TOO_LONG = "a range whose ends are 2**63 or more apart cannot be used in compiled code"

_plain_apply = Range.apply


def _apply(self: Any, args: Any, kws: Any) -> Any:
    """Numba makes a range of truth values one of 32 bits, whose items are not plain integers."""
    if is_ours():
        args = tuple(types.int64 if isinstance(arg, types.Boolean) else arg for arg in args)
    return _plain_apply(self, args, kws)


Range.apply = _apply

_KIND, _ITERATOR = types.range_state64_type, types.range_iter64_type

_difference, _rest = OPERATIONS[operator.sub], OPERATIONS[operator.mod]


@lower_builtin(range, types.int64, types.int64, types.int64)
def _range(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """A range of three numbers; that its step is not 0 is checked here, as in Python."""
    made = cgutils.create_struct_proxy(_KIND)(context, builder)
    made.start, made.stop, made.step = args
    fail_if(
        context,
        builder,
        builder.icmp_unsigned("==", made.step, WORD(0)),
        ValueError,
        "range() arg 3 must not be zero",
    )
    return impl_ret_untracked(context, builder, _KIND, made._getvalue())


def _count(context: Any, builder: Any, state: Any) -> Any:
    """The number of items."""
    start, stop, step = state.start, state.stop, state.step
    zero, one = WORD(0), WORD(1)
    up = builder.icmp_signed(">", step, zero)
    low, high = builder.select(up, start, stop), builder.select(up, stop, start)
    size = builder.select(up, step, builder.neg(step))
    # LLVM knows the distance of `range(i, i + 8)`, not the order of its ends: the distance decides.
    apart = builder.sub(high, low)
    has_items = builder.icmp_signed(">", apart, zero)
    wraps = builder.xor(has_items, builder.icmp_signed("<", low, high))
    fail_if(context, builder, wraps, OverflowError, TOO_LONG)
    count = builder.add(builder.udiv(builder.sub(apart, one), size), one)
    return builder.select(has_items, count, zero)


@lower_builtin(len, _KIND)
def _len(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    state = cgutils.create_struct_proxy(_KIND)(context, builder, args[0])
    return _count(context, builder, state)


@lower_builtin("getiter", _KIND)
def _iterator(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    state = cgutils.create_struct_proxy(_KIND)(context, builder, args[0])
    made = cgutils.create_struct_proxy(_ITERATOR)(context, builder)
    made.iter = cgutils.alloca_once_value(builder, state.start)
    made.stop, made.step = state.stop, state.step
    count = _count(context, builder, state)
    made.count = cgutils.alloca_once_value(builder, count)
    return impl_ret_untracked(context, builder, _ITERATOR, made._getvalue())


_numbas_in = type(rangeobj.impl_contains)(
    rangeobj.impl_contains.__code__, rangeobj.impl_contains.__globals__, "impl_contains"
)


def _contains(robj, val):
    if not isinstance(robj, types.RangeType) or not isinstance(val, AnyNumber):
        return _numbas_in(robj, val)

    def has(robj, val):
        start, stop, step = robj.start, robj.stop, robj.step
        if step > 0 and (val < start or val >= stop):
            return False
        if step < 0 and (val <= stop or val > start):
            return False
        return abs(step) == 1 or _rest(_difference(as_signed(val), start), step) == 0

    return has


replace(rangeobj.impl_contains, _contains)


@overload(operator.getitem)
def _item(items, index):
    if not (isinstance(items, types.RangeType) and isinstance(index, Number)):
        return None

    def item(items, index):
        place = as_signed(index)
        if place < 0:
            place += len(items)
        if place < 0 or place >= len(items):
            raise IndexError("range object index out of range")
        return items.start + place * items.step

    return item
