"""`next(iterator, default)` for Numba."""

from __future__ import annotations

import inspect

from numba.core import errors, types
from numba.extending import overload

from prunus.core.values import raw


def an_iterator(items, owner=None, name=None):
    """The same iterator in compiled code, as `next` takes it: the result of a function, or of
    the method `name` of `owner`. A generator that compiled code makes a list of is one."""
    raise NotImplementedError


@overload(an_iterator, prefer_literal=True)
def _an_iterator(items, owner=None, name=None):
    if not (isinstance(items, types.IteratorType) or _gives_items(items, owner, name)):
        raise errors.TypingError("next takes an iterator: write next(iter(...), default)")
    return lambda items, owner=None, name=None: items


def _gives_items(items, owner, name):
    """Whether a list has the items of a generator, in Python."""
    if not (isinstance(items, types.List) and isinstance(name, types.StringLiteral)):
        return False
    method = getattr(getattr(owner, "game", None), name.literal_value, None)
    return inspect.isgeneratorfunction(raw(getattr(method, "__func__", method)))


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
