"""Numbers of more than 64 bits from and to other types, compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from llvmlite import ir
from numba.core import errors, types
from numba.extending import lower_builtin, lower_cast, type_callable

from prunus.core.bits import CASTS, u64
from prunus.kernel.numbers import words
from prunus.kernel.numbers.conversions import ANY_PLAIN, cast_from
from prunus.kernel.numbers.integers import MASK, SIGNED, U64, WORD, Long, Unsigned
from prunus.kernel.numbers.wide import (
    BIT,
    WIDE_TYPES,
    AnyNumber,
    TruthOrWide,
    Wide,
    may_be_negative,
)
from prunus.kernel.numbers.words import double, word, wrapped
from prunus.kernel.reporting.raising import fail_if


def width_of(kind: Any) -> int:
    """The number of bits that numbers of this type may have."""
    return kind.bits if isinstance(kind, Wide) else 64


def resized(builder: Any, value: Any, bits: int, signed: bool = False) -> Any:
    """An integer with more or fewer bits."""
    if value.type.width == bits:
        return value
    if value.type.width > bits:
        return builder.trunc(value, ir.IntType(bits))
    return (builder.sext if signed else builder.zext)(value, ir.IntType(bits))


def modulo(builder: Any, kind: Any, value: Any, bits: int) -> Any:
    """A number of any type modulo 2**bits."""
    if not isinstance(kind, Wide):
        whole = double(builder, kind, value) if kind in SIGNED else word(builder, kind, value)
        return resized(builder, whole, bits, may_be_negative(kind))
    if kind.is_below:
        return (builder.not_ if kind.form == "complement" else builder.neg)(
            resized(builder, value, bits)
        )
    return resized(builder, value, bits)


def is_negative(builder: Any, kind: Any, value: Any) -> Any:
    """Whether a number of any type is negative."""
    if not may_be_negative(kind):
        return BIT(0)
    if isinstance(kind, Wide):
        return BIT(1) if kind.form == "complement" else truth(builder, kind, value)
    return words.is_negative(builder, kind, value)


def exceeds(builder: Any, kind: Any, value: Any, bits: int) -> Any:
    """Whether a number of a wide type has more than `bits` bits."""
    return (
        builder.icmp_unsigned("!=", builder.lshr(value, value.type(bits)), value.type(0))
        if kind.bits > bits
        else BIT(0)
    )


def alone(kind: Any) -> str:
    """The error text for a masked number that is used as a number."""
    u = f"u{kind.bits}"
    return (
        f"~ or - of a number that is a {u} on one path and a plain integer on another stands "
        f"alone: write {u}(...) around the number"
    )


def refuse_masked(kind: Any) -> None:
    """Raise a compiler error for a number that is only known modulo 2**bits."""
    if isinstance(kind, Wide) and kind.form == "masked":
        raise errors.UnsupportedError(alone(kind))


NAMED: Final = 320
"""The number of bits that hold any number with its sign."""


def natural(context: Any, builder: Any, kind: Any, value: Any, bits: int, text: str = "") -> Any:
    """A number of any type as a natural of this width; raises, with `text` if given, if it is
    negative or has more bits."""
    refuse_masked(kind)
    number = modulo(builder, kind, value, NAMED) if text else None
    text = (
        text
        or f"a number that is negative or has more than {bits} bits stands where an unsigned "
        f"integer of {bits} bits is needed"
    )
    if isinstance(kind, Wide):
        wrong = (
            is_negative(builder, kind, value)
            if kind.is_below
            else exceeds(builder, kind, value, bits)
        )
        fail_if(context, builder, wrong, OverflowError, text, number)
    elif may_be_negative(kind):
        fail_if(context, builder, is_negative(builder, kind, value), OverflowError, text, number)
    return modulo(builder, kind, value, bits)


def plain_word(
    context: Any, builder: Any, kind: Any, value: Any, signed: bool = True, text: str = ""
) -> Any:
    """A number of a wide type as a word; raises if it does not fit a plain integer (`signed`) or a
    u64."""
    refuse_masked(kind)
    number = modulo(builder, kind, value, NAMED) if text else None
    text = text or (
        "a number that does not fit a plain integer of 64 bits"
        if signed
        else "a number that does not fit a u64"
    )
    wrong = (
        is_negative(builder, kind, value)
        if kind.is_below
        else exceeds(builder, kind, value, 63 if signed else 64)
    )
    fail_if(context, builder, wrong, OverflowError, text, number)
    return resized(builder, value, 64)


def load_wide(builder: Any, block: Any, place: int, kind: Wide) -> Any:
    """The integer stored in a block, starting at word `place`."""
    pointer = builder.bitcast(builder.gep(block, [WORD(place)]), ir.IntType(kind.bits).as_pointer())
    return builder.load(pointer, align=8)


@cast_from(ANY_PLAIN, Wide)
def _to_wide(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    return natural(context, builder, fromty, value, toty.bits)


@lower_cast(Wide, Wide)
def _between(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    if fromty.is_below and fromty.form == toty.form:
        return resized(builder, value, toty.bits)
    return natural(context, builder, fromty, value, toty.bits)


@lower_cast(Wide, types.Integer)
def _to_integer(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    return resized(builder, plain_word(context, builder, fromty, value), toty.bitwidth)


@lower_cast(Wide, Unsigned)
def _to_unsigned(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    return plain_word(context, builder, fromty, value, signed=False)


@lower_cast(Wide, Long)
def _to_long(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    return double(builder, MASK, plain_word(context, builder, fromty, value, signed=False))


@lower_cast(Wide, types.Boolean)
def _to_boolean(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    return truth(builder, fromty, value)


@lower_cast(TruthOrWide, types.Boolean)
def _as_asked(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    return value


@lower_cast(Wide, TruthOrWide)
@cast_from(ANY_PLAIN, TruthOrWide)
def _to_truth(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    return (
        truth(builder, fromty, value)
        if isinstance(fromty, Wide)
        else words.truth(builder, fromty, value)
    )


def truth(builder: Any, kind: Any, value: Any) -> Any:
    """Whether a number of a wide type is not 0."""
    return (
        BIT(1) if kind.form == "complement" else builder.icmp_unsigned("!=", value, value.type(0))
    )


def _teach_cast(cast: type, emit: Callable[..., Any]) -> None:
    bits, signed = CASTS[cast]
    result = WIDE_TYPES.get(cast) or {u64: U64, bool: types.boolean}.get(cast, types.int64)
    taken = AnyNumber if cast in WIDE_TYPES else Wide

    @type_callable(cast)
    def typer_factory(context: Any) -> Any:
        def typer(value: Any) -> Any:
            known = not (isinstance(value, Wide) and value.form == "masked" and bits > value.bits)
            return result if isinstance(value, taken) and known else None

        return typer

    for kind in (types.Any,) if cast in WIDE_TYPES else (Wide,):
        lower_builtin(cast, kind)(
            lambda context, builder, sig, args: emit(
                builder, modulo(builder, sig.args[0], args[0], max(bits, 64)), bits, signed
            )
        )


def _as_it_is(builder: Any, value: Any, bits: int, signed: bool) -> Any:
    return value


for _kind in CASTS:
    if _kind is not bool:
        _teach_cast(_kind, _as_it_is if _kind in WIDE_TYPES else wrapped)
