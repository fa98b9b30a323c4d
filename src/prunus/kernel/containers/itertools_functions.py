"""Functions of `itertools` for compiled code.

Python's `product`, `combinations` and `permutations` go over copies of what they are given, since a
loop may change a list and an iterator ends. Here tuples, ranges and constants, which never change,
are gone over as they are, by generators. Anything else is copied into a list, and the results are a
list too: a loop that is left frees it, which it would not do for what a generator holds.
"""

from __future__ import annotations

import itertools
import operator

from numba.core import types
from numba.extending import overload

from prunus.kernel.boards.packed import Packed
from prunus.kernel.containers.known_tables import TableType
from prunus.kernel.numbers.operators import OPERATIONS

_FIXED = (types.BaseTuple, types.RangeType, TableType, Packed)

_plus = OPERATIONS[operator.add]
"""The sum with a check: the operators in Numba's overloads wrap."""


def _is_gone_over(kind):
    """Whether a loop goes over a type; tuples of known numbers are gone over as plain tuples."""
    return isinstance(types.unliteral(kind), types.IterableType)


@overload(itertools.product, prefer_literal=True)
def _product(first, second=None, third=None, repeat=1):
    times = getattr(repeat, "literal_value", repeat)
    factors = [kind for kind in (first, second, third) if _is_gone_over(kind)]
    if times not in (1, 2, 3) or not factors or (len(factors) == 1) == (times == 1):
        return None
    if times > 1:
        fixed = isinstance(first, _FIXED)
        if times == 2:
            return _squared if fixed else _list_of_squared
        return _cubed if fixed else _list_of_cubed
    if not all(isinstance(kind, types.IterableType) for kind in factors):
        return None  # asked again without the known numbers
    if all(isinstance(kind, _FIXED) for kind in factors):
        return _triples if len(factors) == 3 else _pairs
    return _list_of_triples if len(factors) == 3 else _list_of_pairs


def _squared(first, second=None, third=None, repeat=1):
    items = pool(first)
    for a in items:
        for b in items:
            yield (a, b)


def _cubed(first, second=None, third=None, repeat=1):
    items = pool(first)
    for a in items:
        for b in items:
            for c in items:
                yield (a, b, c)


def _list_of_squared(first, second=None, third=None, repeat=1):
    items = pool(first)
    return [(a, b) for a in items for b in items]


def _list_of_cubed(first, second=None, third=None, repeat=1):
    items = pool(first)
    return [(a, b, c) for a in items for b in items for c in items]


def _pairs(first, second=None, third=None, repeat=1):
    for a in first:
        for b in second:
            yield (a, b)


def _triples(first, second=None, third=None, repeat=1):
    for a in first:
        for b in second:
            for c in third:
                yield (a, b, c)


def _list_of_pairs(first, second=None, third=None, repeat=1):
    one, two = pool(first), pool(second)
    return [(a, b) for a in one for b in two]


def _list_of_triples(first, second=None, third=None, repeat=1):
    one, two, three = pool(first), pool(second), pool(third)
    return [(a, b, c) for a in one for b in two for c in three]


def pool(items):
    """Items that can be gone over again and again, in compiled code: these, or a list of them."""
    raise NotImplementedError


@overload(pool)
def _pool(items):
    return (lambda items: items) if isinstance(items, _FIXED) else (lambda items: list(items))  # noqa: PLW0108


@overload(itertools.accumulate)
def _accumulate(items, func=None):
    if not isinstance(items, types.IterableType):
        return None
    if func in (None, types.none):
        return _sums
    return _results if isinstance(func, types.Function) else None


def _sums(items, func=None):
    total = 0
    for item in items:
        total = _plus(total, item)
        yield total


def _results(items, func=None):
    total = 0
    for place, item in enumerate(items):
        total = item if place == 0 else func(total, item)
        yield total


@overload(itertools.pairwise)
def _pairwise(items):
    # A list may change while a loop goes over its pairs.
    return _neighbours if isinstance(items, _FIXED) else None


def _neighbours(items):
    for place in range(1, len(items)):
        yield (items[place - 1], items[place])


@overload(itertools.combinations, prefer_literal=True)
def _combinations(items, r):
    count = getattr(r, "literal_value", 0)
    if not _is_gone_over(items) or count not in (2, 3):
        return None
    if isinstance(items, _FIXED):
        return _two_of if count == 2 else _three_of
    return _list_of_two if count == 2 else _list_of_three


def _two_of(items, r):
    known = pool(items)
    for i in range(len(known)):
        for j in range(i + 1, len(known)):
            yield (known[i], known[j])


def _three_of(items, r):
    known = pool(items)
    for i in range(len(known)):
        for j in range(i + 1, len(known)):
            for k in range(j + 1, len(known)):
                yield (known[i], known[j], known[k])


def _list_of_two(items, r):
    known = list(items)
    count = len(known)
    return [(known[i], known[j]) for i in range(count) for j in range(i + 1, count)]


def _list_of_three(items, r):
    known = list(items)
    count = len(known)
    return [
        (known[i], known[j], known[k])
        for i in range(count)
        for j in range(i + 1, count)
        for k in range(j + 1, count)
    ]


@overload(itertools.permutations, prefer_literal=True)
def _permutations(items, r=None):
    if not _is_gone_over(items):
        return None
    is_whole = r in (None, types.none)
    count = getattr(items, "count", 0) if is_whole else getattr(r, "literal_value", 0)
    if count not in (2, 3):
        return None
    if isinstance(items, _FIXED):
        return _two_in_any_order if count == 2 else _three_in_any_order
    return _list_of_two_in_any_order if count == 2 else _list_of_three_in_any_order


def _two_in_any_order(items, r=None):
    known = pool(items)
    for i in range(len(known)):
        for j in range(len(known)):
            if i != j:
                yield (known[i], known[j])


def _three_in_any_order(items, r=None):
    known = pool(items)
    for i in range(len(known)):
        for j in range(len(known)):
            for k in range(len(known)):
                if i not in (j, k) and j != k:
                    yield (known[i], known[j], known[k])


def _list_of_two_in_any_order(items, r=None):
    known = list(items)
    places = range(len(known))
    return [(known[i], known[j]) for i in places for j in places if i != j]


def _list_of_three_in_any_order(items, r=None):
    known = list(items)
    places = range(len(known))
    return [
        (known[i], known[j], known[k])
        for i in places
        for j in places
        for k in places
        if i not in (j, k) and j != k
    ]


@overload(itertools.chain)
def _chain(first, second, third=()):
    if not all(isinstance(kind, types.IterableType) for kind in (first, second)):
        return None
    if third == ():
        return _two_in_turn
    return _three_in_turn if isinstance(third, types.IterableType) else None


def _two_in_turn(first, second, third=()):
    for item in first:
        yield item
    for item in second:
        yield item


def _three_in_turn(first, second, third=()):
    for item in first:
        yield item
    for item in second:
        yield item
    for item in third:
        yield item
