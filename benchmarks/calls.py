"""What one call of Prunus costs: `python -m benchmarks.calls [--quick]`.

`prunus.solve` near the end of a game, and `prunus.analyze` one ply deep, for games that have been
used before: the search takes some microseconds, so that nearly all of the time is Python's. The
figure is the processor time of the process, which includes any thread that a search is handed to,
in the best of several batches of calls, because other work on the machine can only add to it.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import prunus
from benchmarks.common import Progress
from prunus.core.game import Game
from prunus.games.catalogue import make_game

BATCHES = 20
POSITIONS = {
    "connect-four": "24364112746345261762174624216777333",
    "nim": "1,2,2",
    "tic-tac-toe": "X.O/.X./...",
}


def cases() -> list[tuple[str, Callable[[], Any]]]:
    """The calls, by name."""
    found: list[tuple[str, Callable[[], Any]]] = []
    for name, text in POSITIONS.items():
        game = make_game(name)
        state = game.parse(text)
        found.append((f"solve, {name}", _solving(game, state)))
        found.append((f"analyze, alphabeta, depth 1, {name}", _looking(game, state)))
    return found


def _solving(game: Game, state: Any) -> Callable[[], Any]:
    prunus.solve(game, state, book=False, compile=True)
    return lambda: prunus.solve(game, state, book=False)


def _looking(game: Game, state: Any) -> Callable[[], Any]:
    prunus.analyze(game, state, algorithm="alphabeta", depth=1, compile=True)
    return lambda: prunus.analyze(game, state, algorithm="alphabeta", depth=1)


def milliseconds(name: str, call: Callable[[], Any], calls: int) -> float:
    """The least processor time of a call, averaged over a batch of `calls`."""
    progress, best = Progress(name, BATCHES), float("inf")
    for batch in range(BATCHES):
        began = time.process_time()
        for _ in range(calls):
            call()
        best = min(best, time.process_time() - began)
        progress.at(batch + 1)
    return 1000 * best / calls


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("--quick", action="store_true", help="shorter batches")
    calls = 20 if parser.parse_args().quick else 100
    print("| call | nodes | ms |\n|---|---|---|")
    for name, call in cases():
        nodes = call().statistics.nodes
        print(f"| {name} | {nodes:,} | {milliseconds(name, call, calls):.3f} |", flush=True)


if __name__ == "__main__":
    main()
