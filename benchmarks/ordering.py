"""How well the engine orders actions: `python -m benchmarks.ordering [--positions N] [--depth D]`.

On random Connect Four openings: how often the first action of a node that is cut off causes the
cut-off, and how many leaves the engine visits compared with the minimal graph of its own values
(`prunus.theory.ordering`).
"""

from __future__ import annotations

import argparse
import random
import statistics

from benchmarks.common import Progress, after_random_plies, table
from prunus.games import ConnectFour
from prunus.theory.ordering import Ordering, ordering_of


def openings(count: int, depth: int, options: dict[str, int]) -> list[Ordering]:
    """Random openings of 8 plies that are not decided within the depth."""
    game, rng, found = ConnectFour(), random.Random(5), []
    progress = Progress("ordering", count)
    while len(found) < count:
        state = after_random_plies(game, 8, rng)
        one = None if game.is_terminal(state) else ordering_of(game, state, depth, options)
        if one is not None:
            found.append(one)
            progress.at(len(found))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--depth", type=int, default=12)
    parser.add_argument("--quick", action="store_true", help="20 positions")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=NUMBER",
        help="an option of the engine",
    )
    arguments = parser.parse_args()
    options = {name: int(number) for name, number in (text.split("=") for text in arguments.option)}
    found = openings(20 if arguments.quick else arguments.positions, arguments.depth, options)
    rows = [("Connect Four, openings of 8 plies", "median", "mean", "worst")]
    for title, values, worst in (
        ("leaves / minimal graph", [o.leaves / o.minimal for o in found], max),
        ("cut-offs by the first action", [o.first for o in found], min),
    ):
        rows.append(
            (
                title,
                f"{statistics.median(values):.3f}",
                f"{statistics.mean(values):.3f}",
                f"{worst(values):.3f}",
            )
        )
    total = sum(o.leaves for o in found) / sum(o.minimal for o in found)
    print(table(rows))
    print(
        f"{len(found)} positions, depth {arguments.depth}: all leaves together / all minimal "
        f"graphs together {total:.3f}"
    )


if __name__ == "__main__":
    main()
