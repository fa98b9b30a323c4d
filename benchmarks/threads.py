"""Two threads against one: `python -m benchmarks.threads [--positions N] [--depth D]`.

The engine's time to depth on random Connect Four openings, with one thread and several in turn,
each with an empty table; the median of the ratios.
"""

from __future__ import annotations

import argparse
import random
import statistics
from typing import Any

import prunus
from benchmarks.common import Progress, after_random_plies
from prunus.games import ConnectFour


def ratios(positions: int, depth: int, threads: int) -> list[tuple[float, float]]:
    """For each position the speed-up in time to depth, and the ratio of nodes searched per
    second."""
    game, rng, found = ConnectFour(), random.Random(2), []
    table = prunus.TranspositionTable(256, game, game.initial())

    def search(state: Any, count: int) -> prunus.Analysis:
        table.clear()
        return prunus.analyze(
            game, state, "engine", depth, compile=True, threads=count, table=table
        )

    search(game.initial(), threads)
    progress = Progress("threads", positions)
    while len(found) < positions:
        state = after_random_plies(game, 8, rng)
        if game.is_terminal(state):
            continue
        one, many = (search(state, count) for count in (1, threads))
        assert one.value == many.value
        if one.statistics.seconds > 0.4:
            speed = (many.statistics.nodes / many.statistics.seconds) / (
                one.statistics.nodes / one.statistics.seconds
            )
            found.append((one.statistics.seconds / many.statistics.seconds, speed))
            progress.at(len(found))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=20)
    parser.add_argument("--depth", type=int, default=22)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--quick", action="store_true", help="5 positions")
    options = parser.parse_args()
    found = ratios(5 if options.quick else options.positions, options.depth, options.threads)
    times = sorted(time for time, _ in found)
    print(
        f"{options.threads} threads, Connect Four openings to depth {options.depth}: time to depth "
        f"{statistics.median(times):.2f} times as fast ({times[0]:.2f} - {times[-1]:.2f}, "
        f"{len(times)} positions), nodes/s x {statistics.median(speed for _, speed in found):.2f}"
    )


if __name__ == "__main__":
    main()
