"""Random uniform trees: expected leaves and growth rates, computed exactly or to about twelve
digits."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from prunus.theory import dependent, growth
from prunus.theory.critical import minimal_leaves
from prunus.theory.expected import DEGREES, Expected, exact_leaves, expected_table, growth_rates
from prunus.theory.lab.experiment import Experiment, Figure, LabError, Moments, Point, Value, once

TABLE: Final = 40
"""The largest height for which expected leaves are computed."""

FAR: Final = 120
"""The height at which growth is observed."""

NAMES: Final = {
    "alphabeta": "alpha-beta",
    "f1": "F1 (no deep cut-offs)",
    "minimal": "minimal tree",
    "dependent": "alpha-beta, dependent",
}


def check_degree(point: Point) -> None:
    """Raise ValueError for a degree or a height that is not computed."""
    if not 2 <= int(point["d"]) <= DEGREES:
        raise LabError(f"d={point['d']}: degrees are 2 to {DEGREES}")
    if "h" in point and not 0 <= int(point["h"]) <= TABLE // 2:
        raise LabError(f"h={point['h']}: heights are 0 to {TABLE // 2}")


@lru_cache(maxsize=64)
def table(d: int) -> tuple[Expected[float], ...]:
    """The expected leaves for the heights 0 to TABLE."""
    return tuple(expected_table(d, TABLE))


# Growth rates.


def measure_growth(point: Point, seed: int, count: int) -> Mapping[str, Moments]:
    """The growth rates and their bounds."""
    d = int(point["d"])
    rates = growth_rates(d, FAR)
    return {
        "f1": once(rates.without_deep),
        "alphabeta": once(rates.alphabeta),
        "r0": once(growth.r0(d)),
        "r_star": once(growth.r_star(d)),
        "sqrt_T2": once(growth.r1(d)),
        "f1_best_order": once(growth.best_order_root(d)),
    }


def growth_theory(point: Point) -> Mapping[str, float]:
    """Pearl's rate, and the bounds of theorems 7.3 and 7.4."""
    d = int(point["d"])
    said = {
        "alphabeta": growth.pearl(d),
        "f1_low": growth.r0(d),
        "f1_high": min(growth.r_star(d), growth.r1(d)),
        "r0_low": growth.perron_bound(d)[0],
        "f1_best_order_low": math.sqrt(d),
    }
    return said | ({"r_star_high": growth.norm_bounds(d)[0]} if d >= 3 else {})


def growth_finding(rows: Sequence[Mapping[str, Value | None]]) -> str:
    """A sentence on which upper bound is better, and on how the rates grow."""
    better = [row["d"] for row in rows if float(row["sqrt_T2"] or 0) < float(row["r_star"] or 0)]
    last = max(rows, key=lambda row: int(row["d"] or 0))
    d, scale = int(last["d"] or 0), math.log(float(last["d"] or 2))
    return (
        f"r\\* is the better upper bound at "
        f"{'every degree' if not better else f'all degrees but {better}'}. At d = {d} F1's rate is "
        f"{float(last['f1'] or 0) * scale / d:.3f} d/ln d and sqrt T(d, 2) is "
        f"{float(last['sqrt_T2'] or 0) * math.sqrt(scale) / d:.3f} d/sqrt(ln d). The rates are "
        f"sqrt(T(d, {FAR})/T(d, {FAR - 2})). F1's have settled by a height of 20; those of "
        f"alpha-beta come down to Pearl's more slowly, slowest for the smallest degrees: at d = 2 "
        f"and height "
        "18 the rate is still 1.6447."
    )


GROWTH = Experiment(
    name="growth-rates",
    title="Growth rates on random uniform trees",
    source="Knuth & Moore 1975, theorems 3 and 4; Pearl 1982; theorems 7.3 and 7.4 of the seminar, "
    "(15), (20), (21), (24)",
    says="Leaves are independent draws from a continuous distribution. Without deep cut-offs (F1) "
    "the expected leaves grow with each level by a factor r(d) between r0, the spectral radius of "
    "(p_ij), and both r\\*, that of (sqrt p_ij), and sqrt T(d, 2). The bounds C (1 - 1/d)/(1 - "
    "d^(-1/d)) > C (d - 1)/ln d of r0, with C = 0.8856, and (24) of r\\* show that r(d) grows like "
    "d/log d. With deep cut-offs the rate is xi/(1 - xi), where xi^d + xi = 1. In best order F1 "
    "grows by sqrt(d - 3/4) + 1/2, which is hardly more than sqrt d.",
    errs="(14) has wrong ranges for its maximum and minimum, (20) lacks the exponent 1/h, and (22) "
    "and (23) have lost their brackets: the exponents cancel as printed. r0 and r1 are used "
    "without a definition. Remark 7.7 prefers r1 for d <= 24; if r1 is sqrt T(d, 2), which grows "
    "like d/sqrt(log d) as stated there, it is never the better one.",
    points=lambda quick: [{"d": d} for d in ((2, 3, 4, 6, 10, 24, 50) if quick else range(2, 51))],
    check=check_degree,
    cost=lambda point: 0.05,
    measure=measure_growth,
    theory=growth_theory,
    finding=growth_finding,
    figure=Figure(
        x="d",
        y=("sqrt_T2", "r_star", "f1", "r0", "alphabeta", "f1_best_order"),
        x_label="degree d",
        y_label="growth of the leaves with each level",
        names=NAMES
        | {"sqrt_T2": "sqrt T(d, 2)", "r_star": "r*", "f1_best_order": "F1 in best order"},
    ),
)


# Expected leaves.


def measure_expected(point: Point, seed: int, count: int) -> Mapping[str, Moments]:
    """The expected leaves by integration."""
    d, h = int(point["d"]), int(point["h"])
    row = table(d)[h]
    leaves = {"f1": once(row.without_deep), "alphabeta": once(row.alphabeta)}
    return leaves | {
        "dependent": once(float(dependent.dependent_leaves(d, h))),
        "minimal": once(minimal_leaves(d, h)),
    }


def expected_theory(point: Point) -> Mapping[str, float]:
    """The exact rational numbers if the tree is small, the sum of p_ij for two levels, and the
    bounds."""
    d, h = int(point["d"]), int(point["h"])
    said: dict[str, float] = {"f1_high": float(d) ** h, "alphabeta_low": minimal_leaves(d, h)}
    if d**h <= 256:
        exact = exact_leaves(d, h)
        said |= {"f1": float(exact.without_deep), "alphabeta": float(exact.alphabeta)}
    elif h == 2:
        said |= {"f1": growth.two_levels(d), "alphabeta": growth.two_levels(d)}
    return said


EXPECTED = Experiment(
    name="expected-leaves",
    title="Expected leaves of random uniform trees, exactly",
    source="Knuth & Moore 1975, section 6; section 7.2 of the seminar",
    says="A leaf is examined if the best that the elder siblings along its path offer one player "
    "is less than the best that they offer the other; for F1, if this holds between neighbouring "
    "levels. Summed over all paths, the probabilities become integrals over one variable, here "
    "computed to about twelve digits. The lines are exact: rational numbers for trees of at most "
    "256 leaves, such as T(2, 2) = 11/3, and the sum of all p_ij for two levels. Up to three "
    "levels F1 and alpha-beta are the same; deep cut-offs begin with the fourth.",
    points=lambda quick: [
        {"d": d, "h": h}
        for d in ((2, 3, 10) if quick else (2, 3, 4, 5, 8, 10, 16, 24, 32, 50))
        for h in range(1, 13)
    ],
    check=check_degree,
    cost=lambda point: 0.02,
    measure=measure_expected,
    theory=expected_theory,
    figure=Figure(
        x="h",
        y=("f1", "alphabeta", "dependent", "minimal"),
        panel="d",
        x_label="height h",
        y_label="expected leaves",
        log_y=True,
        names=NAMES,
        shared=False,
    ),
)


# T(d, h1 + h2) <= T(d, h1) T(d, h2).


def measure_product(point: Point, seed: int, count: int) -> Mapping[str, Moments]:
    """T(d, h + k)/(T(d, h) T(d, k)), the least and the greatest over k = 1 ... h."""
    rows = table(int(point["d"]))
    h = int(point["h"])
    ratios = [
        rows[h + k].without_deep / rows[h].without_deep / rows[k].without_deep
        for k in range(1, h + 1)
    ]
    return {"greatest": once(max(ratios)), "least": once(min(ratios))}


def at_most_one(point: Point) -> Mapping[str, float]:
    """The ratio is never more than 1."""
    return {"greatest_high": 1, "least_high": 1}


PRODUCT = Experiment(
    name="submultiplicative",
    title="T(d, h + k) is at most T(d, h) T(d, k)",
    source="Knuth & Moore 1975, theorem 4; theorem 7.4 of the seminar",
    says="The right-hand side counts the leaves that F1 would examine if it began each subtree of "
    "height k with the full window. Hence log T(d, h) is subadditive, and T(d, h)^(1/h) has a "
    "limit. The figure shows T(d, h + k)/(T(d, h) T(d, k)), the greatest and the least over k = 1 "
    "... h.",
    errs="(18) takes the limit over n instead of h.",
    points=lambda quick: [
        {"d": d, "h": h}
        for d in ((2, 10) if quick else (2, 3, 5, 10, 24, 50))
        for h in range(1, 13)
    ],
    check=check_degree,
    cost=lambda point: 0.02,
    measure=measure_product,
    theory=at_most_one,
    figure=Figure(
        x="h", y=("greatest", "least"), series=("d",), y_label="T(d, h + k)/(T(d, h) T(d, k))"
    ),
)


# Theorem 9.1.


def measure_binomial(point: Point, seed: int, count: int) -> Mapping[str, Moments]:
    """The binomial coefficient relative to k^x."""
    low, binomial, _ = growth.binomial_bounds(int(point["k"]), float(point["x"]))
    return {"ratio": once(binomial / low)}


def check_binomial(point: Point) -> None:
    """Raise ValueError for numbers outside the theorem's range."""
    growth.binomial_bounds(int(point["k"]), float(point["x"]))


BINOMIAL = Experiment(
    name="binomial-bounds",
    title="The binomial coefficient of p_ij between k^x and k^x/gamma(1 + x)",
    source="Knuth & Moore 1975, appendix; theorem 9.1 of the seminar, (29)",
    says="For 0 <= x <= 1 and k >= 1 the binomial coefficient of k - 1 + x over k - 1 lies between "
    "k^x and k^x/gamma(1 + x), and so within 13 % of the former: gamma(1 + x) >= 0.8856, with the "
    "minimum at x = 0.4616. The figure shows it relative to k^x.",
    points=lambda quick: [
        {"k": k, "x": round(i / 20, 2)}
        for k in (2, 5, 20, 1000)
        for i in range(0, 21, 4 if quick else 1)
    ],
    check=check_binomial,
    measure=measure_binomial,
    theory=lambda point: {"ratio_low": 1, "ratio_high": 1 / math.gamma(1 + float(point["x"]))},
    figure=Figure(x="x", y=("ratio",), series=("k",), y_label="binomial coefficient / k^x"),
)


# Corollary 7.4.


def measure_ratio(point: Point, seed: int, count: int) -> Mapping[str, Moments]:
    """The expected leaves of a totally dependent tree relative to the minimal tree."""
    return {"ratio": once(dependent.dependent_ratio(int(point["d"]), int(point["h"])))}


def ratio_theory(point: Point) -> Mapping[str, float]:
    """The same number by the recurrence (28), and the limit for heights of this parity, if there is
    one."""
    d, h = int(point["d"]), int(point["h"])
    said = {"ratio": float(dependent.dependent_leaves_by_types(d, h) / minimal_leaves(d, h))}
    return said | (
        {"limit": dependent.dependent_constant(d, h % 2 == 1)} if dependent.is_bounded(d) else {}
    )


def check_ratio(point: Point) -> None:
    """Raise ValueError for a degree or a height that is not computed."""
    if not (1 <= int(point["d"]) <= 1000 and 0 <= int(point["h"]) <= 5000):
        raise LabError(f"d={point['d']}, h={point['h']}: degrees are 1 to 1000, heights 0 to 5000")


def divergence_finding(rows: Sequence[Mapping[str, Value | None]]) -> str:
    """A sentence on the degrees for which the ratio diverges."""
    degrees = sorted(
        {int(row["d"] or 0) for row in rows if not dependent.is_bounded(int(row["d"] or 0))}
    )
    rates = ", ".join(f"{dependent.divergence(d):.4f} at d = {d}" for d in degrees)
    return (
        f"The ratio grows with each level by {rates}, in the long run; at d = 7 it converges "
        f"slowly."
        if degrees
        else ""
    )


DEPENDENT = Experiment(
    name="dependent-limit",
    title="Totally dependent trees: a bounded multiple of the minimal tree from degree 7 on",
    source="Knuth & Moore 1975, theorem 5 and its corollary; theorem 7.5 and corollary 7.4 of the "
    "seminar",
    says="The expected leaves are (27) with the harmonic number H_d = 1 + 1/2 + ... + 1/d. "
    "Relative to the minimal tree they tend to (d - H)(1 + H)/(2 (d - H^2)) over even heights, and "
    "to (d - H)(d + H)/((d + 1)(d - H^2)) over odd ones, wherever H_d < sqrt d: from d = 7 on. All "
    "heights here are even. The marks are (27), the lines through them the recurrence (28), the "
    "horizontal lines the limits.",
    errs="Theorem 7.5 prints the sum of 1/d instead of the sum of 1/i. Corollary 7.4 is stated for "
    "d >= 3, but for d = 3 to 6 H_d > sqrt d and the ratio grows without bound, to 11 at d = 3, h "
    "= 20 and to 45,132 at h = 160. Its constant is the one for even heights.",
    points=lambda quick: [
        {"d": d, "h": h}
        for d in (3, 4, 5, 6, 7, 8, 12, 30)
        for h in (10, 20, 40, 80, 160, 320, 640)
    ],
    check=check_ratio,
    measure=measure_ratio,
    theory=ratio_theory,
    finding=divergence_finding,
    figure=Figure(
        x="h",
        y=("ratio", "limit"),
        series=("d",),
        log_x=True,
        log_y=True,
        x_label="height h",
        y_label="leaves relative to the minimal tree",
    ),
)

EXPERIMENTS = (EXPECTED, GROWTH, PRODUCT, BINOMIAL, DEPENDENT)
