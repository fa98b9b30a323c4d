"""`ctz`, `clz`, `bswap` and `mulhi` of `prunus.core.bits` for Numba: one instruction each on
words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core import types
from numba.extending import intrinsic, overload

from prunus.core.bits import bswap, clz, ctz, mulhi
from prunus.kernel.numbers.integers import U64, Number
from prunus.kernel.numbers.wide import BIT, Wide
from prunus.kernel.numbers.wide_conversions import modulo, resized, width_of


def _unsigned(kind: Any) -> Any:
    """The type that a number counts as; None if it is not unsigned and may have more than 64
    bits."""
    if isinstance(kind, Wide):
        return kind if kind.is_unsigned else None
    return U64 if isinstance(kind, Number) else None


def _teach(function: Any, counts: bool, emit: Callable[[Any, Any], Any]) -> None:
    @intrinsic
    def of_bits(typingctx: Any, value: Any) -> Any:
        kind = _unsigned(value)

        def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            made = emit(builder, modulo(builder, sig.args[0], args[0], width_of(kind)))
            return resized(builder, made, 64) if counts else made

        return (types.int64 if counts else kind)(value), lower

    @overload(function)
    def of_number(value):
        return None if _unsigned(value) is None else lambda value: of_bits(value)  # noqa: PLW0108 - Numba compiles the lambda


_teach(ctz, True, lambda builder, x: builder.cttz(x, BIT(0)))
_teach(clz, True, lambda builder, x: builder.ctlz(x, BIT(0)))
_teach(bswap, False, lambda builder, x: builder.bswap(x))


@intrinsic
def _upper_half(typingctx: Any, left: Any, right: Any) -> Any:
    kind = max(_unsigned(left), _unsigned(right), key=width_of)

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        bits = width_of(kind)
        sides = zip(sig.args, args, strict=True)
        # A negative plain number is taken as a u64, even beside a longer one.
        x, y = (
            resized(builder, modulo(builder, side, value, width_of(side)), 2 * bits)
            for side, value in sides
        )
        whole = builder.mul(x, y)
        return resized(builder, builder.lshr(whole, whole.type(bits)), bits)

    return kind(left, right), lower


@overload(mulhi)
def _mulhi(left, right):
    if _unsigned(left) is None or _unsigned(right) is None:
        return None
    return lambda left, right: _upper_half(left, right)  # noqa: PLW0108
