"""The family of search algorithms on the same work: `python -m benchmarks.family [--quick]`.

Leaves, nodes and seconds of each, relative to alpha-beta without memory and to the minimal tree, on random uniform trees of several degrees
and on Connect Four to a fixed depth. One thread, compiled, a table that never fills; medians over positions of the ratios. The table goes to
benchmarks/results/family.md.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import prunus
from benchmarks.common import Progress, table
from prunus.analysis import Analysis
from prunus.games import ConnectFour, UniformTree
from prunus.theory.critical import minimal_leaves

NAMES = ("minimax", "branch-and-bound", "alphabeta", "pvs", "iterative-deepening", "aspiration", "mtdf", "sss", "dual", "engine")
TREES = {5: 7, 10: 5, 20: 4, 40: 3}
"""Degree and height of the uniform trees."""

OPENINGS = ("", "44", "4455", "1234", "3361", "444432", "26534")
MEGABYTES = 256


@dataclass(frozen=True)
class Work:
    """One search: a game, a position, a depth; the leaves of the minimal tree where they are known."""

    game: Any
    state: Any
    depth: int
    minimal: int | None


def trees(degree: int, height: int, count: int) -> list[Work]:
    """Random uniform trees."""
    games = [UniformTree(degree, height, "random", seed) for seed in range(count)]
    return [Work(game, game.initial(), height, minimal_leaves(degree, height)) for game in games]


def openings(depth: int, count: int) -> list[Work]:
    """Connect Four positions, searched to a fixed depth."""
    game = ConnectFour()
    return [Work(game, game.parse(text), depth, None) for text in OPENINGS[:count]]


def measure(works: list[Work], names: Iterable[str], progress: Progress, done: int) -> list[tuple[str, ...]]:
    """A row for each algorithm: leaves, nodes, both relative to alpha-beta's, relative to the minimal tree, seconds, branching."""
    every: dict[str, list[Analysis]] = {}
    for number, name in enumerate(names):
        every[name] = [prunus.analyze(w.game, w.state, name, w.depth, compile=True, table=MEGABYTES) for w in works]
        progress.at(done + number + 1)
    values = [[found.value for found in row] for row in every.values()]
    assert all(row == values[0] for row in values), "the algorithms disagree"
    rows = []
    for name, found in every.items():
        leaves = [f.statistics.leaves for f in found]
        base = [f.statistics.leaves for f in every["alphabeta"]]
        nodes = [a.statistics.nodes / b.statistics.nodes for a, b in zip(found, every["alphabeta"], strict=True)]
        minimal = [f.statistics.leaves / w.minimal for f, w in zip(found, works, strict=True) if w.minimal]
        branching = [f.statistics.leaves ** (1 / w.depth) for f, w in zip(found, works, strict=True)]
        rows.append(
            (
                name,
                f"{statistics.median(leaves):,.0f}",
                f"{statistics.median(a / b for a, b in zip(leaves, base, strict=True)):.3f}",
                f"{statistics.median(nodes):.3f}",
                f"{statistics.median(minimal):.2f}" if minimal else "",
                f"{statistics.median(f.statistics.seconds for f in found):.4f}",
                f"{statistics.median(branching):.2f}",
            )
        )
    return rows


HEAD = ("algorithm", "leaves", "leaves / alpha-beta", "nodes / alpha-beta", "leaves / minimal", "seconds", "effective branching")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer trees and positions")
    quick = parser.parse_args().quick
    count = 3 if quick else 15
    parts = [(f"Random uniform trees, degree {d}, height {h}", trees(d, h, count)) for d, h in TREES.items()]
    parts.append(("Connect Four, 7 openings, depth 10", openings(10, count)))
    progress = Progress("family", len(parts) * len(NAMES))
    text = [
        "# The family of search algorithms",
        "",
        f"`python -m benchmarks.family{' --quick' if quick else ''}`; medians; deepening algorithms count all their iterations.",
        "",
    ]
    for number, (title, works) in enumerate(parts):
        rows = measure(works, NAMES, progress, number * len(NAMES))
        text += [f"## {title}", "", table([HEAD, *rows]), ""]
        print("\n".join(text[-4:]), flush=True)
    (Path(__file__).parent / "results" / "family.md").write_text("\n".join(text))


if __name__ == "__main__":
    main()
