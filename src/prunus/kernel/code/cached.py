"""Functions with `functools.lru_cache` in compiled code, where they are called each time.

Nobody can tell, if what they return cannot change and does not depend on whether an argument is 1
or True, which are one key to a cache. But a list from a cache is the same list for all who get it,
and the items of a generator from a cache are gone after the first time.
"""

from __future__ import annotations

import functools
from typing import Any

from numba.core import errors, types
from numba.core.registry import cpu_target


def plain_function(function: Any) -> Any:
    """The function itself, if `functools.lru_cache` wraps it."""
    is_cached = isinstance(function, functools._lru_cache_wrapper)
    return function.__wrapped__ if is_cached else function


def check_cached(dispatcher: Any) -> None:
    """Make a dispatcher refuse results that the function's callers would share."""
    plain, name = dispatcher.get_call_template, dispatcher.py_func.__qualname__

    def checked(args: Any, kws: Any) -> Any:
        if any(map(_can_change, (*args, *kws.values()))):
            raise errors.TypingError(
                f"the cache of {name} cannot have a list, set or dictionary as a key: give it a "
                "tuple, or leave out the cache"
            )
        found = plain(args, kws)
        for case in found[0].cases:
            if isinstance(case.return_type, types.Generator):
                raise errors.TypingError(
                    f"the cache of {name} holds a generator, whose items are gone after the first "
                    "time: return a tuple of them, or leave out the cache"
                )
            if _can_change(case.return_type):
                raise errors.TypingError(
                    f"the cache of {name} gives all its callers the same list, set or dictionary: "
                    "return a tuple, or leave out the cache"
                )
        return found

    dispatcher.get_call_template = checked


def _can_change(kind: Any) -> bool:
    if isinstance(kind, types.BaseTuple):
        return any(map(_can_change, kind.types))
    if isinstance(kind, types.Optional):
        return _can_change(kind.type)
    model = cpu_target.target_context.data_model_manager[kind]
    return not isinstance(kind, types.UnicodeType) and bool(model.contains_nrt_meminfo())
