"""What dividing the time is worth: `python -m benchmarks.time_use [--positions N] [--milliseconds
M]`.

On Othello positions the engine chooses an action three times: with all of the time, with the time
divided by how settled the best action is (`Limit.adaptive`), and with the mean time of the second
for every position. What counts is how much worse the chosen action is than the best one, in discs,
both valued by a search with ten times the time.
"""

from __future__ import annotations

import argparse
import random
import statistics
from typing import Any

import prunus
from benchmarks.common import Progress, after_random_plies, table
from prunus.games import Othello

LONGER = 10


def positions(game: Any, count: int) -> list[Any]:
    """Positions of random games, after 8 to 40 plies, with a choice to make."""
    rng, found = random.Random(6), []
    while len(found) < count:
        state = after_random_plies(game, rng.randrange(8, 40), rng)
        if not game.is_terminal(state) and len(list(game.actions(state))) > 1:
            found.append(state)
    return found


def choose(game: Any, state: Any, limit: prunus.Limit) -> tuple[int, float]:
    """The chosen action and the seconds that the choice took."""
    found = prunus.analyze(game, state, "engine", limit=limit, compile=True, table=16)
    assert found.best is not None
    return found.best, found.statistics.seconds


def loss(game: Any, state: Any, action: int, depth: int) -> int:
    """How much less this action is worth than the best one, by a search to a depth."""
    best = prunus.analyze(game, state, "engine", depth, compile=True, table=64).value
    child = game.result(state, action)
    if game.is_terminal(child):
        value = -int(game.utility(child))
    else:
        value = -(
            prunus.analyze(game, child, "engine", depth - 1, compile=True, table=64).value or 0
        )
    return max(0, (best or 0) - value)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--positions", type=int, default=60)
    parser.add_argument("--milliseconds", type=float, default=100)
    parser.add_argument("--quick", action="store_true", help="10 positions")
    options = parser.parse_args()
    game, seconds = Othello(), options.milliseconds / 1000
    states = positions(game, 10 if options.quick else options.positions)
    choose(game, game.initial(), prunus.Limit(seconds=0.01))
    progress = Progress("time use", 4 * len(states))
    taken: dict[str, list[tuple[int, float]]] = {}

    def measure(title: str, limit: prunus.Limit) -> None:
        taken[title] = [choose(game, state, limit) for state in states]
        progress.at(len(taken) * len(states))

    measure("all of the time", prunus.Limit(seconds=seconds))
    measure("adaptive", prunus.Limit(seconds=seconds, adaptive=True))
    mean = statistics.mean(spent for _, spent in taken["adaptive"])
    measure("the adaptive mean", prunus.Limit(seconds=mean))
    depths = [
        prunus.analyze(
            game,
            state,
            "engine",
            limit=prunus.Limit(seconds=LONGER * seconds),
            compile=True,
            table=64,
        ).depth
        or 1
        for state in states
    ]
    rows = [
        (
            "time",
            "mean ms",
            "another action than the long search's value allows",
            "discs lost, mean",
        )
    ]
    for title, choices in taken.items():
        lost = [
            loss(game, state, action, depth)
            for state, (action, _), depth in zip(states, choices, depths, strict=True)
        ]
        spent = 1000 * statistics.mean(seconds for _, seconds in choices)
        rows.append(
            (
                title,
                f"{spent:.0f}",
                f"{sum(value > 0 for value in lost)} of {len(lost)}",
                f"{statistics.mean(lost):.2f}",
            )
        )
    progress.at(4 * len(states))
    print(table(rows))


if __name__ == "__main__":
    main()
