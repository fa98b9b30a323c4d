"""What the benchmarks share: paired measurements, prepared searches, C++ programs, progress lines,
the machine's description."""

from __future__ import annotations

import datetime
import inspect
import json
import os
import platform
import random
import re
import shutil
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from prunus.core.game import Game
from prunus.kernel.backends import prepare
from prunus.run.configuration import Configuration
from prunus.run.limits import limit_of
from prunus.run.memories import new_memory
from prunus.run.random_play import play_at_random
from prunus.run.registry import algorithm_named, arguments_of

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
BUILD = HERE / "build"
RESULTS = HERE / "results"


def after_random_plies(game: Game, plies: int, rng: random.Random) -> Any:
    """The State after `plies` random actions from the start, or the end of the game if that comes
    first."""
    return play_at_random(game, plies, rng).states[-1]


class NotMeasured(Exception):
    """A measurement that could not be made here; the message says why."""


class Mismatch(AssertionError):
    """Two programs that should do the same work did not, so their times mean nothing."""


@dataclass
class Ratio:
    """How two things compare: `ratios` holds one figure per interleaved pair; `meaning` says what
    was divided by what."""

    name: str
    meaning: str
    ratios: list[float]
    detail: dict[str, Any] = field(default_factory=dict)

    @property
    def median(self) -> float:
        return statistics.median(self.ratios)

    def text(self) -> str:
        """The median with its range."""
        return (
            f"{self.median:,.4g} ({min(self.ratios):,.4g} - {max(self.ratios):,.4g}, "
            f"{len(self.ratios)} pairs)"
        )

    def to_dict(self) -> dict[str, Any]:
        return {
            **asdict(self),
            "median": self.median,
            "min": min(self.ratios),
            "max": max(self.ratios),
        }


def say(text: str) -> None:
    """A progress line, on standard error, so that results can be redirected."""
    print(text, file=sys.stderr, flush=True)


class Progress:
    """Reports how far a long loop is, at most every two seconds, and how long the rest will
    take."""

    def __init__(self, label: str, total: int) -> None:
        self.label, self.total = label, total
        self.began = self.last = time.perf_counter()

    def at(self, done: int) -> None:
        now = time.perf_counter()
        if now - self.last >= 2 and 0 < done < self.total:
            self.last = now
            left = (now - self.began) / done * (self.total - done)
            say(f"  {self.label}: {done:,} of {self.total:,}, {left:.0f} s left")


@dataclass(frozen=True)
class Run:
    """One search: its value, its counters and the seconds of processor time it took, which other
    programs on the machine disturb less than wall time."""

    value: int
    nodes: int
    leaves: int
    seconds: float
    evaluated: int = 0


class Search:
    """A compiled search, prepared once and run many times in the caller's thread: the time includes
    neither compilation nor a watching thread."""

    def __init__(
        self,
        game: Game,
        state: Any,
        algorithm: str = "alphabeta",
        depth: int | None = None,
        prefer_faster: bool = False,
    ) -> None:
        chosen = algorithm_named(algorithm)
        limit = limit_of(depth)
        actions = sum(1 for _ in game.actions(state))
        how = Configuration(chosen, prefer_faster=prefer_faster)
        self.memory = new_memory(chosen, state, limit, actions, how)
        arguments = arguments_of(game, state, limit, self.memory)
        self.function, backend = prepare(chosen.function, arguments, True)
        assert backend == "compiled"
        self.arguments = [arguments[name] for name in inspect.signature(chosen.function).parameters]

    def run(self, times: int = 1) -> Run:
        """Search `times` times; the counters are those of one search, the seconds the average of
        one."""
        memory, function, arguments = self.memory, self.function, self.arguments
        memory.nodes = memory.interior = memory.evaluated = 0
        began = time.thread_time()
        for _ in range(times):
            memory.root_count = 0
            value = function(*arguments)
        seconds = (time.thread_time() - began) / times
        return Run(
            value,
            memory.nodes // times,
            (memory.nodes - memory.interior) // times,
            seconds,
            memory.evaluated // times,
        )


def repetitions(search: Search, seconds: float) -> int:
    """The number of searches that take about this many seconds."""
    return max(1, round(seconds / max(1e-7, min(search.run().seconds for _ in range(2)))))


def in_deep_stack(work: Callable[[], Any]) -> Any:
    """The result of `work()` in a thread with room for deep recursion."""
    outcome: list[Any] = []

    def body() -> None:
        try:
            outcome.append((work(), None))
        except BaseException as error:  # raised again in the caller's thread
            outcome.append((None, error))

    before = threading.stack_size(256 << 20)
    try:
        thread = threading.Thread(target=body)
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()
    result, error = outcome[0]
    if error is not None:
        raise error
    return result


def interleaved(label: str, runs: Sequence[Callable[[], Any]], pairs: int) -> list[list[Any]]:
    """Call the functions in turn, A B A B ..., `pairs` times after one round that does not count;
    return the results of each."""
    for run in runs:
        run()
    gathered: list[list[Any]] = [[] for _ in runs]
    progress = Progress(label, pairs)
    for pair in range(pairs):
        for found, run in zip(gathered, runs, strict=True):
            found.append(run())
        progress.at(pair + 1)
    return gathered


def build(source: str, name: str, *flags: str) -> Path:
    """Compile one of the C++ programs in `limit/` for this machine. Raises NotMeasured if there is
    no compiler."""
    compiler = os.environ.get("CXX") or shutil.which("g++") or shutil.which("c++")
    if compiler is None:
        raise NotMeasured("no C++ compiler (g++) was found")
    BUILD.mkdir(exist_ok=True)
    program = BUILD / name
    command = [
        compiler,
        "-O3",
        "-march=native",
        "-std=c++20",
        *flags,
        "-o",
        str(program),
        str(HERE / "limit" / source),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise NotMeasured(f"{source} does not compile: {done.stderr.strip()[:500]}")
    return program


def run_program(program: Path, *arguments: Any) -> Run:
    """Run a C++ program, which prints its result as JSON."""
    done = subprocess.run(
        [str(program), *map(str, arguments)], capture_output=True, text=True, check=True
    )
    found = json.loads(done.stdout)
    return Run(found["value"], found["nodes"], found.get("leaves", 0), found["seconds"])


def processor() -> str:
    """The name of the processor as the system reports it."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def machine() -> dict[str, Any]:
    """What the figures depend on, without names of people or places."""
    import numba
    import numpy

    compiler = shutil.which(os.environ.get("CXX", "g++"))
    version = (
        subprocess.run([compiler, "--version"], capture_output=True, text=True, check=False).stdout
        if compiler
        else "none\n"
    )
    return {
        "processor": processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "numba": numba.__version__,
        "numpy": numpy.__version__,
        "compiler": version.splitlines()[0],
        "commit": commit(),
        "date": datetime.date.today().isoformat(),
    }


def commit() -> str:
    """The commit measured, with a plus if the tree had changes; empty outside a repository."""
    try:
        found = subprocess.run(
            ["git", "describe", "--always", "--dirty=+"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return ""
    return found.stdout.strip()


def slug(text: str) -> str:
    """A text in the form of part of a file's name."""
    return re.sub(r"[^a-z0-9]+", "-", re.sub(r"\((r|tm)\)", "", text.lower())).strip("-")


def table(rows: Sequence[Sequence[str]]) -> str:
    """Rows as a Markdown table; the first row holds the headings."""
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])
