"""Conversions of numbers of up to 64 bits between the types of `prunus.kernel.numbers.integers`,
for Numba.

Literals are treated like other numbers here: their values have become constants of the
instructions.
"""

from __future__ import annotations

from typing import Any

from numba.core import errors, types
from numba.extending import lower_cast

from prunus.kernel.numbers.integers import (
    BIT,
    LONG,
    U64,
    Either,
    Long,
    Unsigned,
    Whole,
    is_count,
    is_small,
)
from prunus.kernel.numbers.words import (
    double,
    either,
    is_negative,
    is_u64,
    low_word,
    signed_word,
    truth,
    unsigned_word,
)

ANY_PLAIN = (types.Integer, types.Boolean, types.IntegerLiteral, types.BooleanLiteral, Whole)
"""The classes of Numba's types for all numbers of up to 64 bits."""


def cast_from(kinds: tuple[Any, ...], made: Any) -> Any:
    """Register how numbers of several types are converted to another type."""

    def register(lower: Any) -> Any:
        for kind in kinds:
            lower_cast(kind, made)(lower)
        return lower

    return register


@cast_from(ANY_PLAIN, Unsigned)
def _to_unsigned(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    if toty is U64:
        raise errors.UnsupportedError(f"{fromty} stands where a u64 is needed: write u64(...)")
    return unsigned_word(
        context, builder, fromty, value, "a number that is a mask on another path is negative"
    )


@cast_from(ANY_PLAIN, Either)
def _to_either(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    kind = types.unliteral(fromty)
    if isinstance(kind, Either):
        return value
    negative = (
        is_negative(builder, kind, value)
        if kind is LONG or (is_small(kind) and not is_count(kind))
        else BIT(0)
    )
    return either(builder, low_word(builder, kind, value), negative, is_u64(builder, kind, value))


@cast_from(ANY_PLAIN, Long)
def _to_long(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    return double(builder, fromty, value)


@lower_cast(Whole, types.Integer)
def _to_integer(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    if toty.bitwidth < 64:
        raise errors.UnsupportedError(f"a number cannot become a {toty}")
    return signed_word(context, builder, fromty, value)


@lower_cast(Whole, types.Boolean)
def _to_boolean(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    return truth(builder, fromty, value)
