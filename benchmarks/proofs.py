"""Connect Four solved by tests to the end of the game, against C++ of the same algorithm: `python
-m benchmarks.proofs [--quick] [--pairs N]`.

Prunus asks whether the value of a position is more than 0, more than 1 and so on (`run/solver.py`),
with a table that is empty at first; the C++ program is asked the same questions. Answers and node
counts of one thread must be equal, otherwise the benchmark fails. Two threads of Prunus are
measured as well. They search other nodes; they are timed by the wall clock, and a round counts for
them only if other programs left them two cores.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.common import Mismatch, NotMeasured, Ratio, build, interleaved, say, table
from prunus.algorithms.leaves import LONGEST_LINE
from prunus.engine.options import Options
from prunus.games.connect_four import ConnectFour
from prunus.run.configuration import Configuration
from prunus.run.registry import algorithm_named
from prunus.run.session import Session
from prunus.run.solver import Solver
from prunus.run.task import Course, Root
from prunus.tables.proofs import WAYS, WORDS
from prunus.tables.transposition import TranspositionTable
from prunus.tables.words import HEADER

POSITIONS = ("4443", "4365", "44444", "435", "44")
MEGABYTES = 64
COUNTED = ("nodes", "cutoffs", "first_cutoffs", "table_hits")
CORES = 1.9
"""The number of cores that two threads must have had, on average, for their time to count."""


@dataclass(frozen=True)
class Solved:
    """One position solved: the questions with their answers, the counters of `COUNTED`, the seconds
    of processor time of all threads and the seconds of wall time."""

    asked: tuple[tuple[int, int], ...]
    counts: dict[str, int]
    processor: float
    wall: float
    value: int = 0


class Asking(Solver):
    """A Solver that records what it asks."""

    asked: list[tuple[int, int]]

    def more_than(self, state: Any, alpha: int) -> int | None:
        bound = super().more_than(state, alpha)
        if bound is None:
            raise KeyboardInterrupt
        self.asked.append((alpha, bound))
        return bound


class Ours:
    """Prunus with `threads` threads, ready to solve one position again and again."""

    def __init__(
        self, game: ConnectFour, state: Any, memory: TranspositionTable, threads: int
    ) -> None:
        game.freeze()
        options, engine = Options.of(game), algorithm_named("engine")
        how = Configuration(engine, compile=True, options=options, threads=threads)
        course = Course(table=memory, to_the_end=True)
        session = Session(game, Root(state), how, LONGEST_LINE, course)
        self.state, self.solver = state, Asking(session)

    @property
    def buckets(self) -> int:
        """The number of buckets of its table."""
        return (len(self.solver.proofs.words.array) - HEADER) // (WORDS * WAYS)

    def run(self) -> Solved:
        """Solve it with an empty table."""
        solver = self.solver
        solver.proofs.clear()
        solver.asked, before = [], solver.counts
        wall, processor = time.perf_counter(), time.process_time()
        low, high = solver.value(self.state, *solver.given(self.state))
        processor, wall = time.process_time() - processor, time.perf_counter() - wall
        assert low == high
        return Solved(
            tuple(solver.asked),
            {name: solver.counts[name] - before[name] for name in COUNTED},
            processor,
            wall,
            low,
        )


def theirs(program: Path, state: Any, buckets: int, questions: list[int]) -> Solved:
    """The C++ program's answers to these questions."""
    words = [str(program), *map(str, (int(state.mine), int(state.mask), buckets, *questions))]
    found = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
    asked = tuple(zip(questions, found["answers"], strict=True))
    return Solved(
        asked, {name: found[name] for name in COUNTED}, found["seconds"], found["seconds"]
    )


def compare(position: str, program: Path, pairs: int) -> tuple[Ratio, Ratio]:
    """The speed of one thread of Prunus divided by that of the C++ program, and that of two threads
    divided by that of one."""
    game = ConnectFour()
    state = game.parse(position)
    memory = TranspositionTable(MEGABYTES, game, state)
    one, two = (Ours(game, state, memory, threads) for threads in (1, 2))
    questions = [alpha for alpha, _ in one.run().asked]
    runs: list[Callable[[], Solved]] = [
        partial(theirs, program, state, one.buckets, questions),
        one.run,
        two.run,
    ]
    cpp, single, double = interleaved(position, runs, pairs)
    for a, b, c in zip(cpp, single, double, strict=True):
        if (a.asked, a.counts) != (b.asked, b.counts) or c.value != b.value:
            raise Mismatch(f"{position}: C++ {a}, Prunus {b}, with two threads {c}")
    detail: dict[str, Any] = {
        "value": single[0].value,
        "nodes": single[0].counts["nodes"],
        "cpp_s": statistics.median(run.processor for run in cpp),
        "prunus_s": statistics.median(run.processor for run in single),
        "two_nodes": round(statistics.median(run.counts["nodes"] for run in double)),
    }
    alone = [(b, c) for b, c in zip(single, double, strict=True) if c.processor >= CORES * c.wall]
    detail["two_wall_s"] = statistics.median(c.wall for _, c in alone) if alone else None
    speed = [a.processor / b.processor for a, b in zip(cpp, single, strict=True)]
    gain = [b.wall / c.wall for b, c in alone]
    return (
        Ratio(
            f"{position}: Prunus / C++",
            "processor time of the C++ program divided by that of Prunus with one thread",
            speed,
            detail,
        ),
        Ratio(
            f"{position}: two threads / one",
            "wall time of one thread divided by that of two",
            gain,
            detail,
        ),
    )


def measure(quick: bool = False, pairs: int = 0) -> dict[str, tuple[Ratio, Ratio]]:
    """Both ratios for each position. Raises NotMeasured without a C++ compiler, Mismatch if answers
    or node counts differ."""
    program = build("connect_four_solver.cpp", "connect_four_solver")
    found: dict[str, tuple[Ratio, Ratio]] = {}
    for position in POSITIONS:
        say(f"proofs: {position}")
        found[position] = compare(position, program, pairs or (1 if quick else 5))
    return found


def show(found: dict[str, tuple[Ratio, Ratio]]) -> str:
    """The ratios as a table."""
    rows = [
        (
            "position",
            "value",
            "nodes, one thread = C++",
            "nodes, two threads",
            "C++, s",
            "Prunus, s",
            "two threads, s (wall)",
            "Prunus / C++",
            "two threads / one",
        )
    ]
    for position, (speed, gain) in found.items():
        d = speed.detail
        seconds = [f"{d[name]:.2f}" for name in ("cpp_s", "prunus_s")]
        two = (f"{d['two_wall_s']:.2f}", gain.text()) if gain.ratios else ("other programs ran", "")
        rows.append(
            (
                position,
                str(d["value"]),
                f"{d['nodes']:,}",
                f"{d['two_nodes']:,}",
                *seconds,
                two[0],
                speed.text(),
                two[1],
            )
        )
    return table(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("--quick", action="store_true", help="one round")
    parser.add_argument("--pairs", type=int, default=0, help="interleaved rounds (5; quick: 1)")
    options = parser.parse_args()
    try:
        print(show(measure(options.quick, options.pairs)))
    except NotMeasured as reason:
        print(f"not measured: {reason}")


if __name__ == "__main__":
    main()
