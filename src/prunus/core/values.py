"""The results of a game's methods as algorithms use them: plain integers, even if the rules compute
with unsigned ones; and keys, which are u64 even if the rules compute with plain integers."""

from __future__ import annotations

import functools
import operator
import types
from collections.abc import Callable
from typing import Final, TypeVar

from prunus.core.bits import u64
from prunus.core.errors import PrunusError

T = TypeVar("T")

PLAIN_RESULTS: Final = (
    "bounds",
    "estimates",
    "evaluate",
    "evaluate_behind",
    "evaluate_row",
    "last_value",
    "layer",
    "order",
    "plies_left",
    "secured",
    "settled",
    "utilities",
    "utility",
)
"""The methods whose results are plain integers, or tuples of them, even if the rules compute with
unsigned ones."""


KEY: Final = "key"
"""The method whose result is a u64, even if the rules compute with plain integers."""


class ResultError(PrunusError, TypeError):
    """A method of a game gives something of the wrong kind, such as a value that is not an
    integer."""


RAW: Final = "__prunus_raw__"


def let_results_be_plain(cls: type, base: type) -> None:
    """Make the methods of a class, and of its bases below `base`, return plain integers, and `key`
    a u64; methods already wrapped stay as they are."""
    for owner in cls.__mro__[: cls.__mro__.index(base)]:
        for name in (*PLAIN_RESULTS, KEY):
            method = owner.__dict__.get(name)
            # A class that assigns a method of `base` to the same name restores it, and so has none
            # of its own.
            is_own = method is not getattr(base, name)
            if is_own and isinstance(method, types.FunctionType) and not hasattr(method, RAW):
                wrap = _with_u64_result if name == KEY else _with_plain_result
                setattr(owner, name, wrap(method))


def raw(method: T) -> T:
    """The method as the user wrote it."""
    found: T = getattr(method, RAW, method)
    return found


def _with_plain_result(function: Callable[..., object]) -> Callable[..., object]:
    """The same method with u64 results converted to plain integers, which can be negated."""
    if function.__code__.co_argcount == 2:

        @functools.wraps(function)
        def plain(self: object, state: object) -> object:
            value = function(self, state)
            return value if type(value) is int else plain_result(value, function)

        setattr(plain, RAW, function)
        return plain

    @functools.wraps(function)
    def plain_of_more(self: object, *arguments: object, **named: object) -> object:
        return plain_result(function(self, *arguments, **named), function)

    setattr(plain_of_more, RAW, function)
    return plain_of_more


def _with_u64_result(function: Callable[..., object]) -> Callable[..., object]:
    """The same `key` with plain integers converted to u64: a search combines keys modulo 2**64."""

    @functools.wraps(function)
    def unsigned(self: object, state: object) -> object:
        value = function(self, state)
        return value if isinstance(value, u64) else u64_result(value, function)

    setattr(unsigned, RAW, function)
    return unsigned


def u64_result(value: object, function: Callable[..., object]) -> object:
    """The result of `key` as a u64; a negative number modulo 2**64, as `hash` may give. Raises
    OverflowError if it has more than 64 bits, and ResultError if it is no integer."""
    plain = plain_result(value, function)
    if not isinstance(plain, int):
        return plain
    if not -(1 << 63) <= plain < 1 << 64:
        raise OverflowError(f"{too_long(function.__qualname__)} ({_place(function)})")
    return u64(plain)


def too_long(method: str) -> str:
    """The message for a key of more than 64 bits."""
    return (
        f"{method} gave a number of more than 64 bits: a key has 64; hash the rest into it, or "
        f"leave `key` out, and Prunus makes one of the whole State"
    )


def plain_result(value: object, function: Callable[..., object]) -> object:
    """The result of a game's method with each u64 converted to a plain integer. Raises
    OverflowError if one has its 64th bit set: it is either a negative number that has wrapped or
    larger than any value; and ResultError for a float, or if there is no result."""
    if isinstance(value, tuple):
        return tuple(plain_result(item, function) for item in value)
    kind = type(value)
    if kind.__module__ == "numpy" and getattr(value, "ndim", None) == 0:
        value = operator.methodcaller("item")(value)
    if isinstance(value, int) and kind not in (int, bool):
        number = operator.index(value)
        if not -(1 << 63) <= number < 1 << 63:
            what = beyond(function.__qualname__, f"the {kind.__name__} {value}")
            raise OverflowError(f"{what} ({_place(function)})")
        return number
    if value is None or isinstance(value, float):
        scale = "; scale it, for example by 1000" if isinstance(value, float) else ""
        raise ResultError(
            f"{function.__qualname__} gives {value!r}, which is not an integer{scale} "
            f"({_place(function)})"
        )
    return value


def _place(function: Callable[..., object]) -> str:
    """The file and the line of a method."""
    return f"{function.__code__.co_filename}:{function.__code__.co_firstlineno}"


def beyond(method: str, what: str) -> str:
    """The message for a result beyond 63 bits."""
    return (
        f"{method} gave {what} of 2**63 or more, as a difference below 0 does: values are plain "
        f"integers; "
        "where unsigned fields may differ either way, write int(a) - int(b)"
    )
