"""Integers in LLVM: their words, signs and ranges."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import errors, types

from prunus.core.bits import CASTS, MASK64
from prunus.kernel.numbers.integers import (
    BIT,
    BOTH,
    DOUBLE,
    LONG,
    SIGNED,
    TOO_LARGE,
    U64,
    WORD,
    Either,
    Unsigned,
    is_count,
    is_small,
)
from prunus.kernel.reporting.locating import THE_NUMBER
from prunus.kernel.reporting.raising import fail_if


def word(builder: Any, kind: Any, value: Any) -> Any:
    """The 64-bit word of an integer of any Numba type of at most 64 bits; for longer types see
    `low_word`."""
    if kind in SIGNED:
        what = "a plain integer of 64 bits and a sign" if kind is LONG else BOTH
        raise errors.UnsupportedError(f"{what} cannot be used here; make it a u64 or an i64 first")
    return low_word(builder, kind, value)


def low_word(builder: Any, kind: Any, value: Any) -> Any:
    """An integer of any Numba type modulo 2**64."""
    if isinstance(kind, types.Literal):
        return ir.Constant(WORD, int(kind.literal_value) & MASK64)
    if isinstance(kind, types.Boolean):
        return builder.zext(value, WORD)
    if kind is LONG:
        return builder.trunc(value, WORD)
    if isinstance(kind, Either):
        return builder.extract_value(value, 0)
    if isinstance(kind, Unsigned) or kind.bitwidth == 64:
        return value
    return (builder.sext if kind.signed else builder.zext)(value, WORD)


def is_negative(builder: Any, kind: Any, value: Any) -> Any:
    """Whether a number is negative, if its type allows that."""
    if kind is LONG:
        return builder.icmp_signed("<", value, DOUBLE(0))
    if isinstance(kind, Either):
        return builder.extract_value(value, 1)
    return builder.icmp_signed("<", low_word(builder, kind, value), WORD(0))


def double(builder: Any, kind: Any, value: Any) -> Any:
    """An integer of any Numba type as a long."""
    if kind is LONG:
        return value
    if isinstance(kind, Either):
        upper = builder.shl(builder.sext(builder.extract_value(value, 1), DOUBLE), DOUBLE(64))
        return builder.or_(upper, builder.zext(builder.extract_value(value, 0), DOUBLE))
    if isinstance(kind, types.Literal):
        return ir.Constant(DOUBLE, int(kind.literal_value))
    whole = low_word(builder, kind, value)
    return (builder.sext if is_small(kind) else builder.zext)(whole, DOUBLE)


def is_u64(builder: Any, kind: Any, value: Any) -> Any:
    """Whether a number of any Numba type is a u64."""
    return (
        builder.extract_value(value, 2)
        if isinstance(kind, Either)
        else ir.Constant(BIT, int(kind is U64))
    )


def either(builder: Any, word: Any, negative: Any, unsigned: Any) -> Any:
    """A number of the type *either* from its parts; a u64 is never negative."""
    made = ir.Constant(ir.LiteralStructType([WORD, BIT, BIT]), ir.Undefined)
    for place, part in enumerate((word, negative, unsigned)):
        made = builder.insert_value(made, part, place)
    return made


def signed_word(
    context: Any, builder: Any, kind: Any, value: Any, text: str = TOO_LARGE, named: bool = False
) -> Any:
    """An integer of any Numba type as a signed 64-bit word. Compiled code raises OverflowError for
    a number that does not fit; its text names the number if `named` is set."""
    if is_small(kind):
        return word(builder, kind, value)
    if isinstance(kind, Either):
        kind, value = LONG, double(builder, kind, value)
    if kind is LONG:
        low = builder.trunc(value, WORD)
        outside = builder.icmp_signed("!=", builder.sext(low, DOUBLE), value)
    else:
        low = low_word(builder, kind, value)
        outside = builder.icmp_signed("<", low, WORD(0))
    fail_if(
        context,
        builder,
        outside,
        OverflowError,
        text,
        double(builder, kind, value) if named else None,
    )
    return low


def unsigned_word(
    context: Any, builder: Any, kind: Any, value: Any, text: str, named: bool = False
) -> Any:
    """An integer of any Numba type as an unsigned 64-bit word. Compiled code raises OverflowError
    for a negative number, as above."""
    if kind in SIGNED or (is_small(kind) and not is_count(kind)):
        number = double(builder, kind, value) if named else None
        fail_if(context, builder, is_negative(builder, kind, value), OverflowError, text, number)
    return low_word(builder, kind, value)


def wrapped(builder: Any, value: Any, width: int, signed: bool) -> Any:
    """A word cut to `width` bits and widened again; a truth value for width 1."""
    if width == 1:
        return builder.icmp_unsigned("!=", value, WORD(0))
    if width == 64:
        return value
    return (builder.sext if signed else builder.zext)(builder.trunc(value, ir.IntType(width)), WORD)


def stored_scalar(
    context: Any, builder: Any, scalar: type, kind: Any, value: Any, where: str
) -> Any:
    """A number converted to a State's scalar (a key of `CASTS` of at most 64 bits), in a register.
    Compiled code raises OverflowError, worded as in `prunus.core.state`, if the number is outside
    the scalar's range; `where` names the field."""
    width, signed = CASTS[scalar]
    if isinstance(kind, Either):
        kind, value = LONG, double(builder, kind, value)
    if width == 1:
        return truth(builder, kind, value)
    text = outside(scalar, where)
    if width == 64:
        return (signed_word if signed else unsigned_word)(context, builder, kind, value, text, True)
    if isinstance(kind, types.IntegerLiteral) and in_range(scalar, kind.literal_value):
        return word(builder, kind, value)
    plain = double(builder, kind, value) if kind is LONG else low_word(builder, kind, value)
    cut = wrapped(builder, low_word(builder, kind, value), width, signed)
    whole = cut if kind is not LONG else builder.sext(cut, DOUBLE)
    fail_if(
        context,
        builder,
        builder.icmp_unsigned("!=", whole, plain),
        OverflowError,
        text,
        double(builder, kind, value),
    )
    return cut


def outside(scalar: type, where: str) -> str:
    """The error text for a number that a scalar, known as `where`, cannot hold."""
    article = "an" if scalar.__name__[0] == "i" else "a"
    return f"{where} is {article} {scalar.__name__}, {ranges(scalar)}: {THE_NUMBER} is outside"


def in_range(scalar: type, value: int) -> bool:
    """Whether a scalar of a State holds a number unchanged."""
    width, signed = CASTS[scalar]
    return -(1 << (width - 1)) <= value < 1 << (width - 1) if signed else 0 <= value < 1 << width


def ranges(scalar: type) -> str:
    """The range of a scalar, for error messages."""
    width, signed = CASTS[scalar]
    return f"-2**{width - 1} ... 2**{width - 1} - 1" if signed else f"0 ... 2**{width} - 1"


def truth(builder: Any, kind: Any, value: Any) -> Any:
    """Whether a number is not 0."""
    if kind in SIGNED:
        return builder.icmp_unsigned("!=", double(builder, kind, value), DOUBLE(0))
    return builder.icmp_unsigned("!=", low_word(builder, kind, value), WORD(0))
