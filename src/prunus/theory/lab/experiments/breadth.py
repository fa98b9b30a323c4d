"""Breadth-first search against iterative deepening: the time, and the queue."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from prunus.core.bits import mix, u64
from prunus.core.game import Game
from prunus.run.driver import analyze
from prunus.theory.lab.experiment import Experiment, Figure, LabError, Moments, Point, Value, once

MOST = 100_000
"""The most positions of a tree that is searched here; these searches are interpreted."""


class UsingUp(Game):
    """Each turn uses up one of the `objects` objects (cells of a board, say), and nobody wins. A
    position is estimated at random, by the number `tree`."""

    class State(NamedTuple):
        """The objects used, one bit each, and how many they are."""

        used: u64
        plies: u64

    def __init__(self, objects: int, tree: int = 0) -> None:
        self.objects, self.tree = objects, tree

    def initial(self) -> State:
        return self.State(u64(0), u64(0))

    def actions(self, state: State) -> Iterator[int]:
        return (each for each in range(self.objects) if not int(state.used) >> each & 1)

    def result(self, state: State, action: int) -> State:
        return self.State(u64(int(state.used) | 1 << action), u64(int(state.plies) + 1))

    def is_terminal(self, state: State) -> bool:
        return int(state.plies) == self.objects

    def utility(self, state: State) -> int:
        return self.evaluate(state)

    def evaluate(self, state: State) -> int:
        return int(mix(int(state.used) << 20 | self.tree)) % 2001 - 1000


class Breadth(NamedTuple):
    """What a breadth-first search did: positions taken from the queue, and the longest queue."""

    visited: int
    queue: int


def breadth_first(game: Game, depth: int) -> Breadth:
    """Visit all positions down to a depth level by level: take the first of the queue, and put its
    successors at the end. The queue is longest when it holds the whole last level."""
    queue = deque([(game.initial(), depth)])
    visited, longest = 0, 1
    while queue:
        state, left = queue.popleft()
        visited += 1
        if left and not game.is_terminal(state):
            queue += [(game.result(state, each), left - 1) for each in game.actions(state)]
            longest = max(longest, len(queue))
    return Breadth(visited, longest)


def tree_size(objects: int, depth: int) -> int:
    """The positions of the tree down to a depth, each counted as often as it is reached."""
    return sum(math.perm(objects, plies) for plies in range(depth + 1))


def breadth_points(quick: bool) -> list[Point]:
    """Numbers of objects, and depths."""
    most = 2_000 if quick else 20_000
    return [
        {"n": n, "d": d}
        for n in ((5, 9) if quick else (5, 9, 16, 25))
        for d in range(1, n + 1)
        if tree_size(n, d) <= most
    ]


def check_breadth(point: Point) -> None:
    """Raise LabError unless there is such a tree and it is small enough."""
    n, d = int(point["n"]), int(point["d"])
    if not 1 <= d <= n <= 31:
        raise LabError(f"n={n}, d={d}: 1 <= d <= n <= 31 is needed")
    if tree_size(n, d) > MOST:
        raise LabError(f"n={n}, d={d}: {tree_size(n, d):,} positions; at most {MOST:,}")


def breadth_cost(point: Point) -> float:
    """The seconds of a row."""
    return 0.1 + tree_size(int(point["n"]), int(point["d"])) * 6e-5


def deepened(game: Game, algorithm: str, depth: int) -> int:
    """The positions visited by searches 0, 1, ..., `depth` plies deep; that of no plies visits the
    root."""
    return 1 + sum(
        analyze(game, algorithm=algorithm, depth=plies, compile=False).statistics.nodes
        for plies in range(1, depth + 1)
    )


def measure_breadth(point: Point, seed: int, count: int) -> Mapping[str, Moments]:
    """The longest queue, and the positions that deepening visits for each that breadth-first search
    does."""
    game, depth = UsingUp(int(point["n"]), seed % 2**20), int(point["d"])
    found = breadth_first(game, depth)
    return {
        "queue": once(found.queue),
        "deepening": once(deepened(game, "minimax", depth) / found.visited),
        "deepening_alphabeta": once(deepened(game, "alphabeta", depth) / found.visited),
    }


def breadth_theory(point: Point) -> dict[str, float]:
    """n!/(n - d)! positions in the queue, at most n^d; and the visits of deepening, d + 1 - i to
    level i."""
    n, d = int(point["n"]), int(point["d"])
    visits = sum((d + 1 - plies) * math.perm(n, plies) for plies in range(d + 1))
    return {
        "queue": float(math.perm(n, d)),
        "queue_high": float(n**d),
        "deepening": visits / tree_size(n, d),
        "deepening_low": 1.0,
    }


def breadth_finding(rows: Sequence[Mapping[str, Value | None]]) -> str:
    """The deepest searches of each number of objects."""
    parts = []
    for n in dict.fromkeys(int(row["n"] or 0) for row in rows):
        last = max((row for row in rows if row["n"] == n), key=lambda row: int(row["d"] or 0))
        d = int(last["d"] or 0)
        parts.append(
            f"{float(last['deepening'] or 0):.2f} with minimax and "
            f"{float(last['deepening_alphabeta'] or 0):.2f} with alpha-beta, and holds a path of "
            f"{d + 1} instead of a queue of {int(last['queue'] or 0):,} (n = {n}, d = {d})"
        )
    return (
        f"For each position that breadth-first search visits, iterative deepening visits "
        f"{'; '.join(parts)}."
    )


EXPERIMENTS = (
    Experiment(
        name="breadth-or-deepening",
        title="Breadth-first search against iterative deepening: time and memory",
        source="Di Lena 2022/23, lecture slides on game trees",
        says="Each ply uses up one of n objects. A breadth-first search can stop at any moment "
        "with all positions of a level known, but d plies deep its queue holds n!/(n - d)! "
        "positions, at most n<sup>d</sup>. Iterative deepening reaches the same depth with a path "
        "of d + 1 positions, and visits level i d + 1 - i times; because the last level is the "
        "largest, this costs only a constant factor. Time is counted in positions visited, per "
        "position that breadth-first search visits; alpha-beta has one random tree in each row.",
        errs="The slides call iterative deepening slower in practice. With minimax inside it is. "
        "Theirs has alpha-beta inside, which cuts off what a breadth-first search, which knows no "
        "values before the last level, cannot leave out: soon it is the faster one.",
        points=breadth_points,
        measure=measure_breadth,
        theory=breadth_theory,
        check=check_breadth,
        cost=breadth_cost,
        finding=breadth_finding,
        figure=Figure(
            "d",
            ("deepening", "deepening_alphabeta"),
            (),
            "n",
            x_label="depth d",
            y_label="visits per position of breadth-first search",
        ),
    ),
)
