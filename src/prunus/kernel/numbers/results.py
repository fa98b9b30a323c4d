"""The results of the game methods that algorithms compute with: plain integers, and keys of 64
bits, whatever the rules computed with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import errors, types

from prunus.core.values import KEY, PLAIN_RESULTS, beyond, too_long
from prunus.kernel.numbers.integers import LONG, U64, WORD, Either, Number, Whole
from prunus.kernel.numbers.wide import TRUTH_OR_WIDE, AnyNumber, Wide
from prunus.kernel.numbers.wide_conversions import plain_word
from prunus.kernel.numbers.words import is_negative, low_word, signed_word
from prunus.kernel.reporting.raising import Place, fail_if

_STRICT = {
    "utility": types.int64,
    "evaluate": types.int64,
    "to_move": types.int64,
    "is_terminal": types.boolean,
    "keeps_turn": types.boolean,
}
"""The types that some methods must return."""

_IN_WORDS = {types.int64: "an integer", types.boolean: "True or False"}


def wanted_result(name: str, title: str, given: Any, place: Callable[[], Any]) -> Any:
    """The type that a method's result is converted to. Raises TypingError at `place()` if that is
    impossible."""
    plain = given.type if isinstance(given, types.Optional) else given
    if name in _STRICT:
        is_asked = plain is TRUTH_OR_WIDE and _STRICT[name] == types.boolean
        if not isinstance(plain, AnyNumber) and not is_asked:
            what = (
                "a float; values are integers: scale it, for example by 1000, or write int(...) "
                "around it if it is one only because it began as infinity"
                if isinstance(plain, types.Float)
                else f"{given}; it must be {_IN_WORDS[_STRICT[name]]}"
            )
            raise errors.TypingError(f"{title} returns {what}", loc=place())
        return _STRICT[name]
    if name == KEY and isinstance(given, Number):
        return U64
    if name not in PLAIN_RESULTS:
        return given
    if isinstance(plain, Whole | Wide):
        return types.int64
    if isinstance(plain, types.BaseTuple) and any(
        isinstance(item, Whole | Wide) for item in plain.types
    ):
        return types.Tuple.from_types(
            tuple(types.int64 if isinstance(item, Whole | Wide) else item for item in plain.types)
        )
    return given


def as_result(
    context: Any, builder: Any, function: Callable[..., Any], given: Any, wanted: Any, value: Any
) -> Any:
    """A method's result converted to the type `wanted`. Compiled code raises OverflowError at the
    method if a number does not fit."""
    if given == wanted:
        return value
    if isinstance(given, types.BaseTuple):
        parts = [
            as_result(context, builder, function, kind, made, builder.extract_value(value, i))
            for i, (kind, made) in enumerate(zip(given.types, wanted.types, strict=True))
        ]
        return context.make_tuple(builder, wanted, parts)
    if wanted is U64:
        with _at(builder, function):
            return _key(context, builder, function, given, value)
    if wanted != types.int64 or not isinstance(given, Whole | Wide):
        return context.cast(builder, value, given, wanted)
    with _at(builder, function):
        if isinstance(given, Wide):
            return plain_word(
                context, builder, given, value, text=beyond(function.__qualname__, f"a {given}")
            )
        return signed_word(
            context,
            builder,
            given,
            value,
            beyond(function.__qualname__, "a u64" if given is U64 else "a number"),
        )


def _key(context: Any, builder: Any, function: Callable[..., Any], given: Any, value: Any) -> Any:
    """A number as a key: a negative one of 64 bits modulo 2**64."""
    found = low_word(builder, given, value)
    if given is LONG or isinstance(given, Either):
        is_beyond = builder.and_(
            is_negative(builder, given, value), builder.icmp_signed(">=", found, WORD(0))
        )
        text = too_long(function.__qualname__)
        fail_if(context, builder, is_beyond, OverflowError, text)
    return found


@contextmanager
def _at(builder: Any, function: Callable[..., Any]) -> Iterator[None]:
    """Errors in this context belong to the method, not to its caller."""
    before = getattr(builder, "place", None)
    builder.place = Place.of(function)
    try:
        yield
    finally:
        builder.place = before
