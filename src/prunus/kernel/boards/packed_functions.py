"""Python's functions of packed tuples: `len`, `count`, `index`, `in`, `reversed`, `sum`, `min`,
`max`, `hash`."""

from __future__ import annotations

import operator

from numba.extending import overload, overload_method

from prunus.core.bits import i64, u64
from prunus.kernel.boards.packed import Packed


@overload(len)
def _length(items):
    if isinstance(items, Packed):
        count = items.count
        return lambda items: count
    return None


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


@overload(reversed)
def _reversed(items):
    return (lambda items: items[::-1]) if isinstance(items, Packed) else None


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
