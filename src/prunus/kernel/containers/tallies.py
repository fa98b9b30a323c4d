"""What compiled code does with a `Counter` or a `defaultdict(int)`, which are dictionaries there:
see `rewriting/tallies.py`."""

from __future__ import annotations

import operator

from numba.core import types
from numba.extending import overload

from prunus.kernel.containers.known_tables import MappingType
from prunus.kernel.numbers.operators import OPERATIONS


def tallied(items):
    """`Counter(items)` in compiled code."""
    raise NotImplementedError


def item_or_new(tally, key):
    """`tally[key]` of a `defaultdict(int)` in compiled code: a new key gets a zero."""
    raise NotImplementedError


def most_common(tally, count=None):
    """`tally.most_common(count)` in compiled code."""
    raise NotImplementedError


def total(tally):
    """`tally.total()` in compiled code."""
    raise NotImplementedError


@overload(tallied)
def _tallied(items):
    if not isinstance(items, types.IterableType) or isinstance(items, types.DictType | MappingType):
        return None

    def count(items):
        made = {}
        for item in items:
            if item not in made:
                made[item] = 0
            made[item] += 1
        return made

    return count


@overload(item_or_new)
def _item_or_new(tally, key):
    if not isinstance(tally, types.DictType):
        return None

    def item(tally, key):
        if key not in tally:
            tally[key] = 0
        return tally[key]

    return item


@overload(most_common)
def _most_common(tally, count=None):
    if not isinstance(tally, types.DictType):
        return None
    has_count = isinstance(count, types.Integer)

    def pairs(tally, count=None):
        # Those that are equally common stay in their order.
        found = list(tally.items())
        for i in range(1, len(found)):
            pair, place = found[i], i
            while place > 0 and found[place - 1][1] < pair[1]:
                found[place] = found[place - 1]
                place -= 1
            found[place] = pair
        if has_count:
            return found[: max(count, 0)]
        return found

    return pairs


_plus = OPERATIONS[operator.add]
"""The sum with a check: the operators in Numba's overloads wrap."""


@overload(total)
def _total(tally):
    if not isinstance(tally, types.DictType):
        return None

    def add(tally):
        found = 0
        for value in tally.values():
            found = _plus(found, value)
        return found

    return add
