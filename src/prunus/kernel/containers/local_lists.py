"""Lists that never leave the function that makes them from a tuple: `cells = list(state.cells)`,
changed and turned back by `tuple(cells)`.

They need no heap memory: the items lie side by side on the stack, as in the long tuple they come
from, and the list is their address. `escapes.py` finds these lists. A list that becomes a tuple
again keeps the width of that tuple's items: storing a number outside their range, which the tuple
could not hold, raises OverflowError.
"""

from __future__ import annotations

import operator
from typing import Any

from numba.core import errors, types
from numba.core.imputils import RefType, iternext_impl
from numba.core.types.abstract import IteratorType
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import (
    intrinsic,
    lower_builtin,
    models,
    overload,
    overload_method,
    register_model,
)

from prunus.core.bits import i64, u8, u64
from prunus.core.state import is_long
from prunus.kernel.boards.homes import at_home, copy_whole, lasting_place, place_for, store_whole
from prunus.kernel.boards.packed import Packed
from prunus.kernel.boards.packed_values import item_pointer, narrowed, read_item, widened
from prunus.kernel.boards.states import pack, stored_item
from prunus.kernel.containers.reversing import backwards
from prunus.kernel.containers.sequences import sized_list, tuple_of
from prunus.kernel.numbers.integers import TRUTH_OR_INT, U64, WORD, Number, may_be_derived, mixture
from prunus.kernel.numbers.words import signed_word, word
from prunus.kernel.reporting.raising import fail_if


class LocalList(types.Sequence):
    """The type of a list on the stack. `items` is the type of a long tuple with the same items; it
    is a mixed one if truth values and numbers are stored together."""

    mutable = True

    def __init__(self, items: Packed) -> None:
        # Python's list would keep a number stored among truth values unchanged.
        self.items = Packed(bool, items.count, True) if items.scalar is bool else items
        self.dtype = self.items.dtype
        super().__init__(f"list of a {self.items}")

    def unify(self, typingctx: Any, other: Any) -> Any:
        """The type of the list once truth values are found to be stored in it."""
        fits = isinstance(other, LocalList) and (other.items.scalar, other.items.count) == (
            self.items.scalar,
            self.items.count,
        )
        return with_truths(self) if fits else None

    @property
    def iterator_type(self) -> Any:
        """The type that `iter` gives."""
        return LocalIterator(self)

    def __reduce__(self) -> Any:
        return LocalList, (self.items,)


class LocalIterator(IteratorType):
    """The type of an iterator over such a list."""

    def __init__(self, of: LocalList) -> None:
        self.of = of
        super().__init__(f"iterator of a {of}")

    @property
    def yield_type(self) -> Any:
        """The type of its items."""
        return self.of.dtype

    def __reduce__(self) -> Any:
        return LocalIterator, (self.of,)


@register_model(LocalList)
class _ListModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, manager.lookup(kind.items).get_value_type().as_pointer())


@register_model(LocalIterator)
class _IteratorModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(
            manager, kind, [("index", types.EphemeralPointer(types.intp)), ("items", kind.of)]
        )


def with_truths(kind: LocalList) -> LocalList:
    """The type of the same list with truth values, or members of enumerations, stored in it."""
    return LocalList(
        Packed(kind.items.scalar, kind.items.count, kind.items.mixed or kind.dtype == types.int64)
    )


_SCALARS = {bool: types.boolean, u64: U64}
"""The type of a stored item of a scalar, if it is not a plain integer."""


def local_list(items, becomes_tuple):
    """`list(items)` in compiled code, for a list that stays in the function; `becomes_tuple` if it
    is turned into a tuple again."""
    raise NotImplementedError


_PLAIN = {types.boolean: bool, U64: u64, types.int64: i64, TRUTH_OR_INT: i64}
"""The widest scalar for items of a Numba type."""


def kind_of_items(items: Any, becomes_tuple: bool) -> Any:
    """The long tuple type that holds the items of a list; None if such a list cannot be on the
    stack."""
    if isinstance(items, LocalList):
        return items.items
    if isinstance(items, Packed):
        return (
            items
            if becomes_tuple or items.scalar in (bool, u64)
            else Packed(i64, items.count, items.mixed)
        )
    if isinstance(items, types.UniTuple | types.NamedUniTuple) and items.count:
        scalar = _PLAIN.get(types.unliteral(items.dtype))
        return None if scalar is None else Packed(scalar, items.count, items.dtype is TRUTH_OR_INT)
    return None


@infer_global(local_list)
class _LocalList(AbstractTemplate):
    prefer_literal = True

    def generic(self, args: Any, kws: Any) -> Any:
        if not isinstance(args[1], types.Literal):
            return None
        kind = kind_of_items(args[0], args[1].literal_value)
        if kind is not None:
            return signature(LocalList(kind), *args)
        plain = self.context.resolve_function_type(sized_list, args[:1], {})
        return None if plain is None else signature(plain.return_type, *args)


@lower_builtin(local_list, types.Any, types.Any)
def _make(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    made, kind = sig.return_type, sig.args[0]
    if not isinstance(made, LocalList):
        return called_instead(context, builder, sized_list, kind, args[0])
    items = args[0]
    if not isinstance(kind, LocalList):
        items = pack(context, builder, made.items, kind, items)
    place = lasting_place(builder, context.get_value_type(made.items))
    if isinstance(kind, LocalList):
        copy_whole(builder, place, items, items.type.pointee)
    else:
        store_whole(builder, items, place)
    return place


def called_instead(context: Any, builder: Any, function: Any, kind: Any, items: Any) -> Any:
    """What a function of one argument makes, for items that cannot lie on the stack."""
    resolved = context.typing_context.resolve_value_type(function)
    call = context.get_function(
        resolved, resolved.get_call_type(context.typing_context, (kind,), {})
    )
    context.add_linking_libs(getattr(call, "libs", ()))
    return call(builder, [items])


def _frozen_items(builder: Any, items: Any) -> Any:
    """The long tuple of a list's current items."""
    # Copied to separate storage: where a value lies must not change.
    kind = items.type.pointee
    place = place_for(builder, kind)
    copy_whole(builder, place, items, kind)
    return at_home(builder, place)


@intrinsic
def _frozen(typingctx, items):
    """The same as a function."""
    return items.items(items), lambda context, builder, sig, args: _frozen_items(builder, args[0])


@infer_global(tuple_of)
class _TupleOf(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if not isinstance(args[0], LocalList):
            return None
        items = args[0].items
        long = is_long(items.scalar, items.count)
        return signature(items if long else types.UniTuple(items.dtype, items.count), *args)


@lower_builtin(tuple_of, LocalList, types.Any)
def _tuple_of(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    made, kind = sig.return_type, sig.args[0].items
    if isinstance(made, Packed):
        return _frozen_items(builder, args[0])
    value = builder.load(args[0])
    return context.make_tuple(
        builder, made, [read_item(builder, kind, value, WORD(i)) for i in range(kind.count)]
    )


def place_within(
    context: Any, builder: Any, index_kind: Any, index: Any, count: int, text: str
) -> Any:
    """The place that an index, which may count from the end, names among `count` items; one out of
    range raises IndexError with a text."""
    place = signed_word(context, builder, index_kind, index)
    from_end = builder.icmp_signed("<", place, WORD(0))
    place = builder.select(from_end, builder.add(place, WORD(count)), place)
    outside = builder.icmp_unsigned(">=", place, WORD(count))
    fail_if(context, builder, outside, IndexError, text)
    return place


def _place_of(
    context: Any, builder: Any, kind: LocalList, items: Any, index_kind: Any, index: Any, text: str
) -> Any:
    """The address of an item; an index out of range raises IndexError with a text."""
    place = place_within(context, builder, index_kind, index, kind.items.count, text)
    return item_pointer(builder, kind.items, items, place)


@infer_global(operator.getitem)
class _GetItem(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        fits = len(args) == 2 and isinstance(args[0], LocalList) and isinstance(args[1], Number)
        return signature(args[0].dtype, *args) if fits else None


@lower_builtin(operator.getitem, LocalList, types.Any)
def _get_item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind = sig.args[0]
    return read_place(
        builder,
        kind,
        _place_of(context, builder, kind, args[0], sig.args[1], args[1], "list index out of range"),
    )


def read_place(builder: Any, kind: LocalList, place: Any) -> Any:
    """The item at an address."""
    return widened(builder, kind.items, builder.load(place))


@infer_global(operator.setitem)
class _SetItem(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if (
            len(args) != 3
            or not isinstance(args[0], LocalList)
            or not all(isinstance(kind, Number) for kind in args[1:])
        ):
            return None
        kind = with_truths(args[0]) if may_be_derived(args[2]) else args[0]
        if mixture(kind.dtype, args[2]):
            raise errors.TypingError(mixture(kind.dtype, args[2]))
        return signature(types.none, kind, *args[1:])


@lower_builtin(operator.setitem, LocalList, types.Any, types.Any)
def _set_item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind = sig.args[0]
    place = _place_of(
        context, builder, kind, args[0], sig.args[1], args[1], "list assignment index out of range"
    )
    where = "an item of a list that becomes a tuple"
    if kind.items.scalar is bool and not isinstance(sig.args[2], types.Boolean):
        # Python's list would hold the number itself.
        stored_item(context, builder, u8, sig.args[2], args[2], where)
        number = word(builder, sig.args[2], args[2])
        fail_if(
            context,
            builder,
            builder.icmp_unsigned(">", number, WORD(1)),
            OverflowError,
            "a number other than 0 and 1 is put into a list of truth values: begin the list with "
            "numbers, `[0] * n`",
        )
    item = stored_item(context, builder, kind.items.scalar, sig.args[2], args[2], where)
    builder.store(
        narrowed(
            builder, kind.items, word(builder, _SCALARS.get(kind.items.scalar, types.int64), item)
        ),
        place,
    )
    return context.get_dummy_value()


@lower_builtin("getiter", LocalList)
def _iterate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    iterator = context.make_helper(builder, sig.return_type)
    place = place_for(builder, WORD)
    builder.store(WORD(0), place)
    iterator.index, iterator.items = place, args[0]
    return iterator._getvalue()


@lower_builtin("iternext", LocalIterator)
@iternext_impl(RefType.BORROWED)
def _next(context: Any, builder: Any, sig: Any, args: Any, result: Any) -> None:
    kind = sig.args[0].of.items
    place, items = builder.extract_value(args[0], 0), builder.extract_value(args[0], 1)
    index = builder.load(place)
    inside = builder.icmp_unsigned("<", index, WORD(kind.count))
    result.set_valid(inside)
    with builder.if_then(inside):
        result.yield_(
            read_place(builder, sig.args[0].of, item_pointer(builder, kind, items, index))
        )
        builder.store(builder.add(index, WORD(1)), place)


@overload(len)
def _length(items):
    if isinstance(items, LocalList):
        count = items.items.count
        return lambda items: count
    return None


@overload(bool)
def _truth(items):
    return (lambda items: len(items) > 0) if isinstance(items, LocalList) else None


@overload(operator.not_)
def _not(items):
    return (lambda items: len(items) == 0) if isinstance(items, LocalList) else None


@overload(operator.contains)
def _contains(items, value):
    return (lambda items, value: value in _frozen(items)) if isinstance(items, LocalList) else None


@overload(backwards)
def _backwards(items):
    return (lambda items: _frozen(items)[::-1]) if isinstance(items, LocalList) else None


@overload(sum)
def _sum(items, start=0):
    return (
        (lambda items, start=0: sum(_frozen(items), start))
        if isinstance(items, LocalList)
        else None
    )


@overload(min)
def _least(items):
    return (lambda items: min(_frozen(items))) if isinstance(items, LocalList) else None


@overload(max)
def _greatest(items):
    return (lambda items: max(_frozen(items))) if isinstance(items, LocalList) else None


@overload_method(LocalList, "count")
def _count(items, value):
    return lambda items, value: _frozen(items).count(value)


@overload_method(LocalList, "index")
def _index(items, value):
    def index(items, value):
        for i, item in enumerate(items):
            if item == value:
                return i
        raise ValueError("the value is not in the list")

    return index
