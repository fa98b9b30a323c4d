"""`next(iterator, default)` for Numba."""

from __future__ import annotations

from numba.core import errors, types
from numba.extending import overload


def an_iterator(items):
    """The same iterator in compiled code, as `next` takes it."""
    raise NotImplementedError


@overload(an_iterator)
def _an_iterator(items):
    if not isinstance(items, types.IteratorType):
        raise errors.TypingError("next takes an iterator: write next(iter(...), default)")
    return lambda items: items


@overload(next)
def _next_or_default(items, default=None):
    if default is None:
        return None
    if isinstance(items, types.Generator):
        raise errors.TypingError(
            "next with a default takes a generator expression: write "
            "`next((v for v in f(x)), default)`"
        )
    if not isinstance(items, types.IteratorType):
        return None

    def following(items, default=None):
        for item in items:
            return item
        return default

    return following
