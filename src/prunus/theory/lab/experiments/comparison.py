"""The family of search algorithms on the same trees and positions, compared with the least that any
of them must examine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from prunus.core.generic import Keywords
from prunus.games.uniform import AnyUniformTree, UniformTree
from prunus.theory.comparison import FAMILY, Comparison
from prunus.theory.critical import minimal_leaves
from prunus.theory.lab.experiment import Experiment, Figure, LabError, Moments, Point, Value

MOST_LEAVES: Final = 200_000
"""The most leaves of a tree; larger ones are refused, because SSS* keeps what it looks at."""

MEGABYTES: Final = 8
SMALL: Final = 300
"""Trees with at most this many leaves are searched interpreted, which is quicker than compiling
seven algorithms for them."""


class Gathered:
    """Moments of several quantities, sample by sample."""

    def __init__(self) -> None:
        self.moments: dict[str, Moments] = {}

    def add(self, **values: float) -> None:
        """Add one sample of each quantity."""
        for name, value in values.items():
            self.moments[name] = self.moments.get(name, Moments(0, 0, 0)) + Moments(
                1, value, value * value
            )


def column(algorithm: str) -> str:
    """The name of an algorithm's column."""
    return algorithm.replace("-", "_")


TREES: Final = (*FAMILY, "sss-stockman")
"""The algorithms for trees, among them SSS* as published, which looks at every leaf at most
once."""

ROOM: Final = 400_000
"""The nodes that the published SSS* may keep in memory."""

COLUMNS: Final = tuple(map(column, FAMILY))
TREE_COLUMNS: Final = tuple(map(column, TREES))
NAMES: Final = {column(name): name for name in TREES} | {
    "branch_and_bound": "F1",
    "mtdf": "MTD(f)",
    "sss": "SSS*",
    "sss_stockman": "SSS* (Stockman)",
    "dual": "DUAL*",
}


# Uniform trees.

SHAPES: Final = ((3, 8), (5, 6), (10, 4))


def ordering_points(quick: bool) -> list[Point]:
    """Trees whose first child is the best in `strength` of a hundred nodes."""
    if quick:
        return [{"d": 3, "h": 5, "strength": strength} for strength in (40, 100)]
    return [
        {"d": d, "h": h, "strength": strength}
        for d, h in SHAPES
        for strength in (20, 40, 60, 80, 90, 95, 100)
    ]


def values_points(quick: bool) -> list[Point]:
    """Trees whose leaves are drawn independently from `values` different values."""
    if quick:
        return [{"d": 3, "h": 5, "values": values} for values in (2, 1000)]
    return [
        {"d": d, "h": h, "values": values}
        for d, h in SHAPES
        for values in (2, 3, 5, 10, 30, 100, 1000, 1 << 30)
    ]


def size_points(quick: bool) -> list[Point]:
    """Trees of one kind and different heights."""
    if quick:
        return [{"d": 3, "h": h, "strength": 80} for h in (2, 4)]
    return [
        {"d": d, "h": h, "strength": 80}
        for d, most in ((3, 10), (10, 5))
        for h in range(2, most + 1)
    ]


def check_tree(point: Point) -> None:
    """Raise ValueError unless there is such a tree and minimax gets through it."""
    tree = tree_of(point, 0)
    if tree.degree**tree.height > MOST_LEAVES:
        raise LabError(
            f"d={tree.degree}, h={tree.height}: {tree.degree**tree.height:.2g} leaves; at most "
            f"{MOST_LEAVES:,} are compared"
        )


def tree_of(point: Point, seed: int) -> UniformTree:
    """The tree of a row and a seed."""
    d, h = int(point["d"]), int(point["h"])
    if "values" in point:
        return AnyUniformTree(d, h, "random", seed, int(point["values"]))
    return AnyUniformTree(d, h, "ordered", seed, strength=int(point["strength"]))


def tree_samples(point: Point, quick: bool) -> int:
    """The number of trees of a row."""
    return 6 if quick else 100


def tree_cost(point: Point) -> float:
    """The seconds a tree takes: setting up a search takes half a millisecond; minimax looks at all
    leaves, the others at a power of their number."""
    leaves = float(int(point["d"]) ** int(point["h"]))
    return 0.004 + leaves * 25e-9 + leaves**0.85 * 1e-6


def measure_family(point: Point, seed: int, count: int) -> Mapping[str, Moments]:
    """The leaves of each algorithm relative to the minimal tree's."""
    h = int(point["h"])
    minimal = minimal_leaves(int(point["d"]), h)
    first = tree_of(point, seed)
    comparison = Comparison(first, MEGABYTES, False if first.degree**h <= SMALL else None, ROOM)
    gathered = Gathered()
    for number in range(count):
        found = comparison.family(first, first.tree(number), h, TREES)
        gathered.add(**{column(name): each.leaves / minimal for name, each in found.items()})
    return gathered.moments


def family_theory(point: Point) -> dict[str, float]:
    """Minimax's leaves; no algorithm examines fewer than the minimal tree has."""
    d, h = int(point["d"]), int(point["h"])
    return {"minimax": d**h / minimal_leaves(d, h)} | {
        f"{name}_low": 1.0 for name in TREE_COLUMNS if name != "minimax"
    }


def family_finding(rows: Sequence[Mapping[str, Value | None]]) -> str:
    """A sentence on how many rows each algorithm wins."""
    fewest: dict[str, int] = {}
    for row in rows:
        best = min(
            (name for name in TREE_COLUMNS if name != "minimax"),
            key=lambda name: float(row[name] or 0),
        )
        fewest[NAMES[best]] = fewest.get(NAMES[best], 0) + 1
    return (
        f"The fewest leaves (ties go to the first): "
        f"{', '.join(f'{name} in {count} rows' for name, count in fewest.items())}."
    )


def warm_nothing() -> None:
    """Compile nothing: algorithms are compiled when their first tree comes, and small trees need no
    compiling."""


_TREES: Final[Keywords] = {
    "source": "Plaat, Schaeffer, Pijls & de Bruin 1996; Knuth & Moore 1975, corollary 3",
    "samples": tree_samples,
    "block": 25,
    "measure": measure_family,
    "theory": family_theory,
    "finding": family_finding,
    "warm": warm_nothing,
    "check": check_tree,
    "cost": tree_cost,
}

_SAYS: Final = (
    "All algorithms search the same trees directly to the bottom, without deepening; PVS, MTD(f), "
    "SSS* and DUAL* remember positions in a table, and MTD(f) begins with the guess 0. The leaves "
    "they examine are divided by those of the minimal tree, below which none can go. "
)

EXPERIMENTS: Final = (
    Experiment(
        name="family-ordering",
        title="The family of algorithms and the order of successors",
        says=_SAYS
        + "Here the first child is the best in a given share of the nodes. With perfect order all "
        "algorithms except minimax and F1 examine about the minimal tree.",
        points=ordering_points,
        figure=Figure(
            "strength",
            TREE_COLUMNS,
            (),
            "d",
            x_label="first child is best (%)",
            y_label="leaves / minimal tree",
            log_y=True,
            names=NAMES,
        ),
        **_TREES,
    ),
    Experiment(
        name="family-values",
        title="The family of algorithms and the number of different values",
        says=_SAYS
        + "Here the leaves are independent draws from a given number of values. With few values "
        "more is cut off, because an equal value suffices; and the searches from a bound inwards "
        "(SSS*, DUAL*, MTD(f)) need fewer steps.",
        points=values_points,
        figure=Figure(
            "values",
            TREE_COLUMNS,
            (),
            "d",
            x_label="different values",
            y_label="leaves / minimal tree",
            log_x=True,
            log_y=True,
            names=NAMES,
        ),
        **_TREES,
    ),
    Experiment(
        name="family-height",
        title="The family of algorithms and the height of the tree",
        says=_SAYS
        + "Here the height grows, and the first child is the best in four nodes of five.",
        points=size_points,
        figure=Figure(
            "h",
            TREE_COLUMNS,
            (),
            "d",
            x_label="height h",
            y_label="leaves / minimal tree",
            log_y=True,
            names=NAMES,
        ),
        **_TREES,
    ),
)
