"""How far searches with a time limit overshoot it: `python -m benchmarks.overshoot [--searches N]
[--milliseconds M]`.

Every search starts from another Connect Four position after a random opening, by the engine,
compiled; what counts is the wall time of the whole call of `analyze` beyond its limit.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time

import prunus
from benchmarks.common import Progress, after_random_plies
from prunus.games import ConnectFour


def overshoots(searches: int, seconds: float) -> list[float]:
    """The seconds beyond the limit, one per search, in ascending order."""
    game, rng, found = ConnectFour(), random.Random(1), []
    table = prunus.TranspositionTable(64, game, game.initial())
    prunus.analyze(game, algorithm="engine", depth=2, compile=True, table=table)
    progress = Progress("overshoot", searches)
    for number in range(searches):
        state = after_random_plies(game, rng.randrange(8), rng)
        began = time.perf_counter()
        prunus.analyze(game, state, "engine", compile=True, seconds=seconds, table=table)
        found.append(time.perf_counter() - began - seconds)
        progress.at(number + 1)
    return sorted(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--searches", type=int, default=1000)
    parser.add_argument("--milliseconds", type=float, default=50)
    parser.add_argument("--quick", action="store_true", help="100 searches")
    options = parser.parse_args()
    searches = 100 if options.quick else options.searches
    found = overshoots(searches, options.milliseconds / 1000)
    late = [1000 * value for value in found]
    print(f"{searches} searches of {options.milliseconds:g} ms: beyond the limit, in ms:")
    print(
        f"median {statistics.median(late):.1f}, 99th percentile "
        f"{late[int(0.99 * len(late)) - 1]:.1f}, most {late[-1]:.1f}"
    )


if __name__ == "__main__":
    main()
