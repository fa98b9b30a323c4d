"""Python's functions of packed tuples: `len`, `count`, `index`, `in`, `reversed`, `sum`, `min`,
`max`, `hash`."""

from __future__ import annotations

import operator
from functools import reduce
from typing import Any

from llvmlite import ir as native
from numba.core import types
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, overload, overload_method

from prunus.core.bits import i64, u64
from prunus.kernel.boards.homes import NUMBER
from prunus.kernel.boards.packed import Packed
from prunus.kernel.boards.packed_values import lanes_where, widened
from prunus.kernel.numbers.integers import WORD
from prunus.kernel.numbers.operators import OPERATIONS
from prunus.kernel.numbers.words import word


@overload(len)
def _length(items):
    if isinstance(items, Packed):
        count = items.count
        return lambda items: count
    return None


def _matches(builder: Any, kind: Packed, items: Any, given: Any, value: Any) -> list[Any]:
    """For each of a packed tuple's vectors an integer with a bit for each item, which tells whether
    the item equals a number."""
    number = word(builder, given, value)
    single = builder.trunc(number, kind.item) if kind.width < 64 else number
    fits = builder.icmp_signed("==", widened(builder, kind, single), number)
    nothing = native.Constant(kind.vector, native.Undefined)
    spread = builder.shuffle_vector(
        builder.insert_element(nothing, single, NUMBER(0)),
        nothing,
        native.Constant(native.VectorType(NUMBER, kind.lanes), None),
    )
    none = native.IntType(kind.lanes)(0)
    return [
        builder.select(fits, found, none)
        for found in lanes_where(
            builder, kind, items, lambda part: builder.icmp_unsigned("==", part, spread)
        )
    ]


def _is_matched(items: Any, value: Any) -> bool:
    """Whether `_matches` is for items and values of these types."""
    return items.scalar is not bool and items.width < 64 and value in _PLAIN


_PLAIN = (types.int64, types.boolean)


@intrinsic
def _number_of(typingctx, items, value):
    def lower(context, builder, sig, args):
        found = _matches(builder, sig.args[0], args[0], sig.args[1], args[1])
        bits = found[0].type
        wide = [builder.zext(mask, WORD) if bits.width < 64 else mask for mask in found]
        return reduce(builder.add, map(builder.ctpop, wide))

    return types.int64(items, types.unliteral(value)), lower


@overload_method(Packed, "count")
def _count(items, value):
    if _is_matched(items, types.unliteral(value)):
        return lambda items, value: _number_of(items, value)  # noqa: PLW0108 - compiled

    def count(items, value):
        found = 0
        for item in items:
            if item == value:
                found += 1
        return found

    return count


_ALL = 1 << 62
"""More items than any tuple has."""


@overload_method(Packed, "index")
def _index(items, value, start=0, stop=_ALL):
    if not all(isinstance(place, int | types.Integer | types.Omitted) for place in (start, stop)):
        return None

    def index(items, value, start=0, stop=_ALL):
        for i in range(*slice(start, stop).indices(len(items))):
            if items[i] == value:
                return i
        raise ValueError("tuple.index(x): x not in tuple")

    return index


@lower_builtin(operator.contains, Packed, types.Any)
def _contains(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind, given = sig.args[0], types.unliteral(sig.args[1])
    if _is_matched(kind, given):
        found = reduce(builder.or_, _matches(builder, kind, args[0], given, args[1]))
        return builder.icmp_unsigned("!=", found, found.type(0))

    def contains(items, value):
        for item in items:  # noqa: SIM110 - compiled as it stands
            if item == value:
                return True
        return False

    return context.compile_internal(builder, contains, sig, args)


@overload(operator.not_)
def _is_empty(items):
    return (lambda items: len(items) == 0) if isinstance(items, Packed) else None


@overload(reversed)
def _reversed(items):
    return (lambda items: items[::-1]) if isinstance(items, Packed) else None


_plus = OPERATIONS[operator.add]
"""The sum with a check: the operators in Numba's overloads wrap."""


@overload(sum)
def _sum(items, start=0):
    def add(items, start=0):
        total = start
        for item in items:
            total = _plus(total, item)
        return total

    return add if isinstance(items, Packed) else None


NARROW = 32
"""The bits up to which the sum of a tuple's items certainly fits 64 bits."""


def add_item(total, item, items):
    """`total + item` in compiled code, for the sum of all of `items` so far."""
    raise NotImplementedError


@infer_global(add_item)
class _AddItem(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        total, item, items = args
        if is_narrow(items) and types.unliteral(total) == types.int64:
            return signature(types.int64, types.int64, types.unliteral(item), items)
        plain = self.context.resolve_function_type(OPERATIONS[operator.add], args[:2], {})
        return None if plain is None else signature(plain.return_type, *plain.args, items)


def is_narrow(items: Any) -> bool:
    """Whether the sum of all items certainly fits 64 bits."""
    packed = getattr(items, "items", items)  # those of a list on the stack
    return isinstance(packed, Packed) and packed.width <= NARROW and not packed.mixed


@lower_builtin(add_item, types.Any, types.Any, types.Any)
def _add_item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    if is_narrow(sig.args[2]):
        return builder.add(args[0], word(builder, sig.args[1], args[1]), flags=("nsw",))
    plain = context.typing_context.resolve_value_type(OPERATIONS[operator.add])
    call = context.get_function(
        plain, plain.get_call_type(context.typing_context, sig.args[:2], {})
    )
    context.add_linking_libs(getattr(call, "libs", ()))
    return call(builder, args[:2])


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


_FIRST, _SECOND, _LAST = (
    u64(11400714785074694791),
    u64(14029467366897019727),
    u64(2870177450012600261),
)


@overload_method(Packed, "__hash__")
def _hash(self):
    """Python's own hash: xxHash over the hashes of the items (CPython's `tupleobject.c`)."""

    def hashed(self):
        found = _LAST
        for item in self:
            found += u64(hash(item)) * _SECOND
            found = ((found << 31) | (found >> 33)) * _FIRST
        found += len(self) ^ (_LAST ^ 3527539)
        return i64(found) if found != 0xFFFFFFFFFFFFFFFF else 1546275796

    return hashed
