"""Floats on their way to an integer (`int(x / 2)`, `score * 0.5 > best`): exactly Python's, or an
error.

A float holds integers of up to 53 bits, times a power of 2. Python divides and compares others
exactly, and converts floats to integers of any size; where that would be needed, compiled code
raises. Where Python takes no float at all, as in `range(x / 2)`, none is taken.

A variable that is an integer on one path and a float on another holds a float in compiled code, and
so does a list of floats that gets an integer: Python computes with the integer, exactly. So an
integer of more than 53 bits never becomes a float there, and where a sum, difference, product or
power of two floats that may be integers leaves 53 bits, compiled code raises.
"""

from __future__ import annotations

import math
import operator
from typing import Any

from llvmlite import ir
from numba.core import errors, types
from numba.core.imputils import lower_cast
from numba.core.typing.templates import ConcreteTemplate, signature
from numba.cpython import numbers
from numba.cpython.builtins import round_impl_unary
from numba.extending import intrinsic, lower_builtin, overload

from prunus.kernel.numbers.integers import BIT, MASK, U64, WORD
from prunus.kernel.pipeline.inference import is_ours
from prunus.kernel.reporting.raising import fail_if

DOUBLE = ir.DoubleType()

BITS = 53


def no_float(function: str) -> errors.TypingError:
    """The error of a float that is given to a function of integers, which has this name."""
    return errors.TypingError(
        f"{function} takes whole numbers, not a float: divide by // or write int(...)"
    )


_plain_apply = ConcreteTemplate.apply


def _apply(self: Any, args: Any, kws: Any) -> Any:
    """Numba would cut floats off where its own functions (`range`, slices, `math.gcd`, the places
    of `round`) take integers."""
    if self.key is round and len(args) == 2 and isinstance(args[0], types.Integer) and is_ours():
        return None  # an integer stays one
    chosen = _plain_apply(self, args, kws)
    if chosen is not None and is_ours():
        for given, taken in zip(args, chosen.args, strict=False):
            if isinstance(given, types.Float) and isinstance(taken, types.Integer):
                raise no_float(getattr(self.key, "__name__", "this"))
    return chosen


ConcreteTemplate.apply = _apply


TOO_LONG = (
    f"an integer of more than {BITS} bits would become a float in compiled code: divide integers "
    f"with //, and scale floats"
)


TOO_LARGE = (
    f"a number that may be an integer in Python, which is exact, leaves the {BITS} bits of a float "
    "in compiled code: let integers have variables and lists of their own, and scale floats"
)
MOST = DOUBLE(2.0**BITS)


@lower_cast(types.int64, types.float64)
def _as_float(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    above = builder.add(value, WORD(1 << BITS))
    is_long = builder.icmp_unsigned(">", above, WORD(2 << BITS))
    fail_if(context, builder, is_long, OverflowError, TOO_LONG)
    return builder.sitofp(value, DOUBLE)


def divided_float(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """A number as an operand of what gives a float in any case: factors of 2 need no bits."""
    if kind != types.int64:
        return context.cast(builder, value, kind, types.float64)
    # The factors of 2 of 0 end at bit 62.
    twos = builder.cttz(builder.or_(value, WORD(1 << 62)), BIT(1))
    shifted = builder.add(builder.ashr(value, twos), WORD(1 << BITS))
    is_long = builder.icmp_unsigned(">", shifted, WORD(2 << BITS))
    fail_if(context, builder, is_long, OverflowError, TOO_LONG)
    return builder.sitofp(value, DOUBLE)


def _may_be_integer(builder: Any, value: Any) -> Any:
    """Whether a float may be an integer in Python."""
    size = builder.call(builder.module.declare_intrinsic("llvm.fabs", [DOUBLE]), [value])
    floor = builder.call(builder.module.declare_intrinsic("llvm.floor", [DOUBLE]), [value])
    return builder.and_(
        builder.fcmp_ordered("<=", size, MOST), builder.fcmp_ordered("==", floor, value)
    )


def _is_surely_float(value: Any, depth: int = 8) -> bool:
    """Whether a value is one in Python too: a constant, a quotient, or what is computed with such.
    A variable that is read again is none for certain: a loop may give it another value later."""
    if isinstance(value, ir.Constant):
        return True
    name = getattr(value, "opname", "")
    is_computed = name in ("fadd", "fsub", "fmul", "fneg") and depth > 0
    return name == "fdiv" or (
        is_computed and any(_is_surely_float(each, depth - 1) for each in value.operands)
    )


def check_size(context: Any, builder: Any, given: list[Any], found: Any) -> None:
    """Raise OverflowError if the result of an operation leaves 53 bits, and the operands may be
    integers in Python, whose result would be exact."""
    if any(map(_is_surely_float, given)):
        return
    size = builder.call(builder.module.declare_intrinsic("llvm.fabs", [DOUBLE]), [found])
    is_large = builder.fcmp_ordered(">=", size, MOST)
    for value in given:
        is_large = builder.and_(is_large, _may_be_integer(builder, value))
    fail_if(context, builder, is_large, OverflowError, TOO_LARGE)


def _teach(operators: tuple[Any, Any], plain: Any) -> None:
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        found = plain(context, builder, sig, args)
        if is_ours():
            check_size(context, builder, args, found)
        return found

    for each in operators:
        lower_builtin(each, types.float64, types.float64)(lower)


_teach((operator.add, operator.iadd), numbers.real_add_impl)
_teach((operator.sub, operator.isub), numbers.real_sub_impl)
_teach((operator.mul, operator.imul), numbers.real_mul_impl)


def _divide(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kinds = [types.float64, types.float64]
    operands = [
        divided_float(context, builder, kind, value)
        for kind, value in zip(sig.args, args, strict=True)
    ]
    plain = signature(types.float64, *kinds)
    return numbers.real_div_impl(context, builder, plain, operands)


for _operator in (operator.truediv, operator.itruediv):
    lower_builtin(_operator, types.int64, types.int64)(_divide)


@intrinsic
def _float_of_integer(typingctx: Any, value: Any) -> Any:
    """`float(n)`."""
    return types.float64(value), lambda context, builder, sig, args: divided_float(
        context, builder, sig.args[0], args[0]
    )


@intrinsic
def float_of_mask(typingctx: Any, value: Any) -> Any:
    """A u64, or a mask in a plain integer, as the nearest float, as `float` and functions of floats
    have it in Python."""
    if value not in (U64, MASK):
        return None
    return types.float64(value), lambda context, builder, sig, args: builder.uitofp(*args, DOUBLE)


@overload(float)
def _float(number):
    if types.unliteral(number) == types.int64:
        return lambda number: _float_of_integer(number)  # noqa: PLW0108
    return (lambda number: float_of_mask(number)) if number in (U64, MASK) else None  # noqa: PLW0108


@lower_cast(types.float64, types.int64)
def _as_integer(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    check_range(context, builder, value)
    return builder.fptosi(value, WORD)


def check_range(context: Any, builder: Any, value: Any) -> None:
    """Raise ValueError for NaN, as Python does; OverflowError for infinities and for floats beyond
    64 bits."""
    fail_if(
        context,
        builder,
        builder.fcmp_unordered("uno", value, value),
        ValueError,
        "cannot convert float NaN to integer",
    )
    inside = builder.and_(
        builder.fcmp_ordered(">=", value, DOUBLE(-(2.0**63))),
        builder.fcmp_ordered("<", value, DOUBLE(2.0**63)),
    )
    fail_if(
        context,
        builder,
        builder.not_(inside),
        OverflowError,
        "a float beyond 64 bits would become an integer in compiled code",
    )


@lower_builtin(round, types.float64)
def _round(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    check_range(context, builder, args[0])
    return round_impl_unary(context, builder, sig, args)


@intrinsic
def _fused(typingctx: Any, x: Any, y: Any, z: Any) -> Any:
    """The sum of a product and z, rounded once."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.fma(*args)

    return types.float64(x, y, z), lower


_POWERS = tuple(10.0**n for n in range(23))
"""The powers of ten that are floats."""

_TOO_MANY = "round() to more than 22 places is not supported in compiled code"


def _rounded(x, places):
    """`round(x, places)` as Python defines it: the decimal number next to x, of two equally near
    ones the even one. Scaling alone gives 2.68 for 2.675, which is a little less than it says."""
    if x - x != 0.0:
        return x
    if abs(places) > 22:
        if places > 0 and (x == 0.0 or abs(x) >= 1e-6):
            return x
        raise OverflowError(_TOO_MANY)
    power = _POWERS[abs(places)]
    scaled = x * power if places >= 0 else x / power
    if abs(scaled) >= 9007199254740992.0:
        return x  # the steps between floats are larger than those between the decimal numbers
    whole = math.floor(scaled) * 1.0
    above_half = scaled - whole - 0.5
    if above_half == 0.0:
        # Only what was lost by scaling decides.
        above_half = _fused(x, power, -scaled) if places >= 0 else _fused(-scaled, power, x)
    if above_half > 0.0 or (above_half == 0.0 and whole % 2.0 == 1.0):
        whole += 1.0
    return math.copysign(whole / power if places >= 0 else whole * power, x)


@lower_builtin(round, types.float64, types.Integer)
def _round_to_places(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return context.compile_internal(builder, _rounded, sig, args)
