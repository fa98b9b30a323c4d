"""Python's own functions that Numba does not know, or not for all arguments."""

from __future__ import annotations

import operator

from numba.core import types
from numba.extending import overload, overload_method


@overload(any)
def _any(items):
    if isinstance(items, types.IterableType):

        def found(items):
            for item in items:  # noqa: SIM110 - this is `any`
                if item:
                    return True
            return False

        return found
    return None


@overload(all)
def _all(items):
    if isinstance(items, types.IterableType):

        def found(items):
            for item in items:  # noqa: SIM110 - this is `all`
                if not item:
                    return False
            return True

        return found
    return None


@overload(reversed)
def _reversed(items):
    if isinstance(items, types.BaseTuple | types.List):
        return lambda items: items[::-1]
    if isinstance(items, types.RangeType):
        return lambda items: range(items.start + (len(items) - 1) * items.step, items.start - items.step, -items.step)
    return None


@overload(operator.not_)
def _not(items):
    if isinstance(items, types.List | types.Set | types.BaseTuple):
        return lambda items: len(items) == 0
    return None


@overload_method(types.UniTuple, "count")
def _count(items, value):
    def count(items, value):
        found = 0
        for item in items:
            if item == value:
                found += 1
        return found

    return count
