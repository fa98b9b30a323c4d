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


@overload(itertools.product, prefer_literal=True)
def _product(first, second=None, third=None, repeat=1):
    times = getattr(repeat, "literal_value", repeat)
    factors = [kind for kind in (first, second, third) if isinstance(kind, types.IterableType)]
    if times not in (1, 2, 3) or not factors or (len(factors) == 1) == (times == 1):
        return None
    if times == 2:
        return _squared
    if times == 3:
        return _cubed
    if all(isinstance(kind, _FIXED) for kind in factors):
        return _triples if len(factors) == 3 else _pairs
    return _list_of_triples if len(factors) == 3 else _list_of_pairs


def _squared(first, second=None, third=None, repeat=1):
    items = pool(first)
    return itertools.product(items, items)


def _cubed(first, second=None, third=None, repeat=1):
    items = pool(first)
    return itertools.product(items, items, items)


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
def _accumulate(items):
    if not isinstance(items, types.IterableType):
        return None

    def sums(items):
        total = 0
        for item in items:
            total = _plus(total, item)
            yield total

    return sums


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
    if not isinstance(items, types.IterableType) or count not in (2, 3):
        return None
    if isinstance(items, _FIXED):
        return _two_of if count == 2 else _three_of
    return _list_of_two if count == 2 else _list_of_three


def _two_of(items, r):
    for i in range(len(items)):
        for j in range(i + 1, len(items)):
            yield (items[i], items[j])


def _three_of(items, r):
    for i in range(len(items)):
        for j in range(i + 1, len(items)):
            for k in range(j + 1, len(items)):
                yield (items[i], items[j], items[k])


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
def _permutations(items, r):
    if not isinstance(items, types.IterableType) or getattr(r, "literal_value", 0) != 2:
        return None
    return _two_in_any_order if isinstance(items, _FIXED) else _list_of_two_in_any_order


def _two_in_any_order(items, r):
    for i in range(len(items)):
        for j in range(len(items)):
            if i != j:
                yield (items[i], items[j])


def _list_of_two_in_any_order(items, r):
    known = list(items)
    places = range(len(known))
    return [(known[i], known[j]) for i in places for j in places if i != j]


@overload(itertools.chain)
def _chain(first, second):
    if not all(isinstance(kind, types.IterableType) for kind in (first, second)):
        return None

    def chained(first, second):
        for item in first:
            yield item
        for item in second:
            yield item

    return chained
