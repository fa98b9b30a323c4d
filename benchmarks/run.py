"""Every benchmark in turn: `python -m benchmarks.run [--quick] [--only NAME ...] [--games N]`.

Each prints its table when it is done, and all tables go to benchmarks/results/DATE-PROCESSOR.md.
Ctrl-C keeps what is finished.
"""

from __future__ import annotations

import argparse
import datetime
import platform
import re
import subprocess
import sys
from pathlib import Path

RESULTS = Path(__file__).parent / "results"

PARTS = (
    ("speed", "Compiled Prunus against C++ programs of the same algorithm"),
    ("simulation", "Simulated trees: leaves a second, against C++"),
    ("peers", "Against other libraries on the same depth-limited work"),
    ("proofs", "Connect Four solved, against C++ of the same algorithm, and with two threads"),
    ("solvers", "Connect Four solved, against BitBully"),
    ("value_states", "Value states against make and undo"),
    ("compile_times", "Compile times, cold and warm"),
    ("family", "The family of search algorithms"),
    ("threads", "Two threads against one"),
    ("ordering", "The order of actions"),
    ("time_use", "The time of a move divided by how settled it is"),
    ("overshoot", "Searches with a time limit"),
    ("oracle", "Random games: every algorithm against ten-line minimax"),
    ("probcut_match", "ProbCut with half the time against full width"),
    ("match_rhino", "A match against GRhino at equal time"),
)


def processor() -> str:
    """The processor's name."""
    try:
        found = re.search(r"model name\s*:\s*(.+)", Path("/proc/cpuinfo").read_text())
    except OSError:
        found = None
    return found[1].strip() if found else platform.processor() or platform.machine()


def run(module: str, words: list[str]) -> str:
    """The output of one benchmark; its progress goes to the terminal."""
    command = [sys.executable, "-m", f"benchmarks.{module}", *words]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    print(done.stdout, flush=True)
    return (
        done.stdout
        if done.returncode == 0
        else f"{done.stdout}\nfailed with status {done.returncode}\n"
    )


def main() -> None:
    """Run the parts and write the results as they come."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="shorter measurements")
    parser.add_argument(
        "--only", nargs="+", choices=[name for name, _ in PARTS], help="only these parts"
    )
    parser.add_argument(
        "--games", type=int, help="random games for the oracle (a million; 20,000 with --quick)"
    )
    options = parser.parse_args()
    games = options.games or (20_000 if options.quick else 1_000_000)
    today = datetime.date.today().isoformat()
    slug = re.sub(r"\W+", "-", processor()).strip("-").lower()
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{today}-{slug}.md"
    text = f"# {today}, {processor()}, Python {platform.python_version()}\n"
    for module, title in PARTS:
        if options.only and module not in options.only:
            continue
        print(f"\n== {title}\n", flush=True)
        words = (
            ["--games", str(games)]
            if module == "oracle"
            else (["--quick"] if options.quick else [])
        )
        text += f"\n## {title}\n\n`python -m benchmarks.{' '.join([module, *words])}`\n\n{run(module, words)}"
        path.write_text(text)
    print(f"written to {path}")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
