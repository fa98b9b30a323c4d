"""Operators on numbers that are a u64 on one path and a plain integer on another, in LLVM. The flag
that goes with each number decides which result is given. Wherever the bits do not depend on it
there is no branch, and nothing unneeded is computed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core import cgutils

from prunus.kernel.numbers import arithmetic
from prunus.kernel.numbers.integers import BIT, DOUBLE, EITHER, LONG, MASK, TOO_LARGE, U64, WORD
from prunus.kernel.numbers.words import double, either, is_negative, is_u64, low_word
from prunus.kernel.reporting.raising import fail_if

_BITWISE = {"and": "and_", "or": "or_", "xor": "xor"}


def _of_long(builder: Any, value: Any, flag: Any) -> Any:
    """The result of an operator from a long: unchanged if the flag is not set, its word if it
    is."""
    negative = builder.and_(is_negative(builder, LONG, value), builder.not_(flag))
    return either(builder, builder.trunc(value, WORD), negative, flag)


def _by_flag(
    builder: Any, flag: Any, as_u64: Callable[[], Any], as_plain: Callable[[], Any]
) -> Any:
    """The result of one of two computations: a word modulo 2**64 if the flag is set, a long if it
    is not."""
    word, negative = cgutils.alloca_once(builder, WORD), cgutils.alloca_once(builder, BIT)
    with builder.if_else(flag) as (then, otherwise):
        with then:
            builder.store(as_u64(), word)
            builder.store(BIT(0), negative)
        with otherwise:
            made = as_plain()
            builder.store(builder.trunc(made, WORD), word)
            builder.store(is_negative(builder, LONG, made), negative)
    return either(builder, builder.load(word), builder.load(negative), flag)


def emit_either(
    emitters: dict[Any, Callable[..., Any]],
    name: str,
    context: Any,
    builder: Any,
    kinds: Any,
    values: Any,
) -> Any:
    """An operator on two sides, neither of which is certainly a u64; `emitters` are its forms for
    u64 and for longs."""
    left, right = (is_u64(builder, kind, value) for kind, value in zip(kinds, values, strict=True))
    flag = builder.or_(left, right)
    plain = [double(builder, kind, value) for kind, value in zip(kinds, values, strict=True)]
    if name in _BITWISE:
        return _of_long(builder, getattr(builder, _BITWISE[name])(*plain), flag)
    if name in ("add", "sub"):
        made = getattr(builder, name)(*plain)
        return _of_long(builder, _in_long(context, builder, made, flag), flag)
    if name == "rshift":
        # A u64 on either side makes the shifted number unsigned: zeros come in from the left
        # instead of its sign.
        word = builder.zext(low_word(builder, kinds[0], values[0]), DOUBLE)
        shifted = builder.select(flag, word, plain[0])
        return _of_long(
            builder, emitters[LONG](name, context, builder, (LONG, LONG), [shifted, plain[1]]), flag
        )
    return _by_flag(
        builder,
        flag,
        lambda: emitters[U64](name, context, builder, kinds, values),
        lambda: emitters[LONG](name, context, builder, (LONG, LONG), plain),
    )


def _in_long(context: Any, builder: Any, value: Any, flag: Any) -> Any:
    """A sum of two numbers; an error if it does not fit a long and the flag is not set."""
    sign = builder.add(builder.trunc(builder.ashr(value, DOUBLE(64)), WORD), WORD(1))
    outside = builder.and_(builder.icmp_unsigned(">", sign, WORD(1)), builder.not_(flag))
    fail_if(context, builder, outside, OverflowError, TOO_LARGE)
    return value


def emit_either_unary(name: str, context: Any, builder: Any, value: Any) -> Any:
    """An operator on one side; `int` gives a long, the others the type they are given."""
    flag, plain, low = (
        is_u64(builder, EITHER, value),
        double(builder, EITHER, value),
        low_word(builder, EITHER, value),
    )
    if name == "int":
        return plain
    if name == "pos":
        return value
    if name == "invert":
        return _of_long(builder, builder.not_(plain), flag)
    if name == "neg":
        return _of_long(builder, _in_long(context, builder, builder.neg(plain), flag), flag)
    if name == "abs":
        # A u64 is never negative.
        return either(
            builder, arithmetic.absolute_mask(context, builder, LONG, plain), BIT(0), flag
        )
    return _by_flag(
        builder,
        flag,
        lambda: arithmetic.ones_u64(context, builder, U64, low),
        lambda: double(builder, MASK, arithmetic.ones(context, builder, LONG, plain)),
    )
