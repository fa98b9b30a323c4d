"""The integers of `prunus.core.bits` and of Python for Numba: types, constants, conversions.

`u64` is the type that games declare: contagious, modulo 2**64. Plain integers have three types.
Most are Numba's `int64`. A *mask* is certainly not negative but may need its 64th bit: a literal
shifted by a variable (`1 << n`), `int(x)` of a u64, and what bit operators make of them. A *long*
may be negative and may need 64 bits besides its sign, like `~(1 << n)` and a difference of masks.
No conversion changes a number: if it does not fit, compiled code raises OverflowError.

A value that is a u64 on one path and a plain integer on another is *either*, a number with a flag.
A value that is a truth value on one path and a number on another has types of its own
(`TRUTH_OR_INT`, `TRUTH_OR_EITHER`), which also stand for a member of an `IntEnum` on one path. It
counts as a plain integer, except to the left of a u64: if it is a truth value or a member there,
the result is a plain integer in Python; if it is a number, a u64.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import lower_constant
from numba.core.typeconv import Conversion
from numba.extending import NativeValue, box, models, register_model, typeof_impl, unbox

from prunus.core.bits import MASK64, u64

WORD = ir.IntType(64)
BIT = ir.IntType(1)
DOUBLE = ir.IntType(128)
"""The type of a long's storage; a long is in -2**64 ... 2**64 - 1."""

BOTH = "a value that is a u64 on one path and a plain integer on another"

TOO_LARGE = (
    "a number exceeds the 64 bits of a plain integer in compiled code; declare a u64 if "
    "wrapping is meant"
)


MEMBER_ON_THE_LEFT = (
    "a member of an IntEnum stands left of a u64: Python gives a plain integer, not a u64; write "
    "int(...) or u64(...) around it"
)

TRUTH_ON_THE_LEFT = (
    "a value that is a truth value or a member of an IntEnum on one path and a number on another "
    "stands left of a u64: Python gives a plain integer for the one and a u64 for the number; "
    "write int(...) around it"
)


class Whole(types.Hashable):
    """One of our integer types; see the module's docstring."""

    def can_convert_from(self, typingctx: Any, other: Any) -> Any:
        """Allow numbers that certainly fit and keep their kind, plain or u64."""
        if self is TRUTH_OR_EITHER and isinstance(other, Number):
            return Conversion.safe
        if self is U64 or other is U64 or isinstance(other, Either):
            return Conversion.safe if self is EITHER and other is U64 else None
        return (
            Conversion.safe
            if isinstance(other, Number) and (self in (LONG, EITHER) or is_count(other))
            else None
        )

    def unify(self, typingctx: Any, other: Any) -> Any:
        """The common type of two branches."""
        if not isinstance(other, Number):
            return None
        if may_be_truth(self) or may_be_truth(other):
            return TRUTH_OR_EITHER
        if U64 in (self, other) or EITHER in (self, other):
            return EITHER
        return MASK if self is MASK and (other is MASK or is_count(other)) else LONG


class Unsigned(Whole):
    """An unsigned 64-bit integer type."""


class Long(Whole):
    """The type of a plain integer of 64 bits and a sign."""


class Either(Whole):
    """The type of a number that is a u64 on one path and a plain integer on another."""


class TruthOrInt(types.Integer):
    """The type of a truth value on one path and a plain integer of a signed word on another."""

    def can_convert_from(self, typingctx: Any, other: Any) -> Any:
        """Allow both kinds that it may be."""
        return Conversion.safe if is_small(other) else None

    def can_convert_to(self, typingctx: Any, other: Any) -> Any:
        """Allow every place where the plain integer may stand."""
        return (
            Conversion.promote
            if other == types.int64
            else typingctx.can_convert(types.int64, other)
        )

    def unify(self, typingctx: Any, other: Any) -> Any:
        """The common type of two branches."""
        return (
            self
            if is_small(other)
            else other.unify(typingctx, self)
            if isinstance(other, Whole)
            else None
        )


U64 = Unsigned("u64")
MASK = Unsigned("mask")
LONG = Long("long")
EITHER = Either("u64 or int")
TRUTH_OR_INT = TruthOrInt("bool or int", 64, True)
TRUTH_OR_EITHER = Either("bool, int or u64")
SIGNED = (LONG, EITHER, TRUTH_OR_EITHER)
"""Our types whose numbers may be negative."""

Number = (types.Integer, types.Boolean, Whole)


def is_small(kind: Any) -> bool:
    """Whether every number of this type fits a signed 64-bit word."""
    return isinstance(kind, types.Boolean) or (
        isinstance(kind, types.Integer) and (kind.signed or kind.bitwidth < 64)
    )


def may_be_truth(kind: Any) -> bool:
    """Whether a number of this type is a truth value on at least one path."""
    return isinstance(kind, types.Boolean) or kind in (TRUTH_OR_INT, TRUTH_OR_EITHER)


def may_be_derived(kind: Any) -> bool:
    """Whether a number of this type is a truth value or a member of an enumeration on at least one
    path: of a class that derives from int, and left of a u64 unlike an int."""
    return may_be_truth(kind) or isinstance(kind, types.IntEnumMember)


def is_count(kind: Any) -> bool:
    """Whether the type of a plain number rules out negative values."""
    if isinstance(kind, types.IntegerLiteral):
        return bool(kind.literal_value >= 0)
    return (
        kind is MASK
        or isinstance(kind, types.Boolean)
        or (isinstance(kind, types.Integer) and not kind.signed)
    )


def mixture(kind: Any, item: Any) -> str:
    """The error text for putting an item among numbers of another kind (u64 or plain, as Python
    sees it), or among such numbers and None; empty if it fits."""
    kind, item = (each.type if isinstance(each, types.Optional) else each for each in (kind, item))
    if not isinstance(kind, Number) or not isinstance(item, Number) or kind is TRUTH_OR_EITHER:
        return ""
    if isinstance(kind, types.Boolean):
        return (
            ""
            if isinstance(item, types.Boolean)
            else "a number is put among truth values: write bool(...) around it"
        )
    if may_be_truth(item) and not may_be_truth(kind):
        return "a truth value is put among numbers: write int(...) around it"
    if isinstance(item, types.IntEnumMember) and kind not in (item, TRUTH_OR_INT):
        return "a member of an IntEnum is put among numbers: write int(...) around it"
    if isinstance(kind, types.IntEnumMember) and kind != item:
        cls = kind.instance_class.__name__
        return f"a number is put among members of {cls}: write {cls}(...) around it"
    if kind is EITHER:
        return ""
    if isinstance(item, Either):
        return f"{BOTH} is put among numbers of one kind: write u64(...) or int(...)"
    if (kind is U64) == (item is U64):
        return ""
    if kind is U64:
        return "a plain integer is put among u64: write u64(...) around it"
    return "a u64 is put among plain integers: write int(...) around it, or make the others u64"


@register_model(Unsigned)
class _UnsignedModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, WORD)


@register_model(Long)
class _LongModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, DOUBLE)


register_model(TruthOrInt)(models.IntegerModel)


@register_model(Either)
class _EitherModel(models.StructModel):
    # The flags are separate values, so that the optimiser sees that they hardly ever change.
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(
            manager,
            kind,
            [("word", types.uint64), ("negative", types.boolean), ("unsigned", types.boolean)],
        )


# Constants.


class Mask(int):
    """A plain integer constant of 64 bits, for the compiler."""


class LongConstant(int):
    """A plain integer constant that may be negative, beside one of 64 bits, for the compiler."""


class EitherConstant(int):
    """A constant among others of which some are u64, for the compiler; the u64 among them have the
    next class."""


class EitherConstantU64(EitherConstant):
    """A u64 among such constants."""


_TYPE_OF_CONSTANT = {
    u64: U64,
    Mask: MASK,
    LongConstant: LONG,
    EitherConstant: EITHER,
    EitherConstantU64: EITHER,
}


@typeof_impl.register(u64)
@typeof_impl.register(EitherConstant)
@typeof_impl.register(Mask)
@typeof_impl.register(LongConstant)
def _typeof_own(value: Any, context: Any) -> Any:
    return _TYPE_OF_CONSTANT[type(value)]


@lower_constant(Whole)
def _lower_constant(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    if isinstance(kind, Either):
        parts = int(value) & MASK64, int(value < 0), int(isinstance(value, EitherConstantU64))
        return ir.Constant.literal_struct(
            [part(number) for part, number in zip((WORD, BIT, BIT), parts, strict=True)]
        )
    return (
        ir.Constant(DOUBLE, int(value)) if kind is LONG else ir.Constant(WORD, int(value) & MASK64)
    )


def constant(value: Any) -> Any:
    """A Python constant as the compiler takes it: an integer beyond 63 bits becomes a mask (or a
    long), and so do its neighbours in a tuple."""
    if type(value) is int and not -(1 << 63) <= value < 1 << 63 and -(1 << 64) <= value < 1 << 64:
        return Mask(value) if value > 0 else LongConstant(value)
    if type(value) is tuple:
        if value and all(type(item) is int for item in value):
            low, high = min(value), max(value)
            if high >> 64 or low < -(1 << 64) or (high < 1 << 63 and low >= -(1 << 63)):
                return value
            return tuple(map(Mask if low >= 0 else LongConstant, value))
        if {*map(type, value)} == {int, u64} and min(value) >= -(1 << 64) and max(value) < 1 << 64:
            return tuple(
                (EitherConstantU64 if type(item) is u64 else EitherConstant)(item) for item in value
            )
        items = tuple(map(constant, value))
        return value if all(a is b for a, b in zip(items, value, strict=True)) else items
    return value


# Conversion from and to Python.


@unbox(Unsigned)
def _unbox(kind: Any, value: Any, c: Any) -> Any:
    return NativeValue(
        c.pyapi.long_as_ulonglong(value),
        is_error=cgutils.is_not_null(c.builder, c.pyapi.err_occurred()),
    )


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
