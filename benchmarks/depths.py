"""How deep a minute goes: `python -m benchmarks.depths [--nodes N] [--seconds S] [--games GAME ...]`.

A source says that at a million nodes a second minimax looks five plies ahead in chess in a minute,
and alpha-beta with a transposition table fourteen. Here each algorithm searches the first position
one ply deeper each time, until 60 million nodes are spent, which that program has in its minute;
the number of plies that it has finished is then the same on every machine. With `--seconds 60` it
has a minute of this machine instead.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import prunus
from benchmarks.common import Progress, table
from prunus.engine.options import Options
from prunus.games import Chess, ConnectFour

MINUTE = 60_000_000
"""The nodes of a minute at a million a second."""

GAMES: Mapping[str, Callable[[], Any]] = {"chess": Chess, "connect-four": ConnectFour}
MEGABYTES = 256


@dataclass(frozen=True)
class Reached:
    """How far a search came: the plies of the last search that was finished, what it said, and
    the work of all, the unfinished one included."""

    depth: int
    value: int | None
    nodes: int
    seconds: float


def step_by_step(game: Any, algorithm: str, limit: prunus.Limit, compile: bool = True) -> Reached:
    """Search 1, 2, 3, ... plies from the start by an algorithm that does not deepen by itself."""
    began, nodes, last = time.perf_counter(), 0, Reached(0, None, 0, 0.0)
    while True:
        spent = time.perf_counter() - began
        more = None if limit.nodes is None else limit.nodes - nodes
        longer = None if limit.seconds is None else limit.seconds - spent
        if (more is not None and more < 1) or (longer is not None and longer <= 0):
            return Reached(last.depth, last.value, nodes, spent)
        left = prunus.Limit(depth=last.depth + 1, nodes=more, seconds=longer)
        found = prunus.analyze(game, algorithm=algorithm, limit=left, compile=compile)
        nodes += found.statistics.nodes
        if found.interrupted or found.proved:
            depth = last.depth if found.interrupted else last.depth + 1
            value = last.value if found.interrupted else found.value
            return Reached(depth, value, nodes, time.perf_counter() - began)
        last = Reached(last.depth + 1, found.value, nodes, 0.0)


def deepening(
    game: Any, algorithm: str, limit: prunus.Limit, options: Any = None, compile: bool = True
) -> Reached:
    """Search by an algorithm that deepens by itself, with a table of MEGABYTES."""
    began, last = time.perf_counter(), Reached(0, None, 0, 0.0)
    for found in prunus.iterations(
        game, algorithm=algorithm, limit=limit, options=options, table=MEGABYTES, compile=compile
    ):
        value = last.value if found.interrupted else found.value
        seconds = time.perf_counter() - began
        last = Reached(found.depth or 0, value, found.statistics.nodes, seconds)
    return last


SEARCHES: Mapping[str, Callable[[Any, prunus.Limit], Reached]] = {
    "minimax": lambda game, limit: step_by_step(game, "minimax", limit),
    "alpha-beta": lambda game, limit: step_by_step(game, "alphabeta", limit),
    "alpha-beta with a table": lambda game, limit: deepening(game, "iterative-deepening", limit),
    "engine": lambda game, limit: deepening(game, "engine", limit),
    "engine as it plays": lambda game, limit: deepening(
        game, "engine", limit, Options.for_play(game)
    ),
}


def reached(game: str, search: str, limit: prunus.Limit) -> Reached:
    """How far a search comes from a game's start. The code is compiled before."""
    make = GAMES[game]
    SEARCHES[search](make(), prunus.Limit(nodes=1_000))
    return SEARCHES[search](make(), limit)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--nodes", type=int, help=f"by default {MINUTE:,}")
    parser.add_argument("--seconds", type=float, help="of wall time, in place of nodes")
    parser.add_argument("--games", nargs="+", choices=list(GAMES), default=list(GAMES))
    parser.add_argument("--quick", action="store_true", help="100,000 nodes")
    given = parser.parse_args()
    nodes = given.nodes or (100_000 if given.quick else None if given.seconds else MINUTE)
    limit = prunus.Limit(nodes=nodes, seconds=given.seconds)
    progress = Progress("depths", len(given.games) * len(SEARCHES))
    rows = [("game", "search", "plies", "value", "nodes", "seconds", "nodes/s")]
    for game in given.games:
        for search in SEARCHES:
            found = reached(game, search, limit)
            rows.append(
                (
                    game,
                    search,
                    str(found.depth),
                    str(found.value),
                    f"{found.nodes:,}",
                    f"{found.seconds:.1f}",
                    f"{found.nodes / found.seconds:,.0f}",
                )
            )
            progress.at(len(rows) - 1)
    print(table(rows))


if __name__ == "__main__":
    main()
