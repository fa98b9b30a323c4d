"""Where proofs of the seminar break: corollary 7.4, and the bound r1 of remark 7.7."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from prunus.theory import dependent, growth
from prunus.theory.expected import DEGREES, expected_table
from prunus.theory.lab.experiment import Experiment, Figure, LabError, Moments, Point, Value, once

# Corollary 7.4: H_d against sqrt d.

DOUBLINGS: Final = 20
"""The growth is looked at after 2**DOUBLINGS levels: at d = 6 a million of them are needed."""

DENSE: Final = 1000
"""The highest degree whose matrix of d**2 numbers is computed."""


def harmonic_points(quick: bool) -> list[Point]:
    """Degrees around 7, and some large ones."""
    return [{"d": d} for d in (*range(2, 13), *(() if quick else (16, 24, 32, 48, 64, 100)))]


def check_harmonic(point: Point) -> None:
    """Raise LabError for a degree that is not computed."""
    if not 1 <= int(point["d"]) <= 10_000:
        raise LabError(f"d={point['d']}: degrees are 1 to 10000")


def growth_of_dependent(d: int) -> float:
    """The factor by which the expected leaves of a totally dependent tree grow with each level, in
    units of sqrt d: two levels of the recurrence (28) after 2**DOUBLINGS of them."""
    s = float(dependent.harmonic(d))
    step = np.array([[s, d - s, 0.0], [0.0, 0.0, 1.0], [0.0, float(d), 0.0]])
    power = step
    for _ in range(DOUBLINGS):
        power = power @ power
        power /= power.max()
    before = power @ np.ones(3)
    after = step @ (step @ before)
    return math.sqrt(float(after[0] / before[0]) / d)


def measure_harmonic(point: Point, seed: int, count: int) -> Mapping[str, Moments]:
    """H_d/sqrt d, and by how much the leaves grow faster than the minimal tree's."""
    d = int(point["d"])
    quotient = float(dependent.harmonic(d)) / math.sqrt(d)
    return {"quotient": once(quotient), "growth": once(growth_of_dependent(d))}


def harmonic_theory(point: Point) -> dict[str, float]:
    """The ratio to the minimal tree grows by H_d/sqrt d with each level where that is more than
    1, and is bounded otherwise."""
    return {"growth": dependent.divergence(int(point["d"]))}


def harmonic_finding(rows: Sequence[Mapping[str, Value | None]]) -> str:
    """The degrees where the corollary fails."""
    fails = [row for row in rows if float(row["quotient"] or 0) > 1]
    said = ", ".join(f"{float(row['growth'] or 0):.5f} at d = {row['d']}" for row in fails)
    return f"The leaves outgrow the minimal tree's with each level by {said}; nowhere else."


# r* and sqrt T(d, 2).


def bound_points(quick: bool) -> list[Point]:
    """Degrees up to a thousand."""
    degrees = (2, 5, 24, 25) if quick else (2, 3, 4, 5, 7, 10, 16, 24, 25, 32, 50, 100, 200, 500)
    return [{"d": d} for d in (*degrees, *(() if quick else (DENSE,)))]


def check_bound(point: Point) -> None:
    """Raise LabError for a degree that is not computed."""
    if not 2 <= int(point["d"]) <= DENSE:
        raise LabError(f"d={point['d']}: degrees are 2 to {DENSE}")


def measure_bound(point: Point, seed: int, count: int) -> Mapping[str, Moments]:
    """r*, the largest singular value of (sqrt p_ij) and the bound (24), relative to
    sqrt T(d, 2)."""
    d = int(point["d"])
    frobenius = growth.r1(d)
    roots = np.sqrt(growth.probabilities(d))
    found = {
        "r_star": once(growth.r_star(d) / frobenius),
        "singular": once(float(np.linalg.norm(roots, 2)) / frobenius),
    }
    return found | ({"bound_24": once(growth.norm_bounds(d)[0] / frobenius)} if d >= 3 else {})


def bound_theory(point: Point) -> dict[str, float]:
    """No eigenvalue is more than the largest singular value, nor that more than the root of the
    sum of all squares."""
    return {"r_star_high": 1.0, "singular_high": 1.0}


def bound_finding(rows: Sequence[Mapping[str, Value | None]]) -> str:
    """The quotients at the two ends."""
    first, last = rows[0], rows[-1]
    return (
        f"r\\* is {float(first['r_star'] or 0):.4f} of sqrt T(d, 2) at d = {first['d']} and "
        f"{float(last['r_star'] or 0):.4f} at d = {last['d']}; the bound (24) is "
        f"{float(last['bound_24'] or 0):.4f} of it there."
    )


# What r1 might be.

LEVELS: Final = (2, 3, 4, 6, 8)


@lru_cache(maxsize=128)
def leaves_of(d: int) -> tuple[float, ...]:
    """T(d, h) for h = 0 to the last of LEVELS."""
    return tuple(each.without_deep for each in expected_table(d, LEVELS[-1]))


def candidate_points(quick: bool) -> list[Point]:
    """The roots of the leaves of h levels, for degrees on both sides of 24."""
    degrees = (2, 10, 24, 25, 100) if quick else (2, 3, 5, 8, 12, 16, 20, 24, 25, 32, 50, 100, 200)
    return [{"h": h, "d": d} for h in LEVELS for d in degrees]


def check_candidate(point: Point) -> None:
    """Raise LabError for a degree or a height that is not computed."""
    if not (2 <= int(point["d"]) <= DEGREES and 1 <= int(point["h"]) <= LEVELS[-1]):
        raise LabError(
            f"d={point['d']}, h={point['h']}: degrees are 2 to {DEGREES}, heights 1 to {LEVELS[-1]}"
        )


def measure_candidate(point: Point, seed: int, count: int) -> Mapping[str, Moments]:
    """T(d, h)^(1/h) relative to r*."""
    d, h = int(point["d"]), int(point["h"])
    return {"ratio": once(leaves_of(d)[h] ** (1 / h) / growth.r_star(d))}


def candidate_theory(point: Point) -> dict[str, float]:
    """The root of T(d, h) is at least the growth rate, which is at least r0; for two levels it is
    at least r*."""
    d = int(point["d"])
    low = 1.0 if point["h"] == 2 else growth.r0(d) / growth.r_star(d)
    return {"ratio_low": low}


def candidate_finding(rows: Sequence[Mapping[str, Value | None]]) -> str:
    """Whether one of them changes sides."""
    said = []
    for h in dict.fromkeys(row["h"] for row in rows):
        ratios = [float(row["ratio"] or 0) for row in rows if row["h"] == h]
        sides = {ratio < 1 for ratio in ratios}
        side = "on both sides of" if len(sides) > 1 else "below" if True in sides else "above"
        said.append(f"h = {h} {side} r\\*")
    return f"The root of T(d, h) is, at all these degrees, with {', '.join(said)}."


EXPERIMENTS: Final = (
    Experiment(
        name="harmonic-root",
        title="Corollary 7.4 holds where the harmonic number is below the square root",
        source="Knuth & Moore 1975, theorem 5 and its corollary; theorem 7.5 and corollary 7.4 of "
        "the seminar",
        says="The expected leaves (27) of a totally dependent tree are a sum of powers of sqrt d "
        "and of H_d. The minimal tree grows with sqrt d. So the ratio of the two is bounded if "
        "H_d < sqrt d, and grows with each level by H_d/sqrt d if not. The line is the greater of "
        "this quotient and 1; the growth is measured on the recurrence (28), after a million "
        "levels.",
        errs="The corollary is stated for d >= 3. Its proof needs H_d < sqrt d, which is false for "
        "d = 2 to 6 and true from 7 on: 2.450 > 2.449 at d = 6, 2.593 < 2.646 at d = 7.",
        points=harmonic_points,
        check=check_harmonic,
        measure=measure_harmonic,
        theory=harmonic_theory,
        finding=harmonic_finding,
        figure=Figure(
            "d",
            ("growth", "quotient"),
            x_label="degree d",
            y_label="in units of sqrt d",
            log_x=True,
            names={"quotient": "H_d", "growth": "growth with each level"},
        ),
    ),
    Experiment(
        name="two-bounds",
        title="r* is at most sqrt T(d, 2)",
        source="theorems 7.3 and 7.4 of the seminar, (22) with s = t = 2",
        says="T(d, 2) is the sum of all p_ij, so sqrt T(d, 2) is the root of the sum of the "
        "squares of the matrix (sqrt p_ij), its Frobenius norm. r\\* is the matrix's largest "
        "eigenvalue, which is at most its largest singular value, and that is at most the "
        "Frobenius norm. So r\\* is the better bound of F1's growth rate at every degree, not only "
        "at those computed. The bound (24) of r\\*, which proves its growth d/log d, is worse than "
        "sqrt T(d, 2) for all degrees here.",
        errs="Remark 7.7 prefers the other bound, r1, for d <= 24. If that is sqrt T(d, 2), which "
        "grows as the remark says of r1, the claim contradicts (22).",
        points=bound_points,
        check=check_bound,
        cost=lambda point: 1e-3 + 1e-9 * float(point["d"]) ** 3,
        measure=measure_bound,
        theory=bound_theory,
        finding=bound_finding,
        figure=Figure(
            "d",
            ("r_star", "singular", "bound_24"),
            x_label="degree d",
            y_label="relative to sqrt T(d, 2)",
            log_x=True,
            names={"r_star": "r*", "singular": "singular value", "bound_24": "bound (24)"},
        ),
    ),
    Experiment(
        name="which-r1",
        title="What r1 might be: no root of T(d, h) changes sides at d = 24",
        source="theorem 7.4 and remark 7.7 of the seminar, (20)",
        says="T(d, h)^(1/h) is an upper bound of F1's growth rate for every h, because T(d, h + k) "
        "is at most T(d, h) T(d, k). A bound r1 that is better than r\\* for d <= 24 and worse "
        "from 25 on might be one of them: it would cross the line 1 there. The lower dotted line "
        "is r0.",
        errs="r1 is not defined in the text. The root for two levels has the growth that remark "
        "7.7 gives to r1, but is never better than r\\*; those for more levels are better on both "
        "sides of 24. Which number was meant remains an open question.",
        points=candidate_points,
        check=check_candidate,
        cost=lambda point: 0.1,
        measure=measure_candidate,
        theory=candidate_theory,
        finding=candidate_finding,
        figure=Figure(
            "d",
            ("ratio",),
            ("h",),
            x_label="degree d",
            y_label="T(d, h)^(1/h) / r*",
            log_x=True,
        ),
    ),
)
