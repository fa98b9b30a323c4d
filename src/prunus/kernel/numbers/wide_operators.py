"""Operators on integers of more than 64 bits, compiled.

An operator with a `u128` or a `u256` takes both sides modulo 2**bits of the widest. Without one,
that is with only naturals, complements and plain integers, it computes exactly and raises if the
result is not a natural.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from numba.core import errors, types
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin

from prunus.kernel.numbers.comparisons import SYMBOLS
from prunus.kernel.numbers.integers import (
    MASK,
    MEMBER_ON_THE_LEFT,
    TRUTH_ON_THE_LEFT,
    TRUTH_OR_EITHER,
    TRUTH_OR_INT,
    U64,
    Either,
    Number,
    Whole,
    is_count,
)
from prunus.kernel.numbers.wide import BIT, LARGEST, AnyNumber, Wide, may_be_negative, type_of
from prunus.kernel.numbers.wide_conversions import (
    alone,
    exceeds,
    is_negative,
    modulo,
    natural,
    plain_word,
    resized,
    truth,
    width_of,
)
from prunus.kernel.numbers.wide_division import quotient
from prunus.kernel.reporting.raising import fail_if


def _are_numbers(args: Any, count: int) -> bool:
    return (
        len(args) == count
        and all(isinstance(a, AnyNumber) for a in args)
        and any(isinstance(a, Wide) for a in args)
    )


def _contagious(args: Any) -> Any:
    """The type that decides: the widest of u64, u128 and u256; None if there is none."""
    if isinstance(args[0], types.Boolean):
        # With a truth value on the left, Python tries its class first, which makes both plain
        # integers.
        return None
    if args[0] in (TRUTH_OR_INT, TRUTH_OR_EITHER) and any(
        isinstance(kind, Wide) and kind.form in ("u", "joined", "masked") for kind in args
    ):
        raise errors.TypingError(TRUTH_ON_THE_LEFT)
    if isinstance(args[0], types.IntEnumMember):
        raise errors.TypingError(MEMBER_ON_THE_LEFT)
    found = [kind for kind in args if kind is U64 or (isinstance(kind, Wide) and kind.is_unsigned)]
    return max(found, key=width_of, default=None)


def _widest(args: Any) -> int:
    return max(map(width_of, args))


def _operand(context: Any, builder: Any, kind: Any, value: Any, bits: int) -> Any:
    """One side of a contagious operator: modulo 2**bits, but an error if it has more bits."""
    if isinstance(kind, Wide) and kind.bits > bits:
        text = f"a number that does not fit the {bits} bits of an operator with a u{bits}"
        fail_if(context, builder, exceeds(builder, kind, value, bits), OverflowError, text)
    return modulo(builder, kind, value, bits)


def _as_natural(context: Any, builder: Any, value: Any, bits: int) -> Any:
    """A signed integer as a natural of this width; raises if it is not one."""
    outside = builder.icmp_unsigned("!=", builder.lshr(value, value.type(bits)), value.type(0))
    text = f"a plain integer leaves 0 ... 2**{bits} - 1; declare a u{bits} if wrapping is meant"
    fail_if(context, builder, outside, OverflowError, text)
    return resized(builder, value, bits)


# One side.


def _unary(names: tuple[Any, ...], result: Callable[[Any], Any], emit: Callable[..., Any]) -> None:
    for name in names:

        @infer_global(name)
        class Template(AbstractTemplate):
            def generic(self, args: Any, kws: Any) -> Any:
                made = result(args[0]) if len(args) == 1 and isinstance(args[0], Wide) else None
                return None if made is None else signature(made, args[0])

        lower_builtin(name, Wide)(
            lambda context, builder, sig, args: emit(context, builder, sig.args[0], args[0])
        )


def _negated(kind: Any) -> Any:
    other = {"u": "u", "natural": "negative", "negative": "natural", "joined": "masked"}.get(
        kind.form
    )
    return None if other is None else type_of(kind.bits, other)


def _inverted(kind: Any) -> Any:
    other = {"u": "u", "natural": "complement", "complement": "natural", "joined": "masked"}.get(
        kind.form
    )
    return None if other is None else type_of(kind.bits, other)


def _is_masked(*kinds: Any) -> bool:
    return any(isinstance(kind, Wide) and kind.form == "masked" for kind in kinds)


def _truth(kind: Any) -> Any:
    return None if _is_masked(kind) else types.boolean


def _as_int(kind: Any) -> Any:
    if _is_masked(kind):
        return None
    return (
        MASK
        if kind.is_unsigned
        else type_of(kind.bits, "natural")
        if kind.form == "joined"
        else kind
    )


def _as_plain(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    return plain_word(context, builder, kind, value, signed=False)


_unary((bool, operator.truth), _truth, lambda context, builder, kind, x: truth(builder, kind, x))
_unary(
    (operator.not_,),
    _truth,
    lambda context, builder, kind, x: builder.not_(truth(builder, kind, x)),
)
# A natural, its complement and its negative are stored as the same bits.
_unary(
    (operator.invert,),
    _inverted,
    lambda context, builder, kind, x: builder.not_(x) if kind.form in ("u", "joined") else x,
)
_unary(
    (operator.neg,),
    _negated,
    lambda context, builder, kind, x: builder.neg(x) if kind.form in ("u", "joined") else x,
)
_unary(
    (operator.pos,),
    lambda kind: None if _is_masked(kind) else kind,
    lambda context, builder, kind, x: x,
)
_unary(
    (abs,),
    lambda kind: None if kind.is_below or _is_masked(kind) else kind,
    lambda context, builder, kind, x: x,
)
_unary((int,), _as_int, lambda c, b, kind, x: _as_plain(c, b, kind, x) if kind.is_unsigned else x)


# Two sides.


def _teach(
    names: tuple[Any, ...], result: Callable[[Any, Any], Any], lower: Callable[..., Any]
) -> None:
    for name in names:

        @infer_global(name)
        class Template(AbstractTemplate):
            prefer_literal = True

            def generic(self, args: Any, kws: Any) -> Any:
                made = result(*args) if _are_numbers(args, 2) else None
                if made is None and _are_numbers(args, 2) and _is_masked(*args):
                    raise errors.TypingError(alone(next(filter(_is_masked, args))))
                return None if made is None else signature(made, *args)

        for left, right in (
            (Wide, Wide),
            (Wide, Whole),
            (Whole, Wide),
            (Wide, types.Any),
            (types.Any, Wide),
        ):
            lower_builtin(name, left, right)(lower)


def _result(left: Any, right: Any, plain: Callable[[Any, Any], Any]) -> Any:
    """The type that an operator gives. None, an error at the line, for a u64 with a natural, which
    may have more bits or be a u128."""
    deciding = _contagious((left, right))
    if _is_masked(left, right):
        fits = deciding is not None and width_of(deciding) == _widest((left, right)) == min(
            map(_masked_bits, (left, right))
        )
        return (
            deciding
            if fits
            else plain(left, right)
            if deciding is None and plain is _plain_and
            else None
        )
    if deciding is None:
        return None if isinstance(left, Either) or isinstance(right, Either) else plain(left, right)
    return None if deciding is U64 else deciding


def _is_below(kind: Any) -> bool:
    return isinstance(kind, Wide) and kind.is_below


def _exact(left: Any, right: Any) -> Any:
    is_joined = any(isinstance(kind, Wide) and kind.form == "joined" for kind in (left, right))
    return type_of(_widest((left, right)), "joined" if is_joined else "natural")


def _plain_result(left: Any, right: Any) -> Any:
    """The result of two plain sides: a natural, unless both may be negative."""
    return (
        None
        if _is_below(left) or _is_below(right) or _is_masked(left, right)
        else _exact(left, right)
    )


def _masked_bits(kind: Any) -> int:
    return width_of(kind) if _is_masked(kind) else LARGEST


def _plain_and(left: Any, right: Any) -> Any:
    """The same for `&`, which also gives a natural if one side is masked and the other is not
    negative."""
    if not _is_masked(left, right):
        return _plain_bits(left, right)
    masked, other = (left, right) if _is_masked(left) else (right, left)
    certain = (
        is_count(other)
        if isinstance(other, Number)
        else other.form in ("natural", "joined") and other.bits <= masked.bits
    )
    return type_of(masked.bits, "joined") if certain else None


def _plain_bits(left: Any, right: Any) -> Any:
    """The same for bit operators, which also know complements."""
    both = (_is_below(left) and _is_below(right)) or _is_masked(left, right)
    return None if both else _exact(left, right)


def _binary(
    names: tuple[Any, ...],
    emit: Callable[..., Any],
    plain: Callable[[Any, Any], Any] = _plain_result,
    room: Callable[[int], int] = lambda bits: bits + 2,
) -> None:
    """Teach Numba an operator. `room`: the number of bits, sign included, that the result of two
    plain integers of the given width needs."""

    def result(left: Any, right: Any) -> Any:
        return _result(left, right, plain)

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        sides = list(zip(sig.args, args, strict=True))
        deciding = _contagious(sig.args)
        if deciding is not None:
            bits = width_of(deciding)
            return emit(
                context,
                builder,
                *(_operand(context, builder, kind, value, bits) for kind, value in sides),
            )
        bits = _widest(sig.args)
        value = emit(
            context, builder, *(modulo(builder, kind, side, room(bits)) for kind, side in sides)
        )
        return _as_natural(context, builder, value, bits)

    _teach(names, result, lower)


def _simple(method: str) -> Callable[..., Any]:
    return lambda context, builder, x, y: getattr(builder, method)(x, y)


_binary((operator.and_, operator.iand), _simple("and_"), _plain_and)
_binary((operator.or_, operator.ior), _simple("or_"), _plain_bits)
_binary((operator.xor, operator.ixor), _simple("xor"), _plain_bits)
_binary((operator.add, operator.iadd), _simple("add"))
_binary((operator.sub, operator.isub), _simple("sub"))
_binary((operator.mul, operator.imul), _simple("mul"), room=lambda bits: 2 * bits + 2)


def _dividing(names: tuple[Any, ...], remainder: bool) -> None:
    def result(left: Any, right: Any) -> Any:
        return _result(left, right, _plain_result)

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        deciding = _contagious(sig.args)
        bits = width_of(deciding) if deciding is not None else _widest(sig.args)
        convert = natural if deciding is None else _operand
        x, y = (
            convert(context, builder, kind, value, bits)
            for kind, value in zip(sig.args, args, strict=True)
        )
        zero = builder.icmp_unsigned("==", y, y.type(0))
        fail_if(context, builder, zero, ZeroDivisionError, "integer division or modulo by zero")
        whole = quotient(builder, x, y)
        return builder.sub(x, builder.mul(whole, y)) if remainder else whole

    _teach(names, result, lower)


_dividing((operator.floordiv, operator.ifloordiv), False)
_dividing((operator.mod, operator.imod), True)


def _comparison(name: Any, symbol: str) -> None:
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        bits = _widest(sig.args)
        sides = list(zip(sig.args, args, strict=True))
        if all(map(may_be_negative, sig.args)):
            return builder.icmp_signed(
                symbol, *(modulo(builder, kind, value, bits + 1) for kind, value in sides)
            )
        left, right = (modulo(builder, kind, value, bits) for kind, value in sides)
        answer = builder.icmp_unsigned(symbol, left, right)
        for (kind, value), is_right in zip(sides, (False, True), strict=True):
            if may_be_negative(kind):
                # A negative number is below every other one, whatever its bits.
                below = {
                    "==": False,
                    "!=": True,
                    "<": not is_right,
                    "<=": not is_right,
                    ">": is_right,
                    ">=": is_right,
                }[symbol]
                answer = builder.select(is_negative(builder, kind, value), BIT(int(below)), answer)
        return answer

    _teach((name,), lambda left, right: None if _is_masked(left, right) else types.boolean, lower)


for _operator, _symbol in SYMBOLS.items():
    _comparison(_operator, _symbol)
