"""Random trees, simulated: independent leaves, totally dependent leaves, and the worst trees for
randomised search."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from prunus.core.generic import Json
from prunus.games.reluctant import ReluctantTree
from prunus.games.uniform import MOST_DISTINCT_LEAVES, AnyUniformTree, UniformTree
from prunus.theory.critical import minimal_leaves
from prunus.theory.dependent import dependent_leaves, dependent_ratio, saks_wigderson
from prunus.theory.expected import expected_leaves
from prunus.theory.growth import pearl, two_levels
from prunus.theory.lab.experiment import Experiment, Figure, LabError, Moments, Point, Value
from prunus.theory.sampling import Leaves, TreeGame, most_trees, sample

BLOCK: Final = 20_000
"""The trees of one task."""

MILLION: Final = 1_000_000
LEAF: Final = 25e-9
"""The seconds that a leaf takes, roughly."""

MOST_LEAVES: Final = 1e9
"""The most expected leaves; larger trees are refused: each would take half a minute, and thousands
are wanted."""

WIDEST: Final = 1 << 32
"""The number of different leaf values: so large that two leaves are hardly ever equal."""


def moments_of_leaves(found: Leaves, unit: int = 1) -> Moments:
    """The moments of the leaves, counted in units of `unit`."""
    if unit == 1:
        return Moments(found.trees, found.total, found.squares)
    return Moments(found.trees, found.total / unit, found.squares / unit**2)


def affordable(cost: Callable[[Point], float], seconds: float, point: Point, quick: bool) -> int:
    """The number of trees that can be searched in this many seconds on one core (quick: in a
    hundredth of them), at least 30 and at most a million (quick: 20,000)."""
    wanted = int((seconds / 100 if quick else seconds) / cost(point))
    return max(30, min(MILLION // 50 if quick else MILLION, wanted))


def sizes(degrees: Sequence[int], least: int, fits: Callable[[int, int], bool]) -> list[Point]:
    """The trees of these degrees, from height `least` to the highest that fits."""
    return [{"d": d, "h": h} for d in degrees for h in range(least, 61) if fits(d, h)]


def accept(leaves: float, game: TreeGame) -> None:
    """Raise LabError for trees that are too large."""
    size = f"d={game.degree}, h={game.height}"
    if leaves > MOST_LEAVES:
        raise LabError(
            f"{size}: a search examines about {leaves:.2g} leaves; trees with more than "
            f"{MOST_LEAVES:.0g} are not simulated; take a lower tree"
        )
    if most_trees(game) < BLOCK:
        raise LabError(
            f"{size}: the squares of up to {game.degree**game.height:.2g} leaves add up to more "
            f"than 64 bits hold; take a lower tree"
        )


# Independent leaves.


def random_points(quick: bool) -> list[Point]:
    """Trees with at most a million leaves (quick: five thousand)."""
    most = 5000 if quick else MILLION
    return sizes((2, 3, 5) if quick else (2, 3, 4, 5, 8, 10), 1, lambda d, h: d**h <= most)


def random_cost(point: Point) -> float:
    """The seconds a tree takes: alpha-beta's leaves grow at Pearl's rate, those of F1 more slowly
    than T(d, 2)**(h/2)."""
    d, h = int(point["d"]), int(point["h"])
    return 1e-7 + LEAF * (1.2 * pearl(d) ** h + two_levels(d) ** (h / 2)) if d > 1 else 1e-6


def random_samples(point: Point, quick: bool) -> int:
    """A million small trees."""
    return affordable(random_cost, 2.0, point, quick)


def check_random(point: Point) -> None:
    """Raise ValueError unless there is such a tree and it can be simulated."""
    d, h = int(point["d"]), int(point["h"])
    game = AnyUniformTree(d, h)
    accept(random_cost(point) / LEAF, game)


def measure_random(point: Point, seed: int, count: int) -> Mapping[str, Moments]:
    """The leaves that F1 and alpha-beta examine, in the same trees."""
    game = AnyUniformTree(int(point["d"]), int(point["h"]), "random", seed, WIDEST)
    return {
        "f1": moments_of_leaves(sample(game, "branch-and-bound", count)),
        "alphabeta": moments_of_leaves(sample(game, "alphabeta", count)),
    }


def random_theory(point: Point) -> dict[str, float]:
    """The expectations by integration, as far as it goes; no algorithm examines less than the
    minimal tree."""
    d, h = int(point["d"]), int(point["h"])
    low = {"f1_low": minimal_leaves(d, h), "alphabeta_low": minimal_leaves(d, h)}
    if h > 40 or d > 200:
        return {name: float(value) for name, value in low.items()}
    found = expected_leaves(d, h)
    return {"f1": float(found.without_deep), "alphabeta": float(found.alphabeta), **low}


def random_finding(rows: Sequence[Mapping[str, Value | None]]) -> str:
    """The measured growth rates beside Pearl's."""
    parts = []
    for d, found in _by_degree(rows).items():
        if len(found) > 2:
            rate = math.sqrt(found[-1]["alphabeta"] / found[-3]["alphabeta"])
            plain = math.sqrt(found[-1]["f1"] / found[-3]["f1"])
            parts.append(
                f"{rate:.3f} for alpha-beta (Pearl's limit {pearl(d):.3f}) and {plain:.3f} for F1 "
                f"(d = {d}, h = {found[-1]['h']})"
            )
    return (
        f"Over the last two levels the leaves have grown, per level, by {'; '.join(parts)}."
        if parts
        else ""
    )


def _by_degree(
    rows: Sequence[Mapping[str, Value | None]],
) -> dict[int, list[Json]]:
    degrees = dict.fromkeys(int(row["d"] or 0) for row in rows)
    return {
        d: sorted((dict(row) for row in rows if row["d"] == d), key=lambda row: int(row["h"] or 0))
        for d in degrees
    }


def warm_random() -> None:
    """Compile both searches."""
    measure_random({"d": 2, "h": 2}, 0, 1)


# Totally dependent leaves.


def dependent_points(quick: bool) -> list[Point]:
    """Trees of degrees with and without a bounded ratio, up to the height whose search takes a
    hundredth of a second (quick: a thousandth)."""
    most = 1000 if quick else 20_000
    return sizes(
        (2, 3, 7) if quick else (2, 3, 4, 6, 7, 10),
        1,
        lambda d, h: dependent_leaves(d, h) <= most and d**h < MOST_DISTINCT_LEAVES,
    )


def dependent_cost(point: Point) -> float:
    """The seconds a tree takes: finding the rank of a child means looking at all its siblings."""
    d, h = int(point["d"]), int(point["h"])
    return 1e-7 + float(dependent_leaves(d, h)) * (LEAF + 3e-9 * d)


def dependent_samples(point: Point, quick: bool) -> int:
    """A million small trees."""
    return affordable(dependent_cost, 0.6, point, quick)


def check_dependent(point: Point) -> None:
    """Raise ValueError unless there is such a tree and it can be simulated."""
    d, h = int(point["d"]), int(point["h"])
    UniformTree(d, h, "dependent")
    if dependent_leaves(d, h) > MOST_LEAVES / 1000:
        raise LabError(
            f"d={d}, h={h}: {float(dependent_leaves(d, h)):.2g} leaves are expected; at most "
            f"{MOST_LEAVES / 1000:.0g} are simulated"
        )


def measure_dependent(point: Point, seed: int, count: int) -> Mapping[str, Moments]:
    """The leaves that alpha-beta examines, and the same relative to the minimal tree."""
    d, h = int(point["d"]), int(point["h"])
    found = sample(
        AnyUniformTree(d, h, "dependent", seed), "alphabeta", count, highest=examined_at_most(d, h)
    )
    return {
        "leaves": moments_of_leaves(found),
        "ratio": moments_of_leaves(found, minimal_leaves(d, h)),
    }


def examined_at_most(d: int, h: int) -> int:
    """A limit on the leaves of a search, which keeps the sums of squares below 63 bits: no search
    here comes near a thousand times the expectation."""
    return min(d**h, 1000 * int(dependent_leaves(d, h) + 1))


def dependent_theory(point: Point) -> dict[str, float]:
    """Theorem 7.5."""
    d, h = int(point["d"]), int(point["h"])
    return {"leaves": float(dependent_leaves(d, h)), "ratio": dependent_ratio(d, h)}


def warm_dependent() -> None:
    """Compile alpha-beta."""
    measure_dependent({"d": 2, "h": 2}, 0, 1)


# Randomised alpha-beta on its worst trees.

ROOTS: Final = ("lost", "won")


def reluctant_leaves(d: int, h: int, won: bool) -> float:
    """The expected leaves that randomised alpha-beta examines in a tree of wins and losses in which
    every won position has exactly one winning action. In a lost position it looks at all d
    successors, which are won for the opponent. In a won position it looks at half of the other
    successors, (d - 1)/2 on average, and at the winning one, which is lost for the opponent."""
    lost, winning = 1.0, 1.0
    for _ in range(h):
        lost, winning = d * winning, (d - 1) / 2 * winning + lost
    return winning if won else lost


def randomised_points(quick: bool) -> list[Point]:
    """Trees lost and won at the root."""
    most = 500 if quick else 20_000
    found = sizes(
        (2, 3, 5) if quick else (2, 3, 4, 5, 8),
        1,
        lambda d, h: reluctant_leaves(d, h, False) <= most,
    )
    return [{**point, "root": root} for root in ROOTS for point in found]


def randomised_cost(point: Point) -> float:
    """The seconds a tree takes, mostly for shuffling the actions of nodes."""
    return 1e-7 + reluctant_leaves(int(point["d"]), int(point["h"]), False) * (
        2 * LEAF + 10e-9 * int(point["d"])
    )


def randomised_samples(point: Point, quick: bool) -> int:
    """A million small trees."""
    return affordable(randomised_cost, 1.0, point, quick)


def check_randomised(point: Point) -> None:
    """Raise ValueError unless there is such a tree and it can be simulated."""
    d, h = int(point["d"]), int(point["h"])
    game = ReluctantTree(d, h)
    if point["root"] not in ROOTS:
        raise LabError(f"the root is {' or '.join(ROOTS)}, not {point['root']!r}")
    accept(reluctant_leaves(d, h, False), game)


def measure_randomised(point: Point, seed: int, count: int) -> Mapping[str, Moments]:
    """The leaves that alpha-beta examines with a random order of every node's successors: one tree
    for each task, with other coins each time."""
    game = ReluctantTree(int(point["d"]), int(point["h"]), seed, seed >> 1, point["root"] == "won")
    return {"leaves": moments_of_leaves(sample(game, "alphabeta-decided", count))}


def randomised_theory(point: Point) -> dict[str, float]:
    """The recurrence."""
    return {"leaves": reluctant_leaves(int(point["d"]), int(point["h"]), point["root"] == "won")}


def randomised_finding(rows: Sequence[Mapping[str, Value | None]]) -> str:
    """The measured growth rates beside Saks and Wigderson's."""
    parts = []
    for d, found in _by_degree([row for row in rows if row["root"] == "lost"]).items():
        if len(found) > 2:
            rate = math.sqrt(found[-1]["leaves"] / found[-3]["leaves"])
            parts.append(
                f"{rate:.4f} against {saks_wigderson(d):.4f} (d = {d}, h = {found[-1]['h']})"
            )
    return (
        f"Over the last two levels the leaves have grown, per level, by {'; '.join(parts)}."
        if parts
        else ""
    )


def warm_randomised() -> None:
    """Compile alpha-beta."""
    measure_randomised({"d": 2, "h": 2, "root": "won"}, 0, 1)


EXPERIMENTS: Final = (
    Experiment(
        name="random-trees",
        title="Leaves on random uniform trees",
        source="Knuth & Moore 1975, section 6; section 7.2 of the seminar; Pearl 1982",
        says="In a uniform tree whose leaves are independent draws from a continuous distribution, "
        "the expected number of examined leaves can be integrated, for F1 (no deep cut-offs) and "
        "for alpha-beta. Both are measured on the same trees, whose leaves are 32 bits of a hash "
        "of their path, so that ties hardly ever occur. Up to height 3 there are no deep cut-offs. "
        "Alpha-beta's growth rate tends to Pearl's ξ/(1 - ξ), where ξ<sup>d</sup> + ξ = 1.",
        points=random_points,
        samples=random_samples,
        block=BLOCK,
        measure=measure_random,
        theory=random_theory,
        warm=warm_random,
        check=check_random,
        cost=random_cost,
        finding=random_finding,
        figure=Figure(
            "h",
            ("f1", "alphabeta"),
            ("d",),
            x_label="height h",
            y_label="leaves examined",
            log_y=True,
            names={"f1": "F1", "alphabeta": "alpha-beta"},
        ),
    ),
    Experiment(
        name="dependent-trees",
        title="Leaves on totally dependent trees",
        source="Knuth & Moore 1975, theorem 5 (theorem 7.5 and corollary 7.4 of the seminar)",
        says="The successors of every position come in a random order, and all leaves below one "
        "are better than all below the next. Then the expected leaves of alpha-beta have a closed "
        "form, with H<sub>d</sub> = 1 + 1/2 + ... + 1/d. Relative to the minimal tree they stay "
        "bounded if H<sub>d</sub>² < d, that is from d = 7 on.",
        errs="The seminar defines H<sub>d</sub> as a sum of 1/d and claims a bound from d = 3 on; "
        "for d = 3 to 6 the ratio grows without bound. Its constant is the one for even heights.",
        points=dependent_points,
        samples=dependent_samples,
        block=BLOCK,
        measure=measure_dependent,
        theory=dependent_theory,
        warm=warm_dependent,
        check=check_dependent,
        cost=dependent_cost,
        figure=Figure("h", ("ratio",), ("d",), x_label="height h", y_label="leaves / minimal tree"),
    ),
    Experiment(
        name="randomised-alphabeta",
        title="Randomised alpha-beta on its worst trees",
        source="Saks & Wigderson 1986",
        says="An algorithm that looks at successors in a random order cannot be fooled by one "
        "order of the leaves. The worst trees of wins and losses leave every winner a single "
        "winning action. Then the expected leaves follow a recurrence over two kinds of positions, "
        "whose growth rate per level is (d - 1 + √(d² + 14 d + 1))/4.",
        points=randomised_points,
        samples=randomised_samples,
        block=BLOCK,
        measure=measure_randomised,
        theory=randomised_theory,
        warm=warm_randomised,
        check=check_randomised,
        cost=randomised_cost,
        finding=randomised_finding,
        figure=Figure(
            "h",
            ("leaves",),
            ("d",),
            "root",
            x_label="height h",
            y_label="leaves examined",
            log_y=True,
        ),
    ),
)
