"""Shifts of integers of more than 64 bits, compiled."""

from __future__ import annotations

import operator
from typing import Any

from prunus.kernel.numbers.integers import U64, Number
from prunus.kernel.numbers.wide import Wide, is_negative_literal, may_be_negative
from prunus.kernel.numbers.wide_conversions import is_negative, modulo, resized, width_of
from prunus.kernel.numbers.wide_operators import _contagious, _is_masked, _operand, _teach
from prunus.kernel.reporting.raising import fail_if


def _places(context: Any, builder: Any, kind: Any, value: Any, bits: int) -> tuple[Any, Any]:
    """Whether the number of places is less than `bits`, and the places; raises if they are
    negative."""
    if may_be_negative(kind):
        fail_if(
            context, builder, is_negative(builder, kind, value), ValueError, "negative shift count"
        )
    count = modulo(builder, kind, value, max(bits, width_of(kind)))
    inside = builder.icmp_unsigned("<", count, count.type(bits))
    return inside, resized(builder, builder.and_(count, count.type(bits - 1)), bits)


def _shift_result(left: Any, right: Any) -> Any:
    if _is_masked(left, right):
        return None
    deciding = _contagious((left, right))
    if deciding is not None:
        return None if deciding is U64 else deciding
    is_natural = isinstance(left, Wide) and left.form in ("natural", "joined")
    return (
        left
        if is_natural and isinstance(right, Number) and not is_negative_literal(right)
        else None
    )


def _shifting(names: tuple[Any, ...], left: bool) -> None:
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        made = sig.return_type
        value = _operand(context, builder, sig.args[0], args[0], made.bits)
        inside, count = _places(context, builder, sig.args[1], args[1], made.bits)
        shifted = builder.shl(value, count) if left else builder.lshr(value, count)
        if left and not made.is_unsigned:
            kept = builder.and_(
                inside, builder.icmp_unsigned("==", builder.lshr(shifted, count), value)
            )
            lost = builder.and_(
                builder.not_(kept), builder.icmp_unsigned("!=", value, value.type(0))
            )
            text = (
                f"a plain integer exceeds {made.bits} bits in <<; declare a u{made.bits} if "
                f"wrapping is meant"
            )
            fail_if(context, builder, lost, OverflowError, text)
        return builder.select(inside, shifted, value.type(0))

    _teach(names, _shift_result, lower)


_shifting((operator.lshift, operator.ilshift), True)


_shifting((operator.rshift, operator.irshift), False)
