"""The family of search algorithms on the same work: `python -m benchmarks.family [--quick]`.

Leaves, nodes and seconds of each, relative to alpha-beta without memory and to the minimal tree, on
uniform trees of several degrees, with independent leaves and with the best child first in four
nodes of five, and on Connect Four and Othello to a fixed depth. "At once" is a search straight to
the depth with the algorithm, table and options of the row above it (MTD(f) then begins with the
guess 0), and "last iteration" what the deepening search of that row does at the depth itself. So
algorithms that do not deepen are to be compared with "at once", and how much a good first guess and
a filled table help is seen in "last iteration". One thread, compiled, a table
that hardly fills; medians of the ratios over positions. The table goes to
benchmarks/results/family.md.
"""

from __future__ import annotations

import argparse
import random
import statistics
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import prunus
from benchmarks.common import Progress, after_random_plies, table
from prunus.engine.options import Options
from prunus.games import ConnectFour, Othello, UniformTree
from prunus.run.configuration import Configuration
from prunus.run.registry import algorithm_named
from prunus.run.session import Session
from prunus.run.task import Course, Root
from prunus.theory.critical import minimal_leaves
from prunus.theory.ordering import minimal_graph

NAMES = (
    "minimax",
    "branch-and-bound",
    "alphabeta",
    "pvs",
    "mtdf",
    "sss",
    "dual",
    "aspiration",
    "iterative-deepening",
    "engine",
)
DEEPENING = ("mtdf", "aspiration", "iterative-deepening", "engine")
"""The algorithms that deepen; their last iteration is also measured by itself."""

DIRECT = ("mtdf", "iterative-deepening", "engine")
"""Those of them that are also measured without deepening: an aspiration window needs a value of the
iteration before."""

TREES = {5: 8, 10: 6, 20: 4, 40: 4}
"""Degree and height of the uniform trees."""

STRENGTH = 80
MEGABYTES = 64


@dataclass(frozen=True)
class Work:
    """One search: a game, a position, a depth; the number of leaves of the minimal tree, or of the
    minimal graph for a game with transpositions."""

    game: Any
    state: Any
    depth: int
    minimal: int


class Found(NamedTuple):
    """What one search took."""

    value: int | None
    leaves: int
    nodes: int
    seconds: float


def trees(degree: int, height: int, order: str, count: int) -> list[Work]:
    """Uniform trees that differ in their seeds."""
    games = [UniformTree(degree, height, order, seed, strength=STRENGTH) for seed in range(count)]
    return [Work(game, game.initial(), height, minimal_leaves(degree, height)) for game in games]


def openings(game: Any, plies: int, depth: int, count: int) -> list[Work]:
    """Positions after `plies` random plies that are not decided within the depth, searched to a
    fixed depth."""
    rng, found = random.Random(3), []
    while len(found) < count:
        state = after_random_plies(game, plies, rng)
        if not game.is_terminal(state):
            analysis = prunus.analyze(game, state, "engine", depth, compile=True, table=MEGABYTES)
            if not analysis.proved:
                found.append(Work(game, state, depth, minimal_graph(game, state, depth)))
    return found


def searched(work: Work, name: str) -> Found:
    """An algorithm as users run it."""
    found = prunus.analyze(work.game, work.state, name, work.depth, compile=True, table=MEGABYTES)
    return Found(
        found.value, found.statistics.leaves, found.statistics.nodes, found.statistics.seconds
    )


def last_iteration(work: Work, name: str) -> Found:
    """What a deepening search does at the depth itself, after all earlier iterations."""
    limit = prunus.Limit(depth=work.depth)
    steps = prunus.iterations(work.game, work.state, name, limit, compile=True, table=MEGABYTES)
    *_, before, last = [None, *steps]
    assert last is not None
    now = last.statistics
    then = prunus.Statistics() if before is None else before.statistics
    return Found(
        last.value, now.leaves - then.leaves, now.nodes - then.nodes, now.seconds - then.seconds
    )


def direct(work: Work, name: str) -> Found:
    """A deepening algorithm, run straight to the depth."""
    algorithm = algorithm_named(name)
    shared = prunus.TranspositionTable(MEGABYTES, work.game, work.state)
    options = Options.of(work.game) if algorithm.options else None
    how, course = Configuration(algorithm, True, options=options), Course(table=shared)
    outcome = Session(work.game, Root(work.state), how, work.depth, course).run(work.depth)
    return Found(outcome.value, outcome.counts["leaves"], outcome.counts["nodes"], outcome.seconds)


def rows_of() -> list[tuple[str, str, Callable[[Work, str], Found]]]:
    """The rows of a table: their names, the algorithm, how it is run."""
    rows: list[tuple[str, str, Callable[[Work, str], Found]]] = []
    for name in NAMES:
        rows.append((name, name, searched))
        if name in DEEPENING:
            rows.append(("- last iteration", name, last_iteration))
        if name in DIRECT:
            rows.append(("- at once", name, direct))
    return rows


def measure(works: list[Work], progress: Progress, done: int) -> list[tuple[str, ...]]:
    """A row for each algorithm: leaves, leaves and nodes relative to alpha-beta's, leaves relative
    to the minimal tree's, seconds, branching."""
    every = []
    for number, (title, name, run) in enumerate(rows_of()):
        every.append((title, [run(work, name) for work in works]))
        progress.at(done + number + 1)
    values = [[found.value for found in row] for _, row in every]
    assert all(row == values[0] for row in values), "the algorithms disagree"
    base = next(row for title, row in every if title == "alphabeta")
    rows = []
    for title, found in every:
        rows.append(
            (
                title,
                f"{statistics.median(f.leaves for f in found):,.0f}",
                f"{statistics.median(f.leaves / b.leaves for f, b in zip(found, base, strict=True)):.3f}",
                f"{statistics.median(f.nodes / b.nodes for f, b in zip(found, base, strict=True)):.3f}",
                f"{statistics.median(f.leaves / w.minimal for f, w in zip(found, works, strict=True)):.2f}",
                f"{statistics.median(f.seconds for f in found):.4f}",
                f"{statistics.median(f.leaves ** (1 / w.depth) for f, w in zip(found, works, strict=True)):.2f}",
            )
        )
    return rows


HEAD = (
    "algorithm",
    "leaves",
    "leaves / alpha-beta",
    "nodes / alpha-beta",
    "leaves / minimal",
    "seconds",
    "effective branching",
)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="fewer trees and positions")
    quick = parser.parse_args().quick
    count = 3 if quick else 15
    parts: list[tuple[str, Callable[[], list[Work]]]] = []
    for order, title in (
        ("random", "independent leaves"),
        ("ordered", f"the best child first in {STRENGTH} % of the nodes"),
    ):
        for d, h in TREES.items():
            parts.append(
                (
                    f"Uniform trees, {title}, degree {d}, height {h}",
                    lambda d=d, h=h, order=order: trees(d, h, order, count),
                )
            )  # type: ignore[misc]
    parts.append(
        (
            "Connect Four after 8 random plies, depth 10",
            lambda: openings(ConnectFour(), 8, 10, count),
        )
    )
    parts.append(
        ("Othello after 10 random plies, depth 6", lambda: openings(Othello(), 10, 6, count))
    )
    steps = len(rows_of())
    progress = Progress("family", len(parts) * steps)
    text = [
        "# The family of search algorithms",
        "",
        f"`python -m benchmarks.family{' --quick' if quick else ''}`; medians of {count}; "
        f"deepening algorithms count all their iterations, but for the rows below them.",
        "The minimal tree of a game with transpositions is the minimal graph "
        "(`benchmarks/ordering.py`).",
        "",
    ]
    for number, (title, works) in enumerate(parts):
        rows = measure(works(), progress, number * steps)
        text += [f"## {title}", "", table([HEAD, *rows]), ""]
        print("\n".join(text[-4:]), flush=True)
        (Path(__file__).parent / "results" / "family.md").write_text("\n".join(text))


if __name__ == "__main__":
    main()
