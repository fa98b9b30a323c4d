"""How well the engine orders actions: `python -m benchmarks.ordering [--positions N] [--depth D]`.

On random Connect Four openings: how often the first action of a node that is cut off is the one that does it, and how many leaves the engine
looks at beside the minimal graph of its own values. That graph is what remains when every node tries first the action that turned out best:
the same search is made again, with the actions in the table and none of its values, until it does not shrink any more (after Plaat,
Schaeffer, Pijls & de Bruin 1996). It is smaller than Knuth and Moore's critical tree, in which positions that are reached twice count twice.
"""

from __future__ import annotations

import argparse
import random
import statistics
from typing import Any, NamedTuple

import prunus
from benchmarks.common import Progress, after_random_plies, table
from prunus.games import ConnectFour
from prunus.search.options import Options
from prunus.search.registry import algorithm_named
from prunus.search.session import Session, Setup

MEGABYTES = 64
REPEATS = 3


class Ordering(NamedTuple):
    """One position: leaves of all iterations and of the minimal graph; the part of the cut-offs made by a first action."""

    leaves: int
    minimal: int
    first: float


def measure(game: Any, state: Any, depth: int, options: dict[str, int]) -> Ordering | None:
    """Search a position and search it again in the best order; None where the game is decided before the depth."""
    shared = prunus.TranspositionTable(MEGABYTES, game, state)
    analysis = prunus.analyze(game, state, "engine", depth, compile=True, table=shared, options=options)
    if analysis.proved:
        return None
    found = analysis.statistics
    minimal = _smallest(game, state, depth, shared, options, analysis.value)
    return Ordering(found.leaves, minimal, found.first_cutoffs / max(1, found.cutoffs))


def minimal_graph(game: Any, state: Any, depth: int) -> int:
    """The leaves of the minimal graph of a position's search to a depth."""
    shared = prunus.TranspositionTable(MEGABYTES, game, state)
    found = prunus.analyze(game, state, "engine", depth, compile=True, table=shared)
    return _smallest(game, state, depth, shared, {}, found.value)


def _smallest(game: Any, state: Any, depth: int, shared: prunus.TranspositionTable, options: dict[str, int], value: int | None) -> int:
    settings = Options.of(game, {**options, "iid": 0}).settings()
    again = []
    for _ in range(REPEATS):
        shared.forget_values()
        session = Session(game, state, algorithm_named("engine"), depth, Setup(True, table=shared, settings=settings))
        outcome = session.run(depth)
        assert outcome.value == value
        again.append(outcome.counts["leaves"])
    return min(again)


def openings(count: int, depth: int, options: dict[str, int]) -> list[Ordering]:
    """Random openings of 8 plies that are not decided within the depth."""
    game, rng, found = ConnectFour(), random.Random(5), []
    progress = Progress("ordering", count)
    while len(found) < count:
        state = after_random_plies(game, 8, rng)
        one = None if game.is_terminal(state) else measure(game, state, depth, options)
        if one is not None:
            found.append(one)
            progress.at(len(found))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--depth", type=int, default=12)
    parser.add_argument("--quick", action="store_true", help="20 positions")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=NUMBER", help="an option of the engine")
    arguments = parser.parse_args()
    options = {name: int(number) for name, number in (text.split("=") for text in arguments.option)}
    found = openings(20 if arguments.quick else arguments.positions, arguments.depth, options)
    rows = [("Connect Four, openings of 8 plies", "median", "mean", "worst")]
    for title, values, worst in (
        ("leaves / minimal graph", [o.leaves / o.minimal for o in found], max),
        ("cut-offs by the first action", [o.first for o in found], min),
    ):
        rows.append((title, f"{statistics.median(values):.3f}", f"{statistics.mean(values):.3f}", f"{worst(values):.3f}"))
    total = sum(o.leaves for o in found) / sum(o.minimal for o in found)
    print(table(rows))
    print(f"{len(found)} positions, depth {arguments.depth}: all leaves together / all minimal graphs together {total:.3f}")


if __name__ == "__main__":
    main()
