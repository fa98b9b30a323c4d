"""Integers of more than 64 bits for Numba: their types, and the conversion of other numbers to
them.

There are six forms, each of 128 and of 256 bits. Games declare `u128` and `u256`: contagious,
modulo 2**bits. A *natural* is a plain integer that has more than 64 bits and is not negative: a
constant, or the smaller of a u128 and a number. It computes like a plain integer, and raises where
a result would be negative or have more bits. A *complement* and a *negative* are the results of `~`
and `-` on a natural, for bit operators with the other two; they are stored as that natural. A value
that is unsigned on one path and plain on another is *joined*: it computes like a natural, so that
both give the same result, or raises. Its `~` and `-` are *masked*: known modulo 2**bits, for
operators with an unsigned integer of that width and for `&`.
"""

from __future__ import annotations

from typing import Any, Final

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import lower_constant
from numba.core.typeconv import Conversion
from numba.extending import NativeValue, box, models, register_model, typeof_impl, unbox

from prunus.core.bits import u128, u256
from prunus.kernel.numbers import integers
from prunus.kernel.numbers.integers import SIGNED, U64, WORD, Either, Number, may_be_truth

BIT = ir.IntType(1)

LARGEST: Final = 256
"""The number of bits of the longest integers."""


FORMS: Final = ("u", "natural", "joined", "complement", "negative", "masked")


class Wide(types.Type):
    """An integer type of more than 64 bits; `form` is one of `FORMS`, see the module's
    docstring."""

    def __init__(self, bits: int, form: str) -> None:
        self.bits, self.form = bits, form
        self.is_unsigned, self.is_below = form == "u", form in ("complement", "negative")
        super().__init__(f"u{bits}" if form == "u" else f"{form}{bits}")

    def __reduce__(self) -> Any:
        return type_of, (self.bits, self.form)

    def can_convert_from(self, typingctx: Any, other: Any) -> Any:
        """Allow shorter integers that are not known to be negative."""
        if isinstance(other, types.IntegerLiteral) and other.literal_value < 0:
            return Conversion.unsafe
        return (
            Conversion.safe
            if isinstance(other, types.Integer) and not may_be_truth(other)
            else None
        )

    def unify(self, typingctx: Any, other: Any) -> Any:
        """The common type of two branches; None (an error at the line) if there is none."""
        if isinstance(other, Wide):
            return self._with_wide(other)
        if self.form == "masked":
            return None
        # With a truth value on its left, Python turns even a u128 into a plain integer.
        if other is TRUTH_OR_WIDE or may_be_truth(other):
            return TRUTH_OR_WIDE
        if self.is_below or other is U64 or isinstance(other, Either) or is_negative_literal(other):
            return None
        # Which one it is is only known at run time: a natural computes like both, or raises.
        if not isinstance(other, Number):
            return None
        return type_of(self.bits, "natural" if self.form == "natural" else "joined")

    def _with_wide(self, other: Wide) -> Any:
        if self.form == other.form:
            # Between two unsigned types, the modulus of the next operator would be unknown.
            return None if self.is_unsigned else type_of(max(self.bits, other.bits), self.form)
        if {self.form, other.form} == {"natural", "joined"}:
            return type_of(max(self.bits, other.bits), "joined")
        unsigned, plain = (self, other) if self.is_unsigned else (other, self)
        fits = (
            unsigned.is_unsigned
            and plain.form in ("natural", "joined")
            and plain.bits <= unsigned.bits
        )
        return type_of(unsigned.bits, "joined") if fits else None


class TruthOrWide(types.Type):
    """The type of a truth value on one path and an integer of more than 64 bits on another: it can
    only be tested for truth."""

    def can_convert_from(self, typingctx: Any, other: Any) -> Any:
        """Allow any number: it is compared with 0."""
        return Conversion.safe if isinstance(other, AnyNumber) else None

    def unify(self, typingctx: Any, other: Any) -> Any:
        """The common type of two branches."""
        return (
            self
            if isinstance(other, AnyNumber)
            and not (isinstance(other, Wide) and other.form == "masked")
            else None
        )


TRUTH_OR_WIDE: Final = TruthOrWide("bool or more than 64 bits")
register_model(TruthOrWide)(models.BooleanModel)

_known = {(bits, form): Wide(bits, form) for bits in (128, 256) for form in FORMS}


def type_of(bits: int, form: str = "u") -> Wide:
    """The type with this many bits and this form."""
    return _known[bits, form]


U128, U256 = type_of(128), type_of(256)
WIDE_TYPES: Final[dict[type, Wide]] = {u128: U128, u256: U256}

AnyNumber = (*Number, Wide)


@register_model(Wide)
class _WideModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, ir.IntType(kind.bits))


# Constants. Python's own integers have no such type; these represent them to the compiler.


class Constant(int):
    """A plain integer of more than 64 bits in the source of compiled code; derived classes give
    their type's width."""

    bits = 128


class Constant256(Constant):
    """The same for more than 128 bits."""

    bits = 256


def constant(value: Any) -> Any:
    """A Python constant as the compiler takes it: see `integers.constant`, and `Constant` for
    integers of more than 64 bits. In a tuple of integers, all items have the type of the
    longest."""
    if type(value) is int and not -(1 << 64) <= value < 1 << 64:
        bits = _bits(value)
        return value if bits > LARGEST else Constant256(value) if bits > 128 else Constant(value)
    if type(value) is tuple and value and all(type(item) is int for item in value):
        bits = max(map(_bits, value))
        if 64 < bits <= LARGEST and (min(value) >= 0 or max(value) < 0):
            return tuple(map(Constant256 if bits > 128 else Constant, value))
    return integers.constant(value)


def _bits(value: int) -> int:
    return (value if value >= 0 else ~value).bit_length()


@typeof_impl.register(u128)
@typeof_impl.register(u256)
def _typeof_wide(value: Any, context: Any) -> Any:
    return WIDE_TYPES[type(value)]


@typeof_impl.register(Constant)
def _typeof_constant(value: Any, context: Any) -> Any:
    return type_of(value.bits, "natural" if value >= 0 else "complement")


@lower_constant(Wide)
def _lower_constant(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    return ir.Constant(ir.IntType(kind.bits), int(value) if value >= 0 else ~int(value))


# Conversion from and to Python, by words.


@unbox(Wide)
def _unbox(kind: Any, value: Any, c: Any) -> Any:
    api, long_type = c.pyapi, ir.IntType(kind.bits)
    of_mask = api._get_function(
        ir.FunctionType(WORD, [api.pyobj]), name="PyLong_AsUnsignedLongLongMask"
    )
    rest, places = api.number_long(value), api.long_from_ulonglong(WORD(64))
    whole = long_type(0)
    for start in range(0, kind.bits, 64):
        low = c.builder.zext(c.builder.call(of_mask, [rest]), long_type)
        whole = c.builder.or_(whole, c.builder.shl(low, long_type(start)))
        shifted = api.number_rshift(rest, places)
        api.decref(rest)
        rest = shifted
    api.decref(rest)
    api.decref(places)
    return NativeValue(whole, is_error=cgutils.is_not_null(c.builder, api.err_occurred()))


@box(Wide)
def _box(kind: Any, value: Any, c: Any) -> Any:
    api = c.pyapi
    number, places = api.long_from_ulonglong(WORD(0)), api.long_from_ulonglong(WORD(64))
    for start in reversed(range(0, kind.bits, 64)):
        low = api.long_from_ulonglong(
            c.builder.trunc(c.builder.lshr(value, value.type(start)), WORD)
        )
        shifted = api.number_lshift(number, places)
        joined = api.number_or(shifted, low)
        for used in (number, low, shifted):
            api.decref(used)
        number = joined
    api.decref(places)
    if kind.form == "natural":
        return number
    cls = api.unserialize(api.serialize_object(u128 if kind is U128 else u256))
    made = api.call_function_objargs(cls, [number])
    api.decref(cls)
    api.decref(number)
    return made


def is_negative_literal(kind: Any) -> bool:
    """Whether every number of this type is known to be negative."""
    return isinstance(kind, types.IntegerLiteral) and kind.literal_value < 0


def may_be_negative(kind: Any) -> bool:
    """Whether a number of this type may be negative, as far as the compiler knows."""
    if isinstance(kind, types.IntegerLiteral):
        return bool(kind.literal_value < 0)
    return (
        kind in SIGNED
        or (isinstance(kind, types.Integer) and kind.signed)
        or (isinstance(kind, Wide) and kind.is_below)
    )
