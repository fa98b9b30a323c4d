"""Matches: two players, pairs of games from the same random opening with the sides swapped, and a
record that can be continued."""

from __future__ import annotations

import json
import signal
import statistics
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import IO, Final

from prunus.core.game import Game
from prunus.play.players import MatchError, Player
from prunus.play.ratings.score import Score, score_of
from prunus.play.referee import Record, Referee, openings, usual_length

FAILURES: Final = 5
"""A match is abandoned when a player has failed in this many games in a row."""

CALIBRATION: Final = 2
"""The number of games that only measure the time of an `equal` player's opponent."""

FIRST_CLOCK: Final = 1.0
"""The seconds that an `equal` player has in the first of them."""

DEBT: Final = (0.5, 1.5)
"""The least and the greatest value of an `equal` clock, as multiples of the opponent's mean time a
game."""


@dataclass(frozen=True)
class Result:
    """The games of a match so far; a game counts for the score once both games of its pair are
    played."""

    names: tuple[str, str]
    records: tuple[Record, ...]

    def pairs(self) -> list[tuple[Record, Record]]:
        """The complete pairs in order."""
        found: dict[int, list[Record]] = {}
        for record in self.records:
            found.setdefault(record.pair, []).append(record)
        return [
            (games[0], games[1])
            for pair, games in sorted(found.items())
            if pair >= 0 and len(games) == 2
        ]

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
    """A match of `pairs` pairs of games. `game_spec` and `specs` are written into the record: the
    record of another match is not continued. `out`: the file of the record, one JSON object a line,
    first one for the match and then one for each game as soon as it is over; an existing file is
    continued where it ends.
    """

    game: Game
    players: tuple[Player, Player]
    pairs: int
    opening: int = 8
    seed: int = 0
    out: Path | None = None
    game_spec: str = ""
    specs: tuple[str, str] = ("", "")
    records: list[Record] = field(default_factory=list)

    def play(self, watch: Callable[[Result], None] | None = None) -> Result:
        """Play the missing games. `watch` is called after each game. Ctrl-C raises
        KeyboardInterrupt: the finished games are in `result()` and on record. Raises MatchError if
        a player cannot play or keeps failing, or if the record is that of another match."""
        self._check()
        with ExitStack() as stack:
            keep = stack.enter_context(self._record())
            drawn = openings(self.game, self.opening, self.pairs, self.seed)
            length = usual_length(self.game)
            interrupted = stack.enter_context(_heeding_interrupts())
            for player in self.players:
                stack.callback(player.close)
                player.warm_up(self.game)
            for pair, first_begins in self._missing():
                referee = Referee(
                    self.game, self.players, first_begins, self._clocks(), length, interrupted
                )
                record = referee.play(pair, drawn[max(0, pair)])
                self.records.append(record)
                keep(record.to_dict())
                if watch is not None:
                    watch(self.result())
                self._expect_sense()
        return self.result()

    def result(self) -> Result:
        """The result of the games so far."""
        first, second = (
            player.name or spec for player, spec in zip(self.players, self.specs, strict=True)
        )
        return Result((first, second), tuple(self.records))

    def _check(self) -> None:
        if self.game.players != 2:
            raise MatchError(
                f"{self.game.title()} has {self.game.players} players; a match is for two"
            )
        if self.pairs < 1:
            raise MatchError("a match has at least one pair of games")
        if all(player.limits.equal for player in self.players):
            raise MatchError(
                "each clock is set to equal the other: one player needs a time of its own"
            )

    def _missing(self) -> Iterator[tuple[int, bool]]:
        """The pair and the side of each game still to be played; games before the first pair only
        measure time."""
        done = {(record.pair, record.first_begins) for record in self.records}
        ahead = CALIBRATION // 2 if any(player.limits.equal for player in self.players) else 0
        for pair in range(-ahead, self.pairs):
            for first_begins in (True, False):
                if (pair, first_begins) not in done:
                    yield pair, first_begins

    def _clocks(self) -> tuple[float | None, float | None]:
        return self._clock(0), self._clock(1)

    def _clock(self, player: int) -> float | None:
        """The seconds that a player has for the next game. An `equal` clock is set so that the
        player's time over all games that count will equal the opponent's, whose next game is
        expected to take as long as its games so far."""
        limits = self.players[player].limits
        if not limits.equal:
            return limits.clock
        if not self.records:
            return FIRST_CLOCK
        mean = statistics.mean(record.seconds[1 - player] for record in self.records)
        counted = [record for record in self.records if record.pair >= 0]
        owed = mean + sum(record.seconds[1 - player] - record.seconds[player] for record in counted)
        return min(DEBT[1] * mean, max(DEBT[0] * mean, owed))

    def _expect_sense(self) -> None:
        """Raise MatchError if a player does nothing but fail."""
        last = self.records[-FAILURES:]
        failed = {record.failed for record in last}
        if (
            len(last) == FAILURES
            and len(failed) == 1
            and None not in failed
            and all(record.end != "resigned" for record in last)
        ):
            player = self.players[last[-1].failed or 0]
            raise MatchError(
                f"{player.name} has failed in {FAILURES} games in a row, in the last one: "
                f"{last[-1].end}: {last[-1].note}"
            )

    # The record.

    def _title(self) -> dict[str, object]:
        return {
            "game": self.game_spec,
            "first": self.specs[0],
            "second": self.specs[1],
            "opening": self.opening,
            "seed": self.seed,
        }

    @contextmanager
    def _record(self) -> Iterator[Callable[[dict[str, object]], None]]:
        """A function that writes a line of the record; existing games are read first."""
        if self.out is None:
            yield lambda line: None
            return
        with self.out.open("a+", encoding="utf-8") as file:
            file.seek(0)
            lines, end = _whole_lines(file.read())
            file.truncate(end)
            self._continue(lines)
            if not lines:
                _write(file, {"match": self._title()})
            yield lambda line: _write(file, line)

    def _continue(self, lines: Sequence[str]) -> None:
        """Take over the games of a record."""
        try:
            found = [json.loads(line) for line in lines]
            title = found[0]["match"] if found else self._title()
            self.records.extend(Record.of(line) for line in found[1:])
        except (ValueError, KeyError, TypeError, AttributeError):
            raise MatchError(
                f"{self.out}: this is not the record of a match; choose another file"
            ) from None
        for name, value in self._title().items():
            if title.get(name) != value:
                raise MatchError(
                    f"{self.out} is the record of another match: its {name} is "
                    f"{title.get(name)!r}, not {value!r}"
                )


def _whole_lines(text: str) -> tuple[list[str], int]:
    """The complete lines, and the number of bytes they take: the last line is incomplete if a match
    was killed."""
    whole = text[: text.rfind("\n") + 1]
    return whole.splitlines(), len(whole.encode())


def _write(file: IO[str], line: dict[str, object]) -> None:
    file.write(json.dumps(line, ensure_ascii=False) + "\n")
    file.flush()


@contextmanager
def _heeding_interrupts() -> Iterator[list[int]]:
    """A list that Ctrl-C makes non-empty, in addition to raising KeyboardInterrupt: a search takes
    the latter as the wish to end only that search."""
    seen: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        seen.append(number)
        raise KeyboardInterrupt

    try:
        before = signal.signal(signal.SIGINT, note)
    except ValueError:  # not the main thread: only that one receives signals
        yield seen
        return
    try:
        yield seen
    finally:
        signal.signal(signal.SIGINT, before)
