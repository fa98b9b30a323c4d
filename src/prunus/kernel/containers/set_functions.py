"""What is done with sets on the stack (`stack_sets.py`): items are added, discarded and looked for;
sets are counted and compared."""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing.templates import (
    AbstractTemplate,
    AttributeTemplate,
    bound_function,
    infer_getattr,
    infer_global,
    signature,
)
from numba.extending import intrinsic, lower_builtin, overload, overload_method

from prunus.kernel.containers.set_lookups import as_item, asked_as, other_kind
from prunus.kernel.containers.stack_sets import (
    FIRST,
    StackSet,
    has_rest,
    head_of,
    make_empty,
    place_of,
    rest_of,
    word_and_bit,
    words_of,
)
from prunus.kernel.numbers.integers import WORD


def _add_rest(items, item):
    rest_of(items).add(item)


def _discard_rest(items, item):
    if has_rest(items):
        rest_of(items).discard(item)


def _is_in_rest(items, item):
    return has_rest(items) and item in rest_of(items)


def _change(context: Any, builder: Any, sig: Any, args: Any, adds: bool) -> Any:
    """Add or discard an item."""
    kind, item_kind = sig.args
    head = head_of(context, builder, kind, args[0])
    inside, number = place_of(builder, kind, item_kind, args[1])
    with builder.if_else(inside, likely=True) as (as_bit, elsewhere):
        with as_bit:
            place, bit = word_and_bit(builder, head, number)
            before = builder.load(place)
            after = builder.or_(before, bit) if adds else builder.and_(before, builder.not_(bit))
            builder.store(after, place)
        with elsewhere:
            change = _add_rest if adds else _discard_rest
            context.compile_internal(builder, change, signature(types.none, *sig.args), args)
    return context.get_dummy_value()


@infer_getattr
class _Methods(AttributeTemplate):
    key = StackSet

    @bound_function("stackset.add")
    def resolve_add(self, items: Any, args: Any, kws: Any) -> Any:
        """`items.add(item)`, which may tell the type of the items."""
        unified = self.context.unify_pairs(items.dtype, args[0])
        if unified is None:
            return None
        known = StackSet(unified)
        return signature(types.none, known.dtype).replace(recvr=known)

    @bound_function("stackset.holds")
    def resolve_prunus_holds(self, items: Any, args: Any, kws: Any) -> Any:
        """The set holds such an item, if nothing else tells the type (`empties.HOLDS`)."""
        told = signature(types.none, *args)
        return (
            told if items.is_precise() else told.replace(recvr=StackSet(types.unliteral(args[0])))
        )

    @bound_function("stackset.update")
    def resolve_update(self, items: Any, args: Any, kws: Any) -> Any:
        """The same for the items of something that can be iterated over."""
        if len(args) != 1 or not isinstance(args[0], types.IterableType):
            return None
        unified = self.context.unify_pairs(items.dtype, args[0].iterator_type.yield_type)
        if unified is None:
            return None
        return signature(types.none, *args).replace(recvr=StackSet(unified))


@lower_builtin("stackset.holds", StackSet, types.Any)
def _hold(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return context.get_dummy_value()


@lower_builtin("stackset.add", StackSet, types.Any)
def _add(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _change(context, builder, sig, args, True)


def _add_each(items, others):
    for item in others:
        items.add(item)


@lower_builtin("stackset.update", StackSet, types.Any)
def _update(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return context.compile_internal(builder, _add_each, sig, args)


@intrinsic
def _discard(typingctx, items, item):
    """Remove an item if it is there."""
    asked = asked_as(typingctx, items.plain, item)
    return (
        None if asked is None else (types.none(items, asked), lambda *given: _change(*given, False))
    )


@overload_method(StackSet, "discard")
def _discard_method(items, item):
    can_be, made = as_item(items, item)

    def discard(items, item):
        if can_be(item):
            _discard(items, made(item))

    return discard


@overload_method(StackSet, "remove")
def _remove(items, item):
    def remove(items, item):
        if item not in items:
            raise KeyError(item)
        items.discard(item)

    return remove


@overload_method(StackSet, "clear")
def _clear_method(items):
    return lambda items: _empty(items)  # noqa: PLW0108 - Numba compiles the lambda


@intrinsic
def _empty(typingctx, items):
    """Remove all items."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        make_empty(context, builder, sig.args[0], head_of(context, builder, sig.args[0], args[0]))
        return context.get_dummy_value()

    return types.none(items), lower


@infer_global(operator.contains)
class _Contains(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if len(args) != 2 or not isinstance(args[0], StackSet):
            return None
        if other_kind(args[0].dtype, args[1]):
            return None
        asked = asked_as(self.context, args[0].plain, args[1])
        return None if asked is None else signature(types.boolean, args[0], asked)


@lower_builtin(operator.contains, StackSet, types.Any)
def _is_in(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind, item_kind = sig.args
    head = head_of(context, builder, kind, args[0])
    inside, number = place_of(builder, kind, item_kind, args[1])
    found = cgutils.alloca_once(builder, ir.IntType(1))
    with builder.if_else(inside, likely=True) as (as_bit, elsewhere):
        with as_bit:
            place, bit = word_and_bit(builder, head, number)
            there = builder.and_(builder.load(place), bit)
            builder.store(builder.icmp_unsigned("!=", there, WORD(0)), found)
        with elsewhere:
            asked = signature(types.boolean, *sig.args)
            is_there = context.compile_internal(builder, _is_in_rest, asked, args)
            builder.store(is_there, found)
    return builder.load(found)


@intrinsic
def _number_of_bits(typingctx, items):
    """The number of items that are bits."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kind, total = sig.args[0], WORD(0)
        head = head_of(context, builder, kind, args[0])
        for i in range(words_of(kind)):
            bits = builder.load(builder.gep(head, [WORD(FIRST + i)]))
            total = builder.add(total, builder.ctpop(bits))
        return total

    return types.int64(items), lower


@overload(len)
def _length(items):
    if not isinstance(items, StackSet):
        return None
    return lambda items: _number_of_bits(items) + (len(rest_of(items)) if has_rest(items) else 0)


@overload(bool)
def _truth(items):
    return (lambda items: len(items) > 0) if isinstance(items, StackSet) else None


@overload(operator.not_)
def _not(items):
    return (lambda items: len(items) == 0) if isinstance(items, StackSet) else None


@intrinsic
def _same_bits(typingctx, one, other):
    """Whether two sets have the same items that are bits."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        heads = [
            head_of(context, builder, kind, arg) for kind, arg in zip(sig.args, args, strict=True)
        ]
        different = WORD(0)
        for i in range(words_of(sig.args[0])):
            words = [builder.load(builder.gep(head, [WORD(FIRST + i)])) for head in heads]
            different = builder.or_(different, builder.xor(*words))
        return builder.icmp_unsigned("==", different, WORD(0))

    return types.boolean(one, other), lower


@overload(operator.eq)
def _equal(one, other):
    if isinstance(one, StackSet) and one == other:

        def equal(one, other):
            if not _same_bits(one, other):
                return False
            if has_rest(one) or has_rest(other):
                return rest_of(one) == rest_of(other)
            return True

        return equal
    return None


@overload(operator.ne)
def _different(one, other):
    if isinstance(one, StackSet) and one == other:
        return lambda one, other: not operator.eq(one, other)
    return None
