"""`bisect_left` and `bisect_right` for compiled code: the steps of Python's own functions, so that
they agree with them even where the items are not sorted."""

from __future__ import annotations

import bisect

from numba.core import errors, types
from numba.extending import overload

from prunus.kernel.boards.packed import Packed
from prunus.kernel.containers.deques import DequeType
from prunus.kernel.containers.known_tables import TableType
from prunus.kernel.numbers.wide import AnyNumber
from prunus.kernel.numbers.wide_functions import as_index

_ITEMS = (types.List, types.UniTuple, types.RangeType, TableType, Packed)


def _teach(function):
    goes_left = function is bisect.bisect_left

    @overload(function)
    def of_items(a, x, lo=0, hi=None, key=None):
        _refuse_key(key)
        if not isinstance(a, _ITEMS) or isinstance(a, DequeType):
            return None

        def found(a, x, lo=0, hi=None, key=None):
            low, high = _first(lo), _last(hi, len(a))
            while low < high:
                middle = low + (high - low) // 2
                if middle >= len(a):
                    raise IndexError("index out of range")
                if goes_left:
                    is_after = a[middle] < x
                else:
                    is_after = not x < a[middle]
                if is_after:
                    low = middle + 1
                else:
                    high = middle
            return low

        return found


_teach(bisect.bisect_left)
_teach(bisect.bisect_right)


def _know(function):
    """Let the type of `insort` be known; its calls become those of `insert`."""

    @overload(function)
    def passed_on(a, x, lo=0, hi=None, key=None):
        _refuse_key(key)


_know(bisect.insort_left)
_know(bisect.insort_right)


def _refuse_key(key):
    if not (key is None or isinstance(key, types.NoneType | types.Omitted)):
        raise errors.TypingError(
            "bisect() takes no key in compiled code: search in a list of the keys, "
            "[f(v) for v in items]"
        )


def _first(lo):
    """The place where the search begins, in compiled code."""
    raise NotImplementedError


@overload(_first)
def _checked_first(lo):
    def first(lo):
        if lo < 0:
            raise ValueError("lo must be non-negative")
        return as_index(lo)

    return first if _is_number(lo) else None


def _last(hi, count):
    """The place before which it ends."""
    raise NotImplementedError


@overload(_last)
def _checked_last(hi, count):
    def last(hi, count):
        if hi < 0:
            raise OverflowError("bisect takes no negative end in compiled code")
        return as_index(hi)

    if isinstance(hi, types.NoneType) or getattr(hi, "value", 0) is None:
        return lambda hi, count: count
    return last if _is_number(hi) else None


def _is_number(kind):
    return isinstance(getattr(kind, "value", None), int) or isinstance(kind, AnyNumber)
