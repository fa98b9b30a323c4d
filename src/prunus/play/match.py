"""Matches: two players, pairs of games from the same opening with the sides swapped, and a record
that can be continued."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from prunus.core.game import Game
from prunus.play.openings import Openings
from prunus.play.players import MatchError, Player, PlayerLimits
from prunus.play.ratings.score import Score, score_of
from prunus.play.ratings.sprt import Sprt
from prunus.play.referee import Manners, Record
from prunus.play.tournament.contest import FAILURES, Contest, ahead
from prunus.play.tournament.here import Here
from prunus.play.tournament.schedule import Played, complete, slots
from prunus.play.tournament.store import Store

__all__ = ["FAILURES", "Match", "Result"]


@dataclass(frozen=True)
class Result:
    """The games of a match so far; a game counts for the score once both games of its pair are
    played."""

    names: tuple[str, str]
    played: tuple[Played, ...]

    @property
    def records(self) -> tuple[Record, ...]:
        """All games, those that only measured time included."""
        return tuple(each.record for each in self.played)

    def pairs(self) -> list[tuple[Record, Record]]:
        """The complete pairs in order."""
        return [(one.record, other.record) for one, other in complete(self.played)]

    def games(self) -> list[Record]:
        """The games of the complete pairs."""
        return [game for pair in self.pairs() for game in pair]

    def score(self) -> Score | None:
        """The score of the first player; None before the first pair is complete."""
        pairs = self.pairs()
        known = [
            (a.utility, b.utility)
            for a, b in pairs
            if a.utility is not None and b.utility is not None
        ]
        return score_of([(a.score, b.score) for a, b in pairs], known) if pairs else None

    def failures(self) -> list[Record]:
        """The games that a player lost by a failure."""
        return [game for game in self.games() if game.failed is not None]

    def usage(self, player: int) -> dict[str, float | None]:
        """The time that a player (0: the first) used: seconds a game and a move, the slowest move,
        the number of times it overstepped its time, the mean depth of its searches, and the seconds
        a move that its searches alone took."""
        games = self.games()
        total, moves = (
            sum(game.seconds[player] for game in games),
            sum(game.counts[player] for game in games),
        )
        searching = [seconds for game in games if (seconds := game.searching[player]) is not None]
        depths = [depth for game in games if (depth := game.depth[player]) is not None]
        return {
            "seconds_a_game": total / len(games) if games else 0.0,
            "seconds_a_move": total / moves if moves else 0.0,
            "slowest_move": max((game.slowest[player] for game in games), default=0.0),
            "overstepped": sum(game.over[player] for game in games),
            "depth": statistics.mean(depths) if depths else None,
            "searching_a_move": sum(searching) / moves if searching and moves else None,
        }


@dataclass
class Match:
    """A match of `pairs` pairs of games in this process. `game_spec` and `specs` are written into
    the record: the record of another match is not continued. `out`: the file of the record
    (`prunus.play.tournament.store`); an existing file is continued where it ends. `sprt` ends the
    match as soon as it has a verdict.
    """

    game: Game
    players: tuple[Player, Player]
    pairs: int
    opening: int = 8
    seed: int = 0
    out: Path | None = None
    game_spec: str = ""
    specs: tuple[str, str] = ("", "")
    manners: Manners = Manners()
    sprt: Sprt | None = None
    played: list[Played] = field(default_factory=list)

    def play(self, watch: Callable[[Result], None] | None = None) -> Result:
        """Play the missing games. `watch` is called after each game. Ctrl-C raises
        KeyboardInterrupt: the finished games are in `result()` and on record. Raises MatchError if
        a player cannot play or keeps failing, or if the record is that of another match."""
        limits = [player.limits for player in self.players]
        check(self.game, self.pairs, limits)
        title = {"game": self.game_spec, "opening": self.opening, "seed": self.seed}
        keep = None if self.out is None else Store(self.out, title, self.specs)
        runner = Here(
            self.game, self.players, Openings(self.game, self.opening, self.seed), self.manners
        )
        with closing(runner), nullcontext() if keep is None else closing(keep):
            schedule = list(slots([(0, 1)], ahead(limits, self.pairs)))
            contest = Contest(schedule, limits, keep, self.sprt)
            self.played = contest.played
            runner.warm_up()
            contest.run(runner, None if watch is None else lambda: watch(self.result()))
        return self.result()

    @property
    def records(self) -> list[Record]:
        """All games so far."""
        return [each.record for each in self.played]

    def result(self) -> Result:
        """The result of the games so far."""
        first, second = (
            player.name or spec for player, spec in zip(self.players, self.specs, strict=True)
        )
        return Result((first, second), tuple(self.played))


def check(game: Game, pairs: int, limits: Sequence[PlayerLimits]) -> None:
    """Raise MatchError if there can be no match or tournament of such players."""
    if game.players != 2:
        raise MatchError(f"{game.title()} has {game.players} players; a match is for two")
    if pairs < 1:
        raise MatchError("a match has at least one pair of games")
    if sum(each.equal for each in limits) > 1:
        raise MatchError("each clock is set to equal the other: one player needs a time of its own")
