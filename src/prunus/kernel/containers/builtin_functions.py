"""Python's own functions that Numba does not know, or not for all arguments."""

from __future__ import annotations

import copy
import math
import operator

from numba.core import errors, types
from numba.cpython import builtins
from numba.extending import intrinsic, overload, overload_method

from prunus.kernel.containers.known_tables import TableType
from prunus.kernel.numbers.integers import Number, Whole
from prunus.kernel.numbers.operators import CHECKED, OPERATIONS
from prunus.kernel.numbers.wide import BIT, AnyNumber, Wide
from prunus.kernel.numbers.wide_conversions import modulo, width_of
from prunus.kernel.numbers.wide_functions import as_index


@overload(any)
def _any(items):
    if isinstance(items, types.IterableType):

        def found(items):
            for item in items:  # noqa: SIM110 - this is `any`
                if item:
                    return True
            return False

        return found
    return None


@overload(all)
def _all(items):
    if isinstance(items, types.IterableType):

        def found(items):
            for item in items:  # noqa: SIM110 - this is `all`
                if not item:
                    return False
            return True

        return found
    return None


@overload(reversed)
def _reversed(items):
    if isinstance(items, types.BaseTuple):
        return lambda items: items[::-1]
    if isinstance(items, types.RangeType):
        return lambda items: range(
            items.start + (len(items) - 1) * items.step, items.start - items.step, -items.step
        )
    return None


_VIEWS = (
    *(types.RangeType, types.DictKeysIterableType, types.DictValuesIterableType),
    types.DictItemsIterableType,
)


@overload(operator.not_)
def _not(items):
    if isinstance(items, (types.List, types.Set, types.BaseTuple, types.DictType, *_VIEWS)):
        return lambda items: len(items) == 0
    return (lambda items: True) if isinstance(items, types.NoneType) else None


@overload(bool)
def _truth(items):
    return (lambda items: len(items) > 0) if isinstance(items, _VIEWS) else None


@overload_method(types.UniTuple, "count")
def _count(items, value):
    def count(items, value):
        found = 0
        for item in items:
            if item == value:
                found += 1
        return found

    return count


@overload(math.isqrt)
def _isqrt(n):
    if isinstance(n, Wide) and n.is_unsigned:
        return lambda n: int(_root(n))
    if not isinstance(n, Number):
        return None
    return lambda n: _root(int(n))


def _root(n):
    """Numba's overload below: the integer square root, rounded down."""
    raise NotImplementedError


@overload(_root)
def _root_overload(n):
    def isqrt(n):
        if n < 0:
            raise ValueError("isqrt() argument must be nonnegative")
        if n == 0:
            return n
        # Newton's method from above, starting at a power of two no smaller than the root.
        root = (n & 0 | 1) << ((n.bit_length() + 1) // 2)
        better = (root + n // root) // 2
        while better < root:
            root = better
            better = (root + n // root) // 2
        return root

    return isqrt


_raised = OPERATIONS[operator.pow]


def power(base, exponent, modulus=None):
    """`pow` in compiled code, replacing Numba's own, which wraps."""
    return pow(base, exponent, modulus)


@overload(power)
def _power(base, exponent, modulus=None):
    kinds = (base, exponent, modulus)
    if modulus is None or isinstance(modulus, types.NoneType | types.Omitted):
        return lambda base, exponent, modulus=None: _raised(base, exponent)
    if any(isinstance(kind, Whole | Wide) for kind in kinds) and all(
        isinstance(kind, AnyNumber) for kind in kinds
    ):

        def power_of_longer(base, exponent, modulus=None):
            divisor = as_index(modulus)
            if divisor == 0:
                raise ValueError("pow() 3rd argument cannot be 0")
            return power(as_index(base % abs(divisor)), as_index(exponent), divisor)

        return power_of_longer
    if not all(isinstance(kind, types.Integer | types.Boolean) for kind in kinds):
        return None

    def power_of_plain(base, exponent, modulus=None):
        if modulus == 0:
            raise ValueError("pow() 3rd argument cannot be 0")
        if abs(modulus) >= 1 << 31:
            raise OverflowError("pow() takes a modulus below 2**31 in compiled code")
        result = 1 % modulus
        factor = base % modulus
        rest = exponent
        if exponent < 0:
            result = factor = _inverse(factor, modulus)
            rest = -(exponent + 1)  # never beyond 64 bits
        while rest > 0:
            if rest % 2 == 1:
                result = result * factor % modulus
            factor = factor * factor % modulus
            rest //= 2
        return result

    return power_of_plain


def _inverse(factor, modulus):
    """The number whose product with the factor leaves 1, modulo the modulus."""
    raise NotImplementedError


@overload(_inverse)
def _inverse_overload(factor, modulus):
    def inverse(factor, modulus):
        left, right = factor % abs(modulus), abs(modulus)
        times, next_times = 1, 0
        while right != 0:
            whole = left // right
            left, right = right, left - whole * right
            times, next_times = next_times, times - whole * next_times
        if left != 1:
            raise ValueError("base is not invertible for the given modulus")
        return times % modulus

    return inverse


_quotient, _rest = OPERATIONS[operator.floordiv], OPERATIONS[operator.mod]


def quotient_and_rest(left, right):
    """`divmod` in compiled code, replacing Numba's own, which wraps."""
    return divmod(left, right)


@overload(quotient_and_rest)
def _quotient_and_rest(left, right):
    if all(isinstance(kind, AnyNumber) for kind in (left, right)):
        return lambda left, right: (_quotient(left, right), _rest(left, right))
    return lambda left, right: divmod(left, right)  # noqa: PLW0108 - Numba compiles the lambda


_TOO_COARSE = "round() to less than -18 places is not supported in compiled code"
_TENS = tuple(10**n for n in range(19))
_sum, _difference = OPERATIONS[operator.add], OPERATIONS[operator.sub]


@overload(round)
def _round_integer(number, ndigits):
    """`round(n, -2)`: the nearest multiple, of two equally near ones the even one."""

    def rounded(number, ndigits):
        if ndigits >= 0:
            return number
        if ndigits < -18:
            raise OverflowError(_TOO_COARSE)
        unit = _TENS[-ndigits]
        rest = _rest(number, unit)
        if rest > unit - rest or (rest == unit - rest and _quotient(number, unit) % 2 == 1):
            return _sum(number, unit - rest)
        return _difference(number, rest)

    are_plain = isinstance(number, types.Integer) and isinstance(ndigits, types.Integer)
    return rounded if are_plain else None


def _has_digits(kind, function):
    if isinstance(kind, types.Boolean):
        # NumPy's truth values, which are of the same type here, have none in Python.
        raise errors.TypingError(
            f"{function} takes whole numbers, not truth values: write int(...) around this one"
        )
    return isinstance(kind, AnyNumber)


@overload(hex)
def _hexadecimal(n):
    if not _has_digits(n, "hex"):
        return None

    def digits(n):
        text = f"{n:x}"
        return "-0x" + text[1:] if n < 0 else "0x" + text

    return digits


@overload(oct)
def _octal(n):
    if not _has_digits(n, "oct"):
        return None

    def digits(n):
        text = f"{n:o}"
        return "-0o" + text[1:] if n < 0 else "0o" + text

    return digits


def _copied(items):
    """Refuses copies: what is held in a copied tuple may change."""


overload(copy.copy)(_copied)
overload(copy.deepcopy)(_copied)


_cast_int = builtins.cast_int


@intrinsic
def _plain(typingctx, number):
    """Replaces Numba's conversion by `int`, which leaves a NumPy number its few bits."""
    made, lower = _cast_int._defn(typingctx, number)
    if isinstance(number, types.Integer) and number.bitwidth < 64:
        made = types.int64(number)
    return made, lower


builtins.cast_int = _plain


@overload(bin)
def _binary(n):
    if not _has_digits(n, "bin"):
        return None

    def digits(n):
        text = "-0b" if n < 0 else "0b"
        rest = abs(n)
        first = rest.bit_length() - 1
        for i in range(max(first, 0), -1, -1):
            text += "1" if bit(rest, i) else "0"
        return text

    return digits


@intrinsic
def bit(typingctx, value, place):
    """0 or 1, the bit at `place` of an integer that is not negative; `place` is below the
    integer's length."""

    def lower(context, builder, sig, args):
        bits = width_of(sig.args[0])
        number, count = (
            modulo(builder, sig.args[0], args[0], bits),
            modulo(builder, sig.args[1], args[1], bits),
        )
        return builder.trunc(builder.lshr(number, count), BIT)

    return types.boolean(value, place), lower


@overload(operator.getitem)
def _item_at_truth(items, index):
    has_items = isinstance(items, types.UniTuple | types.UnicodeType | types.StringLiteral)
    if has_items and isinstance(index, types.Boolean):
        return lambda items, index: items[int(index)]
    return None


def _has_places(kind):
    return isinstance(kind, types.UniTuple | types.Sequence | types.RangeType | TableType)


CHECKED[pow] = power
CHECKED[divmod] = quotient_and_rest
