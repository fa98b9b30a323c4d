"""Totally dependent trees: the order of the successors of a position is random, but all leaves
below one of them are better than all leaves below the next (Knuth & Moore 1975, theorem 5); and the
value of 0/1 trees by a randomised order (Saks & Wigderson 1986)."""

from __future__ import annotations

import math
from fractions import Fraction

from prunus.theory.critical import minimal_leaves


def harmonic(d: int) -> Fraction:
    """H_d, the sum of 1/i for i = 1 ... d. Raises ValueError unless d >= 1."""
    if d < 1:
        raise ValueError(f"the degree must be at least 1, not {d}")
    return sum((Fraction(1, i) for i in range(1, d + 1)), Fraction(0))


def dependent_leaves(d: int, h: int) -> Fraction:
    """The expected leaves that alpha-beta examines in a totally dependent tree of degree d and
    height h (theorem 7.5, with H_d the harmonic number). Raises ValueError unless d >= 1 and h >=
    0."""
    s = harmonic(d)
    if h < 0:
        raise ValueError(f"the height must be at least 0, not {h}")
    if d == 1:
        return Fraction(1)  # the formula is 0/0: there is one leaf
    up, down = d ** -(-h // 2), d ** (h // 2)
    return (d - s) / (d - s * s) * (up + s * down - s ** (h + 1) - s**h) + s**h


def dependent_leaves_by_types(d: int, h: int) -> Fraction:
    """The same number by the recurrence (28) over the three types of positions."""
    s = harmonic(d)
    a = b = c = Fraction(1)
    for _ in range(h):
        a, b, c = s * a + (d - s) * b, c, d * b
    return a


def dependent_ratio(d: int, h: int) -> float:
    """The expected leaves of a totally dependent tree relative to the minimal tree's."""
    return float(dependent_leaves(d, h) / minimal_leaves(d, h))


def is_bounded(d: int) -> bool:
    """Whether the ratio `dependent_ratio` stays bounded as h grows: exactly if H_d < sqrt d, that
    is for d = 1 and from d = 7 on."""
    return d == 1 or harmonic(d) ** 2 < d


def dependent_constant(d: int, odd: bool = False) -> float:
    """The limit of the ratio over even heights or over odd ones: corollary 7.4, whose constant is
    the one for even heights. Raises ValueError for d = 2 ... 6, where there is no limit
    (`divergence`)."""
    if not is_bounded(d):
        raise ValueError(
            f"for d = {d} the ratio diverges, because H_d = {float(harmonic(d)):.3f} > sqrt d = "
            f"{math.sqrt(d):.3f}; d >= 7 has a limit"
        )
    s = harmonic(d)
    if d == 1:
        return 1.0
    if odd:
        return float((d - s) * (d + s) / ((d + 1) * (d - s * s)))
    return float((d - s) * (1 + s) / (2 * (d - s * s)))


def divergence(d: int) -> float:
    """The factor by which the ratio grows with each level in the long run: H_d/sqrt d if that is
    more than 1, otherwise 1."""
    return max(1.0, float(harmonic(d)) / math.sqrt(d))


def saks_wigderson(d: int) -> float:
    """The growth rate of randomised alpha-beta, which visits successors in random order, on the
    worst 0/1 trees of degree d: the expected number of leaves grows like this number to the power
    of the height (Saks & Wigderson 1986). Raises ValueError unless d >= 1."""
    if d < 1:
        raise ValueError(f"the degree must be at least 1, not {d}")
    return (d - 1 + math.sqrt(d * d + 14 * d + 1)) / 4
