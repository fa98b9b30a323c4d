"""An apparent advantage that changes sides: who leads, from one depth of the search to the next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from prunus.core.bits import Runtime, i64, u8, u64
from prunus.core.game import Game
from prunus.core.rng import word_at
from prunus.run.driver import iterations
from prunus.run.limits import Limit
from prunus.theory.critical import minimal_leaves
from prunus.theory.lab.experiment import Experiment, Figure, LabError, Moments, Point, Value

WIDTH: Final = 1 << 40
"""Fresh estimates are drawn from -WIDTH to WIDTH: so finely that ties hardly ever occur."""

DEEPEST: Final = 60
"""The plies after which these games end."""


class Drifting(Game):
    """A uniform tree whose every position has an estimate for MAX, who begins.

    The estimate of a child is `kept` hundredths of its parent's and, for the rest, a fresh draw;
    the root's is a fresh draw. With 0 all estimates are independent, with 100 all are the root's.
    All numbers are data: these games are one compiled game.
    """

    class State(NamedTuple):
        """A node's random word, its ply and its estimate for MAX."""

        node: u64
        ply: u8
        estimate: i64

    degree: Runtime[i64]
    kept: Runtime[i64]
    seed: Runtime[u64]

    def __init__(self, degree: int, kept: int, seed: int) -> None:
        self.degree, self.kept, self.seed = degree, kept, u64(seed)

    def initial(self) -> State:
        return self.tree(0)

    def tree(self, number: int) -> State:
        """The root of one of the many trees of a seed, which are independent of each other."""
        node = word_at(self.seed, number + 1)
        return self.State(node, 0, drawn(node))

    def actions(self, state: State) -> Iterator[int]:
        for action in range(self.degree):  # noqa: UP028 - the compiler does not know `yield from`
            yield action

    def result(self, state: State, action: int) -> State:
        node = word_at(state.node, action + 1)
        estimate = (self.kept * state.estimate + (100 - self.kept) * drawn(node)) // 100
        return self.State(node, state.ply + 1, estimate)

    def is_terminal(self, state: State) -> bool:
        return state.ply >= DEEPEST

    def utility(self, state: State) -> int:
        return self.evaluate(state)

    def evaluate(self, state: State) -> int:
        return state.estimate if state.ply % 2 == 0 else -state.estimate


def drawn(node: u64) -> int:
    """A fresh estimate: an odd number, so that nobody leads by nothing."""
    return 2 * i64(word_at(node, 0) % WIDTH) + 1 - WIDTH


KEPT: Final = (0, 50, 80, 90, 95)
INTERPRETED, FEW = 3, 50
"""So few trees, searched at most so many plies deep, are searched interpreted."""


def changing_points(quick: bool) -> list[Point]:
    """Trees from disordered to ordered ones, and depths."""
    deepest = INTERPRETED if quick else 10
    return [
        {"b": 3, "kept": kept, "depth": depth}
        for kept in (KEPT[::2] if quick else KEPT)
        for depth in range(1, deepest + 1)
    ]


def check_changing(point: Point) -> None:
    """Raise LabError unless there are such trees and they can be searched."""
    b, kept, depth = (int(point[name]) for name in ("b", "kept", "depth"))
    if not (2 <= b <= 20 and 0 <= kept <= 100):
        raise LabError(f"b={b}, kept={kept}: degrees are 2 to 20, and 0 to 100 parts are kept")
    if not 1 <= depth <= 20 or b**depth > 10**8:
        raise LabError(f"depth={depth}: the trees of degree {b} would be too large")


def changing_samples(point: Point, quick: bool) -> int:
    """The number of trees."""
    return FEW if quick else 1_000


def changing_cost(point: Point) -> float:
    """The seconds a tree takes: the engine examines somewhat more than the minimal tree."""
    return 0.002 + 3.0 * minimal_leaves(int(point["b"]), int(point["depth"])) * 1e-6


def measure_changing(point: Point, seed: int, count: int) -> Mapping[str, Moments]:
    """Whether another player leads than one ply less deep, and the leaves of the last iteration
    relative to the minimal tree."""
    b, depth = int(point["b"]), int(point["depth"])
    game = Drifting(b, int(point["kept"]), seed)
    changes, total, squares = 0, 0.0, 0.0
    compile = False if depth <= INTERPRETED and count <= FEW else None
    for number in range(count):
        root = game.tree(number)
        leads, leaves = [root.estimate > 0], [0]
        for found in iterations(game, root, limit=Limit(depth=depth), compile=compile):
            leads.append(int(found.value or 0) > 0)
            leaves.append(found.statistics.leaves)
        changes += leads[-1] != leads[-2]
        ratio = (leaves[-1] - leaves[-2]) / minimal_leaves(b, depth)
        total, squares = total + ratio, squares + ratio * ratio
    return {"changes": Moments(count, changes, changes), "leaves": Moments(count, total, squares)}


@lru_cache(maxsize=256)
def leading(b: int, depth: int) -> float:
    """The probability that the player to move leads in a search of independent estimates: 1/2 at
    depth 0, then that not all children lead for the other player."""
    return 0.5 if depth == 0 else 1 - leading(b, depth - 1) ** b


def changing_theory(point: Point) -> dict[str, float]:
    """Values of different depths are independent where the estimates are. No search of a tree
    examines fewer leaves than the minimal tree has."""
    b, depth = int(point["b"]), int(point["depth"])
    said = {"leaves_low": 1.0}
    if point["kept"] == 0:
        now, before = leading(b, depth), leading(b, depth - 1)
        said["changes"] = now * (1 - before) + before * (1 - now)
    elif point["kept"] == 100:
        said["changes"] = 0.0
    return said


def changing_finding(rows: Sequence[Mapping[str, Value | None]]) -> str:
    """How often the lead changes at the last depth, and what the search costs there."""
    last = max(int(row["depth"] or 0) for row in rows)
    said = [
        f"{float(row['changes'] or 0):.3f} with {row['kept']} % kept "
        f"({float(row['leaves'] or 0):.2f} times the minimal tree)"
        for row in rows
        if row["depth"] == last
    ]
    return (
        f"From depth {last - 1} to {last} the lead changes in this share of the trees: "
        f"{', '.join(said)}."
    )


EXPERIMENTS: Final = (
    Experiment(
        name="changing-sides",
        title="An apparent advantage that changes sides",
        source="encyclopaedia article on alpha-beta; Pearl 1980 for the fixed point",
        says="While a search goes deeper, now one player seems to lead, now the other; the article "
        "says that this happens often where a tree has little order. Here the estimate of a child "
        "keeps some hundredths of its parent's, and the rest is drawn anew. `changes` is the share "
        "of trees in which another player leads than one ply less deep. If nothing is kept, values "
        "of different depths are independent, and MAX, who is to move, leads at depth n with the "
        "probability p<sub>n</sub> = 1 - p<sub>n-1</sub><sup>b</sup>, p<sub>0</sub> = 1/2. The "
        "fixed point of this step repels, so that p comes to alternate between 0 and 1: whoever "
        "moves last leads, and the lead changes with every ply. Such trees are expensive, too: the "
        "iteration before says nothing about the best moves, and the leaves of the last one, here "
        "relative to the minimal tree, are many.",
        points=changing_points,
        check=check_changing,
        samples=changing_samples,
        block=100,
        cost=changing_cost,
        measure=measure_changing,
        theory=changing_theory,
        finding=changing_finding,
        figure=Figure(
            "depth",
            ("changes", "leaves"),
            ("kept",),
            x_label="depth",
            apart=True,
            names={
                "changes": "trees in which the lead changes",
                "leaves": "leaves / minimal tree",
            },
        ),
    ),
)
