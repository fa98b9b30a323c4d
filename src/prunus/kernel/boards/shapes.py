"""The shapes of States: within one piece of compiled code, all States of a class have tuples of the
same lengths."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakKeyDictionary

from numba.core import errors

from prunus.core.fields import Field
from prunus.core.state import Length, fields_of

_shapes = threading.local()

_varying: WeakKeyDictionary[type, str] = WeakKeyDictionary()
"""Why code that builds States of a class was refused: their lengths differ. Every other function of
the game would reach the same line."""


def shape_of(kind: Any) -> tuple[Length, ...]:
    """`lengths_of`, computed from the type of a State."""
    return tuple(
        tuple(map(len, member.types)) if field.columns else getattr(member, "count", -1)
        for field, member in zip(fields_of(kind.instance_class), kind.types, strict=True)
    )


@contextmanager
def one_shape(kinds: Iterable[Any]) -> Iterator[None]:
    """While one function is compiled in this thread, require all States of a class to have the
    lengths found in these types: States with other lengths would be other types, with other code.
    Raises TypingError if these types already differ, and for a class whose rules are known to
    change lengths."""
    outer = getattr(_shapes, "known", None)
    _shapes.known = {}
    try:
        for kind in kinds:
            cls = kind.instance_class
            if cls in _varying:
                raise errors.TypingError(_varying[cls])
            if difference := _difference(cls, shape_of(kind)):
                raise errors.TypingError(difference)
        yield
    finally:
        _shapes.known = outer


def keep_shape(cls: type, lengths: tuple[Length, ...]) -> None:
    """Note that rules build a State with these lengths. Raises TypingError if another State of the
    class has others."""
    if difference := _difference(cls, lengths):
        _varying[cls] = difference
        raise errors.TypingError(difference)


def usual_length(cls: type, field: Field) -> Length:
    """The length of a field in the States of a class that are known so far. Raises TypingError if
    none is known."""
    known = (getattr(_shapes, "known", None) or {}).get(cls)
    if known is None:
        raise errors.TypingError(
            f"how long the text in field {field.name!r} of {cls.__qualname__} is cannot be known "
            f"here, because no such State is among what the search works with"
        )
    length: Length = known[fields_of(cls).index(field)]
    return length


def _difference(cls: type, lengths: tuple[Length, ...]) -> str:
    if getattr(_shapes, "known", None) is None:
        return ""
    known = _shapes.known.setdefault(cls, lengths)
    for field, first, length in zip(fields_of(cls), known, lengths, strict=True):
        if first != length:
            given, usual = (
                each if isinstance(each, int) else f"rows of {', '.join(map(str, each))}"
                for each in (length, first)
            )
            return (
                f"field {field.name!r} of {cls.__qualname__} is given {given} items where other "
                f"States have {usual}; compiled code needs one length: keep the tuple at its full "
                "length, and the number of items that count in another field"
            )
    return ""
