"""One game of a match: its opening, turns, clocks, end and record."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, TypeAlias

from prunus.algorithms.repetition import came_again, final_value, is_over
from prunus.core.game import Game
from prunus.core.generic import Json
from prunus.core.position import Position
from prunus.play.adjudication import LONGEST_GAME, Adjudication, Adjudicator, Verdict
from prunus.play.players import Choice, Player, PlayerFailure
from prunus.play.timing import GameClock
from prunus.run.random_play import play_at_random

if TYPE_CHECKING:
    from prunus.databases.folder import Database

GRACE: Final = (1.1, 0.05)
"""A player has overstepped the time of a move if it took more than the first number times its time,
plus the second number in seconds."""


@dataclass(frozen=True)
class Manners:
    """How the games of a match are conducted: what ends one early, the seconds by which a clock may
    be overstepped, and a database whose values count as proofs."""

    adjudication: Adjudication = Adjudication()
    margin: float = 0.0
    database: Database | None = None


CRASHES: Final = ("died", "no answer", "protocol", "error answer")
"""The failures of a program, as against those of a player: an illegal move, a lack of time."""


Thought: TypeAlias = Sequence[int | float | None]
"""What is kept of a move: its value, its seconds, the seconds left."""


@dataclass(frozen=True)
class Record:
    """One finished game. Pairs of values belong to the first and to the second player of the match,
    whoever made the first move (`first_begins`). `score` (1, 1/2, 0) and `utility` are the first
    player's; `utility` is None if the game was not played to its end. `seconds` is a player's total
    time, `slowest` its slowest move, `over` the number of times that it overstepped its time,
    `depth` the mean number of plies that it searched, and `searching` the seconds of its searches
    alone; the last two are None if the player did not say. `end` says how the game ended:
    "finished", "drawn by length", "adjudicated: ..." or the kind of a PlayerFailure, "time" among
    them; `note` explains a failure. `start` is the position in which the opening begins, empty for
    the start of the game. `thoughts` has, for each of the `moves`, the value that the player gave
    it from its own point of view, the seconds that it took, and those left on the clock after it
    (None: not known, or no clock). `begun` is the time (UTC) at which the game began."""

    pair: int
    first_begins: bool
    opening: list[str]
    moves: list[str]
    score: float
    utility: int | None
    seconds: tuple[float, float]
    slowest: tuple[float, float]
    counts: tuple[int, int]
    over: tuple[int, int]
    depth: tuple[float | None, float | None]
    searching: tuple[float | None, float | None]
    end: str = "finished"
    note: str = ""
    start: str = ""
    thoughts: Sequence[Thought] = ()
    begun: str = ""

    @property
    def failed(self) -> int | None:
        """The player (0: the first) that lost by a failure; None in a game without one."""
        fair = self.end in ("finished", "drawn by length") or self.end.startswith("adjudicated")
        return None if fair else int(self.score == 1.0)

    @property
    def crashed(self) -> bool:
        """Whether a program has ended the game by a fault that says nothing of its strength."""
        return self.end in CRASHES

    def to_dict(self) -> Json:
        """The record as data for JSON."""
        return asdict(self)

    @classmethod
    def of(cls, data: Json) -> Record:
        """The record from the data that `to_dict` returned."""
        pairs = ("seconds", "slowest", "counts", "over", "depth", "searching")
        values: Json = {
            name: tuple(value) if name in pairs else value for name, value in data.items()
        }
        return cls(**values)


def usual_length(game: Game, seed: int = 0, games: int = 20) -> float:
    """The mean number of plies of random games."""
    rng, total = random.Random(seed), 0  # noqa: S311 - a sample, not a secret
    for _ in range(games):
        total += len(play_at_random(game, LONGEST_GAME, rng).actions)
    return total / games


class Referee:
    """Plays one game between two players, the first and the second of a match. `clocks` are the
    seconds on their clocks at the beginning, None if there is no clock; `length` is the number of
    plies that such games usually last. When `interrupted` is no longer empty, the game is given
    up. `manners`: what ends a game early, and by how much clocks may be overstepped."""

    def __init__(
        self,
        game: Game,
        players: Sequence[Player],
        first_begins: bool,
        clocks: tuple[float | None, float | None] = (None, None),
        length: float = 60,
        interrupted: Sequence[object] = (),
        manners: Manners = Manners(),
    ) -> None:
        self.game, self.players, self.first_begins = game, players, first_begins
        self.length, self.interrupted, self.manners = length, interrupted, manners
        self.clocks = tuple(
            GameClock(clock, player.limits, manners.margin)
            for clock, player in zip(clocks, players, strict=True)
        )
        self.adjudicator = Adjudicator(game, manners.adjudication, manners.database)
        self.verdict: tuple[int, Verdict] | None = None
        self.position = Position(game.initial())
        self.seat, self.names = 0, list[str]()
        self.times: tuple[list[float], list[float]] = ([], [])
        self.depths: tuple[list[int], list[int]] = ([], [])
        self.searches: tuple[list[float], list[float]] = ([], [])
        self.thoughts: list[Thought] = []
        self.repeated: int | None = None
        self.acting = 0

    def play(self, pair: int, opening: Sequence[int], state: object = None) -> Record:
        """Play the game from an opening, which begins in this State (None: the start of the game).
        KeyboardInterrupt passes through."""
        blank = _blank(pair, self.first_begins)
        begun = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S")
        start = ""
        if state is not None:
            self.position, start = Position(state), self.game.format(state)
        try:
            for number, player in enumerate(self.players):
                self.acting = number
                player.begin(self.game, self._seat_of(number), state)
            for action in opening:
                self._make(action, None)
            while self._is_open():
                self._turn()
        except PlayerFailure as failure:
            ended = replace(
                blank, score=float(self.acting == 1), end=failure.kind, note=str(failure)
            )
        else:
            ended = self._finished(blank)
        made = len(opening)
        names = {"opening": self.names[:made], "moves": self.names[made:], "start": start}
        more = {"thoughts": self.thoughts, "begun": begun}
        return replace(ended, **names, **more, **self._times())  # type: ignore[arg-type]

    def _seat_of(self, player: int) -> int:
        return player if self.first_begins else 1 - player

    def _is_open(self) -> bool:
        return (
            self.repeated is None
            and self.verdict is None
            and not is_over(self.game, self.position.path)
            and len(self.names) < self.manners.adjudication.length
        )

    def _turn(self) -> None:
        """Have the player to move make its move."""
        mover = self.acting = self._seat_of(self.seat)
        clock = self.clocks[mover]
        moves = max(1.0, (self.length - len(self.names)) / 2)
        turn = clock.turn(moves, self.clocks[1 - mover].left)
        began = time.perf_counter()
        try:
            choice: Choice = self.players[mover].choose(self.position, turn)
        finally:
            spent = time.perf_counter() - began
            self.times[mover].append(spent)
        if self.interrupted:
            # A search that Ctrl-C has ended returns what it has; that is not the player's move.
            raise KeyboardInterrupt
        clock.spend(spent)
        if clock.has_fallen:
            raise PlayerFailure("time", f"{spent:.3f} s for a move with {turn.left:.3f} s left")
        state = self.position.state
        if choice.action not in set(map(int, self.game.actions(state))):
            raise PlayerFailure(
                "illegal move", f"action {choice.action} in {self.game.format(state)}"
            )
        if choice.depth is not None:
            self.depths[mover].append(choice.depth)
        if choice.seconds is not None:
            self.searches[mover].append(choice.seconds)
        left = None if clock.left is None else round(clock.left, 3)
        self.thoughts.append([choice.value, round(spent, 3), left])
        self._make(choice.action, mover)
        if self.repeated is None and not is_over(self.game, self.position.path):
            said = self.adjudicator.judge(mover, choice, self.position, len(self.names))
            self.verdict = None if said is None else (mover, said)

    def _make(self, action: int, mover: int | None) -> None:
        """Make an action of a player, or of the opening (None), and tell all others."""
        for number, player in enumerate(self.players):
            if number != mover:
                self.acting = number
                player.observe(self.position.state, action, self.seat)
        before, after = self.position.state, self.position.after(self.game, action)
        self.names.append(self.game.action_name(before, action))
        if self.game.repetition == "forbidden" and came_again(self.game, after.past, after.state):
            self.repeated = self.seat
        self.position, self.seat = (
            after,
            self.seat ^ (not self.game.keeps_turn(before, after.state)),
        )

    def _finished(self, blank: Record) -> Record:
        """The record of a game in which nobody failed. A repetition counts as the rules say; a
        forbidden one loses like one that the rules punish."""
        if self.verdict is not None:
            mover, verdict = self.verdict
            sign = 1 if mover == 0 else -1
            value = None if verdict.value is None else sign * verdict.value
            score = 0.5 + 0.5 * sign * verdict.sign
            return replace(blank, score=score, utility=value, end=verdict.end)
        if self.repeated is not None:
            loss = self.game.repetition_loss
            value = -loss if self._seat_of(self.repeated) == 0 else loss
        elif is_over(self.game, self.position.path):
            value = final_value(self.game, self.position.path)
            value = value if self._seat_of(self.seat) == 0 else -value
        else:
            length = self.manners.adjudication.length
            return replace(blank, end="drawn by length", note=f"after {length} plies")
        return replace(blank, score=0.5 + 0.5 * ((value > 0) - (value < 0)), utility=value)

    def _times(self) -> Json:
        """The fields of a Record about the time and the depth that the players used."""

        def over(player: int) -> int:
            limits, spent = self.players[player].limits, self.times[player]
            moves = (
                0
                if limits.seconds is None
                else sum(_is_over(each, limits.seconds) for each in spent)
            )
            return moves + self.clocks[player].has_fallen

        each = (0, 1)
        return {
            "seconds": tuple(round(sum(self.times[player]), 6) for player in each),
            "slowest": tuple(round(max(self.times[player], default=0.0), 6) for player in each),
            "counts": tuple(len(self.times[player]) for player in each),
            "over": tuple(over(player) for player in each),
            "depth": tuple(
                round(sum(d) / len(d), 2) if (d := self.depths[player]) else None for player in each
            ),
            "searching": tuple(
                round(sum(s), 6) if (s := self.searches[player]) else None for player in each
            ),
        }


def _blank(pair: int, first_begins: bool) -> Record:
    """The record of a game in which nothing has happened, drawn."""
    none = (None, None)
    return Record(
        pair, first_begins, [], [], 0.5, None, (0.0, 0.0), (0.0, 0.0), (0, 0), (0, 0), none, none
    )


def _is_over(seconds: float, limit: float) -> bool:
    return seconds > GRACE[0] * limit + GRACE[1]
