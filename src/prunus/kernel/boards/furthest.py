"""Check once whether many numbers are all in a scalar's range. A loop that only remembers the
number furthest outside has no exit but its end, so that LLVM can vectorise it."""

from __future__ import annotations

from typing import Any

from prunus.core.bits import CASTS
from prunus.kernel.boards.packed import Packed, place_for
from prunus.kernel.boards.packed_values import narrowed
from prunus.kernel.numbers.integers import DOUBLE, WORD
from prunus.kernel.numbers.words import outside
from prunus.kernel.reporting.raising import fail_if


def nothing_yet(builder: Any) -> Any:
    """Storage for the furthest number."""
    place = place_for(builder, WORD)
    builder.store(WORD(0), place)
    return place


def cut(builder: Any, kind: Packed, item: Any, place: Any) -> Any:
    """A signed word converted to an item of a packed tuple, as it is stored. If the word is further
    outside the range than any before, the storage remembers it."""
    width, signed = CASTS[kind.scalar]
    if width == 1:
        return builder.zext(builder.icmp_unsigned("!=", item, WORD(0)), kind.item)
    if width < 64:
        # Compared as unsigned numbers, those outside the range are larger than all inside it.
        shifted = builder.add(item, WORD(1 << (width - 1))) if signed else item
        last = builder.load(place)
        builder.store(
            builder.select(builder.icmp_unsigned(">", shifted, last), shifted, last), place
        )
    return narrowed(builder, kind, item)


def refuse(context: Any, builder: Any, kind: Packed, place: Any, where: str) -> None:
    """Raise OverflowError with the number if it is outside the range."""
    width, signed = CASTS[kind.scalar]
    if 1 < width < 64:
        last = builder.load(place)
        number = builder.sext(builder.sub(last, WORD(1 << (width - 1))) if signed else last, DOUBLE)
        text = outside(kind.scalar, f"an item of {where}")
        fail_if(
            context,
            builder,
            builder.icmp_unsigned(">", last, WORD((1 << width) - 1)),
            OverflowError,
            text,
            number,
        )
