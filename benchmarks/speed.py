"""Compiled Prunus against C++ programs of the same algorithm on the same game: `python -m
benchmarks.speed [--quick] [--pairs N]`.

Three C++ variants are measured beside Prunus: "full" keeps everything that Prunus keeps, "poll"
also checks a stop limit at every node as Prunus does, "bare" keeps only the value and the number of
nodes. The node counts must be equal, otherwise the benchmark fails.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.common import (
    Mismatch,
    NotMeasured,
    Ratio,
    Run,
    Search,
    build,
    in_deep_stack,
    interleaved,
    repetitions,
    run_program,
    say,
    table,
)
from prunus.games.connect_four import ConnectFour
from prunus.games.uniform import UniformTree

VARIANTS = {"full": (), "poll": ("-DPOLL",), "bare": ("-DBARE",)}
POSITION = "742234173564774116613357"
SEED, VALUES = 1, 1 << 30
SAMPLE = 0.15
"""Seconds of one measurement: short, so that a pair sees the same disturbances; shorter searches
are repeated."""


@dataclass(frozen=True)
class Case:
    """One piece of work: Prunus's version and each C++ variant."""

    name: str
    ours: Callable[[], Run]
    theirs: dict[str, Callable[[], Run]]


def connect_four(name: str, text: str, depth: int | None) -> Case:
    """Alpha-beta on a position of Connect Four, to a depth or to the end."""
    game = ConnectFour()
    state = game.parse(text)
    search = Search(game, state, "alphabeta", depth)
    limit, times = search.memory.root_depth, in_deep_stack(partial(repetitions, search, SAMPLE))
    programs = {
        variant: build("connect_four.cpp", f"connect_four_{variant}", *flags)
        for variant, flags in VARIANTS.items()
    }
    numbers = (int(state.mine), int(state.mask), limit, times)
    return Case(
        name,
        partial(search.run, times),
        {v: partial(run_program, p, *numbers) for v, p in programs.items()},
    )


def uniform(algorithm: str, degree: int, height: int) -> Case:
    """An algorithm on a uniform random tree."""
    game = UniformTree(degree, height, "random", SEED, VALUES)
    search = Search(game, game.initial(), algorithm, height)
    times = in_deep_stack(partial(repetitions, search, SAMPLE))
    kind = ("-DMINIMAX",) if algorithm == "minimax" else ()
    theirs: dict[str, Callable[[], Run]] = {}
    for variant, flags in VARIANTS.items():
        name = f"uniform_{algorithm}_{degree}_{height}_{variant}"
        program: Path = build(
            "uniform.cpp", name, f"-DDEGREE={degree}", f"-DHEIGHT={height}", *kind, *flags
        )
        theirs[variant] = partial(run_program, program, SEED, VALUES, times)
    return Case(f"uniform tree {degree}^{height}, {algorithm}", partial(search.run, times), theirs)


def compare(case: Case, pairs: int) -> list[Ratio]:
    """Prunus's speed divided by that of each C++ variant."""
    gathered = interleaved(case.name, [case.ours, *case.theirs.values()], pairs)
    ours, found = gathered[0], []
    for variant, theirs in zip(case.theirs, gathered[1:], strict=True):
        same_leaves = variant == "bare" or theirs[0].leaves == ours[0].leaves
        if theirs[0].value != ours[0].value or theirs[0].nodes != ours[0].nodes or not same_leaves:
            raise Mismatch(f"{case.name}, {variant}: Prunus {ours[0]}, C++ {theirs[0]}")
        found.append(
            Ratio(
                f"{case.name}: Prunus / C++ {variant}",
                "nodes/s of compiled Prunus divided by nodes/s of the C++ program",
                [b.seconds / a.seconds for a, b in zip(ours, theirs, strict=True)],
                {
                    "nodes": ours[0].nodes,
                    "value": ours[0].value,
                    "prunus_nodes_per_s": speed(ours),
                    "cpp_nodes_per_s": speed(theirs),
                },
            )
        )
    return found


def speed(runs: list[Run]) -> float:
    """The median nodes per second."""
    return statistics.median(run.nodes / run.seconds for run in runs)


def cases(quick: bool) -> list[Callable[[], Case]]:
    """The measurements, each made when its turn comes."""
    depth = 12 if quick else 13
    return [
        partial(connect_four, "Connect Four 7422...3357 to the end, alphabeta", POSITION, None),
        partial(connect_four, f"Connect Four start, depth {depth}, alphabeta", "", depth),
        partial(uniform, "alphabeta", 6, 9),
        partial(uniform, "alphabeta", 8, 8 if quick else 9),
        partial(uniform, "minimax", 6, 8 if quick else 9),
    ]


def measure(quick: bool = False, pairs: int = 0) -> list[Ratio]:
    """All ratios. Raises NotMeasured without a C++ compiler, Mismatch if node counts differ."""
    found: list[Ratio] = []
    for make in cases(quick):
        case = make()
        say(f"speed: {case.name}")
        found += in_deep_stack(partial(compare, case, pairs or (5 if quick else 15)))
    return found


def show(ratios: list[Ratio]) -> str:
    """The ratios as a table."""
    rows = [("work", "nodes", "Prunus, million nodes/s", "C++", "Prunus / C++")]
    for ratio in ratios:
        d = ratio.detail
        rows.append(
            (
                ratio.name,
                f"{d['nodes']:,}",
                f"{d['prunus_nodes_per_s'] / 1e6:.1f}",
                f"{d['cpp_nodes_per_s'] / 1e6:.1f}",
                ratio.text(),
            )
        )
    return table(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("--quick", action="store_true", help="smaller work, fewer pairs")
    parser.add_argument("--pairs", type=int, default=0, help="interleaved rounds (15; quick: 5)")
    options = parser.parse_args()
    try:
        print(show(measure(options.quick, options.pairs)))
    except NotMeasured as reason:
        print(f"not measured: {reason}")


if __name__ == "__main__":
    main()
