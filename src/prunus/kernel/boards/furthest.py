"""Check once whether many numbers are all in a scalar's range. A loop that only remembers the
number furthest outside has no exit but its end, so that LLVM can vectorise it."""

from __future__ import annotations

from typing import Any

from llvmlite import ir as native

from prunus.core.bits import CASTS
from prunus.kernel.boards.homes import NUMBER, place_for
from prunus.kernel.boards.packed import Packed
from prunus.kernel.boards.packed_values import narrowed
from prunus.kernel.numbers.integers import DOUBLE, WORD
from prunus.kernel.numbers.words import outside
from prunus.kernel.reporting.raising import fail_if

FURTHEST = native.LiteralStructType([WORD, native.IntType(16), native.IntType(32)])
"""The number furthest outside, as an unsigned number relative to the range's beginning: among
words, and among numbers already cut to twice the width of the scalar."""


def nothing_yet(builder: Any) -> Any:
    """Storage for the furthest number."""
    place = place_for(builder, FURTHEST)
    builder.store(native.Constant(FURTHEST, None), place)
    return place


def _part(builder: Any, place: Any, form: Any) -> Any:
    """The part of the storage for numbers of this form."""
    return builder.gep(place, [NUMBER(0), NUMBER(FURTHEST.elements.index(form))], inbounds=True)


def _remember(builder: Any, number: Any, place: Any) -> None:
    part = _part(builder, place, number.type)
    last = builder.load(part)
    further = builder.icmp_unsigned(">", number, last)
    builder.store(builder.select(further, number, last), part)


def cut(builder: Any, kind: Packed, item: Any, place: Any) -> Any:
    """A signed word converted to an item of a packed tuple, as it is stored. If the word is further
    outside the range than any before, the storage remembers it."""
    width, _ = CASTS[kind.scalar]
    if width == 1:
        return builder.zext(builder.icmp_unsigned("!=", item, WORD(0)), kind.item)
    if width < 64:
        _remember(builder, _from_beginning(builder, kind, item), place)
    return narrowed(builder, kind, item)


def cut_twice(builder: Any, kind: Packed, item: Any, place: Any) -> Any:
    """The same for a number cut to twice the width before, the number itself if that changed it,
    otherwise 0, and what is to be tested in its place."""
    half, whole, tested = (builder.extract_value(item, i) for i in range(3))
    _remember(builder, _from_beginning(builder, kind, tested), place)
    lost = builder.icmp_unsigned("!=", whole, WORD(0))
    outside_range = builder.select(lost, _from_beginning(builder, kind, whole), WORD(0))
    _remember(builder, outside_range, place)
    return builder.trunc(half, kind.item)


def _from_beginning(builder: Any, kind: Packed, number: Any) -> Any:
    """Relative to the range's beginning: compared as unsigned numbers, those outside the range are
    larger than all inside it."""
    width, signed = CASTS[kind.scalar]
    return builder.add(number, number.type(1 << (width - 1))) if signed else number


def refuse(context: Any, builder: Any, kind: Packed, place: Any, where: str) -> None:
    """Raise OverflowError with the number if it is outside the range."""
    width, signed = CASTS[kind.scalar]
    if 1 < width < 64:
        beginning = WORD(1 << (width - 1) if signed else 0)
        last = builder.load(_part(builder, place, WORD))
        if width < 32:
            half = builder.load(_part(builder, place, native.IntType(2 * width)))
            number = builder.sub(half, half.type(beginning.constant))
            near = builder.add(builder.sext(number, WORD), beginning)
            last = builder.select(builder.icmp_unsigned(">", near, last), near, last)
        number = builder.sub(last, beginning)
        number = builder.sext(number, DOUBLE)
        text = outside(kind.scalar, f"an item of {where}")
        fail_if(
            context,
            builder,
            builder.icmp_unsigned(">", last, WORD((1 << width) - 1)),
            OverflowError,
            text,
            number,
        )
