"""Trees in the best order: the worth of deep cut-offs, the worth of a first move that wins, and the
cost of deepening."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from prunus.core.bits import Runtime, i64, u64
from prunus.core.game import INFINITY, Game
from prunus.core.generic import Keywords
from prunus.games.uniform import AnyUniformTree, UniformTree
from prunus.kernel.backends import call
from prunus.run.memories import begin, counts_of, new_memory
from prunus.run.registry import algorithm_named
from prunus.theory.critical import leaves_without_deep_cutoffs, minimal_leaves
from prunus.theory.growth import best_order_leaves, best_order_root
from prunus.theory.lab.experiment import Experiment, Figure, LabError, Moments, Point, Value, once
from prunus.theory.sizes import nodes_of_a_first_move_win

MOST_NODES: Final = 4 * 10**9
"""The most nodes of a search; larger trees are refused, because they would take minutes."""


class ValuedTree(AnyUniformTree):
    """Uniform trees of every size whose inner nodes are valued like leaves."""

    def evaluate(self, state: UniformTree.State) -> int:
        return self.utility(state)


class FirstMoveWins(UniformTree):
    """MAX, who begins, wins (1) if all of MAX's moves are first ones, and otherwise loses (-1). A
    State's `node` is 1 once MAX has made another."""

    degree: Runtime[i64]
    height: Runtime[i64]

    def tree(self, number: int) -> UniformTree.State:
        return self.State(u64(0), 0)

    def result(self, state: UniformTree.State, action: int) -> UniformTree.State:
        lost = 1 if state.node == 1 or (state.way % 2 == 0 and action > 0) else 0
        return self.State(u64(lost), state.way + 1)

    def utility(self, state: UniformTree.State) -> int:
        value = 1 - 2 * i64(state.node)
        return value if state.way % 2 == 0 else -value


def searched(
    game: Game, algorithm: str, depth: int, low: int = -INFINITY, high: int = INFINITY
) -> dict[str, int]:
    """The counts of one compiled search from the start, in a window: nodes, leaves, cutoffs, ..."""
    known = algorithm_named(algorithm)
    state = game.initial()
    memory = new_memory(known, state, depth, sum(1 for _ in game.actions(state)))
    begin(known, memory, depth)
    arguments = {
        "game": game,
        "state": state,
        "depth": depth,
        "alpha": low,
        "beta": high,
        "bound": high,
        "memory": memory,
    }
    call(known.function, arguments, True)
    return counts_of(memory)


# Without deep cut-offs.

BOTH: Final = ("f1", "alphabeta")
NAMES: Final = {"f1": "F1", "alphabeta": "alpha-beta"}


def _trees(degrees: Sequence[int], most: int, highest: int) -> list[Point]:
    return [
        {"d": d, "n": n}
        for d in degrees
        for n in range(1, highest + 1)
        if leaves_without_deep_cutoffs(d, n) <= most
    ]


def best_order_points(quick: bool) -> list[Point]:
    """Degrees and heights whose trees F1 searches in less than a second (quick: a hundredth of a
    second)."""
    return (
        _trees((2, 3, 5, 10), 100_000, 16) if quick else _trees((2, 3, 5, 10, 20), 20_000_000, 32)
    )


def check_tree(point: Point) -> None:
    """Raise ValueError unless there is such a tree and F1 gets through it."""
    d, n = int(point["d"]), int(point["n"])
    UniformTree(d, n, "best")
    if leaves_without_deep_cutoffs(d, n) > MOST_NODES:
        raise LabError(
            f"d={d}, n={n}: F1 examines {leaves_without_deep_cutoffs(d, n):.2g} leaves; at most "
            f"{MOST_NODES:.0g} are measured"
        )


def best_order_cost(point: Point) -> float:
    """About 15 million leaves a second."""
    return 1e-3 + leaves_without_deep_cutoffs(int(point["d"]), int(point["n"])) / 15e6


def measure_best_order(point: Point, seed: int, count: int) -> Mapping[str, Moments]:
    """The leaves that F1 and alpha-beta examine in a tree whose first child is best everywhere."""
    d, n = int(point["d"]), int(point["n"])
    game = AnyUniformTree(d, n, "best", seed)
    return {"f1": _leaves(game, "branch-and-bound", n), "alphabeta": _leaves(game, "alphabeta", n)}


def _leaves(game: Game, algorithm: str, depth: int) -> Moments:
    return once(searched(game, algorithm, depth)["leaves"])


def best_order_theory(point: Point) -> dict[str, float]:
    """A_n for F1, the critical leaves for alpha-beta."""
    d, n = int(point["d"]), int(point["n"])
    return {"f1": leaves_without_deep_cutoffs(d, n), "alphabeta": minimal_leaves(d, n)}


def measure_growth(point: Point, seed: int, count: int) -> Mapping[str, Moments]:
    """The n-th roots of both numbers of leaves, and the closed form of F1's number divided by the
    counted number."""
    d, n = int(point["d"]), int(point["n"])
    found = measure_best_order(point, seed, count)
    roots = {name: once(float(moments.total) ** (1 / n)) for name, moments in found.items()}
    return {**roots, "closed_form": once(best_order_leaves(d, n) / found["f1"].total)}


def growth_theory(point: Point) -> dict[str, float]:
    """Both growth rates are lower bounds: they are approached from above."""
    d = int(point["d"])
    return {"f1_low": best_order_root(d), "alphabeta_low": math.sqrt(d), "closed_form": 1.0}


def growth_finding(rows: Sequence[Mapping[str, Value | None]]) -> str:
    """How far the highest trees are from the limits."""
    parts = []
    for d in dict.fromkeys(row["d"] for row in rows):
        last = max((row for row in rows if row["d"] == d), key=lambda row: int(row["n"] or 0))
        parts.append(
            f"{last['f1']:.3f} by F1 against {last['f1_low']:.3f} and "
            f"{last['alphabeta']:.3f} by alpha-beta against {last['alphabeta_low']:.3f} "
            f"(d = {d}, n = {last['n']})"
        )
    return f"The leaves to the power 1/n have come down to {'; '.join(parts)}."


# A first move that wins.

WINDOWS: Final = {"extreme values": (-1, 1), "infinite": (-INFINITY, INFINITY)}


def win_points(quick: bool) -> list[Point]:
    """Odd heights, as in the formula, and also even ones."""
    most = 10**4 if quick else 10**7
    sizes = [
        (m, n)
        for m in (2, 3, 5, 10)
        for n in range(1, 25)
        if m ** (n / 2) <= most and m**n < 1 << 62
    ]
    return [{"m": m, "n": n, "window": window} for window in WINDOWS for m, n in sizes]


def check_win(point: Point) -> None:
    """Raise ValueError unless there is such a tree and such a window."""
    if point["window"] not in WINDOWS:
        raise LabError(
            f"there is no window {point['window']!r}; the windows are {', '.join(WINDOWS)}"
        )
    UniformTree(int(point["m"]), int(point["n"]))
    if win_nodes(point) > MOST_NODES:
        raise LabError(
            f"m={point['m']}, n={point['n']}: {win_nodes(point):.2g} nodes; at most "
            f"{MOST_NODES:.0g} are measured"
        )


def win_nodes(point: Point) -> int:
    """The nodes that alpha-beta visits: in the window of the extreme values
    `nodes_of_a_first_move_win`; with infinities all critical positions, m**ceil(l/2) +
    m**floor(l/2) - 1 of them on level l."""
    m, n = int(point["m"]), int(point["n"])
    if point["window"] == "infinite":
        return sum(minimal_leaves(m, level) for level in range(n + 1))
    return nodes_of_a_first_move_win(m, n)


def win_theory(point: Point) -> dict[str, float]:
    """The nodes by formula."""
    return {"nodes": win_nodes(point)}


def measure_win(point: Point, seed: int, count: int) -> Mapping[str, Moments]:
    """The nodes that alpha-beta visits in the tree whose first move wins."""
    n = int(point["n"])
    game = FirstMoveWins(int(point["m"]), n)
    return {"nodes": once(searched(game, "alphabeta", n, *WINDOWS[str(point["window"])])["nodes"])}


def win_cost(point: Point) -> float:
    """About 15 million nodes a second."""
    return 1e-3 + win_nodes(point) / 15e6


def win_finding(rows: Sequence[Mapping[str, Value | None]]) -> str:
    """The example of the slides, if it was measured."""
    found = {row["window"]: row["nodes"] for row in rows if (row["m"], row["n"]) == (3, 5)}
    if len(found) < 2:
        return ""
    nodes, more = found["extreme values"], found["infinite"]
    return (
        f"For m = 3 and n = 5 alpha-beta visits {nodes} nodes in the window [-1, 1], and "
        f"{more} with infinities."
    )


# Iterative deepening.


def warm() -> None:
    """Compile all three searches of both games on trees of a few nodes."""
    for algorithm in ("branch-and-bound", "alphabeta"):
        searched(AnyUniformTree(2, 2, "best"), algorithm, 2)


def warm_win() -> None:
    """Compile alpha-beta."""
    searched(FirstMoveWins(2, 2), "alphabeta", 2)


_BEST: Final[Keywords] = {
    "points": best_order_points,
    "check": check_tree,
    "cost": best_order_cost,
    "warm": warm,
}

EXPERIMENTS: Final = (
    Experiment(
        name="no-deep-cutoffs",
        title="Leaves without deep cut-offs, best order",
        source="section 7.3 of the seminar, (25) and (26), after Knuth & Moore 1975",
        says="Branch and bound with one bound (F1) has no deep cut-offs. If the first child is "
        "best everywhere, it examines the leaves in whose coordinates every later child is "
        "followed by a first one: A<sub>n</sub> of them, with A<sub>0</sub> = 1, A<sub>1</sub> = d "
        "and A<sub>n+2</sub> = A<sub>n+1</sub> + (d - 1) A<sub>n</sub>. Alpha-beta examines only "
        "the critical leaves, d<sup>⌈n/2⌉</sup> + d<sup>⌊n/2⌋</sup> - 1.",
        measure=measure_best_order,
        theory=best_order_theory,
        figure=Figure(
            "n",
            BOTH,
            ("d",),
            x_label="height n",
            y_label="leaves examined",
            log_y=True,
            names=NAMES,
        ),
        **_BEST,
    ),
    Experiment(
        name="no-deep-cutoffs-growth",
        title="Growth rates with and without deep cut-offs, best order",
        source="section 7.3 of the seminar, after Knuth & Moore 1975",
        says="The recurrence has the closed form A<sub>n</sub> = ((r + d - 1) r<sup>n</sup> - (s + "
        "d - 1) s<sup>n</sup>)/(r - s), with the roots r = √(d - 3/4) + 1/2 and s = 1 - r of x² = "
        "x + d - 1. So F1 grows at the rate r, and alpha-beta at √d: deep cut-offs lower the rate "
        "by about 1/2, which matters less the more children there are. Both rates are limits that "
        "the n-th root of the leaves reaches from above.",
        measure=measure_growth,
        theory=growth_theory,
        finding=growth_finding,
        figure=Figure(
            "n",
            BOTH,
            panel="d",
            x_label="height n",
            y_label="leaves to the power 1/n",
            shared=False,
            names=NAMES,
        ),
        **_BEST,
    ),
    Experiment(
        name="first-move-wins",
        title="Nodes of alpha-beta where the first move wins",
        source="Di Lena 2022/23, lecture slides on game trees",
        says="In a tree of m moves and n turns in which the first move always wins, alpha-beta "
        "that knows the extreme values stops at a win: it visits 1 + 1 + m + m + m² + ... nodes, "
        "for odd n 2 (m<sup>⌊n/2⌋+1</sup> - 1)/(m - 1).",
        errs="The count holds in the window [MINVAL, MAXVAL] of the extreme values. With "
        "infinities a win does not end the search of the root, and all critical positions are "
        "visited.",
        points=win_points,
        check=check_win,
        cost=win_cost,
        warm=warm_win,
        measure=measure_win,
        theory=win_theory,
        finding=win_finding,
        figure=Figure(
            "n",
            ("nodes",),
            ("m",),
            "window",
            x_label="height n",
            y_label="nodes visited",
            log_y=True,
        ),
    ),
)
