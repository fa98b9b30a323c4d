"""The cost of iterative deepening beside one search to the last depth."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from prunus.games.uniform import AnyUniformTree, UniformTree
from prunus.theory.critical import minimal_leaves
from prunus.theory.lab.experiment import Experiment, Figure, LabError, Moments, Point, Value, once
from prunus.theory.lab.experiments.best_order import MOST_NODES, ValuedTree, searched

ALGORITHMS: Final = ("minimax", "alphabeta")


def deepening_points(quick: bool) -> list[Point]:
    """Branching factors and final depths, for minimax (exact) and for alpha-beta on random
    trees."""
    most = 10**5 if quick else 10**7
    sizes = [(b, h) for b in (2, 3, 5, 10) for h in range(2, 21) if b**h <= most]
    return [{"algorithm": algorithm, "B": b, "h": h} for algorithm in ALGORITHMS for b, h in sizes]


def check_deepening(point: Point) -> None:
    """Raise ValueError unless there is such a tree and algorithm."""
    if point["algorithm"] not in ALGORITHMS:
        raise LabError(
            f"there is no algorithm {point['algorithm']!r} here, only {' and '.join(ALGORITHMS)}"
        )
    b, h = int(point["B"]), int(point["h"])
    UniformTree(b, h)
    if b**h > MOST_NODES:
        raise LabError(f"B={b}, h={h}: {b**h:.2g} leaves; at most {MOST_NODES:.0g} are measured")


def deepening_samples(point: Point, quick: bool) -> int:
    """The number of trees for alpha-beta; minimax visits the same number of nodes in every tree."""
    return 0 if point["algorithm"] == "minimax" else 20 if quick else 100


def deepening_cost(point: Point) -> float:
    """Alpha-beta visits about as many nodes as minimax, to the power 0.8."""
    return (
        1e-3
        + float(int(point["B"]) ** int(point["h"]))
        ** (1.0 if point["algorithm"] == "minimax" else 0.8)
        / 15e6
    )


def measure_deepening(point: Point, seed: int, count: int) -> Mapping[str, Moments]:
    """The nodes of all searches but the last, divided by the nodes of all, 1 to h plies deep."""
    total, squares = 0.0, 0.0
    h = int(point["h"])
    for sample in range(count):
        game = ValuedTree(int(point["B"]), h, "random", seed + sample)
        nodes = [
            searched(game, str(point["algorithm"]), depth)["nodes"] for depth in range(1, h + 1)
        ]
        share = sum(nodes[:-1]) / sum(nodes)
        total, squares = total + share, squares + share * share
    return {"share": Moments(count, total, squares)}


def deepening_theory(point: Point) -> dict[str, float]:
    """The share for minimax, whose searches visit 1 + B + ... + B**i nodes, and its bound 1/B."""
    if point["algorithm"] != "minimax":
        return {}
    b, h = int(point["B"]), int(point["h"])
    nodes = [sum(b**level for level in range(depth + 1)) for depth in range(1, h + 1)]
    return {"share": sum(nodes[:-1]) / sum(nodes), "share_high": 1 / b}


def deepening_finding(rows: Sequence[Mapping[str, Value | None]]) -> str:
    """The shares of the deepest searches."""
    parts = []
    for b in dict.fromkeys(row["B"] for row in rows):
        own = [row for row in rows if row["B"] == b]
        last = max(int(row["h"] or 0) for row in own)
        found = {row["algorithm"]: row["share"] for row in own if row["h"] == last}
        shares = " and ".join(f"{share:.3f} for {name}" for name, share in found.items())
        parts.append(f"{shares} (B = {b}, h = {last})")
    return f"The shares of the earlier iterations in the whole: {'; '.join(parts)}."


def warm_deepening() -> None:
    """Compile minimax and alpha-beta."""
    for algorithm in ALGORITHMS:
        searched(ValuedTree(2, 2, "random"), algorithm, 1)


def ordered_points(quick: bool) -> list[Point]:
    """Branching factors and final depths of trees in best order that alpha-beta searches in less
    than a second."""
    most = 10**4 if quick else 10**7
    return [
        {"B": b, "h": h}
        for b in (2, 3, 4, 9, 16, 25)
        for h in range(2, 25)
        if minimal_leaves(b, h) <= most
    ]


def check_ordered(point: Point) -> None:
    """Raise ValueError unless there are such trees and alpha-beta gets through them."""
    b, h = int(point["B"]), int(point["h"])
    UniformTree(b, h, "best")
    if minimal_leaves(b, h) > MOST_NODES:
        raise LabError(
            f"B={b}, h={h}: {minimal_leaves(b, h):.2g} leaves; at most {MOST_NODES:.0g} are "
            f"measured"
        )


def measure_ordered(point: Point, seed: int, count: int) -> Mapping[str, Moments]:
    """The leaves that alpha-beta examines in trees of heights 1 to h - 1, divided by those in all
    of 1 to h; every tree is in best order."""
    b, h = int(point["B"]), int(point["h"])
    leaves = [
        searched(AnyUniformTree(b, height, "best", seed), "alphabeta", height)["leaves"]
        for height in range(1, h + 1)
    ]
    return {"share": once(sum(leaves[:-1]) / sum(leaves))}


def ordered_theory(point: Point) -> dict[str, float]:
    """The share of the numbers of critical leaves."""
    leaves = [minimal_leaves(int(point["B"]), height) for height in range(1, int(point["h"]) + 1)]
    return {"share": sum(leaves[:-1]) / sum(leaves)}


def ordered_finding(rows: Sequence[Mapping[str, Value | None]]) -> str:
    """The mean of the two deepest searches beside 1/sqrt(B)."""
    parts = []
    for b in dict.fromkeys(int(row["B"] or 0) for row in rows):
        shares = [float(row["share"] or 0) for row in rows if row["B"] == b][-2:]
        mean = sum(shares) / len(shares)
        parts.append(f"{mean:.3f} for B = {b} ({1 / math.sqrt(b):.3f})")
    return (
        "The shares of the earlier iterations, mean of an even and an odd depth, with "
        f"1/sqrt(B) in brackets: {'; '.join(parts)}."
    )


def warm_ordered() -> None:
    """Compile alpha-beta."""
    searched(AnyUniformTree(2, 2, "best"), "alphabeta", 2)


EXPERIMENTS: Final = (
    Experiment(
        name="deepening-overhead",
        title="What iterative deepening costs",
        source="course notes on adversary search; Korf 1985",
        says="Searching 1, 2, ..., h plies deep visits, with branching factor B, little more than "
        "searching h plies at once: all searches but the last are less than 1/B of the whole. That "
        "is a theorem for minimax, which visits 1 + B + ... + B<sup>i</sup> nodes i plies deep. "
        "Alpha-beta has a smaller effective branching factor, so its share is greater, and 1/B "
        "does not bound it.",
        errs="The course notes say that the earlier iterations cost as much as half of the whole. "
        "That is the bound for B = 2 only.",
        points=deepening_points,
        check=check_deepening,
        cost=deepening_cost,
        warm=warm_deepening,
        samples=deepening_samples,
        block=20,
        measure=measure_deepening,
        theory=deepening_theory,
        finding=deepening_finding,
        figure=Figure(
            "h",
            ("share",),
            ("B",),
            "algorithm",
            x_label="last depth h",
            y_label="share of the earlier iterations",
        ),
    ),
    Experiment(
        name="deepening-in-best-order",
        title="What iterative deepening costs alpha-beta in the best order",
        source="Knuth & Moore 1975, corollary 1; Korf 1985",
        says="In the best order alpha-beta examines roughly B<sup>h/2</sup> leaves at depth h: its "
        "effective branching factor b is the square root of B. The earlier iterations are then "
        "about 1/b of the whole instead of minimax's 1/B. The exact share is a quotient of sums "
        "of numbers of critical leaves, B<sup>ceil(h/2)</sup> + B<sup>floor(h/2)</sup> - 1; it "
        "goes up and down, because one ply more multiplies these numbers alternately by nearly "
        "(B + 1)/2 and 2B/(B + 1).",
        points=ordered_points,
        check=check_ordered,
        cost=lambda point: 1e-3 + minimal_leaves(int(point["B"]), int(point["h"])) / 7e6,
        warm=warm_ordered,
        measure=measure_ordered,
        theory=ordered_theory,
        finding=ordered_finding,
        figure=Figure(
            "h",
            ("share",),
            ("B",),
            x_label="last depth h",
            y_label="share of the earlier iterations",
        ),
    ),
)
