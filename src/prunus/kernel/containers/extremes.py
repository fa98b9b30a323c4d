"""`min` and `max` in compiled code, of numbers, of tuples, and of the items of one thing."""

from __future__ import annotations

from numba.core import types
from numba.cpython import builtins
from numba.extending import overload
from numba.np.types import datetime_registry

from prunus.kernel.boards.packed import Packed
from prunus.kernel.containers.hashes import original
from prunus.kernel.numbers.integers import Whole
from prunus.kernel.numbers.wide import AnyNumber, Wide
from prunus.kernel.reporting.raising import text_of_empty


def _extreme_of_several(function):
    @overload(function)
    def of_several(first, second, third, *rest):
        kinds = (first, second, third, *rest)
        numbers = all(isinstance(kind, AnyNumber) for kind in kinds) and any(
            isinstance(kind, Whole | Wide) for kind in kinds
        )
        if not (numbers or all(_is_filled_tuple(kind) for kind in kinds)):
            return None
        return lambda first, second, third, *rest: function(function(first, second), third, *rest)


_extreme_of_several(min)
_extreme_of_several(max)


def _at_least_two(function):
    plain = original(function)

    def numbers(*x):
        is_number = len(x) == 1 and isinstance(x[0], types.Number | types.Boolean)
        return None if is_number else plain(*x)

    function.__globals__[f"_prunus_{function.__name__}"] = numbers
    function.__code__ = eval(  # noqa: S307
        f"lambda *x: _prunus_{function.__name__}(*x)", function.__globals__
    ).__code__


# Numba takes one number for several, where Python asks for something with items.
for _extreme in (
    *(builtins.ol_min, builtins.ol_max),
    *(datetime_registry.ol_min_datetime, datetime_registry.ol_max_datetime),
):
    _at_least_two(_extreme)


def _is_filled_tuple(kind):
    return isinstance(kind, types.BaseTuple | Packed) and len(kind) > 0


def _extreme_of_tuples(function):
    @overload(function)
    def of_two(first, second):
        if not (_is_filled_tuple(first) and _is_filled_tuple(second)):
            return None
        if function is min:
            return lambda first, second: second if second < first else first
        return lambda first, second: second if second > first else first


_extreme_of_tuples(min)
_extreme_of_tuples(max)


def _extreme_of_items(items, is_better):
    """Replaces Numba's `min` and `max` of one argument, which raise StopIteration if there are no
    items."""
    if not isinstance(items, types.IterableType):
        return None
    text = text_of_empty(max if is_better is builtins.greater_than else min)

    def extreme(iterable):
        rest = iter(iterable)
        for best in rest:
            for item in rest:
                if is_better(item, best):
                    best = item  # noqa: PLW2901 - the loop around ends
            return best
        raise ValueError(text)

    return extreme


builtins.min_max_impl = _extreme_of_items
