"""The integers of `prunus.bits` for Numba.

Two unsigned 64-bit types live here. `u64` is the type that games declare: contagious, modulo 2**64. `mask` is what a plain Python integer
becomes where it is certainly not negative and may need its 64th bit: a literal shifted by a variable (`1 << n`), and what bit operators
make of it. A mask behaves like a plain integer in arithmetic (`-(1 << n)` is negative) and like an unsigned one in bit operators, shifts
and comparisons.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import lower_constant
from numba.core.typeconv import Conversion
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import (
    NativeValue,
    box,
    lower_builtin,
    lower_cast,
    models,
    register_model,
    typeof_impl,
    unbox,
)

from prunus.bits import MASK64, u64

WORD = ir.IntType(64)


class Unsigned(types.Type):
    """An unsigned 64-bit integer type; see the module's text for the two there are."""

    def __init__(self, name: str) -> None:
        super().__init__(name=name)

    def can_convert_from(self, typingctx: Any, other: Any) -> Any:
        """Plain integers become unsigned words, low bits kept."""
        if isinstance(other, types.IntegerLiteral) and other.literal_value < 0:
            return Conversion.unsafe
        return Conversion.safe if isinstance(other, types.Integer | types.Boolean) else None

    def unify(self, typingctx: Any, other: Any) -> Any:
        """The common type of two branches; None (an error at the line) where one is known to be negative."""
        if isinstance(other, Unsigned):
            return U64 if U64 in (self, other) else MASK
        if isinstance(other, types.IntegerLiteral):
            return self if other.literal_value >= 0 else (None if self is U64 else types.int64)
        if isinstance(other, types.Integer):
            return U64 if self is U64 else types.int64
        return self if isinstance(other, types.Boolean) else None


U64 = Unsigned("u64")
MASK = Unsigned("mask")

Number = (types.Integer, types.Boolean, Unsigned)


@register_model(Unsigned)
class _UnsignedModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, WORD)


@typeof_impl.register(u64)
def _typeof_u64(value: Any, context: Any) -> Any:
    return U64


@unbox(Unsigned)
def _unbox(kind: Any, value: Any, c: Any) -> Any:
    return NativeValue(c.pyapi.long_as_ulonglong(value), is_error=cgutils.is_not_null(c.builder, c.pyapi.err_occurred()))


@box(Unsigned)
def _box(kind: Any, value: Any, c: Any) -> Any:
    number = c.pyapi.long_from_ulonglong(value)
    if kind is MASK:
        return number
    cls = c.pyapi.unserialize(c.pyapi.serialize_object(u64))
    made = c.pyapi.call_function_objargs(cls, [number])
    c.pyapi.decref(cls)
    c.pyapi.decref(number)
    return made


@lower_constant(Unsigned)
def _lower_constant(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    return ir.Constant(WORD, int(value) & MASK64)


def constant(value: Any) -> Any:
    """A Python constant as the compiler takes it: integers beyond 63 bits are `u64`, and so are their neighbours in a tuple."""
    if isinstance(value, int) and not isinstance(value, bool | u64) and value >> 63 > 0:
        return u64(value)
    if type(value) is tuple:
        items = tuple(constant(item) for item in value)
        if all(a is b for a, b in zip(items, value, strict=True)) and not any(isinstance(item, u64) for item in items):
            return value
        whole = all(isinstance(item, int) and not isinstance(item, bool) for item in items)
        return tuple(map(u64, items)) if whole and any(isinstance(item, u64) for item in items) else items
    return value


def word(builder: Any, kind: Any, value: Any) -> Any:
    """The 64-bit word of an integer of any Numba type."""
    if isinstance(kind, types.Literal):
        return ir.Constant(WORD, int(kind.literal_value) & MASK64)
    if isinstance(kind, types.Boolean):
        return builder.zext(value, WORD)
    if isinstance(kind, Unsigned) or kind.bitwidth == 64:
        return value
    return (builder.sext if kind.signed else builder.zext)(value, WORD)


def wrapped(builder: Any, value: Any, width: int, signed: bool) -> Any:
    """A word cut to `width` bits and widened again; a truth value for width 1."""
    if width == 1:
        return builder.icmp_unsigned("!=", value, WORD(0))
    if width == 64:
        return value
    return (builder.sext if signed else builder.zext)(builder.trunc(value, ir.IntType(width)), WORD)


@lower_cast(types.Integer, Unsigned)
@lower_cast(types.Boolean, Unsigned)
@lower_cast(types.IntegerLiteral, Unsigned)
@lower_cast(types.BooleanLiteral, Unsigned)
@lower_cast(Unsigned, Unsigned)
def _to_unsigned(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    return word(builder, fromty, value)


@lower_cast(Unsigned, types.Integer)
def _to_integer(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    return builder.trunc(value, ir.IntType(toty.bitwidth)) if toty.bitwidth < 64 else value


@lower_cast(Unsigned, types.Boolean)
def _to_boolean(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    return builder.icmp_unsigned("!=", value, value.type(0))


@lower_builtin(bool, Unsigned)
def _truth(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.icmp_unsigned("!=", args[0], args[0].type(0))


@lower_builtin(operator.not_, Unsigned)
def _falsehood(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.icmp_unsigned("==", args[0], args[0].type(0))


def _unary(name: Any, result: Callable[[Any], Any]) -> None:
    @infer_global(name)
    class Template(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            return signature(result(args[0]), args[0]) if len(args) == 1 and isinstance(args[0], Unsigned) else None


_unary(bool, lambda kind: types.boolean)
_unary(operator.not_, lambda kind: types.boolean)
_unary(operator.truth, lambda kind: types.boolean)
_unary(operator.invert, lambda kind: kind)
_unary(operator.pos, lambda kind: kind)
_unary(operator.neg, lambda kind: U64 if kind is U64 else types.int64)
_unary(abs, lambda kind: kind)
_unary(int, lambda kind: MASK)

lower_builtin(operator.truth, Unsigned)(_truth)
lower_builtin(operator.invert, Unsigned)(lambda context, builder, sig, args: builder.not_(args[0]))
lower_builtin(operator.neg, Unsigned)(lambda context, builder, sig, args: builder.neg(args[0]))
for _same in (operator.pos, abs, int):
    lower_builtin(_same, Unsigned)(lambda context, builder, sig, args: args[0])


# Operators with two sides. `kept` decides what a mask and a plain integer make: a mask, or a plain integer again.


def _is_count(kind: Any) -> bool:
    return isinstance(kind, Unsigned) or (isinstance(kind, types.IntegerLiteral) and kind.literal_value >= 0)


def _result(left: Any, right: Any, kept: bool) -> Any:
    if U64 in (left, right):
        return U64
    return MASK if kept else types.int64


def _binary(names: tuple[Any, ...], emit: Callable[..., Any], kept: Callable[[Any, Any], bool]) -> None:
    for name in names:

        @infer_global(name)
        class Template(AbstractTemplate):
            prefer_literal = True

            def generic(self, args: Any, kws: Any) -> Any:
                if len(args) == 2 and all(isinstance(a, Number) for a in args) and any(isinstance(a, Unsigned) for a in args):
                    return signature(_result(*args, kept(*args)), *args)
                return None

        def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return emit(context, builder, *(word(builder, kind, value) for kind, value in zip(sig.args, args, strict=True)))

        _lower_sides(name, lower)


def _lower_sides(name: Any, lower: Callable[..., Any]) -> None:
    for left, right in ((Unsigned, Unsigned), (Unsigned, types.Any), (types.Any, Unsigned)):
        lower_builtin(name, left, right)(lower)


def _plain(method: str) -> Callable[..., Any]:
    return lambda context, builder, x, y: getattr(builder, method)(x, y)


def _division(method: str) -> Callable[..., Any]:
    def emit(context: Any, builder: Any, x: Any, y: Any) -> Any:
        with builder.if_then(builder.icmp_unsigned("==", y, WORD(0)), likely=False):
            context.call_conv.return_user_exc(builder, ZeroDivisionError, ("integer division or modulo by zero",))
        return getattr(builder, method)(x, y)

    return emit


def _always(left: Any, right: Any) -> bool:
    return True


def _both_counts(left: Any, right: Any) -> bool:
    return _is_count(left) and _is_count(right)


def _mask_less_literal(left: Any, right: Any) -> bool:
    return left is MASK and isinstance(right, types.IntegerLiteral) and right.literal_value in (0, 1)


_binary((operator.and_, operator.iand), _plain("and_"), _always)
_binary((operator.or_, operator.ior), _plain("or_"), _always)
_binary((operator.xor, operator.ixor), _plain("xor"), _always)
_binary((operator.add, operator.iadd), _plain("add"), _both_counts)
_binary((operator.mul, operator.imul), _plain("mul"), _both_counts)
_binary((operator.sub, operator.isub), _plain("sub"), _mask_less_literal)
_binary((operator.floordiv, operator.ifloordiv), _division("udiv"), _both_counts)
_binary((operator.mod, operator.imod), _division("urem"), _both_counts)


def _comparison(name: Any, sign: str) -> None:
    @infer_global(name)
    class Template(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            if len(args) == 2 and all(isinstance(a, Number) for a in args) and any(isinstance(a, Unsigned) for a in args):
                return signature(types.boolean, *args)
            return None

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        left, right = (word(builder, kind, value) for kind, value in zip(sig.args, args, strict=True))
        unsigned = builder.icmp_unsigned(sign, left, right)
        for kind, value, is_right in ((sig.args[0], left, False), (sig.args[1], right, True)):
            if isinstance(kind, types.Integer) and kind.signed:
                # A negative number is below every unsigned one, whatever its bits.
                answer = {"==": False, "!=": True, "<": not is_right, "<=": not is_right, ">": is_right, ">=": is_right}[sign]
                negative = builder.icmp_signed("<", value, WORD(0))
                return builder.select(negative, ir.IntType(1)(int(answer)), unsigned)
        return unsigned

    _lower_sides(name, lower)


for _operator, _sign in (("eq", "=="), ("ne", "!="), ("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">=")):
    _comparison(getattr(operator, _operator), _sign)


# Shifts of all integers, plain ones too: `prunus.kernel.compiled` puts these in the place of << and >>, since the machine's own shifts are
# undefined for 64 places and more.


class Shift:
    """The name of a shift in compiled code."""

    def __init__(self, name: str) -> None:
        self.__name__ = name

    def __call__(self, value: int, places: int) -> int:
        return value << places if self.__name__ == "shift_left" else value >> places


shift_left = Shift("shift_left")
"""`value << places`; 0 from 64 places on."""
shift_right = Shift("shift_right")
"""`value >> places`; 0 (for negative plain integers -1) from 64 places on."""


@infer_global(shift_left)
class _ShiftLeft(AbstractTemplate):
    prefer_literal = True

    def generic(self, args: Any, kws: Any) -> Any:
        if len(args) != 2 or not all(isinstance(a, Number) for a in args):
            return None
        both_literal = all(isinstance(a, types.Literal) for a in args)
        kept = _is_count(args[0]) and not both_literal
        return signature(_result(*args, kept), *args)


@infer_global(shift_right)
class _ShiftRight(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if len(args) != 2 or not all(isinstance(a, Number) for a in args):
            return None
        return signature(_result(*args, isinstance(args[0], Unsigned)), *args)


@lower_builtin(shift_left, types.Any, types.Any)
def _lower_left(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    value, count = (word(builder, kind, arg) for kind, arg in zip(sig.args, args, strict=True))
    if isinstance(count, ir.Constant) and count.constant < 64:
        return builder.shl(value, count)
    inside = builder.icmp_unsigned("<", count, WORD(64))
    return builder.select(inside, builder.shl(value, builder.and_(count, WORD(63))), WORD(0))


@lower_builtin(shift_right, types.Any, types.Any)
def _lower_right(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    value, count = (word(builder, kind, arg) for kind, arg in zip(sig.args, args, strict=True))
    inside = builder.icmp_unsigned("<", count, WORD(64))
    if sig.return_type is types.int64:
        return builder.ashr(value, builder.select(inside, count, WORD(63)))
    return builder.select(inside, builder.lshr(value, builder.and_(count, WORD(63))), WORD(0))
