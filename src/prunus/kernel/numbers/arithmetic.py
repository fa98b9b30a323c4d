"""The LLVM code of operators on integers: Python's results, or an error with its line.
`prunus.kernel.numbers.operators` decides which types they take and give.

Each function gets `(context, builder, kinds, values)`, the Numba types and the LLVM values of both
sides, and returns a result of the type that its name ends with: `u64` (modulo 2**64), `mask` (64
bits, not negative), `int` (signed 64 bits) or `long`.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types

from prunus.kernel.numbers.integers import (
    DOUBLE,
    LONG,
    SIGNED,
    TOO_LARGE,
    U64,
    WORD,
    is_count,
    is_small,
)
from prunus.kernel.numbers.words import double, low_word, signed_word
from prunus.kernel.reporting.raising import fail_if

SMALLEST = 1 << 63
"""The word of -2**63."""


def words(builder: Any, kinds: Any, values: Any) -> list[Any]:
    """Both sides modulo 2**64."""
    return [low_word(builder, kind, value) for kind, value in zip(kinds, values, strict=True)]


def _doubles(builder: Any, kinds: Any, values: Any) -> list[Any]:
    return [double(builder, kind, value) for kind, value in zip(kinds, values, strict=True)]


def _unless_overflow(context: Any, builder: Any, pair: Any) -> Any:
    fail_if(context, builder, builder.extract_value(pair, 1), OverflowError, TOO_LARGE)
    return builder.extract_value(pair, 0)


def in_long(context: Any, builder: Any, value: Any) -> Any:
    """A result in a long's 128 bits; an error if it is outside -2**64 ... 2**64 - 1."""
    sign = builder.add(builder.ashr(value, DOUBLE(64)), DOUBLE(1))
    fail_if(context, builder, builder.icmp_unsigned(">", sign, DOUBLE(1)), OverflowError, TOO_LARGE)
    return value


# + - * & | ^

_PLAIN = {"add": "add", "sub": "sub", "mul": "mul", "and": "and_", "or": "or_", "xor": "xor"}


def ring_u64(name: str, context: Any, builder: Any, kinds: Any, values: Any) -> Any:
    """+ - * & | ^ modulo 2**64; for bit operators also the exact result of two masks."""
    return getattr(builder, _PLAIN[name])(*words(builder, kinds, values))


def ring_mask(name: str, context: Any, builder: Any, kinds: Any, values: Any) -> Any:
    """+ * & | ^ with a result that is not negative."""
    if name in ("and", "or", "xor"):
        return ring_u64(name, context, builder, kinds, values)
    return _unless_overflow(
        context, builder, getattr(builder, f"u{name}_with_overflow")(*words(builder, kinds, values))
    )


def ring_int(name: str, context: Any, builder: Any, kinds: Any, values: Any) -> Any:
    """+ - * & | ^ of small numbers; for other numbers only &."""
    if LONG in kinds:
        return signed_word(
            context,
            builder,
            LONG,
            getattr(builder, _PLAIN[name])(*_doubles(builder, kinds, values)),
        )
    if name in ("and", "or", "xor"):
        return ring_u64(name, context, builder, kinds, values)
    return _unless_overflow(
        context, builder, getattr(builder, f"s{name}_with_overflow")(*words(builder, kinds, values))
    )


def ring_long(name: str, context: Any, builder: Any, kinds: Any, values: Any) -> Any:
    """+ - * & | ^ of any plain numbers."""
    sides = _doubles(builder, kinds, values)
    if name == "mul":
        return _signed(context, builder, *_product(context, builder, *sides))
    made = getattr(builder, _PLAIN[name])(*sides)
    return in_long(context, builder, made) if name in ("add", "sub") else made


def _magnitude(context: Any, builder: Any, value: Any) -> tuple[Any, Any]:
    """The sign (as a bit) and the absolute value (as a word) of a long; raises OverflowError for
    -2**64, whose absolute value does not fit."""
    negative = builder.icmp_signed("<", value, DOUBLE(0))
    positive = builder.select(negative, builder.neg(value), value)
    fail_if(
        context,
        builder,
        builder.icmp_unsigned(">", positive, DOUBLE((1 << 64) - 1)),
        OverflowError,
        TOO_LARGE,
    )
    return negative, builder.trunc(positive, WORD)


def _product(context: Any, builder: Any, left: Any, right: Any) -> tuple[Any, Any]:
    left_sign, x = _magnitude(context, builder, left)
    right_sign, y = _magnitude(context, builder, right)
    made = _unless_overflow(context, builder, builder.umul_with_overflow(x, y))
    return builder.xor(left_sign, right_sign), builder.zext(made, DOUBLE)


def _signed(context: Any, builder: Any, negative: Any, magnitude: Any) -> Any:
    return builder.select(negative, builder.neg(magnitude), magnitude)


# // and %


def _not_by_zero(context: Any, builder: Any, kind: Any, divisor: Any) -> None:
    if not (isinstance(kind, types.IntegerLiteral) and kind.literal_value):
        zero = divisor.type(0)
        fail_if(
            context,
            builder,
            builder.icmp_unsigned("==", divisor, zero),
            ZeroDivisionError,
            "integer division or modulo by zero",
        )


def quotient_u64(name: str, context: Any, builder: Any, kinds: Any, values: Any) -> Any:
    """// or % of unsigned words."""
    x, y = words(builder, kinds, values)
    _not_by_zero(context, builder, kinds[1], y)
    return builder.udiv(x, y) if name == "floordiv" else builder.urem(x, y)


def quotient_int(name: str, context: Any, builder: Any, kinds: Any, values: Any) -> Any:
    """// or % of small numbers, rounded down; or % of any number by a positive literal."""
    if LONG in kinds:
        return builder.trunc(quotient_long(name, context, builder, kinds, values), WORD)
    x, y = words(builder, kinds, values)
    if not is_small(kinds[0]):
        return quotient_u64(name, context, builder, kinds, values)
    _not_by_zero(context, builder, kinds[1], y)
    if not is_count(kinds[1]):
        # Dividing by -1 crashes the process if the result does not fit a word.
        is_minus_one = builder.icmp_signed("==", y, WORD(-1))
        if name == "mod":
            y = builder.select(is_minus_one, WORD(1), y)
        else:
            outside = builder.and_(is_minus_one, builder.icmp_signed("==", x, WORD(SMALLEST)))
            fail_if(context, builder, outside, OverflowError, TOO_LARGE)
    rest = builder.srem(x, y)
    differs = builder.icmp_signed(
        "<", rest if is_count(kinds[1]) else builder.xor(rest, y), WORD(0)
    )
    down = (
        differs
        if is_count(kinds[1])
        else builder.and_(differs, builder.icmp_signed("!=", rest, WORD(0)))
    )
    if name == "mod":
        return builder.select(down, builder.add(rest, y), rest)
    return builder.sub(builder.sdiv(x, y), builder.zext(down, WORD))


def quotient_long(name: str, context: Any, builder: Any, kinds: Any, values: Any) -> Any:
    """// or % of any plain numbers, computed with their magnitudes."""
    left, right = _doubles(builder, kinds, values)
    _not_by_zero(context, builder, kinds[1], right)
    left_sign, x = _magnitude(context, builder, left)
    right_sign, y = _magnitude(context, builder, right)
    rest = builder.urem(x, y)
    differ = builder.xor(left_sign, right_sign)
    down = builder.and_(differ, builder.icmp_unsigned("!=", rest, WORD(0)))
    if name == "mod":
        magnitude = builder.select(down, builder.sub(y, rest), rest)
        return _signed(context, builder, right_sign, builder.zext(magnitude, DOUBLE))
    magnitude = builder.add(builder.zext(builder.udiv(x, y), DOUBLE), builder.zext(down, DOUBLE))
    return _signed(context, builder, differ, magnitude)


# << and >>


def places(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """The number of places to shift by as a word, 64 standing for any larger number; an error if it
    is negative."""
    if kind in SIGNED:
        value = double(builder, kind, value)
        negative, large = (
            builder.icmp_signed("<", value, DOUBLE(0)),
            builder.icmp_signed(">", value, DOUBLE(64)),
        )
        count = builder.select(large, WORD(64), builder.trunc(value, WORD))
    else:
        count = low_word(builder, kind, value)
        negative = builder.icmp_signed("<", count, WORD(0))
    if kind in SIGNED or (is_small(kind) and not is_count(kind)):
        fail_if(context, builder, negative, ValueError, "negative shift count")
    return count


def _constant_below_64(count: Any) -> bool:
    return isinstance(count, ir.Constant) and 0 <= count.constant < 64


def shifted_left_u64(name: str, context: Any, builder: Any, kinds: Any, values: Any) -> Any:
    """<< modulo 2**64."""
    value, count = (
        low_word(builder, kinds[0], values[0]),
        places(context, builder, kinds[1], values[1]),
    )
    if _constant_below_64(count):
        return builder.shl(value, count)
    inside = builder.icmp_unsigned("<", count, WORD(64))
    return builder.select(inside, builder.shl(value, builder.and_(count, WORD(63))), WORD(0))


def _exactly(context: Any, builder: Any, value: Any, count: Any, back: str) -> Any:
    """A word shifted left; an error if any bit is lost."""
    if not _constant_below_64(count):
        outside = builder.icmp_unsigned(">=", count, WORD(64))
        if not (isinstance(value, ir.Constant) and value.constant):
            outside = builder.and_(outside, builder.icmp_unsigned("!=", value, WORD(0)))
        fail_if(context, builder, outside, OverflowError, TOO_LARGE)
        count = builder.and_(count, WORD(63))
    made = builder.shl(value, count)
    if not (isinstance(value, ir.Constant) and value.constant == 1 and back == "lshr"):
        lost = builder.icmp_unsigned("!=", getattr(builder, back)(made, count), value)
        fail_if(context, builder, lost, OverflowError, TOO_LARGE)
    return made


def shifted_left_mask(name: str, context: Any, builder: Any, kinds: Any, values: Any) -> Any:
    """<< of a number that is not negative."""
    return _exactly(
        context,
        builder,
        low_word(builder, kinds[0], values[0]),
        places(context, builder, kinds[1], values[1]),
        "lshr",
    )


def shifted_left_int(name: str, context: Any, builder: Any, kinds: Any, values: Any) -> Any:
    """<< of a small number."""
    return _exactly(
        context,
        builder,
        low_word(builder, kinds[0], values[0]),
        places(context, builder, kinds[1], values[1]),
        "ashr",
    )


def shifted_left_long(name: str, context: Any, builder: Any, kinds: Any, values: Any) -> Any:
    """<< of any plain number."""
    value, count = (
        double(builder, kinds[0], values[0]),
        places(context, builder, kinds[1], values[1]),
    )
    outside = builder.and_(
        builder.icmp_unsigned(">=", count, WORD(64)), builder.icmp_unsigned("!=", value, DOUBLE(0))
    )
    fail_if(context, builder, outside, OverflowError, TOO_LARGE)
    # At most 65 bits and 63 places: the result fits 128 bits.
    return in_long(
        context, builder, builder.shl(value, builder.zext(builder.and_(count, WORD(63)), DOUBLE))
    )


def shifted_right_u64(name: str, context: Any, builder: Any, kinds: Any, values: Any) -> Any:
    """>> of an unsigned word."""
    value, count = (
        low_word(builder, kinds[0], values[0]),
        places(context, builder, kinds[1], values[1]),
    )
    if _constant_below_64(count):
        return builder.lshr(value, count)
    inside = builder.icmp_unsigned("<", count, WORD(64))
    return builder.select(inside, builder.lshr(value, builder.and_(count, WORD(63))), WORD(0))


def shifted_right_int(name: str, context: Any, builder: Any, kinds: Any, values: Any) -> Any:
    """>> of a small number."""
    value, count = (
        low_word(builder, kinds[0], values[0]),
        places(context, builder, kinds[1], values[1]),
    )
    if _constant_below_64(count):
        return builder.ashr(value, count)
    return builder.ashr(
        value, builder.select(builder.icmp_unsigned("<", count, WORD(64)), count, WORD(63))
    )


def shifted_right_long(name: str, context: Any, builder: Any, kinds: Any, values: Any) -> Any:
    """>> of any plain number."""
    value, count = (
        double(builder, kinds[0], values[0]),
        places(context, builder, kinds[1], values[1]),
    )
    limited = builder.select(builder.icmp_unsigned("<", count, WORD(65)), count, WORD(65))
    return builder.ashr(value, builder.zext(limited, DOUBLE))


# One side.


def ones(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """`(1 << n) - 1`, for n up to 64."""
    count = places(context, builder, kind, value)
    fail_if(context, builder, builder.icmp_unsigned(">", count, WORD(64)), OverflowError, TOO_LARGE)
    shifted = builder.lshr(WORD(-1), builder.and_(builder.sub(WORD(64), count), WORD(63)))
    return builder.select(builder.icmp_unsigned("==", count, WORD(0)), WORD(0), shifted)


def ones_u64(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """`(1 << n) - 1` for a u64 n: modulo 2**64."""
    return builder.sub(
        shifted_left_u64("lshift", context, builder, (U64, kind), (WORD(1), value)), WORD(1)
    )


def negated_int(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """- of a small number."""
    return _unless_overflow(
        context, builder, builder.ssub_with_overflow(WORD(0), low_word(builder, kind, value))
    )


def negated_long(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """- of any plain number."""
    return in_long(context, builder, builder.neg(double(builder, kind, value)))


def absolute_int(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """Abs of a small number."""
    whole = low_word(builder, kind, value)
    fail_if(
        context, builder, builder.icmp_signed("==", whole, WORD(SMALLEST)), OverflowError, TOO_LARGE
    )
    return builder.select(builder.icmp_signed("<", whole, WORD(0)), builder.neg(whole), whole)


def absolute_mask(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """Abs of any plain number that may need its 64th bit."""
    return _magnitude(context, builder, double(builder, kind, value))[1]


# **


def power_int(name: str, context: Any, builder: Any, kinds: Any, values: Any) -> Any:
    """** of small numbers, by squaring."""
    base, exponent = words(builder, kinds, values)
    text = "a negative exponent gives a float, which compiled code does not compute with"
    fail_if(context, builder, builder.icmp_signed("<", exponent, WORD(0)), ValueError, text)
    before = builder.block
    head, square, done = (
        builder.append_basic_block(name) for name in ("power", "square", "powered")
    )
    builder.branch(head)
    builder.position_at_end(head)
    made, factor, left = (builder.phi(WORD) for _ in range(3))
    for phi, start in ((made, WORD(1)), (factor, base), (left, exponent)):
        phi.add_incoming(start, before)
    is_odd = builder.trunc(left, ir.IntType(1))
    product = builder.smul_with_overflow(made, factor)
    lost = builder.and_(is_odd, builder.extract_value(product, 1))
    fail_if(context, builder, lost, OverflowError, TOO_LARGE)
    next_made = builder.select(is_odd, builder.extract_value(product, 0), made)
    next_left = builder.lshr(left, WORD(1))
    builder.cbranch(builder.icmp_unsigned("==", next_left, WORD(0)), done, square)
    builder.position_at_end(square)
    next_factor = _unless_overflow(context, builder, builder.smul_with_overflow(factor, factor))
    for phi, value in ((made, next_made), (factor, next_factor), (left, next_left)):
        phi.add_incoming(value, builder.block)
    builder.branch(head)
    builder.position_at_end(done)
    return next_made
