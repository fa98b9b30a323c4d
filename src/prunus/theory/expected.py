"""Expected leaves on random uniform trees, whose leaves are independent draws from one continuous
distribution: exact rational numbers for small trees, to about twelve digits by integration for the
others.

A bound is named by t in [0, 1], the probability that a leaf is worth less than the bound to the
player who moves to leaves. Let w_k(t) be the probability that a position of height k is worth less
than this bound to the player who moves to it: w_0 = t, and since the players take turns, w_k = 1 -
w_(k-1)^d. Then all of i elder siblings are worth less with the probability w_k^i; summed over i = 0
... d - 1 that is g(w_k) = 1 + w_k + ... + w_k^(d-1), which rises with t for even k and falls for
odd k.

Alpha-beta examines a leaf if and only if alpha < beta, where alpha is the best that the elder
siblings of the path offer to one player and beta the best that they offer to the other. All of them
are independent, so the sums over all paths multiply. Let P be the product of g(w_k) over even k <
h, and Q the product over odd k; then

    E = P(1) Q(1) + integral of P d(-Q).

F1 compares only the bounds of neighbouring levels. This makes a chain: f_0 = g(w_0), and f_k(t) is
f_(k-1) at the end of the interval that stands for no elder sibling, plus the integral of f_(k-1) |d
g(w_k)| from there to t. E is f_(h-1) at the other end.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Final, Generic, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
from numpy.polynomial import legendre

from prunus.theory.growth import fixed_point

Array = npt.NDArray[np.float64]

LARGEST_EXACT: Final = 3**6
"""The most leaves of a tree computed with rational numbers; the work grows with their square."""

DEGREES: Final = 200
HEIGHTS: Final = 120


N = TypeVar("N", float, Fraction)


class Expected(NamedTuple, Generic[N]):
    """The expected leaves that full alpha-beta examines, and F1, which has no deep cut-offs."""

    alphabeta: N
    without_deep: N


def _check(d: int, h: int, degrees: int = DEGREES, heights: int = HEIGHTS) -> None:
    if not 1 <= d <= degrees or not 0 <= h <= heights:
        raise ValueError(
            f"degree and height must be 1 to {degrees} and 0 to {heights}, not {d} and {h}"
        )


# Exact numbers.


def exact_leaves(d: int, h: int) -> Expected[Fraction]:
    """The expected leaves in a tree of degree d and height h as Fractions: T(2, 2) = 11/3. Raises
    ValueError unless d >= 1, h >= 0 and the tree has at most LARGEST_EXACT leaves."""
    _check(d, h, LARGEST_EXACT, LARGEST_EXACT)
    if d**h > LARGEST_EXACT:
        raise ValueError(
            f"a tree of degree {d} and height {h} has more than {LARGEST_EXACT} leaves; use "
            f"expected_leaves"
        )
    one: Polynomial = np.array([1], object)
    w: Polynomial = np.array([0, 1], object)
    below, above, chain = one, one, np.array([Fraction(1)], object)
    for k in range(h):
        g, power = one, one
        for _ in range(d - 1):
            power = np.convolve(power, w)
            g = _sum(g, power)
        chain = _transfer(chain, g, k % 2 == 0) if k else g * Fraction(1)
        below, above = (
            (np.convolve(below, g), above) if k % 2 == 0 else (below, np.convolve(above, g))
        )
        w = _sum(one, -np.convolve(power, w))
    full = _at_one(below) * _at_one(above) - _at_one(
        _integral(np.convolve(below, _derivative(above)))
    )
    return Expected(Fraction(full), Fraction(_at_one(chain) if h % 2 else chain[0]))


Polynomial = np.ndarray
"""The coefficients of a polynomial, that of x**0 first."""


def _sum(a: Polynomial, b: Polynomial) -> Polynomial:
    length = max(len(a), len(b))
    return np.concatenate([a, [0] * (length - len(a))]) + np.concatenate(
        [b, [0] * (length - len(b))]
    )


def _derivative(a: Polynomial) -> Polynomial:
    return a[1:] * np.arange(1, len(a), dtype=object) if len(a) > 1 else np.array([0], object)


def _integral(a: Polynomial) -> Polynomial:
    return np.array([Fraction(0), *(Fraction(c) / (n + 1) for n, c in enumerate(a))], object)


def _at_one(a: Polynomial) -> Fraction:
    return sum(a, Fraction(0))


def _transfer(f: Polynomial, g: Polynomial, rising: bool) -> Polynomial:
    """From f_(k-1) to f_k."""
    whole = _integral(np.convolve(f, _derivative(g)))
    if rising:
        return _sum(whole, np.array([f[0]], object))
    # g falls: the weight above t is the integral of f d(-g) from t to 1, and all of f if there is
    # no elder sibling.
    return _sum(whole, np.array([_at_one(f) - _at_one(whole)], object))


# Integration.

NODES: Final = 28
"""The nodes of a panel."""


@lru_cache(maxsize=4)
def _panel(n: int) -> tuple[Array, Array, Array]:
    """Gauss-Legendre nodes and weights on [-1, 1], and the matrix that integrates the interpolating
    polynomial from -1 to each node."""
    x, weights = legendre.leggauss(n)
    values = legendre.legvander(x, n)
    integrals = np.empty((n, n))
    integrals[:, 0] = x + 1
    for k in range(1, n):
        integrals[:, k] = (values[:, k + 1] - values[:, k - 1]) / (2 * k + 1)
    coefficients = (np.arange(n) + 0.5)[:, None] * values[:, :n].T * weights
    return x, weights, integrals @ coefficients


def _mesh(xi: float, steepness: float) -> Array:
    """The ends of the panels for t - xi, from 0 - xi to 1 - xi, finer and finer towards the fixed
    point xi, where alone the functions w_k are steep."""
    halvings = int(np.ceil(np.log2(steepness))) + 3
    scales = 0.5 ** np.arange(halvings + 1)
    return np.concatenate([-xi * scales, (1 - xi) * scales[::-1]])


class _Levels:
    """g(w_k) and its derivative at the nodes of all panels, for k = 0, 1, ..."""

    def __init__(self, d: int, h: int, nodes: int) -> None:
        self.d, self.xi = d, fixed_point(d)
        # The slope of w -> 1 - w^d at xi is -d (1 - xi)/xi.
        ends = _mesh(self.xi, max(1.0, d * (1 - self.xi) / self.xi) ** max(h - 1, 0))
        x, self.weights, self.matrix = _panel(nodes)
        self.half = (ends[1:] - ends[:-1])[:, None] / 2
        self.start = (ends[1:] + ends[:-1])[:, None] / 2 + self.half * x

    def __iter__(self) -> Iterator[tuple[Array, Array]]:
        d, xi = self.d, self.xi
        off, slope = self.start, np.ones_like(self.start)
        while True:
            w = np.clip(xi + off, 0, 1)
            g, dg = np.ones_like(w), np.zeros_like(w)
            for _ in range(d - 1):
                dg = dg * w + g
                g = g * w + 1
            yield g, dg * slope
            slope = -d * w ** (d - 1) * slope
            # w^d - (1 - xi), exact even if w is very near to xi, because xi^d = 1 - xi.
            with np.errstate(divide="ignore"):
                off = -(1 - xi) * np.expm1(d * np.log1p(np.maximum(off / xi, -1)))

    def total(self, values: Array) -> float:
        """The integral of a function over [0, 1]."""
        return float(np.sum(values @ self.weights * self.half[:, 0]))

    def cumulative(self, values: Array) -> Array:
        """The integral of a function from 0 to each node."""
        panels = values @ self.weights * self.half[:, 0]
        before = np.concatenate([[0.0], np.cumsum(panels)[:-1]])
        return before[:, None] + values @ self.matrix.T * self.half


def expected_table(d: int, h: int, nodes: int = NODES) -> list[Expected[float]]:
    """The expected leaves in trees of degree d and heights 0 ... h, as floats good to about twelve
    digits. nodes: the nodes of each panel of the integration; more of them change only the last
    digits. Raises ValueError unless 1 <= d <= 200 and 0 <= h <= 120."""
    _check(d, h)
    table = [Expected(1.0, 1.0)]
    if d == 1:
        return table * (h + 1)
    levels = _Levels(d, h, nodes)
    below = above = chain = np.ones_like(levels.start)
    slope_above = np.zeros_like(below)  # of the logarithm of Q
    end = 1.0  # f_(k-1) where the chain begins, at t = 0 for even k and t = 1 for odd k
    for k, (g, dg) in zip(range(h), levels, strict=False):
        weights = chain * dg
        whole = levels.total(weights)
        if k % 2 == 0:
            below = below * g
            chain = end + levels.cumulative(weights)
            end += whole
        else:
            above, slope_above = above * g, slope_above + dg / g
            chain = end - whole + levels.cumulative(weights)
            end -= whole
        full = float(d) ** (k // 2 + 1) - levels.total(below * above * slope_above)
        table.append(Expected(full, end))
    return table


def growth_rates(d: int, h: int) -> Expected[float]:
    """sqrt(E(d, h)/E(d, h - 2)) for alpha-beta and for F1: their growth rates, approached as h
    grows. Raises ValueError unless 1 <= d <= 200 and 2 <= h <= 120."""
    _check(d, h)
    if h < 2:
        raise ValueError(f"growth is seen over two levels: the height must be at least 2, not {h}")
    table = expected_table(d, h)
    return Expected(
        *((after / before) ** 0.5 for after, before in zip(table[h], table[h - 2], strict=True))
    )


def expected_leaves(d: int, h: int) -> Expected[float]:
    """The expected leaves in a tree of degree d and height h, as floats good to about twelve
    digits. Raises ValueError unless 1 <= d <= 200 and 0 <= h <= 120."""
    return expected_table(d, h)[h]
