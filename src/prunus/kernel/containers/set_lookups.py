"""What is looked for in a set, or discarded from it, gets the type of its items first. A number of
another kind is equal to an item only if both are the same number: -1 is not the u64 with all its
bits set, and 2 is no truth value."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from numba.core import types
from numba.cpython import setobj
from numba.cpython.setobj import SetInstance
from numba.extending import intrinsic, overload

from prunus.core.bits import i64, u64
from prunus.kernel.containers.frozen_sets import of_what_changes
from prunus.kernel.containers.hashes import replace
from prunus.kernel.containers.stack_sets import StackSet
from prunus.kernel.numbers.integers import MASK, U64, Number
from prunus.kernel.numbers.wide import Wide

_LARGEST = (1 << 63) - 1


def _is_small_u64(item):
    return item <= _LARGEST


def _is_not_negative(item):
    return item >= 0


def _is_truth(item):
    return 0 <= item <= 1


def _has_64_bits(item):
    return item >> 64 == 0


def _has_63_bits(item):
    return item >> 63 == 0


def _low_word(item):
    return i64(u64(item))


def _is_any(item):
    return True


def _itself(item):
    return item


def other_kind(held: Any, given: Any) -> tuple[Callable[..., Any], Callable[..., Any]] | None:
    """For a number of another kind than the items: whether it can be equal to one of them, and the
    item that it is then. None if it need not be asked."""
    if isinstance(given, Wide) and given.is_unsigned:
        if held is U64:
            return _has_64_bits, u64
        return (_has_63_bits, _low_word) if held == types.int64 else None
    if isinstance(given, types.Boolean):
        return (_is_any, u64) if held is U64 else None
    if not isinstance(given, Number):
        return None
    is_plain = isinstance(given, types.Integer)
    if isinstance(held, types.Boolean):
        return (_is_truth, bool) if is_plain or given in (U64, MASK) else None
    if held is U64 and is_plain:
        return _is_not_negative, u64
    return (_is_small_u64, i64) if held == types.int64 and given in (U64, MASK) else None


def asked_as(typing: Any, items: Any, given: Any) -> Any:
    """The type as which something is looked for in a set on the heap; None if it cannot be."""
    if not items.is_precise():
        return given
    found = typing.resolve_function_type(operator.contains, (items, given), {})
    return None if found is None else found.args[1]


def as_item(items: Any, given: Any) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Whether something can be equal to an item of a set, and the item that it is then."""
    return other_kind(items.dtype, given) or (_is_any, _itself)


@overload(operator.contains)
def _is_in(items, item):
    other = other_kind(items.dtype, item) if isinstance(items, types.Set | StackSet) else None
    if other is None:
        return None
    can_be, made = other
    return lambda items, item: can_be(item) and made(item) in items


@intrinsic
def _discard(typingctx, items, item):
    """Remove an item from a set on the heap; whether it was there."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return SetInstance(context, builder, sig.args[0], args[0]).discard(args[1])

    asked = asked_as(typingctx, items, item)
    return None if asked is None else (types.boolean(items, asked), lower)


def _discard_method(s, item):
    if other_kind(s.dtype, item) is None:
        return lambda s, item: _discard(s, item)  # noqa: PLW0108 - Numba compiles the lambda
    can_be, made = as_item(s, item)

    def discard(s, item):
        if can_be(item):
            _discard(s, made(item))

    return discard


def _remove_method(s, item):
    def remove(s, item):
        if not _discard(s, item):
            raise KeyError("set.remove(): key not in set")

    if other_kind(s.dtype, item) is None:
        return remove
    can_be, made = as_item(s, item)

    def remove_other(s, item):
        if not (can_be(item) and _discard(s, made(item))):
            raise KeyError("set.remove(): key not in set")

    return remove_other


replace(setobj.ol_set_discard, of_what_changes("discard", _discard_method))
replace(setobj.ol_set_remove, of_what_changes("remove", _remove_method))
