"""Functions of `itertools` for compiled code."""

from __future__ import annotations

import itertools

from numba.core import types
from numba.extending import overload

from prunus.kernel.containers.builtin_functions import _has_places


@overload(itertools.product, prefer_literal=True)
def _product(first, second=None, third=None, repeat=1):
    times = getattr(repeat, "literal_value", repeat)
    if not isinstance(first, types.IterableType) or times not in (1, 2, 3):
        return None
    if isinstance(second, types.IterableType) and times == 1:
        return _triples if isinstance(third, types.IterableType) else _pairs
    if second is not None or times == 1:
        return None
    # Whatever is iterated several times must not be an iterator.
    again = _has_places(first)
    if times == 2:
        return (
            (lambda first, second=None, third=None, repeat=1: itertools.product(first, first))
            if again
            else None
        )
    return (
        (lambda first, second=None, third=None, repeat=1: itertools.product(first, first, first))
        if again
        else None
    )


def _pairs(first, second=None, third=None, repeat=1):
    for a in first:
        for b in second:
            yield (a, b)


def _triples(first, second=None, third=None, repeat=1):
    for a in first:
        for b in second:
            for c in third:
                yield (a, b, c)


@overload(itertools.accumulate)
def _accumulate(items):
    if not isinstance(items, types.IterableType):
        return None

    def sums(items):
        total = 0
        for item in items:
            total += item
            yield total

    return sums


@overload(itertools.combinations, prefer_literal=True)
def _combinations(items, r):
    if not (
        _has_places(items) and isinstance(r, types.IntegerLiteral) and r.literal_value in (2, 3)
    ):
        return None
    if r.literal_value == 2:

        def pairs(items, r):
            for i in range(len(items)):
                for j in range(i + 1, len(items)):
                    yield (items[i], items[j])

        return pairs

    def triples(items, r):
        for i in range(len(items)):
            for j in range(i + 1, len(items)):
                for k in range(j + 1, len(items)):
                    yield (items[i], items[j], items[k])

    return triples


@overload(itertools.permutations, prefer_literal=True)
def _permutations(items, r):
    if not (_has_places(items) and isinstance(r, types.IntegerLiteral) and r.literal_value == 2):
        return None

    def pairs(items, r):
        for i in range(len(items)):
            for j in range(len(items)):
                if i != j:
                    yield (items[i], items[j])

    return pairs


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
