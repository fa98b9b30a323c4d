"""The benchmarks in turn: `python -m benchmarks.run [--full | --quick] [--only NAME ...] [--keep]`.

Without options it measures, in some twenty minutes, whether anything has become slower: the same
work as in the full run, with fewer rounds, and no matches. Each part prints its tables when it has
them; at the end, even after Ctrl-C, one table compares all figures with those kept last. Everything
is written to `benchmarks/build/`, which is not versioned. Only `--keep` writes to
`benchmarks/results/`, for a run on a quiet machine with which later ones are to be compared.
"""

from __future__ import annotations

import argparse
import datetime
import os
import platform
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.beside import SECTION, figures, kept, table
from benchmarks.common import BUILD, RESULTS, processor, say

UNFINISHED = "interrupted"
"""The last line of a part that was interrupted."""


@dataclass(frozen=True)
class Part:
    """A benchmark: its module and title, and its arguments in each kind of run (None: it is left
    out)."""

    module: str
    title: str
    full: str = ""
    usual: str | None = None
    quick: str | None = "--quick"


PARTS = (
    Part("calls", "What a call costs", "", ""),
    Part("speed", "Compiled Prunus against C++ of the same algorithm", "", "--pairs 7"),
    Part("proofs", "Connect Four solved, against C++, and with two threads", "", "--pairs 2"),
    Part("value_states", "Value states against make and undo", "", "--pairs 3"),
    Part("compile_times", "Compile times, cold and warm", "", "--quick"),
    Part("simulation", "Simulated trees: leaves a second, against C++", "", "--pairs 5"),
    Part("peers", "Against other libraries on the same depth-limited work", "", "--pairs 2"),
    Part(
        "solvers",
        "Connect Four solved, against BitBully",
        "",
        "--positions 40 --no-empty",
    ),
    Part("perft", "Perft of chess, against Stockfish", "", "--pairs 3", "--pairs 1"),
    Part("ordering", "The order of actions", "", "--quick"),
    Part("threads", "Two threads against one", "", "--quick"),
    Part("overshoot", "Searches with a time limit", "", "--quick"),
    Part(
        "oracle",
        "Random games: every algorithm against ten-line minimax",
        "--games 1000000",
        "--games 20000",
        "--games 20000",
    ),
    Part("family", "The family of search algorithms"),
    Part("proof_numbers", "Proof-number searches against the engine"),
    Part("time_use", "The time of a move divided by how settled it is"),
    Part("option_worth", "What each option of a player is worth"),
    Part("depths", "How many plies a minute is worth"),
    Part("probcut_match", "ProbCut with half the time against full width"),
    Part("match_rhino", "A match against GRhino at equal time"),
)


def others(text: str, again: Sequence[str]) -> str:
    """The finished sections of a file of results whose parts are not measured again."""
    sections = [f"\n## {section}" for section in text.split("\n## ")[1:]]
    return "".join(
        section.rstrip() + "\n"
        for section in sections
        if (named := re.search(SECTION, section)) is not None
        and named[1] not in again
        and not section.rstrip().endswith(UNFINISHED)
    )


class Results:
    """The text of a run, written as it grows, and its figures beside those kept before. The file of
    the day holds the last run of each part: those that are not measured `again` stay."""

    def __init__(self, folder: Path, again: Sequence[str] = ()) -> None:
        today, self.machine = datetime.date.today().isoformat(), processor()
        self.slug = re.sub(r"\W+", "-", self.machine).strip("-").lower()
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f"{today}-{self.slug}.md"
        self.head = f"# {today}, {self.machine}, Python {platform.python_version()}\n"
        self.text = others(self.path.read_text(), again) if self.path.exists() else ""
        self.before = kept(RESULTS, self.slug)

    def add(self, text: str) -> None:
        """Add to the text."""
        self.text += text
        self.path.write_text(self.head + self.text)

    def beside(self) -> str:
        """All figures in one table; it comes first in the file."""
        compared = f"## Beside the results kept last\n\n{table(figures(self.text), self.before)}\n"
        self.path.write_text(f"{self.head}\n{compared}{self.text}")
        return compared


def run(part: Part, words: str, results: Results) -> bool:
    """Run one benchmark and keep its lines as they come; its progress goes to the terminal. Returns
    whether it finished."""
    results.add(f"\n## {part.title}\n\n`python -m benchmarks.{f'{part.module} {words}'.strip()}`\n")
    command = [sys.executable, "-m", f"benchmarks.{part.module}", *words.split()]
    # In a session of its own, so that Ctrl-C comes here alone and the part leaves no traceback.
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as going:
        assert going.stdout is not None
        results.add("\n")
        try:
            for line in going.stdout:
                print(line, end="", flush=True)
                results.add(line)
        except KeyboardInterrupt:
            os.killpg(going.pid, signal.SIGTERM)
            results.add(f"\n{UNFINISHED}\n")
            raise
    if going.returncode != 0:
        say(f"{part.module} failed with status {going.returncode}")
        results.add(f"\nfailed with status {going.returncode}\n")
    return going.returncode == 0


def chosen(options: argparse.Namespace) -> list[tuple[Part, str]]:
    """The parts of a run, and the arguments of each."""
    kind = "full" if options.full else "quick" if options.quick else "usual"
    found = []
    for part in PARTS:
        words = getattr(part, kind)
        if options.only:
            words = words if words is not None else part.full
        if words is not None and (not options.only or part.module in options.only):
            found.append((part, words))
    return found


def main() -> None:
    """Run the parts and write the results as they come."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument("--full", action="store_true", help="everything, over an hour")
    kinds.add_argument("--quick", action="store_true", help="everything, in its shortest form")
    names = [part.module for part in PARTS]
    parser.add_argument("--only", nargs="+", choices=names, help="only these parts")
    parser.add_argument("--keep", action="store_true", help="write to benchmarks/results")
    options = parser.parse_args()
    parts = chosen(options)
    again = [part.module for part, _ in parts]
    results = Results(RESULTS if options.keep else BUILD / "results", again)
    began, done, number = time.perf_counter(), 0, 1
    try:
        for number, (part, words) in enumerate(parts, 1):
            minutes = (time.perf_counter() - began) / 60
            say(f"\n== {part.title} ({number} of {len(parts)}, after {minutes:.0f} min)\n")
            done += run(part, words, results)
    except KeyboardInterrupt:
        left = " ".join(part.module for part, _ in parts[number - 1 :])
        say(f"\ninterrupted; finished parts are kept. The others: --only {left}")
        raise
    finally:
        print(f"\n{results.beside()}")
        say(f"{done} of {len(parts)} parts in {time.perf_counter() - began:.0f} s: {results.path}")
    if done < len(parts):
        sys.exit(1)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
