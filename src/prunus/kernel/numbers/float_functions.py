"""Functions of `math` that are not defined everywhere, and `**` of floats: compiled code raises
where Python does, in place of NaN and infinity.

The rule is that of CPython's `math_1` (`Modules/mathmodule.c`): NaN of an argument that is none is
a ValueError, and so is infinity of a finite argument, or an OverflowError where the function can
grow without limit. `gamma` and `lgamma` have poles at the whole numbers up to 0.

`**` and `pow` call C's `pow`, as Python does (`float_pow` in `Objects/floatobject.c`), by a name of
its own: LLVM would put products in its place, which differ in the last bit.
"""

from __future__ import annotations

import ctypes
import math
import operator
import sys
from typing import Any

from llvmlite import binding as llvm
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing.templates import signature
from numba.cpython import mathimpl
from numba.extending import intrinsic, lower_builtin, overload

from prunus.kernel.numbers.floats import check_size, divided_float, float_of_mask
from prunus.kernel.numbers.integers import MASK, U64, Number
from prunus.kernel.numbers.wide_functions import as_index
from prunus.kernel.reporting.raising import fail_if

_GROWING = (math.exp, math.expm1, math.cosh, math.sinh)
_LIMITED = (
    *(math.sqrt, math.log, math.log2, math.log10, math.log1p, math.sin, math.cos, math.tan),
    *(math.asin, math.acos, math.acosh, math.atanh),
)
_POLES = (math.gamma, math.lgamma)

_DOUBLE = ir.DoubleType()
_INFINITY = ir.Constant(_DOUBLE, math.inf)


def _is_infinite(builder: Any, value: Any) -> Any:
    below = ir.Constant(_DOUBLE, -math.inf)
    return builder.or_(
        builder.fcmp_ordered("==", value, _INFINITY), builder.fcmp_ordered("==", value, below)
    )


def _is_nan(builder: Any, value: Any) -> Any:
    return builder.fcmp_unordered("uno", value, value)


def _check(context: Any, builder: Any, function: Any, given: Any, found: Any) -> None:
    is_number = builder.not_(_is_nan(builder, given))
    undefined = builder.and_(_is_nan(builder, found), is_number)
    grown = builder.and_(_is_infinite(builder, found), builder.not_(_is_infinite(builder, given)))
    if function in _LIMITED:
        undefined = builder.or_(undefined, grown)
    elif function in _POLES:
        is_low = builder.fcmp_ordered("<=", given, ir.Constant(_DOUBLE, 0.0))
        undefined = builder.or_(undefined, builder.and_(grown, is_low))
    fail_if(context, builder, undefined, ValueError, "math domain error")
    if function not in _LIMITED:
        fail_if(context, builder, grown, OverflowError, "math range error")


def _teach(function: Any) -> None:
    plain = getattr(mathimpl, f"{function.__name__}_impl")
    as_plain = signature(types.float64, types.float64)

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        given = divided_float(context, builder, sig.args[0], args[0])
        found = plain(context, builder, as_plain, [given])
        _check(context, builder, function, given, found)
        return found

    for kind in (types.float64, types.int64, types.uint64):
        lower_builtin(function, kind)(lower)

    @overload(function)
    def of_mask(x):
        return (lambda x: function(float_of_mask(x))) if x in (U64, MASK) else None


for _function in (*_GROWING, *_LIMITED, *_POLES):
    _teach(_function)


_POWER = "prunus_power"
llvm.add_symbol(
    _POWER,
    ctypes.cast(
        ctypes.CDLL("ucrtbase" if sys.platform == "win32" else None).pow, ctypes.c_void_p
    ).value,
)


def _power(context: Any, builder: Any, sig: Any, args: Any) -> tuple[Any, Any, Any]:
    """The base and the exponent as floats, and the power."""
    base, exponent = (
        ir.Constant(_DOUBLE, float(kind.literal_value))
        if isinstance(kind, types.IntegerLiteral)
        else divided_float(context, builder, kind, value)
        for kind, value in zip(sig.args, args, strict=True)
    )
    called = ir.FunctionType(_DOUBLE, [_DOUBLE, _DOUBLE])
    function = cgutils.get_or_insert_function(builder.module, called, _POWER)
    return base, exponent, builder.call(function, [base, exponent])


def _outside(builder: Any, base: Any, exponent: Any, found: Any) -> tuple[Any, Any, Any]:
    """Whether a power is not defined, is that of 0 to a negative exponent, is too large."""
    zero = ir.Constant(_DOUBLE, 0.0)
    are_numbers = builder.fcmp_ordered("ord", base, exponent)
    are_finite = builder.not_(
        builder.or_(_is_infinite(builder, base), _is_infinite(builder, exponent))
    )
    is_zero = builder.fcmp_ordered("==", base, zero)
    grown = builder.and_(_is_infinite(builder, found), are_finite)
    return (
        builder.and_(_is_nan(builder, found), are_numbers),
        builder.and_(grown, is_zero),
        builder.and_(grown, builder.not_(is_zero)),
    )


def _raise_to(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """`base ** exponent`."""
    base, exponent, found = _power(context, builder, sig, args)
    undefined, pole, large = _outside(builder, base, exponent, found)
    text = "a fractional power of a negative number is a complex number"
    fail_if(context, builder, undefined, OverflowError, text)
    text = "0.0 cannot be raised to a negative power"
    fail_if(context, builder, pole, ZeroDivisionError, text)
    fail_if(context, builder, large, OverflowError, "a power is too large for a float")
    # An exponent that is written out is an integer.
    is_known = isinstance(sig.args[1], types.IntegerLiteral)
    check_size(context, builder, [base] if is_known else [base, exponent], found)
    return found


def _math_power(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """`math.pow(base, exponent)`."""
    base, exponent, found = _power(context, builder, sig, args)
    undefined, pole, large = _outside(builder, base, exponent, found)
    undefined = builder.or_(undefined, pole)
    fail_if(context, builder, undefined, ValueError, "math domain error")
    fail_if(context, builder, large, OverflowError, "math range error")
    return found


for _exponent in (types.float64, types.int64, types.uint64, types.IntegerLiteral):
    for _operator in (operator.pow, operator.ipow, pow):
        lower_builtin(_operator, types.float64, _exponent)(_raise_to)
    lower_builtin(math.pow, types.float64, _exponent)(_math_power)
lower_builtin(math.pow, types.int64, types.int64)(_math_power)


@intrinsic
def _rest(typingctx: Any, x: Any, y: Any) -> Any:
    """C's `fmod`, which is exact; NaN where it is not defined."""
    return types.float64(x, y), lambda context, builder, sig, args: builder.frem(*args)


def _are_plain(*kinds):
    return all(isinstance(kind, (types.Float, *Number)) for kind in kinds)


def _as_double(number):
    """Any number as a float in compiled code."""
    raise NotImplementedError


@overload(_as_double)
def _of_number(number):
    if isinstance(number, types.Float | types.Integer) or number in (U64, MASK):
        return lambda number: float(number)  # noqa: PLW0108 - Numba compiles the lambda
    return lambda number: float(as_index(number))


@overload(math.log)
def _log(x, base):
    """The quotient of two logarithms, as Python has it."""
    if not _are_plain(x, base):
        return None
    return lambda x, base: math.log(_as_double(x)) / math.log(_as_double(base))


@overload(math.fmod)
def _fmod(x, y):
    def fmod(x, y):
        left, right = _as_double(x), _as_double(y)
        found = _rest(left, right)
        if math.isnan(found) and not (math.isnan(left) or math.isnan(right)):
            raise ValueError("math domain error")
        return found

    return fmod if _are_plain(x, y) else None


def is_close(a, b, relative, absolute):
    """`math.isclose(a, b, rel_tol=relative, abs_tol=absolute)` in compiled code."""
    raise NotImplementedError


@overload(is_close)
def _is_close(a, b, relative, absolute):
    def close(a, b, relative, absolute):
        one, other = _as_double(a), _as_double(b)
        share, most = _as_double(relative), _as_double(absolute)
        if share < 0.0 or most < 0.0:
            raise ValueError("tolerances must be non-negative")
        if one == other:
            return True
        if math.isinf(one) or math.isinf(other):
            return False
        apart = abs(other - one)
        return apart <= abs(share * other) or apart <= abs(share * one) or apart <= most

    return close if _are_plain(a, b, relative, absolute) else None


@overload(math.isclose)
def _isclose(a, b):
    return lambda a, b: is_close(a, b, 1e-09, 0.0)
