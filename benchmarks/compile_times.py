"""What a user waits for: first compilations, cached ones, and whole commands: `python -m
benchmarks.compile_times [--quick]`.

Everything runs in fresh processes with a cache folder of its own, empty for "cold" and left by the
cold run for "warm". Times are wall times.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.common import ROOT, Progress, say, table
from prunus.run.registry import ALGORITHMS

GAMES = {
    "connect-four": "4455",
    "tic-tac-toe": "X.O/.X./...",
    "nim": "",
    "othello": "",
    "uniform": "",
    "reluctant": "",
    "random-game": "",
}
DEPTH = 3

ONE = """
import json, sys, time
began = time.perf_counter()
from prunus.games.catalogue import open_position
from prunus.run.driver import analyze
imported = time.perf_counter()
game, at = open_position(sys.argv[1], sys.argv[2])
state = at.state
found = analyze(game, state, sys.argv[3], int(sys.argv[4]), compile=True, room=10_000)
print(json.dumps([imported - began, found.statistics.compile_seconds]))
"""

TARGETS = {
    "prunus analyze connect-four 4455 --depth 8, cold": 15.0,
    "first compile connect-four alphabeta": 5.0,
    "prunus analyze connect-four 4455 --depth 8, warm": 1.5,
}


@dataclass(frozen=True)
class Pair:
    """A game and an algorithm: seconds of the first compilation, of loading it in another process,
    and of importing Prunus."""

    game: str
    algorithm: str
    cold: float
    warm: float
    imports: float


def environment(cache: Path) -> dict[str, str]:
    """The environment of a fresh process that caches in this folder."""
    kept = {name: value for name, value in os.environ.items() if name != "PRUNUS_CACHE"}
    return {**kept, "PRUNUS_CACHE_DIR": str(cache)}


def compile_once(game: str, algorithm: str, cache: Path) -> tuple[float, float]:
    """Seconds to import Prunus and seconds until the machine code is ready, in a fresh process."""
    command = [sys.executable, "-c", ONE, game, GAMES[game], algorithm, str(DEPTH)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, env=environment(cache), cwd=ROOT
    )
    imports, seconds = json.loads(done.stdout)
    return imports, seconds


def pairs(quick: bool) -> list[Pair]:
    """Every game with every algorithm; each pair with an empty cache of its own."""
    wanted = [(game, algorithm) for game in GAMES for algorithm in ALGORITHMS]
    if quick:
        wanted = [
            (game, algorithm)
            for game, algorithm in wanted
            if game == "connect-four" and algorithm in ("minimax", "alphabeta")
        ]
    progress, found = Progress("compile times", len(wanted)), []
    for done, (game, algorithm) in enumerate(wanted, 1):
        with tempfile.TemporaryDirectory() as folder:
            imports, cold = compile_once(game, algorithm, Path(folder))
            _, warm = compile_once(game, algorithm, Path(folder))
        found.append(Pair(game, algorithm, cold, warm, imports))
        progress.at(done)
    return found


def timed(command: list[str], cache: Path) -> float:
    """The wall time of a command; its output is discarded."""
    began = time.perf_counter()
    subprocess.run(
        command,
        check=True,
        env=environment(cache),
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return time.perf_counter() - began


def commands(rounds: int) -> dict[str, list[float]]:
    """Wall times of whole commands, round by round; each round starts with an empty cache."""
    prunus = [sys.executable, "-c", "from prunus.cli.main import run; run()"]
    analysis = [*prunus, "analyze", "connect-four", "4455", "--depth", "8"]
    found: dict[str, list[float]] = {}
    progress = Progress("commands", rounds)
    for done in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            cache = Path(folder)
            for label, command in (
                ("prunus analyze connect-four 4455 --depth 8, cold", analysis),
                ("prunus analyze connect-four 4455 --depth 8, warm", analysis),
                ("prunus games", [*prunus, "games"]),
                ("prunus --help", [*prunus, "--help"]),
                ("python -c pass", [sys.executable, "-c", "pass"]),
            ):
                found.setdefault(label, []).append(timed(command, cache))
        progress.at(done + 1)
    return found


def measure(quick: bool = False) -> dict[str, Any]:
    """Compilations, commands, and how they compare with the targets."""
    say("compile times: commands")
    walls = commands(3 if quick else 7)
    say("compile times: each algorithm on each game, cold and warm")
    compiled = pairs(quick)
    medians = {label: statistics.median(seconds) for label, seconds in walls.items()}
    first = next(
        pair.cold
        for pair in compiled
        if pair.game == "connect-four" and pair.algorithm == "alphabeta"
    )
    reached = {"first compile connect-four alphabeta": first, **medians}
    targets = {
        name: {"target": limit, "seconds": reached[name], "met": reached[name] < limit}
        for name, limit in TARGETS.items()
    }
    return {
        "pairs": [asdict(pair) for pair in compiled],
        "commands": walls,
        "medians": medians,
        "targets": targets,
    }


def show(found: dict[str, Any]) -> str:
    """The figures as tables."""
    walls = [("command", "wall s, median", "range")]
    for label, seconds in found["commands"].items():
        walls.append(
            (label, f"{statistics.median(seconds):.2f}", f"{min(seconds):.2f} - {max(seconds):.2f}")
        )
    rows = [("game", "algorithm", "first compile, s", "from the cache, s")]
    rows += [
        (pair["game"], pair["algorithm"], f"{pair['cold']:.2f}", f"{pair['warm']:.2f}")
        for pair in found["pairs"]
    ]
    goals = [("target", "below, s", "is, s", "met")]
    goals += [
        (name, f"{t['target']}", f"{t['seconds']:.2f}", "yes" if t["met"] else "no")
        for name, t in found["targets"].items()
    ]
    return "\n\n".join((table(walls), table(rows), table(goals)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument(
        "--quick", action="store_true", help="only minimax and alphabeta on Connect Four"
    )
    print(show(measure(parser.parse_args().quick)))


if __name__ == "__main__":
    main()
