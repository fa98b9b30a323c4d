"""The positions that have to be examined: theorems 7.1 and 7.2 with their corollaries, on trees of
any shape and for every algorithm."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Final

from prunus.run.registry import ALGORITHMS, algorithm_named
from prunus.theory import branching, by_value
from prunus.theory.critical import fewest, minimal_leaves
from prunus.theory.lab.experiment import Experiment, Figure, LabError, Moments, Point, Value, once
from prunus.theory.permutations import permutation_for, seen_by
from prunus.theory.trees import Tree, inner, leaves_of, nested_of, permuted, random_tree
from prunus.theory.uneven import best_first, critical_tree, examined

MOST_POSITIONS: Final = 100_000
"""The most positions of a tree; larger trees are refused, because they are searched interpreted."""

EARLY: Final = 0.2


def _random(seed: int) -> Random:
    return Random(seed)  # noqa: S311 - it has to be reproducible


def moments(values: Iterable[int]) -> Moments:
    """The moments of some samples."""
    listed = list(values)
    return Moments(len(listed), sum(listed), sum(value * value for value in listed))


# Theorem 7.1.


def uneven_points(quick: bool) -> list[Point]:
    """Trees of several depths and widths."""
    return [{"branching": b, "depth": h} for b in (2, 3, 4) for h in range(1, 5 if quick else 7)]


def check_uneven(point: Point) -> None:
    """Raise ValueError for a tree that is impossible or too large."""
    branching_, depth = int(point["branching"]), int(point["depth"])
    if branching_ < 1 or depth < 1:
        raise LabError(f"branching={branching_}, depth={depth}: both must be at least 1")
    if branching_**depth > MOST_POSITIONS:
        raise LabError(
            f"branching={branching_}, depth={depth}: {branching_}**{depth} leaves; at most "
            f"{MOST_POSITIONS:,} are searched"
        )


def measure_uneven(point: Point, seed: int, count: int) -> Mapping[str, Moments]:
    """Alpha-beta on random trees of uneven shape, put in best order and as they were drawn."""
    random, rows = _random(seed), []
    for _ in range(count):
        drawn = random_tree(random, int(point["depth"]), int(point["branching"]), 9, EARLY)
        ordered = best_first(drawn, (1, 2), random)
        critical = critical_tree(ordered)
        found = examined(ordered)
        differing = len(found.leaves ^ (critical.keys() & leaves_of(ordered))) + abs(
            found.nodes - len(critical)
        )
        rows.append(
            (
                len(found.leaves),
                differing,
                fewest(drawn),
                len(examined(drawn).leaves),
                len(leaves_of(drawn)),
            )
        )
    names = ("best_order", "differing", "least", "drawn_order", "all")
    return {
        name: moments(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)
    }


def no_difference(point: Point) -> Mapping[str, float]:
    """Alpha-beta examines the critical positions, no more and no fewer."""
    return {"differing": 0}


def samples_of_trees(point: Point, quick: bool) -> int:
    """The number of trees of a row."""
    return 40 if quick else 400


CRITICAL = Experiment(
    name="critical-positions",
    title="Alpha-beta in best order examines exactly the critical positions",
    source="Knuth & Moore 1975, theorem 1; theorem 7.1 of the seminar",
    says="A position with the Dewey coordinates a_1 ... a_l is critical if every a_i with even i "
    "is 1, or every a_i with odd i. If the first successor of every position is a best one, "
    "alpha-beta examines the critical positions and no others; the shape of the tree does not "
    "matter. It is enough that a best successor comes first at the positions of types 1 and 2; the "
    "successors of other positions are in random order here. `differing` counts positions that are "
    "critical and not examined, or examined and not critical.",
    errs="Point 2 of the proof requires beta < F(s). With equal values, which these trees have, "
    "the cut comes at beta <= F(s).",
    points=uneven_points,
    check=check_uneven,
    samples=samples_of_trees,
    block=20,
    cost=lambda point: 0.001 + 2e-6 * float(point["branching"]) ** float(point["depth"]),
    measure=measure_uneven,
    theory=no_difference,
    figure=Figure(
        x="depth",
        y=("all", "drawn_order", "best_order", "least"),
        panel="branching",
        y_label="leaves",
        log_y=True,
        names={
            "all": "in the tree",
            "drawn_order": "alpha-beta, as drawn",
            "best_order": "alpha-beta, best order",
            "least": "smallest proof",
        },
    ),
)


# Corollaries 7.1 and 7.3.

SIZE: Final = (3, 4)


def algorithm_points(quick: bool) -> list[Point]:
    """Every algorithm of the registry."""
    return [{"algorithm": name} for name in ALGORITHMS]


def check_algorithm(point: Point) -> None:
    """Raise ValueError for an unknown algorithm, or one for more than two players."""
    if algorithm_named(str(point["algorithm"])).name not in ALGORITHMS:
        raise LabError(f"algorithm={point['algorithm']}: this one is for more than two players")


def uniform_tree(random: Random, degree: int, height: int, values: int = 1000) -> Tree:
    """A uniform tree with random leaves."""
    if height == 0:
        return Tree(random.randint(-values, values))
    return inner([uniform_tree(random, degree, height - 1, values) for _ in range(degree)])


def measure_minimal(point: Point, seed: int, count: int) -> Mapping[str, Moments]:
    """The leaves that an algorithm looks at in uniform trees: with the best order at types 1 and 2,
    and as drawn."""
    random, name, ordered, drawn = _random(seed), str(point["algorithm"]), [], []
    for _ in range(count):
        tree = uniform_tree(random, *SIZE)
        drawn.append(len(seen_by(tree, name)[1]))
        ordered.append(len(seen_by(best_first(tree, (1, 2), random), name)[1]))
    return {"best_order": moments(ordered), "drawn_order": moments(drawn)}


def least(point: Point) -> Mapping[str, float]:
    """The minimum: no algorithm examines fewer leaves than the critical tree has."""
    return {"best_order_low": minimal_leaves(*SIZE), "drawn_order_low": minimal_leaves(*SIZE)}


def attained(rows: Sequence[Mapping[str, Value | None]]) -> str:
    """A sentence on the algorithms that attain the minimum."""
    fewest_ = minimal_leaves(*SIZE)
    names = [str(row["algorithm"]) for row in rows if row["best_order"] == fewest_]
    return (
        f"In best order {', '.join(names) or 'no algorithm'} look at {fewest_} of "
        f"{SIZE[0] ** SIZE[1]} leaves, the minimum, in every tree."
    )


MINIMAL = Experiment(
    name="minimal-tree",
    title="No algorithm examines fewer leaves than the minimal tree has",
    source="Knuth & Moore 1975, corollaries 1 and 3; corollaries 7.1 and 7.3 of the seminar",
    says="An algorithm that finds the value of a uniform tree of degree d and height h examines at "
    "least d^ceil(h/2) + d^floor(h/2) - 1 leaves, and "
    f"alpha-beta attains that if a best successor comes first at positions of types 1 and 2. "
    f"Here d = {SIZE[0]}, h = {SIZE[1]}: 17 of "
    "81 leaves. Each leaf is counted once, however often an algorithm comes back to it.",
    errs="In the proof of corollary 7.1 both counts have the floor; one of them is the ceiling.",
    points=algorithm_points,
    check=check_algorithm,
    samples=lambda point, quick: 8 if quick else 60,
    block=10,
    cost=lambda point: 0.014,
    measure=measure_minimal,
    theory=least,
    finding=attained,
    figure=Figure(
        x="algorithm",
        y=("drawn_order", "best_order"),
        y_label="different leaves examined",
        names={"drawn_order": "as drawn", "best_order": "best order at types 1 and 2"},
    ),
)


# Theorem 7.2.

PERMUTED: Final = (4, 3, 9)
"""Depth, branching and values of the trees for theorem 7.2."""


def measure_permutations(point: Point, seed: int, count: int) -> Mapping[str, Moments]:
    """For random trees: the leaves that an algorithm looked at, those that alpha-beta examines in
    the order made from them, the number of the latter that the algorithm did not look at, and the
    fewest over all orders."""
    random, rows = _random(seed), []
    for _ in range(count):
        tree = random_tree(random, *PERMUTED, EARLY)
        _, seen = seen_by(tree, str(point["algorithm"]))
        ordered, names = permuted(tree, permutation_for(tree, seen))
        found = {names[place] for place in examined(ordered).leaves}
        rows.append((len(seen), len(found), len(found - seen), fewest(tree)))
    names_ = ("algorithm_leaves", "alphabeta_leaves", "outside", "least")
    return {
        name: moments(column) for name, column in zip(names_, zip(*rows, strict=True), strict=True)
    }


def none_outside(point: Point) -> Mapping[str, float]:
    """Alpha-beta examines nothing that the algorithm did not."""
    return {"outside": 0}


PERMUTATIONS = Experiment(
    name="permutations",
    title="Alpha-beta is optimal up to the order of the successors",
    source="Knuth & Moore 1975, theorem 2; theorem 7.2 of the seminar",
    says="Take any algorithm that found the value of the root, and the leaves that it looked at. "
    "They limit the value of each position, F_l(s) <= F(s) <= F_u(s), and from these limits "
    "follows an order of the successors in which alpha-beta examines only leaves of that set: none "
    "is `outside`. Each row does this for an algorithm of Prunus on random trees of uneven shape; "
    "the distance between the marks is the algorithm's wasted work.",
    errs="Point 1 passes -F(s_1) to the later successors, where F2 passes F(s_1); point 2 has "
    "F_l(s) = F_u(s_j) instead of F_l(s) = -F_u(s_j).",
    points=algorithm_points,
    check=check_algorithm,
    samples=lambda point, quick: 20 if quick else 500,
    block=10,
    cost=lambda point: 0.004,
    measure=measure_permutations,
    theory=none_outside,
    figure=Figure(
        x="algorithm",
        y=("algorithm_leaves", "alphabeta_leaves", "least"),
        y_label="different leaves examined",
        names={
            "algorithm_leaves": "the algorithm",
            "alphabeta_leaves": "alpha-beta in the order found",
            "least": "smallest proof",
        },
    ),
)


# Remark 7.2 and figure 7.

TREES: Final = {1: 1, 2: 1, 3: 4, 4: 26, 5: 236, 6: 2752, 7: 39208, 8: 660032}
"""Schroeder's fourth problem: the number of trees with n labelled leaves."""


def measure_by_value(point: Point, seed: int, count: int) -> Mapping[str, Moments]:
    """All trees with this number of leaves."""
    found = by_value.survey(int(point["leaves"]))
    return {
        "trees": once(found.trees),
        "worse": once(found.worse),
        "too_many_at_most": once(found.most),
    }


def smallest(rows: Sequence[Mapping[str, Value | None]]) -> str:
    """A sentence with the smallest trees in which ordering by value is not best."""
    first = next((row["leaves"] for row in rows if row["worse"]), None)
    if first is None:
        return "None of these trees is a counter-example."
    shown = [str(nested_of(tree)) for tree in by_value.counterexamples(int(first))]
    known = " and ".join(f"`{text}`" for text in shown[:4])
    return (
        f"The smallest counter-examples have {first} leaves (MAX moves first): "
        f"{known}{' and more' if len(shown) > 4 else ''}."
    )


BY_VALUE = Experiment(
    name="order-by-value",
    title="Ordering successors by their values is not always best",
    source="Knuth & Moore 1975, figure 7; remark 7.2 of the seminar",
    says="In uniform trees every order with a best successor first is as good as any other. If "
    "branches have different sizes this is no longer true: one good enough answer refutes a move, "
    "and the best answer can be more expensive to search than another. All game trees with n "
    "leaves of different values are tried, up to the order of successors and without positions "
    "that have a single successor. `worse` counts those in which alpha-beta examines more leaves "
    "with successors ordered by value than in its best order. `trees` is compared with the number "
    "that combinatorics gives (Schroeder's fourth problem).",
    points=lambda quick: [{"leaves": n} for n in range(2, 7 if quick else 8)],
    check=lambda point: None if point["leaves"] in TREES else _refuse(point),
    cost=lambda point: 1.3e-6 * 17 ** (float(point["leaves"]) - 2),
    measure=measure_by_value,
    theory=lambda point: {"trees": TREES[int(point["leaves"])]},
    finding=smallest,
    figure=Figure(
        x="leaves",
        y=("trees", "worse"),
        log_y=True,
        y_label="trees",
        names={"trees": "all", "worse": "order by value not best"},
    ),
)


def _refuse(point: Point) -> None:
    raise LabError(
        f"leaves={point['leaves']}: the search is for 1 to {by_value.MOST_LEAVES} leaves"
    )


# Corollary 7.2.

LAWS: Final[Mapping[str, tuple[branching.Law, ...]]] = {
    "0 to 3 successors": ((0.1, 0.2, 0.3, 0.4),),
    "2 and 3 in turn, a third are leaves": ((0, 0, 1), (1 / 3, 0, 0, 2 / 3)),
    "6 or none": ((0.5, 0, 0, 0, 0, 0, 0.5),),
    "1 to 4, fewer from level to level": (
        (0, 0.1, 0.1, 0.1, 0.7),
        (0.1, 0.2, 0.3, 0.2, 0.2),
        (0.2, 0.4, 0.2, 0.1, 0.1),
        (0.3, 0.4, 0.3),
    ),
}
"""Laws of branching by name; the levels of a tree go through the laws of a tuple again and
again."""


def laws_of(point: Point) -> list[branching.Law]:
    """The law of each level above the level that is counted."""
    cycle = LAWS[str(point["law"])]
    return [cycle[level % len(cycle)] for level in range(int(point["level"]))]


def check_law(point: Point) -> None:
    """Raise ValueError for an unknown law or too large a tree."""
    if point["law"] not in LAWS:
        raise LabError(f"law={point['law']}: the laws are {'; '.join(LAWS)}")
    if not 1 <= int(point["level"]) <= 20:
        raise LabError(f"level={point['level']}: levels are 1 to 20")


def measure_branching(point: Point, seed: int, count: int) -> Mapping[str, Moments]:
    """The positions of a level that alpha-beta examines in random trees in best order."""
    return {"examined": Moments(count, *branching.simulate(laws_of(point), seed, count))}


def warm_branching() -> None:
    """Compile the simulation."""
    branching.simulate(LAWS["6 or none"], 1, 1)


BRANCHING = Experiment(
    name="random-branching",
    title="The critical tree when the number of successors is random",
    source="Knuth & Moore 1975, corollary 2; corollary 7.2 of the seminar, (9) and (10)",
    says="Let each position of level j have successors with probability q_j, and d_j of them on "
    "average, counting leaves as 0. In best order alpha-beta examines d_0 q_1 d_2 q_3 ... + q_0 "
    "d_1 q_2 d_3 ... - q_0 q_1 ... positions of level l on average, with l factors in each "
    "product. Only the means d_j matter, not the laws behind them.",
    points=lambda quick: [
        {"law": law, "level": level} for law in LAWS for level in range(1, 6 if quick else 9)
    ],
    check=check_law,
    samples=lambda point, quick: 20_000 if quick else 500_000,
    block=20_000,
    cost=lambda point: 7e-8 * (2 + branching.expected_critical(laws_of(point))),
    warm=warm_branching,
    measure=measure_branching,
    theory=lambda point: {"examined": branching.expected_critical(laws_of(point))},
    figure=Figure(
        x="level",
        y=("examined",),
        series=("law",),
        log_y=True,
        y_label="positions examined on the level",
    ),
)

EXPERIMENTS = (CRITICAL, MINIMAL, PERMUTATIONS, BY_VALUE, BRANCHING)
