"""`python -m tests.fuzz SECONDS SEED [--compiled] [--games NAMES] [--algorithms NAMES]`: random
games until the time is over.

Each wrong search is printed as the call of `tests.fuzz.running` that repeats it; the exit status is
1 if there was any. With `--compiled` machine code is made first, which takes some seconds for each
pair of a game and an algorithm.
"""

from __future__ import annotations

import argparse
import sys
import time

from prunus.run.registry import ALGORITHMS
from tests.fuzz.running import CLASSES, Report, sweep


def main() -> int:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("seconds", type=float, help="how long to go on")
    parser.add_argument("seed", type=int, help="the first seed; each round takes the next one")
    parser.add_argument("--compiled", action="store_true", help="run machine code")
    parser.add_argument("--games", default=",".join(CLASSES), help=f"of {', '.join(CLASSES)}")
    parser.add_argument(
        "--algorithms", default=",".join(ALGORITHMS), help="of those of `prunus algorithms`"
    )
    given = parser.parse_args()
    kinds, names = [CLASSES[name] for name in given.games.split(",")], given.algorithms.split(",")
    report, seed, end = Report(), given.seed, time.monotonic() + given.seconds
    shown = 0
    while time.monotonic() < end:
        sweep([seed], kinds, given.compiled, names, report)
        seed += 1
        for line in report.wrong[shown:]:
            print(line, flush=True)
        shown = len(report.wrong)
    print(
        f"{sum(report.searches.values()):,} searches, seeds {given.seed} to {seed - 1}, {shown} "
        f"wrong"
    )
    return 1 if shown else 0


if __name__ == "__main__":
    sys.exit(main())
