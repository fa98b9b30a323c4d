"""The strength of the levels of difficulty, by matches of each level against the next ones below.

`python -m benchmarks.levels chess --pairs 20 --out FOLDER` plays the levels (level 0: a player who
draws every move by lot) and prints their Elo, relative to level 0. The same command continues where
it was stopped.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from prunus.play.levels import LEVELS
from prunus.play.ratings.bradley_terry import Meeting, rated
from prunus.play.tournament.event import Event
from prunus.play.tournament.workers import Terms

REACH = 2
"""Each level meets as many of those below it."""


def player(level: int) -> str:
    """The player of a level."""
    return f"engine,level={level},seed={level}" if level else "random,seed=7"


def meetings(game: str, high: int, low: int, pairs: int, folder: Path) -> list[Meeting]:
    """The results of the pairs of games between two levels."""
    terms = Terms(game, (player(high), player(low)), {}, 8 if game == "chess" else 6, high)
    event = Event(terms, pairs, out=folder / f"{game}-{high}-{low}.db")
    event.play()
    return [
        Meeting(str(high), str(low), one.score + other.score)
        for one, other in event.result().pairs()
    ]


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--most", type=int, default=len(LEVELS))
    parser.add_argument("--out", type=Path, default=Path("levels"))
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    found = []
    for high in range(1, given.most + 1):
        for low in range(max(0, high - REACH), high):
            found += meetings(given.game, high, low, given.pairs, given.out)
        table = rated(found, {"0": 0.0})
        print("level  Elo   +-  games  nodes  by lot", flush=True)
        for each in sorted(table.ratings, key=lambda each: int(each.name)):
            means = LEVELS[int(each.name) - 1] if int(each.name) else None
            said = "" if means is None else f"{means.nodes:>7} {means.chance:>6.0f}"
            print(f"{each.name:>5} {each.elo:>5.0f} {each.error:>4.0f} {each.games:>5}  {said}")


if __name__ == "__main__":
    main()
