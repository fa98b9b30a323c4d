"""Growth rates of alpha-beta on random uniform trees of degree d: the factor by which the expected
number of leaves grows with each level (Knuth & Moore 1975, section 6; Pearl 1982)."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

GAMMA_MINIMUM: Final = 0.8856031944108887
"""C: the least value of the gamma function on [1, 2], which it takes at 1.4616321449683623."""


def _degree(d: int, least: int = 1) -> None:
    if d < least:
        raise ValueError(f"the degree must be at least {least}, not {d}")


def probabilities(d: int) -> Array:
    """The matrix (p_ij) of (15), d by d: p_ij = 1/binomial(i - 1 + (j - 1)/d, i - 1) is the
    probability that the j-th child of an i-th child is examined without deep cut-offs, given that
    the i-th child is. Raises ValueError unless d >= 1."""
    _degree(d)
    x = np.arange(d) / d
    rows = np.arange(1, d)[:, None]
    # The binomial coefficient is the product of (r + x)/r over r = 1 ... i - 1.
    return np.vstack([np.ones((1, d)), np.cumprod(rows / (rows + x), axis=0)])


def spectral_radius(matrix: Array) -> float:
    """The largest eigenvalue of a matrix of positive numbers, by the power method. For any positive
    vector x it lies between the least and the greatest of (Ax)_i/x_i (Collatz & Wielandt), which
    shows when twelve digits are reached."""
    x = np.ones(len(matrix))
    while True:
        y = matrix @ x
        ratios = y / x
        if ratios.max() - ratios.min() <= 1e-13 * ratios.max():
            return float(ratios.mean())
        x = y / y.max()


def r0(d: int) -> float:
    """The spectral radius of (p_ij): the growth rate of F1 is at least this."""
    return spectral_radius(probabilities(d))


def r_star(d: int) -> float:
    """The spectral radius of (sqrt p_ij): the growth rate of F1 is at most this (theorem 7.3)."""
    return spectral_radius(np.sqrt(probabilities(d)))


def two_levels(d: int) -> float:
    """T(d, 2), the sum of all p_ij: the expected leaves that F1, or alpha-beta, examines in two
    levels."""
    return float(probabilities(d).sum())


def r1(d: int) -> float:
    """Square root of T(d, 2), another upper bound of the growth rate of F1, since T(d, h + 2) <=
    T(d, h) T(d, 2). It grows like d/sqrt(log d)."""
    return math.sqrt(two_levels(d))


def perron_bound(d: int) -> tuple[float, float]:
    """The lower bounds of r0 in (21): C (1 - 1/d)/(1 - d^(-1/d)), from the least row sum, and C (d
    - 1)/ln d, which is smaller. Raises ValueError unless d >= 2."""
    _degree(d, 2)
    return GAMMA_MINIMUM * (1 - 1 / d) / (1 - d ** (-1 / d)), GAMMA_MINIMUM * (d - 1) / math.log(d)


def norm_bound(matrix: Array, s: float) -> float:
    """(sum_i (sum_j |a_ij|^t)^(s/t))^(1/s) with 1/s + 1/t = 1: no eigenvalue is larger (22). Raises
    ValueError unless s > 1."""
    if s <= 1:
        raise ValueError(f"the exponent s must be more than 1, not {s}")
    t = s / (s - 1)
    rows = np.sum(np.abs(matrix) ** t, axis=1)
    return float(np.sum(rows ** (s / t)) ** (1 / s))


def chosen_exponent(d: int) -> float:
    """f(d) = ln d/(2 ln ln d), the exponent s that makes (24) grow like d/log d. Raises ValueError
    unless d >= 3: below, ln ln d < 0."""
    _degree(d, 3)
    return math.log(d) / (2 * math.log(math.log(d)))


def norm_bounds(d: int) -> tuple[float, float]:
    """The two upper bounds of r* in (24) with s = f(d): the norm of the matrix (i^(-(j-1)/2d)),
    whose elements are no less than sqrt p_ij, and a simpler bound that replaces the first sqrt d
    rows by full rows and the others by equal ones. Raises ValueError unless d >= 3."""
    s = chosen_exponent(d)
    t = s / (s - 1)
    i, j = np.arange(1, d + 1)[:, None], np.arange(1, d + 1)
    first = norm_bound(i ** (-(j - 1) / (2 * d)), s)
    series = 1 / (1 - d ** (-t / (4 * d)))
    second = (math.sqrt(d) * d ** (s / t) + (d - math.sqrt(d)) * series ** (s / t)) ** (1 / s)
    return first, float(second)


def fixed_point(d: int) -> float:
    """xi_d, the root of x^d + x = 1 between 0 and 1. Raises ValueError unless d >= 1."""
    _degree(d)
    x = 1 - math.log(d + 1) / (d + 1)
    for _ in range(50):
        step = (x**d + x - 1) / (d * x ** (d - 1) + 1)
        x -= step
        if abs(step) < 1e-16:
            break
    return x


def pearl(d: int) -> float:
    """xi/(1 - xi), the growth rate of alpha-beta with deep cut-offs on trees with independent
    continuous leaves (Pearl 1982). Raises ValueError unless d >= 1."""
    x = fixed_point(d)
    return x / (1 - x)


def best_order_root(d: int) -> float:
    """sqrt(d - 3/4) + 1/2, the growth rate of F1 in best order (section 7.3). Raises ValueError
    unless d >= 1."""
    _degree(d)
    return math.sqrt(d - 0.75) + 0.5


def best_order_leaves(d: int, h: int) -> float:
    """The closed form of (26): the leaves that F1 examines in best order, exact up to rounding.
    Raises ValueError unless d >= 1."""
    root = best_order_root(d)
    return (root ** (h + 2) - (1 - root) ** (h + 2)) / (2 * root - 1)


def binomial_bounds(k: int, x: float) -> tuple[float, float, float]:
    """k^x, binomial(k - 1 + x, k - 1) and k^x/gamma(1 + x), which theorem 9.1 puts in this order.
    Raises ValueError unless k >= 1 and 0 <= x <= 1."""
    if k < 1 or not 0 <= x <= 1:
        raise ValueError(f"theorem 9.1 is about k >= 1 and 0 <= x <= 1, not k = {k}, x = {x}")
    binomial = math.exp(math.fsum(math.log1p(x / r) for r in range(1, k)))
    return k**x, binomial, k**x / math.gamma(1 + x)
