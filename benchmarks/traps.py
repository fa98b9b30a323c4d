"""What setting traps is worth: `python -m benchmarks.traps [--pairs N] [--games GAME ...] [--quick]`.

Opponents that err play against minimax, which makes one of its best moves by lot, or the first of
them, and against players who know the opponent's model and choose by expected value
(`prunus.play.fallible`): once among minimax's best moves alone (risk 0), once giving up some of
minimax's value for a better chance. All look equally many plies ahead and play the same openings,
each with both sides. Against minimax, which does not err as far as it looks, the traps are set for
a random opponent: the model is wrong there. Interpreted, single process; the games are the same on
every machine.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from benchmarks.common import Progress, table
from prunus.games import TicTacToe
from prunus.games.connect_four import ConnectFour
from prunus.games.kalah import Kalah
from prunus.play.fallible import FalliblePlayer, Model, TrapPlayer
from prunus.play.match import Match
from prunus.play.ratings.score import Score

PAIRS: Final = 100


@dataclass(frozen=True)
class Field:
    """A game, how deep all players look in it, how many random plies open a game, and what the
    daring player gives up, in units of the game's values."""

    make: Callable[[], Any]
    depth: int
    opening: int
    risk: int


FIELDS: Final[Mapping[str, Field]] = {
    "tic-tac-toe": Field(TicTacToe, 9, 1, 1),
    "connect-four 5 x 4": Field(lambda: ConnectFour(width=5, height=4), 4, 2, 2),
    "kalah 4 x 3": Field(lambda: Kalah(holes=4, counters=3), 4, 2, 2),
}

OPPONENTS: Final[Mapping[str, Model]] = {
    "random, p = 0.3": Model(0, 0.3),
    "greedy": Model(1, 0.0),
    "shallow, 2 plies": Model(2, 0.0),
    "minimax": Model(0, 0.0),
}

MISTAKEN: Final = Model(0, 0.3)
"""The model of those who set traps for minimax."""

PLAYERS: Final = ("minimax, by lot", "minimax, first", "trap, risk 0", "trap, with risk")
"""The second makes the first of its best moves, as traps do among moves that promise the same."""


def player_of(name: str, opponent: str, field: Field) -> FalliblePlayer:
    """One of `PLAYERS`, against one of `OPPONENTS`."""
    if name == PLAYERS[0]:
        return FalliblePlayer(Model(), field.depth, seed=1, name=name)
    if name == PLAYERS[1]:
        return TrapPlayer(Model(), field.depth, name=name)
    model = MISTAKEN if opponent == "minimax" else OPPONENTS[opponent]
    return TrapPlayer(model, field.depth, 0 if name == PLAYERS[2] else field.risk, name=name)


def score_of(field: Field, player: str, opponent: str, pairs: int) -> Score:
    """The score of a player against an opponent."""
    other = FalliblePlayer(OPPONENTS[opponent], field.depth, seed=2, name=opponent)
    players = player_of(player, opponent, field), other
    found = Match(field.make(), players, pairs, field.opening).play().score()
    assert found is not None
    return found


def told(score: Score) -> str:
    """Percent of the points with the standard error, and the mean of the game's own values."""
    worth = "" if score.utility is None else f" ({score.utility.mean:+.2f})"
    return f"{100 * score.score.mean:.1f} ± {100 * score.score.error:.1f}{worth}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pairs", type=int, help=f"of games, by default {PAIRS}")
    parser.add_argument("--games", nargs="+", choices=list(FIELDS), default=list(FIELDS))
    parser.add_argument("--quick", action="store_true", help="5 pairs")
    given = parser.parse_args()
    pairs = given.pairs or (5 if given.quick else PAIRS)
    rows = [("game", "opponent", *PLAYERS)]
    progress = Progress("traps", len(given.games) * len(OPPONENTS))
    for game in given.games:
        for opponent in OPPONENTS:
            found = [told(score_of(FIELDS[game], name, opponent, pairs)) for name in PLAYERS]
            rows.append((game, opponent, *found))
            progress.at(len(rows) - 1)
    print(table(rows))


if __name__ == "__main__":
    main()
