"""What calls of Python's own functions and of the methods of containers do with the lists that they
get, for `aliases.py`: which values they return, and where they put others."""

from __future__ import annotations

import builtins
import collections
import inspect
import itertools
import math
import types as pytypes
from collections.abc import Callable
from typing import Any

from numba.core.registry import cpu_target


def _nothing(classes: Any, made: int, *rest: Any) -> None:
    """The result has nothing to do with the lists."""


def _same_items(classes: Any, made: int, given: list[int]) -> None:
    """The result has the items of what is given."""
    for one in given:
        classes.join(classes.items(made), classes.items(one))


def _one_of_them(classes: Any, made: int, given: list[int]) -> None:
    """The result is an item of the first one, or one of the others."""
    for one in given[:1]:
        classes.join(made, classes.items(one))
    for one in given[1:]:
        classes.join(made, one)


def _least(classes: Any, made: int, given: list[int]) -> None:
    """The result is one of those given, or an item of a single one."""
    if len(given) == 1:
        _one_of_them(classes, made, given)
    else:
        _holds(classes, classes.new(), [made, *given])


def _groups(classes: Any, made: int, given: list[int]) -> None:
    """The items of the result hold items of what is given."""
    classes.mix(classes.items(made), *map(classes.items, given))


def _holds(classes: Any, made: int, given: list[int]) -> None:
    """The result holds what is given."""
    for one in given:
        classes.join(classes.items(made), one)


def _mixes(classes: Any, made: int, given: list[int]) -> None:
    """The result may be, or hold, whatever is given."""
    classes.mix(made, *given)


_NUMBERS = (
    *(abs, all, any, bin, bool, bytes, chr, complex, divmod, float, hash, id, int, isinstance),
    *(len, ord, pow, print, range, repr, round, str, slice),
)
_SAME = (list, tuple, sorted, reversed, set, frozenset, iter, collections.deque)
_GROUPED = (zip, enumerate, map, filter, dict)


def effect_of(function: Any) -> Callable[..., None] | None:
    """What a call of a function does; None for one whose own code says it, or that is unknown."""
    if function is None:
        return None
    known = inspect.isbuiltin(function) or inspect.isclass(function)
    for functions, effect in (
        (_NUMBERS, _nothing),
        (_SAME, _same_items),
        (_GROUPED, _groups),
        ((min, max), _least),
        ((next, sum), _one_of_them),
    ):
        if known and any(function is each for each in functions):
            return effect
    if getattr(builtins, getattr(function, "__name__", ""), None) is function:
        return _mixes
    module = getattr(function, "__module__", "") or ""
    if module == math.__name__:
        return _nothing
    if module == itertools.__name__:
        return _groups
    if inspect.isclass(function):
        return _holds
    if module.startswith("prunus.kernel."):
        return _same_items  # what the passes before have put here keeps nothing of its arguments
    is_taught = cpu_target.typing_context._lookup_global(function) is not None
    is_ours = module.startswith(("prunus.core.", "numpy"))
    if is_taught or (is_ours and not isinstance(function, pytypes.FunctionType)):
        return _mixes
    return None


def _puts(classes: Any, made: int, items: int, given: list[int]) -> None:
    """The method puts the last thing given into the container."""
    for one in given[-1:]:
        classes.join(items, one)


def _adds_items(classes: Any, made: int, items: int, given: list[int]) -> None:
    for one in given:
        classes.join(items, classes.items(one))


def _takes(classes: Any, made: int, items: int, given: list[int]) -> None:
    """The method returns an item of the container, or what is given for lack of one."""
    for one in (made, *given[1:]):
        classes.join(items, one)


def _copies(classes: Any, made: int, items: int, given: list[int]) -> None:
    classes.join(classes.items(made), items)


def _mingles(classes: Any, made: int, items: int, given: list[int]) -> None:
    classes.mix(classes.items(made), items, *map(classes.items, given))


def _pops(classes: Any, made: int, items: int, given: list[int]) -> None:
    classes.join(made, items)


METHODS: dict[str, Callable[[Any, int, int, list[int]], None]] = {
    **dict.fromkeys(("append", "appendleft", "add", "insert"), _puts),
    **dict.fromkeys(("extend", "extendleft"), _adds_items),
    **dict.fromkeys(("get", "setdefault"), _takes),
    **dict.fromkeys(("pop", "popleft", "popitem"), _pops),
    **dict.fromkeys(("copy", "keys", "values"), _copies),
    **dict.fromkeys(("count", "index", "remove", "sort", "reverse", "clear", "discard"), _nothing),
    **dict.fromkeys(("bit_count", "bit_length", "rotate", "isdisjoint", "issubset"), _nothing),
    **dict.fromkeys(("items", "update", "union", "difference", "intersection"), _mingles),
    "symmetric_difference": _mingles,
}
"""What the methods of containers do: with the class of the result, of the container's items, and of
what is given."""
