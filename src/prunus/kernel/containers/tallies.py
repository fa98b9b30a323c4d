"""What compiled code does with a `Counter` or a `defaultdict(int)`, which are dictionaries there:
see `rewriting/tallies.py`."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final

from numba.core import types
from numba.extending import overload, register_jitable

from prunus.kernel.containers.known_tables import MappingType
from prunus.kernel.numbers.integers import may_be_truth
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


def added_to(tally, items):
    """`tally.update(items)` in compiled code."""
    raise NotImplementedError


def taken_from(tally, items):
    """`tally.subtract(items)` in compiled code."""
    raise NotImplementedError


def without(tally, key):
    """`del tally[key]` of a Counter in compiled code, which need not have the key."""
    raise NotImplementedError


def positive(tally):
    """`+tally` in compiled code: the counts above zero."""
    raise NotImplementedError


def negated(tally):
    """`-tally` in compiled code: the counts below zero, with the other sign."""
    raise NotImplementedError


def _is_tally(kind: Any) -> bool:
    return isinstance(kind, types.DictType)


def _counts(kind: Any) -> bool:
    """Whether values of a type are plain integers."""
    return isinstance(kind, types.Integer) and not may_be_truth(kind)


@overload(tallied)
def _tallied(items):
    if _is_tally(items):
        # What is not there counts 0, which is none of the values of other types.
        return (lambda items: items.copy()) if _counts(items.value_type) else None
    if not isinstance(items, types.IterableType) or isinstance(items, MappingType):
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


_plus, _minus = OPERATIONS[operator.add], OPERATIONS[operator.sub]
"""The sum and the difference with a check: the operators in Numba's overloads wrap."""


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


def _counting(function: Any, operate: Any) -> None:
    """Teach Numba to count items, or the counts of another Counter, in or out."""

    def change(tally, items):
        if not _is_tally(tally) or isinstance(items, MappingType):
            return None

        def count_counts(tally, items):
            for key, count in items.items():
                tally[key] = operate(tally.get(key, 0), count)

        def count_items(tally, items):
            for item in items:
                tally[item] = operate(tally.get(item, 0), 1)

        return count_counts if _is_tally(items) else count_items

    overload(function)(change)


_counting(added_to, _plus)
_counting(taken_from, _minus)


@overload(without)
def _without(tally, key):
    def delete(tally, key):
        if key in tally:
            del tally[key]

    return delete if _is_tally(tally) else None


@overload(positive)
def _positive(tally):
    def keep(tally):
        return {key: count for key, count in tally.items() if count > 0}

    return keep if _is_tally(tally) else None


@overload(negated)
def _negated(tally):
    def keep(tally):
        return {key: _minus(0, count) for key, count in tally.items() if count < 0}

    return keep if _is_tally(tally) else None


@register_jitable
def _lesser(one, other):
    return one if one < other else other


@register_jitable
def _greater(one, other):
    return other if one < other else one


@register_jitable
def _nothing(one, other):
    return 0


def _joined(join: Any, alone: Any) -> Any:
    """An operator of two Counters: a new one of the counts above zero among `join` of those in the
    first, and `alone` (0, count) of those in the second only."""

    def joined(tally, other):
        raise NotImplementedError

    @overload(joined)
    def _of_two(tally, other):
        def counts(tally, other):
            made = {}
            for key, count in tally.items():
                both = join(count, other.get(key, 0))
                if both > 0:
                    made[key] = both
            for key, count in other.items():
                if key not in tally:
                    one = alone(0, count)
                    if one > 0:
                        made[key] = one
            return made

        return counts if _is_tally(tally) and _is_tally(other) else None

    return joined


def _changed(join: Any, is_union: bool) -> Any:
    """An operator that changes the first of two Counters: its counts become those of `join`, for
    all keys of the second (`is_union`) or of the first, and only those above zero stay."""

    def changed(tally, other):
        raise NotImplementedError

    @overload(changed)
    def _of_two(tally, other):
        if not (_is_tally(tally) and _is_tally(other)):
            return None

        def keep_positive(tally):
            for key in [key for key, count in tally.items() if count <= 0]:
                del tally[key]
            return tally

        keep = register_jitable(keep_positive)

        def unite(tally, other):
            for key, count in other.items():
                tally[key] = join(tally.get(key, 0), count)
            return keep(tally)

        def restrict(tally, other):
            for key, count in tally.items():
                tally[key] = join(count, other.get(key, 0))
            return keep(tally)

        return unite if is_union else restrict

    return changed


def _compared(compare: Any) -> Any:
    """A comparison of two Counters: that of the counts of each key that either has."""

    def compared(tally, other):
        raise NotImplementedError

    @overload(compared)
    def _of_two(tally, other):
        def every(tally, other):
            is_so = True
            for key, count in tally.items():
                is_so = is_so and compare(count, other.get(key, 0))
            for key, count in other.items():
                is_so = is_so and compare(tally.get(key, 0), count)
            return is_so

        return every if _is_tally(tally) and _is_tally(other) else None

    return compared


_equal, _at_most, _at_least = map(_compared, (operator.eq, operator.le, operator.ge))


def _but_equal(compared: Any) -> Any:
    """A comparison of two Counters that are not equal either."""

    def strictly(tally, other):
        raise NotImplementedError

    @overload(strictly)
    def _of_two(tally, other):
        def differ(tally, other):
            return compared(tally, other) and not _equal(tally, other)

        return differ if _is_tally(tally) and _is_tally(other) else None

    return strictly


def different(tally, other):
    """`tally != other` of two Counters in compiled code."""
    raise NotImplementedError


@overload(different)
def _different(tally, other):
    return lambda tally, other: not _equal(tally, other)


OPERATORS: Final[dict[Any, Callable[..., Any]]] = {
    operator.eq: _equal,
    operator.ne: different,
    operator.le: _at_most,
    operator.ge: _at_least,
    operator.lt: _but_equal(_at_most),
    operator.gt: _but_equal(_at_least),
    operator.add: _joined(_plus, _plus),
    operator.sub: _joined(_minus, _minus),
    operator.or_: _joined(_greater, _greater),
    operator.and_: _joined(_lesser, _nothing),
    operator.iadd: _changed(_plus, True),
    operator.isub: _changed(_minus, True),
    operator.ior: _changed(_greater, True),
    operator.iand: _changed(_lesser, False),
}
"""The operators of two Counters as functions (Python's `collections.Counter`)."""
