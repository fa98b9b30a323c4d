"""What each option of a player is worth, in Elo: `python -m benchmarks.option_worth [GAME]
[NAME=VALUE ...] [--nodes N] [--pairs N] [--seed TEXT]`.

A player with the options that the game recommends plays one with another value of a single option:
those that are on are off, and the other way round; or the values given, such as `null_move=3`. Each
random opening is played twice, with the sides swapped. Both players search in one process with a
limit of nodes a move, so the load of the machine does not matter; that an option also costs time at
each node is not seen. A game ends when both players have seen it decided (by `--decided` of the
evaluation) for six plies, or even for sixteen.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.common import Progress, say, table
from prunus.algorithms.repetition import final_value, is_over
from prunus.engine.options import Options
from prunus.games.catalogue import make_game
from prunus.learn.results import Thinker, side
from prunus.learn.selfplay import opened
from prunus.play.ratings.score import Score, score_of

SURE = 6
"""The number of plies in a row for which players must see a game decided."""

EVEN, EVEN_PLIES, EARLY = 10, 16, 60
"""A game is drawn when, after `EARLY` plies, the values of so many plies were at most `EVEN`."""

LONGEST = 260
"""The plies after which a game counts as drawn."""

MORE = ("killers", "counter_moves", "history")
"""Options that no game needs to recommend: they are on where there are noisy actions."""

ALWAYS = ("lasting",)
"""What these players, which have one memory for a whole game, cannot do without."""


def alternatives(game: Any) -> dict[str, int]:
    """Another value for each option that the game recommends or that is on: 0 if it is on,
    otherwise the value that it has without a recommendation."""
    usual, plain = Options.for_play(game), Options()
    names = dict.fromkeys((*game.playing_options, *MORE))
    return {
        name: 0 if getattr(usual, name) else getattr(plain, name)
        for name in names
        if name not in ALWAYS
    }


class Verdict:
    """Says from the values that players see when a game is over before its end."""

    def __init__(self, decided: int) -> None:
        self.decided, self.leader, self.sure, self.even = decided, 0, 0, 0

    def after(self, value: int, ply: int) -> int | None:
        """The result for the first player, if this value for him, seen at this ply, decides it."""
        leader = (value > self.decided) - (value < -self.decided)
        self.sure = self.sure + 1 if leader and leader == self.leader else int(leader != 0)
        self.leader = leader
        self.even = self.even + 1 if abs(value) <= EVEN and ply > EARLY else 0
        if self.sure >= SURE:
            return leader
        return 0 if self.even >= EVEN_PLIES or ply >= LONGEST else None


def played(players: Sequence[Thinker], path: list[Any], nodes: int, decided: int) -> float:
    """The points, 0 to 1, of the first of two players, who has the side that began the opening."""
    game, verdict = players[0].game, Verdict(decided)
    for player in players:
        player.begin()
    while not is_over(game, path):
        sign = side(game, path, len(path) - 1)
        action, value = players[0 if sign == 1 else 1].think(path, nodes)
        result = verdict.after(sign * value, len(path))
        if result is not None:
            return (1 + result) / 2
        path.append(game.result(path[-1], action))
    last = side(game, path, len(path) - 1) * final_value(game, path)
    return (1 + (last > 0) - (last < 0)) / 2


def pair(first: Thinker, second: Thinker, rng: random.Random, how: Any) -> tuple[float, float]:
    """The points of `first` in both games of a pair."""
    path = opened(first.game, rng, rng.randint(*how.opening))
    began = played((first, second), list(path), how.nodes, how.decided)
    return began, 1 - played((second, first), list(path), how.nodes, how.decided)


def match(game: Any, other: Mapping[str, int], how: Any) -> Score:
    """The score of the recommended options against the same with `other`."""
    label = ", ".join(f"{name}={value}" for name, value in other.items())
    players = Thinker(game, True), Thinker(game, True, other)
    progress, points = Progress(label, how.pairs), []
    for number in range(how.pairs):
        rng = random.Random(f"{how.seed}/{number}")
        points.append(pair(*players, rng, how))
        progress.at(number + 1)
    return score_of(points)


def row(label: str, score: Score) -> tuple[str, ...]:
    """A row of the table."""
    low, high = score.elo.low, score.elo.high
    percent = f"{100 * score.score.mean:.1f} % +- {100 * score.score.error:.1f}"
    return label, str(score.games), percent, f"{score.elo.mean:+.0f} ({low:+.0f} to {high:+.0f})"


def value_of(text: str) -> tuple[str, int]:
    """NAME=VALUE as a name and a number."""
    name, sign, value = text.partition("=")
    if not sign:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    return name, int(value)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", nargs="?", default="chess")
    parser.add_argument("values", nargs="*", type=value_of, help="only these, NAME=VALUE")
    parser.add_argument("--nodes", type=int, default=4000, help="for each move")
    parser.add_argument("--pairs", type=int, default=100, help="openings, each played twice")
    parser.add_argument("--opening", type=int, nargs=2, default=(6, 9), help="random plies")
    parser.add_argument("--decided", type=int, default=500)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--quick", action="store_true", help="2 pairs, 200 nodes")
    how = parser.parse_args()
    if how.quick:
        how.nodes, how.pairs = 200, 2
    game = make_game(how.game)
    others = dict(how.values) or alternatives(game)
    rows: list[tuple[str, ...]] = [
        ("the recommended options against those with", "games", "score", "Elo (95 %)")
    ]
    for name, value in others.items():
        rows.append(row(f"`{name}={value}`", match(game, {name: value}, how)))
        say("  ".join(rows[-1]))
    print(table(rows))


if __name__ == "__main__":
    main()
