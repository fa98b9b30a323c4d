"""The integers of `prunus.bits` and of Python for Numba: types, constants, conversions.

`u64` is the type that games declare: contagious, modulo 2**64. Plain integers have three types. Most are Numba's `int64`. A *mask* is one
that is certainly not negative and may need its 64th bit: a literal shifted by a variable (`1 << n`), `int(x)` of a u64, and what bit
operators make of them. A *long* is one that may be negative and may need 64 bits besides its sign, as `~(1 << n)` and a difference of masks
do. No conversion changes a number: where it does not fit, compiled code raises OverflowError.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, errors, types
from numba.core.imputils import lower_constant
from numba.core.typeconv import Conversion
from numba.extending import NativeValue, box, lower_cast, models, register_model, typeof_impl, unbox

from prunus.bits import CASTS, MASK64, u64
from prunus.kernel.raising import fail_if

WORD = ir.IntType(64)
DOUBLE = ir.IntType(128)
"""What a long is kept in: -2**64 ... 2**64 - 1."""

TOO_LARGE = "a number leaves the 64 bits of a plain integer in compiled code; declare a u64 where wrapping is meant"


class Whole(types.Type):
    """An integer type of ours; see the module's text."""

    def can_convert_from(self, typingctx: Any, other: Any) -> Any:
        """Numbers that certainly fit; for a u64 also plain ones, as in a tuple of both."""
        if self is U64 or other is U64:
            return Conversion.safe if self is U64 and is_count(other) else None
        return Conversion.safe if isinstance(other, Number) and (self is LONG or is_count(other)) else None

    def unify(self, typingctx: Any, other: Any) -> Any:
        """The common type of two branches; None (an error at the line) where one is a u64 and the other known to be negative."""
        if not isinstance(other, Number):
            return None
        if U64 in (self, other):
            return None if isinstance(other, types.IntegerLiteral) and other.literal_value < 0 else U64
        return MASK if self is MASK and (other is MASK or is_count(other)) else LONG


class Unsigned(Whole):
    """An unsigned 64-bit integer type."""


class Long(Whole):
    """The type of a plain integer of 64 bits and a sign."""


U64 = Unsigned("u64")
MASK = Unsigned("mask")
LONG = Long("long")

Number = (types.Integer, types.Boolean, Whole)


def is_small(kind: Any) -> bool:
    """Whether a number's type fits a signed 64-bit word."""
    return isinstance(kind, types.Boolean) or (isinstance(kind, types.Integer) and (kind.signed or kind.bitwidth < 64))


def is_count(kind: Any) -> bool:
    """Whether a plain number's type says that it is not negative."""
    if isinstance(kind, types.IntegerLiteral):
        return bool(kind.literal_value >= 0)
    return kind is MASK or isinstance(kind, types.Boolean) or (isinstance(kind, types.Integer) and not kind.signed)


@register_model(Unsigned)
class _UnsignedModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, WORD)


@register_model(Long)
class _LongModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, DOUBLE)


# Constants.


class Mask(int):
    """A plain integer constant of 64 bits, on its way to the compiler."""


class LongConstant(int):
    """A plain integer constant that may be negative beside one of 64 bits, on its way to the compiler."""


_TYPE_OF_CONSTANT = {u64: U64, Mask: MASK, LongConstant: LONG}


@typeof_impl.register(u64)
@typeof_impl.register(Mask)
@typeof_impl.register(LongConstant)
def _typeof_own(value: Any, context: Any) -> Any:
    return _TYPE_OF_CONSTANT[type(value)]


@lower_constant(Whole)
def _lower_constant(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    return ir.Constant(DOUBLE, int(value)) if kind is LONG else ir.Constant(WORD, int(value) & MASK64)


def constant(value: Any) -> Any:
    """A Python constant as the compiler takes it: integers beyond 63 bits are masks (or longs), and so are their neighbours in a tuple."""
    if type(value) is int and not -(1 << 63) <= value < 1 << 63 and -(1 << 64) <= value < 1 << 64:
        return Mask(value) if value > 0 else LongConstant(value)
    if type(value) is tuple:
        if value and all(type(item) is int for item in value):
            low, high = min(value), max(value)
            if high >> 64 or low < -(1 << 64) or (high < 1 << 63 and low >= -(1 << 63)):
                return value
            return tuple(map(Mask if low >= 0 else LongConstant, value))
        items = tuple(map(constant, value))
        return value if all(a is b for a, b in zip(items, value, strict=True)) else items
    return value


# Across the boundary to Python.


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


# Numbers in LLVM.


def word(builder: Any, kind: Any, value: Any) -> Any:
    """The 64-bit word of an integer of any Numba type but a long, of which a word may be a part only (`low_word`)."""
    if kind is LONG:
        raise errors.UnsupportedError("a plain integer of 64 bits and a sign cannot be used here; make it a u64 or an i64 first")
    return low_word(builder, kind, value)


def low_word(builder: Any, kind: Any, value: Any) -> Any:
    """An integer of any Numba type modulo 2**64."""
    if isinstance(kind, types.Literal):
        return ir.Constant(WORD, int(kind.literal_value) & MASK64)
    if isinstance(kind, types.Boolean):
        return builder.zext(value, WORD)
    if kind is LONG:
        return builder.trunc(value, WORD)
    if isinstance(kind, Unsigned) or kind.bitwidth == 64:
        return value
    return (builder.sext if kind.signed else builder.zext)(value, WORD)


def is_negative(builder: Any, kind: Any, value: Any) -> Any:
    """Whether a number whose type allows it is negative."""
    if kind is LONG:
        return builder.icmp_signed("<", value, DOUBLE(0))
    return builder.icmp_signed("<", low_word(builder, kind, value), WORD(0))


def double(builder: Any, kind: Any, value: Any) -> Any:
    """An integer of any Numba type as a long."""
    if kind is LONG:
        return value
    if isinstance(kind, types.Literal):
        return ir.Constant(DOUBLE, int(kind.literal_value))
    whole = low_word(builder, kind, value)
    return (builder.sext if is_small(kind) else builder.zext)(whole, DOUBLE)


def signed_word(context: Any, builder: Any, kind: Any, value: Any, text: str = TOO_LARGE) -> Any:
    """An integer of any Numba type as a signed 64-bit word. Code that gets here with another one raises OverflowError."""
    if is_small(kind):
        return word(builder, kind, value)
    if kind is LONG:
        low = builder.trunc(value, WORD)
        outside = builder.icmp_signed("!=", builder.sext(low, DOUBLE), value)
    else:
        low = low_word(builder, kind, value)
        outside = builder.icmp_signed("<", low, WORD(0))
    fail_if(context, builder, outside, OverflowError, text)
    return low


def unsigned_word(context: Any, builder: Any, kind: Any, value: Any, text: str) -> Any:
    """An integer of any Numba type as an unsigned 64-bit word. Code that gets here with a negative one raises OverflowError."""
    low = low_word(builder, kind, value)
    if kind is LONG:
        fail_if(context, builder, builder.icmp_signed("<", value, DOUBLE(0)), OverflowError, text)
    elif is_small(kind) and not is_count(kind):
        fail_if(context, builder, builder.icmp_signed("<", low, WORD(0)), OverflowError, text)
    return low


def wrapped(builder: Any, value: Any, width: int, signed: bool) -> Any:
    """A word cut to `width` bits and widened again; a truth value for width 1."""
    if width == 1:
        return builder.icmp_unsigned("!=", value, WORD(0))
    if width == 64:
        return value
    return (builder.sext if signed else builder.zext)(builder.trunc(value, ir.IntType(width)), WORD)


def stored_scalar(context: Any, builder: Any, scalar: type, kind: Any, value: Any, where: str) -> Any:
    """A number as a State's scalar (a key of `CASTS` of at most 64 bits) in registers. Compiled code raises OverflowError, in the words of
    `prunus.state.refused`, where the number is outside the scalar's range; `where` names the field."""
    width, signed = CASTS[scalar]
    if width == 1:
        return truth(builder, kind, value)
    article = "an" if scalar.__name__[0] == "i" else "a"
    text = f"{where} is {article} {scalar.__name__}, {ranges(scalar)}: the number given is outside"
    if width == 64:
        return (signed_word if signed else unsigned_word)(context, builder, kind, value, text)
    if isinstance(kind, types.IntegerLiteral) and in_range(scalar, kind.literal_value):
        return word(builder, kind, value)
    plain = double(builder, kind, value) if kind is LONG else low_word(builder, kind, value)
    cut = wrapped(builder, low_word(builder, kind, value), width, signed)
    whole = cut if kind is not LONG else builder.sext(cut, DOUBLE)
    fail_if(context, builder, builder.icmp_unsigned("!=", whole, plain), OverflowError, text)
    return cut


def in_range(scalar: type, value: int) -> bool:
    """Whether a scalar of a State holds a number as it is."""
    width, signed = CASTS[scalar]
    return -(1 << (width - 1)) <= value < 1 << (width - 1) if signed else 0 <= value < 1 << width


def ranges(scalar: type) -> str:
    """The range of a scalar, for people."""
    width, signed = CASTS[scalar]
    return f"-2**{width - 1} ... 2**{width - 1} - 1" if signed else f"0 ... 2**{width} - 1"


def truth(builder: Any, kind: Any, value: Any) -> Any:
    """Whether a number is not 0."""
    if kind is LONG:
        return builder.icmp_unsigned("!=", value, DOUBLE(0))
    return builder.icmp_unsigned("!=", low_word(builder, kind, value), WORD(0))


# Conversions. Literals are not told from other numbers here: their values have become the instructions' constants.


@lower_cast(types.Integer, Unsigned)
@lower_cast(types.Boolean, Unsigned)
@lower_cast(types.IntegerLiteral, Unsigned)
@lower_cast(types.BooleanLiteral, Unsigned)
@lower_cast(Whole, Unsigned)
def _to_unsigned(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    text = (
        "a number that is a u64 on another path is negative here" if toty is U64 else "a number that is a mask on another path is negative"
    )
    return unsigned_word(context, builder, fromty, value, text)


@lower_cast(types.Integer, Long)
@lower_cast(types.Boolean, Long)
@lower_cast(types.IntegerLiteral, Long)
@lower_cast(types.BooleanLiteral, Long)
@lower_cast(Whole, Long)
def _to_long(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    return double(builder, fromty, value)


@lower_cast(Whole, types.Integer)
def _to_integer(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    if toty.bitwidth < 64:
        raise errors.UnsupportedError(f"a number is made a {toty}")
    return signed_word(context, builder, fromty, value)


@lower_cast(Whole, types.Boolean)
def _to_boolean(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    return truth(builder, fromty, value)
