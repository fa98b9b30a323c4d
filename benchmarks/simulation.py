"""Simulated trees: leaves per second of compiled minimax and alpha-beta, compared with the same
loops in C++: `python -m benchmarks.simulation`.

Many random uniform trees in one call, with leaves computed by a hash, as in the laboratory
(`prunus.theory.sampling`). The C++ program is `limit/uniform.cpp` with -DTREES: here, "full" and
"poll" keep no line either, so "poll" does all that Prunus does. Sums of leaves must be equal.
Prunus's leaves per second are the best of all rounds, shown beside the targets of 80 million for
minimax and 30 million for alpha-beta.
"""

from __future__ import annotations

import argparse
import inspect
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from benchmarks.common import (
    Mismatch,
    NotMeasured,
    Ratio,
    Run,
    build,
    interleaved,
    run_program,
    say,
    table,
)
from prunus.games.uniform import UniformTree
from prunus.kernel.backends import prepare
from prunus.theory.sampling import SEARCHES, memory_of

SEED, VALUES = 1, 1 << 32
SAMPLE = 0.02
"""Seconds of one measurement: short, so that some rounds fall between other activity of the
machine."""

TARGETS = {"minimax": 80e6, "alphabeta": 30e6}
SIZES = ((2, 2), (2, 14), (3, 10), (4, 8), (6, 6), (8, 5), (10, 5))
"""Degrees and heights."""


class Sampling:
    """A compiled loop over trees, prepared once."""

    def __init__(self, game: Any, algorithm: str) -> None:
        function = SEARCHES[algorithm]
        self.memory = memory_of(game)
        self.given: dict[str, Any] = {
            "game": game,
            "depth": game.height,
            "count": 1,
            "memory": self.memory,
        }
        self.names = list(inspect.signature(function).parameters)
        self.function, _ = prepare(function, self.given, True)

    def run(self, count: int) -> Run:
        """Search `count` trees; `value` is the sum of the roots' values, the counters are those of
        all trees."""
        memory = self.memory
        memory.nodes = memory.interior = memory.total = memory.squares = memory.checksum = 0
        arguments = [(self.given | {"count": count})[name] for name in self.names]
        began = time.thread_time()
        value = self.function(*arguments)
        return Run(value, memory.nodes, memory.total, time.thread_time() - began)


def case(
    algorithm: str, degree: int, height: int
) -> tuple[str, Callable[[], Run], dict[str, Callable[[], Run]]]:
    """A name, Prunus's version and the C++ variants."""
    game = UniformTree(degree, height, "random", SEED, VALUES)
    ours = Sampling(game, algorithm)
    count, spent = 1, ours.run(1).seconds
    while spent < SAMPLE / 2 and count < 1 << 20:
        count *= 2
        spent = ours.run(count).seconds
    kind = ("-DMINIMAX",) if algorithm == "minimax" else ()
    theirs: dict[str, Callable[[], Run]] = {}
    for variant, flags in {"poll": ("-DPOLL", "-DNOLINE"), "bare": ("-DBARE",)}.items():
        name = f"trees_{algorithm}_{degree}_{height}_{variant}"
        program = build(
            "uniform.cpp",
            name,
            "-DTREES",
            f"-DDEGREE={degree}",
            f"-DHEIGHT={height}",
            *kind,
            *flags,
        )
        theirs[variant] = partial(run_program, program, SEED, VALUES, count)
    return f"{count:,} trees {degree}^{height}, {algorithm}", partial(ours.run, count), theirs


def measure(pairs: int) -> tuple[list[Ratio], list[tuple[str, float, float]]]:
    """Ratios to C++, and for each case the best leaves per second with their target."""
    ratios, speeds = [], []
    for algorithm, target in TARGETS.items():
        for degree, height in SIZES:
            name, ours, theirs = case(algorithm, degree, height)
            say(f"simulation: {name}")
            mine, *others = interleaved(name, [ours, *theirs.values()], pairs)
            for variant, runs in zip(theirs, others, strict=True):
                if (runs[0].value, runs[0].nodes) != (mine[0].value, mine[0].nodes):
                    raise Mismatch(f"{name}, {variant}: Prunus {mine[0]}, C++ {runs[0]}")
                meaning = "leaves/s of compiled Prunus divided by leaves/s of the C++ program"
                ratios.append(
                    Ratio(
                        f"{name}: Prunus / C++ {variant}",
                        meaning,
                        [b.seconds / a.seconds for a, b in zip(mine, runs, strict=True)],
                    )
                )
            speeds.append((name, max(run.leaves / run.seconds for run in mine), target))
    return ratios, speeds


def show(ratios: list[Ratio], speeds: list[tuple[str, float, float]]) -> str:
    """Both tables."""
    rows = [("work", "million leaves/s, best round", "target")]
    rows += [
        (name, f"{speed / 1e6:.1f}", f"{target / 1e6:.0f}{'' if speed >= target else ': missed'}")
        for name, speed, target in speeds
    ]
    return (
        table(rows)
        + "\n\n"
        + table([("work", "ratio"), *((ratio.name, ratio.text()) for ratio in ratios)])
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    parser.add_argument("--pairs", type=int, default=0, help="interleaved rounds (40; quick: 10)")
    options = parser.parse_args()
    try:
        print(show(*measure(options.pairs or (10 if options.quick else 40))))
    except NotMeasured as reason:
        print(f"not measured: {reason}")


if __name__ == "__main__":
    main()
