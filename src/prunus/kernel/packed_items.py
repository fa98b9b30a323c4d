"""What rules do with long tuples, for Numba: items, iteration, comparison, search, joining; from Python's tuples and back."""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import RefType, iternext_impl
from numba.core.typing.templates import AbstractTemplate, infer, infer_global, signature
from numba.extending import NativeValue, box, lower_builtin, overload, overload_method, unbox

from prunus.kernel.integers import WORD, Number, word
from prunus.kernel.packed import (
    Packed,
    PackedIterator,
    home_of,
    item_pointer,
    loop,
    narrowed,
    place_for,
    read_item,
    same,
    widened,
    zero,
)


@infer_global(operator.getitem)
class _GetItem(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if len(args) == 2 and isinstance(args[0], Packed) and isinstance(args[1], Number):
            return signature(args[0].dtype, *args)
        return None


@lower_builtin(operator.getitem, Packed, types.Any)
def _get_item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind, index = sig.args[0], word(builder, sig.args[1], args[1])
    home = home_of(builder, args[0])
    if isinstance(sig.args[1], types.Integer) and sig.args[1].signed:
        index = builder.select(builder.icmp_signed("<", index, WORD(0)), builder.add(index, WORD(kind.count)), index)
    with builder.if_then(builder.icmp_unsigned(">=", index, WORD(kind.count)), likely=False):
        context.call_conv.return_user_exc(builder, IndexError, ("tuple index out of range",))
    return widened(builder, kind, builder.load(item_pointer(builder, kind, home, index)))


@infer
class _StaticGetItem(AbstractTemplate):
    key = "static_getitem"

    def generic(self, args: Any, kws: Any) -> Any:
        items, index = args
        if not isinstance(items, Packed):
            return None
        if isinstance(index, int) and -items.count <= index < items.count:
            return signature(items.dtype, *args)
        if isinstance(index, slice):
            return signature(types.UniTuple(items.dtype, len(range(items.count)[index])), *args)
        return None


@lower_builtin("static_getitem", Packed, types.Any)
def _static_get_item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind = sig.args[0]
    items, index = args
    if isinstance(index, int):
        return read_item(builder, kind, items, WORD(index % kind.count))
    return context.make_tuple(builder, sig.return_type, [read_item(builder, kind, items, WORD(i)) for i in range(kind.count)[index]])


@lower_builtin("getiter", Packed)
def _iterate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    iterator = context.make_helper(builder, sig.return_type)
    iterator.index = cgutils.alloca_once_value(builder, WORD(0))
    iterator.items = args[0]
    return iterator._getvalue()


@lower_builtin("iternext", PackedIterator)
@iternext_impl(RefType.BORROWED)
def _next(context: Any, builder: Any, sig: Any, args: Any, result: Any) -> None:
    kind = sig.args[0].items
    home = home_of(builder, builder.extract_value(args[0], 1))
    place = builder.extract_value(args[0], 0)
    index = builder.load(place)
    inside = builder.icmp_unsigned("<", index, WORD(kind.count))
    result.set_valid(inside)
    with builder.if_then(inside):
        result.yield_(widened(builder, kind, builder.load(item_pointer(builder, kind, home, index))))
        builder.store(builder.add(index, WORD(1)), place)


@overload(len)
def _length(items):
    if isinstance(items, Packed):
        count = items.count
        return lambda items: count
    return None


def _comparison(name: Any, sign: str) -> None:
    @infer_global(name)
    class Template(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            return signature(types.boolean, *args) if len(args) == 2 and isinstance(args[0], Packed) and args[0] == args[1] else None

    @lower_builtin(name, Packed, Packed)
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        equal = same(builder, sig.args[0], *args)
        return equal if sign == "==" else builder.not_(equal)


_comparison(operator.eq, "==")
_comparison(operator.ne, "!=")


@overload_method(Packed, "count")
def _count(items, value):
    def count(items, value):
        found = 0
        for item in items:
            if item == value:
                found += 1
        return found

    return count


@overload_method(Packed, "index")
def _index(items, value):
    def index(items, value):
        for i in range(len(items)):
            if items[i] == value:
                return i
        raise ValueError("tuple.index(x): x not in tuple")

    return index


@overload(operator.contains)
def _contains(items, value):
    def contains(items, value):
        for item in items:  # noqa: SIM110 - compiled as it stands
            if item == value:
                return True
        return False

    return contains if isinstance(items, Packed) else None


@overload(operator.not_)
def _is_empty(items):
    return (lambda items: len(items) == 0) if isinstance(items, Packed) else None


@overload(tuple)
def _tuple(items):
    return (lambda items: items) if isinstance(items, Packed) else None


@overload(sum)
def _sum(items, start=0):
    def add(items, start=0):
        total = start
        for item in items:
            total += item
        return total

    return add if isinstance(items, Packed) else None


@overload(min)
def _least(items):
    def least(items):
        best = items[0]
        for item in items:
            best = min(best, item)
        return best

    return least if isinstance(items, Packed) else None


@overload(max)
def _greatest(items):
    def greatest(items):
        best = items[0]
        for item in items:
            best = max(best, item)
        return best

    return greatest if isinstance(items, Packed) else None


# From Python's tuples and back.


@unbox(Packed)
def _unbox(kind: Any, value: Any, c: Any) -> Any:
    builder = c.builder
    home = place_for(builder, zero(kind).type)
    builder.store(zero(kind), home)
    get = c.pyapi._get_function(ir.FunctionType(c.pyapi.pyobj, [c.pyapi.pyobj, WORD]), name="PyTuple_GetItem")
    failed = cgutils.alloca_once_value(builder, builder.icmp_signed("!=", c.pyapi.tuple_size(value), WORD(kind.count)))
    with cgutils.if_likely(builder, builder.not_(builder.load(failed))), loop(builder, kind.count) as step:
        item = builder.call(get, [value, step.index])
        number = c.pyapi.long_as_ulonglong(item) if kind.width == 64 and not kind.signed else c.pyapi.long_as_longlong(item)
        builder.store(narrowed(builder, kind, number), item_pointer(builder, kind, home, step.index))
    with builder.if_then(builder.load(failed), likely=False):
        c.pyapi.err_format("PyExc_ValueError", f"this code was compiled for tuples of {kind.count} items")
    return NativeValue(builder.load(home), is_error=builder.or_(builder.load(failed), cgutils.is_not_null(builder, c.pyapi.err_occurred())))


@box(Packed)
def _box(kind: Any, value: Any, c: Any) -> Any:
    made = c.pyapi.tuple_new(kind.count)
    for i in range(kind.count):
        c.pyapi.tuple_setitem(made, i, c.box(kind.dtype, read_item(c.builder, kind, value, WORD(i))))
    return made
