"""`math.comb`, `math.perm`, `math.factorial` and `math.lcm` for compiled code, in checked integers:
no step is larger than the result."""

from __future__ import annotations

import math
import operator

from numba.extending import overload

from prunus.kernel.numbers.integers import Number
from prunus.kernel.numbers.operators import OPERATIONS

_times = OPERATIONS[operator.mul]
"""The product with a check: the operators in Numba's overloads wrap."""


def _are_numbers(*kinds):
    return all(isinstance(kind, Number) for kind in kinds)


@overload(math.comb)
def _comb(n, k):
    if not _are_numbers(n, k):
        return None

    def comb(n, k):
        of, taken = int(n), int(k)
        if of < 0:
            raise ValueError("n must be a non-negative integer")
        if taken < 0:
            raise ValueError("k must be a non-negative integer")
        if taken > of:
            return 0
        taken = min(taken, of - taken)
        ways = 1
        for i in range(1, taken + 1):
            # ways * (of - taken + i) // i, which is exact.
            common = _divisor(ways, i)
            ways = _times(ways // common, (of - taken + i) // (i // common))
        return ways

    return comb


@overload(math.perm)
def _perm(n, k=None):
    if not _are_numbers(n):
        return None
    if not _are_numbers(k):
        return lambda n, k=None: math.factorial(n)

    def perm(n, k=None):
        of, taken = int(n), int(k)
        if of < 0:
            raise ValueError("n must be a non-negative integer")
        if taken < 0:
            raise ValueError("k must be a non-negative integer")
        ways = 1
        if taken > of:
            return 0
        for i in range(taken):
            ways = _times(ways, of - i)
        return ways

    return perm


@overload(math.factorial)
def _factorial(n):
    if not _are_numbers(n):
        return None

    def factorial(n):
        number = int(n)
        if number < 0:
            raise ValueError("factorial() not defined for negative values")
        product = 1
        for i in range(2, number + 1):
            product = _times(product, i)
        return product

    return factorial


def _divisor(a, b):
    """Numba's overload below: the greatest common divisor of integers that are not negative."""
    raise NotImplementedError


@overload(_divisor)
def _divisor_overload(a, b):
    def divisor(a, b):
        while b:
            a, b = b, a % b
        return a

    return divisor


@overload(math.lcm)
def _lcm(*numbers):
    if not _are_numbers(*numbers):
        return None
    if len(numbers) == 2:

        def lcm(*numbers):
            a, b = abs(int(numbers[0])), abs(int(numbers[1]))
            if a == 0 or b == 0:
                return 0
            return _times(a // _divisor(a, b), b)

        return lcm
    if len(numbers) == 1:
        return lambda *numbers: abs(int(numbers[0]))
    if len(numbers) == 3:
        return lambda *numbers: math.lcm(math.lcm(numbers[0], numbers[1]), numbers[2])
    return None


@overload(math.gcd)
def _gcd(*numbers):
    """Two numbers are Numba's own."""
    if len(numbers) != 3 or not _are_numbers(*numbers):
        return None
    return lambda *numbers: math.gcd(math.gcd(numbers[0], numbers[1]), numbers[2])


@overload(math.prod)
def _prod(items, start=1):
    """Its calls become loops before types are inferred; the name must still be known."""
    return
