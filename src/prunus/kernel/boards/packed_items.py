"""Operations of rules on long tuples, for Numba: items, iteration, comparison, search, joining;
conversion from and to Python's tuples."""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba.core import cgutils, errors, types
from numba.core.imputils import RefType, iternext_impl
from numba.core.typing.templates import AbstractTemplate, infer, infer_global, signature
from numba.extending import NativeValue, box, intrinsic, lower_builtin, overload, unbox

from prunus.core.bits import i64, u64
from prunus.core.state import is_long
from prunus.kernel.boards.homes import home_of
from prunus.kernel.boards.packed import Packed, PackedIterator
from prunus.kernel.boards.packed_values import (
    item_pointer,
    loop,
    narrowed,
    new_home,
    read_item,
    same,
    widened,
)
from prunus.kernel.numbers.integers import TRUTH_OR_INT, U64, WORD, Number
from prunus.kernel.numbers.words import signed_word, word
from prunus.kernel.reporting.raising import fail_if


@infer_global(operator.getitem)
class _GetItem(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if len(args) != 2 or not isinstance(args[0], Packed):
            return None
        return signature(args[0].dtype, *args) if isinstance(args[1], Number) else None


@lower_builtin(operator.getitem, Packed, types.Any)
def _get_item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    if isinstance(sig.args[1], types.SliceType):
        raise errors.TypingError("a tuple cannot be sliced at a variable place in compiled code")
    kind, index = sig.args[0], signed_word(context, builder, sig.args[1], args[1])
    home = home_of(builder, args[0])
    if isinstance(sig.args[1], types.Integer) and sig.args[1].signed:
        index = builder.select(
            builder.icmp_signed("<", index, WORD(0)), builder.add(index, WORD(kind.count)), index
        )
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
        if isinstance(index, int):
            return signature(items.dtype, *args)
        if isinstance(index, slice):
            count = len(range(items.count)[index])
            long = is_long(items.scalar, count)
            return signature(
                Packed(items.scalar, count, items.mixed)
                if long
                else types.UniTuple(items.dtype, count),
                *args,
            )
        return None


@lower_builtin("static_getitem", Packed, types.Any)
def _static_get_item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind, made = sig.args[0], sig.return_type
    items, index = args
    if isinstance(index, int) and not -kind.count <= index < kind.count:
        fail_if(context, builder, cgutils.true_bit, IndexError, "tuple index out of range")
        return context.get_constant_null(made)
    if isinstance(index, int):
        return read_item(builder, kind, items, WORD(index % kind.count))
    places = range(kind.count)[index]
    if not isinstance(made, Packed):
        return context.make_tuple(
            builder, made, [read_item(builder, kind, items, WORD(i)) for i in places]
        )
    source, home = home_of(builder, items), new_home(builder, made)
    with loop(builder, len(places)) as step:
        place = builder.add(WORD(places.start), builder.mul(WORD(places.step), step.index))
        builder.store(
            builder.load(item_pointer(builder, kind, source, place)),
            item_pointer(builder, made, home, step.index),
        )
    return builder.load(home)


@infer_global(operator.add)
class _Join(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if len(args) != 2 or not any(isinstance(side, Packed) for side in args):
            return None
        if not all(
            isinstance(side, Packed) or (isinstance(side, types.BaseTuple) and _are_numbers(side))
            for side in args
        ):
            return None
        scalars = {side.scalar for side in args if isinstance(side, Packed)}
        if len(scalars) == 2 or not all(
            isinstance(side, Packed) or len(side) == 0 for side in args
        ):
            items = {
                types.unliteral(item)
                for side in args
                for item in ((side.dtype,) if isinstance(side, Packed) else side.types)
            }
            scalars = {_scalar_of(items)}
        mixed = any(isinstance(side, Packed) and side.mixed for side in args)
        return (
            None
            if None in scalars
            else signature(Packed(scalars.pop(), sum(map(len, args)), mixed), *args)
        )


def _are_numbers(kind: Any) -> bool:
    return all(types.unliteral(item) in (types.int64, types.boolean, U64) for item in kind.types)


def _scalar_of(items: set[Any]) -> Any:
    """The scalar type that can hold numbers of all these Numba types; None if there is none."""
    if items == {types.boolean}:
        return bool
    items = {types.int64 if item is TRUTH_OR_INT else item for item in items}
    return None if {U64, types.int64} <= items else u64 if U64 in items else i64


@lower_builtin(operator.add, Packed, types.Any)
@lower_builtin(operator.add, types.BaseTuple, Packed)
def _join(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    made = sig.return_type
    home, begin = new_home(builder, made), 0
    for kind, value in zip(sig.args, args, strict=True):
        if isinstance(kind, Packed):
            source = home_of(builder, value)
            with loop(builder, kind.count) as step:
                item = word(
                    builder,
                    kind.dtype,
                    widened(
                        builder, kind, builder.load(item_pointer(builder, kind, source, step.index))
                    ),
                )
                place = item_pointer(builder, made, home, builder.add(step.index, WORD(begin)))
                builder.store(narrowed(builder, made, item), place)
        else:
            for i, item_kind in enumerate(kind.types):
                item = word(builder, item_kind, builder.extract_value(value, i))
                builder.store(
                    narrowed(builder, made, item),
                    item_pointer(builder, made, home, WORD(begin + i)),
                )
        begin += len(kind)
    return builder.load(home)


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
        result.yield_(
            widened(builder, kind, builder.load(item_pointer(builder, kind, home, index)))
        )
        builder.store(builder.add(index, WORD(1)), place)


def _comparison(name: Any, symbol: str) -> None:
    @infer_global(name)
    class Template(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            return (
                signature(types.boolean, *args)
                if len(args) == 2 and isinstance(args[0], Packed) and args[0] == args[1]
                else None
            )

    @lower_builtin(name, Packed, Packed)
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        equal = same(builder, sig.args[0], *args)
        return equal if symbol == "==" else builder.not_(equal)


@intrinsic
def _lengthened(typingctx: Any, items: Any) -> Any:
    """A tuple of numbers as a packed one, however short."""
    made = Packed(_scalar_of(set(map(types.unliteral, items.types))), len(items))

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        home = new_home(builder, made)
        for i, kind in enumerate(sig.args[0].types):
            item = word(builder, kind, builder.extract_value(args[0], i))
            builder.store(narrowed(builder, made, item), item_pointer(builder, made, home, WORD(i)))
        return builder.load(home)

    return made(items), lower


def _order(name: Any) -> None:
    def ordered(left, right):
        for i in range(min(len(left), len(right))):
            if left[i] != right[i]:
                return name(left[i], right[i])
        return name(len(left), len(right))

    @overload(name)
    def compare(left, right):
        sides = (left, right)
        if not any(isinstance(side, Packed) for side in sides) or (
            left == right and name in (operator.eq, operator.ne)
        ):
            return None
        if all(isinstance(side, Packed) for side in sides):
            return ordered
        other = right if isinstance(left, Packed) else left
        if not isinstance(other, types.BaseTuple) or len(other) == 0 or not _are_numbers(other):
            return None
        if _scalar_of(set(map(types.unliteral, other.types))) is None:
            return None
        if other is right:
            return lambda left, right: name(left, _lengthened(right))
        return lambda left, right: name(_lengthened(left), right)


for _operator in (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge):
    _order(_operator)

_comparison(operator.eq, "==")
_comparison(operator.ne, "!=")


# Conversion from and to Python's tuples.


@unbox(Packed)
def _unbox(kind: Any, value: Any, c: Any) -> Any:
    builder = c.builder
    home = new_home(builder, kind)
    get = c.pyapi._get_function(
        ir.FunctionType(c.pyapi.pyobj, [c.pyapi.pyobj, WORD]), name="PyTuple_GetItem"
    )
    failed = cgutils.alloca_once_value(
        builder, builder.icmp_signed("!=", c.pyapi.tuple_size(value), WORD(kind.count))
    )
    with (
        cgutils.if_likely(builder, builder.not_(builder.load(failed))),
        loop(builder, kind.count) as step,
    ):
        item = builder.call(get, [value, step.index])
        number = (
            c.pyapi.long_as_ulonglong(item)
            if kind.width == 64 and not kind.signed
            else c.pyapi.long_as_longlong(item)
        )
        builder.store(
            narrowed(builder, kind, number), item_pointer(builder, kind, home, step.index)
        )
    with builder.if_then(builder.load(failed), likely=False):
        c.pyapi.err_format(
            "PyExc_ValueError", f"this code was compiled for tuples of {kind.count} items"
        )
    return NativeValue(
        builder.load(home),
        is_error=builder.or_(
            builder.load(failed), cgutils.is_not_null(builder, c.pyapi.err_occurred())
        ),
    )


@box(Packed)
def _box(kind: Any, value: Any, c: Any) -> Any:
    made = c.pyapi.tuple_new(kind.count)
    for i in range(kind.count):
        c.pyapi.tuple_setitem(
            made, i, c.box(kind.dtype, read_item(c.builder, kind, value, WORD(i)))
        )
    return made
