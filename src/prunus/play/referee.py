"""One game of a match: its opening, turns, clocks, end and record."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Final

from prunus.algorithms.repetition import came_again, final_value, is_over
from prunus.core.game import Game
from prunus.core.generic import Json, Keywords
from prunus.core.position import Position
from prunus.play.players import Choice, MatchError, Player, PlayerFailure, Turn
from prunus.run.random_play import play_at_random

LONGEST_GAME: Final = 1000
"""The plies after which a game is scored as a draw."""

GRACE: Final = (1.1, 0.05)
"""A player has overstepped its time if it took more than the first number times its time, plus the
second number in seconds."""

TRIES: Final = 100
"""The number of times that an opening is drawn if it came up before or ended the game."""


@dataclass(frozen=True)
class Record:
    """One finished game. Pairs of values belong to the first and to the second player of the match,
    whoever made the first move (`first_begins`). `score` (1, 1/2, 0) and `utility` are the first
    player's; `utility` is None if the game was not played to its end. `seconds` is a player's total
    time, `slowest` its slowest move, `over` the number of times that it overstepped its time,
    `depth` the mean number of plies that it searched, and `searching` the seconds of its searches
    alone; the last two are None if the player did not say. `end` says how the game ended:
    "finished", "drawn by length" or the kind of a PlayerFailure; `note` explains a failure."""

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

    @property
    def failed(self) -> int | None:
        """The player (0: the first) that lost by a failure; None in a game without one."""
        return None if self.end in ("finished", "drawn by length") else int(self.score == 1.0)

    def to_dict(self) -> dict[str, object]:
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


def openings(game: Game, plies: int, count: int, seed: int) -> list[list[int]]:
    """`count` random openings of `plies` plies, none of which ends the game. No two of them reach
    the same State as long as there are others. The first ones do not depend on the count. Raises
    MatchError for a game that is always over by then."""
    found: list[list[int]] = []
    seen: set[object] = set()
    are_new_ones = True
    for number in range(count):
        rng = random.Random(f"{seed}:{number}")  # noqa: S311 - a sample, not a secret
        best: tuple[list[int], object] | None = None
        for _ in range(TRIES):
            best = _drawn(game, plies, rng) or best
            if best is not None and (best[1] not in seen or not are_new_ones):
                break
        if best is None:
            raise MatchError(
                f"{game.title()} is over after {plies} random plies or less: ask for shorter "
                f"openings"
            )
        # Once no new opening has come up there are hardly any left: looking for them again and
        # again would take long.
        are_new_ones = are_new_ones and best[1] not in seen
        seen.add(best[1])
        found.append(best[0])
    return found


def _drawn(game: Game, plies: int, rng: random.Random) -> tuple[list[int], object] | None:
    played = play_at_random(game, plies, rng)
    return None if played.is_over else (played.actions, played.states[-1])


def usual_length(game: Game, seed: int = 0, games: int = 20) -> float:
    """The mean number of plies of random games."""
    rng, total = random.Random(seed), 0  # noqa: S311 - a sample, not a secret
    for _ in range(games):
        total += len(play_at_random(game, LONGEST_GAME, rng).actions)
    return total / games


class Referee:
    """Plays one game between two players, the first and the second of a match. `clocks` are the
    seconds that each may take for the game, None if there is no clock; `length` is the number of
    plies that such games usually last. When `interrupted` is no longer empty, the game is given
    up."""

    def __init__(
        self,
        game: Game,
        players: Sequence[Player],
        first_begins: bool,
        clocks: tuple[float | None, float | None] = (None, None),
        length: float = 60,
        interrupted: Sequence[object] = (),
    ) -> None:
        self.game, self.players, self.clocks, self.length = game, players, clocks, length
        self.first_begins, self.interrupted = first_begins, interrupted
        self.position = Position(game.initial())
        self.seat = 0
        self.names: list[str] = []
        self.times: tuple[list[float], list[float]] = ([], [])
        self.depths: tuple[list[int], list[int]] = ([], [])
        self.searches: tuple[list[float], list[float]] = ([], [])
        self.repeated: int | None = None
        self.acting = 0

    def play(self, pair: int, opening: Sequence[int]) -> Record:
        """Play the game from an opening. KeyboardInterrupt passes through."""
        blank = Record(
            pair,
            self.first_begins,
            [],
            [],
            0.5,
            None,
            (0.0, 0.0),
            (0.0, 0.0),
            (0, 0),
            (0, 0),
            (None, None),
            (None, None),
        )
        try:
            for number, player in enumerate(self.players):
                self.acting = number
                player.begin(self.game, self._seat_of(number))
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
        return replace(ended, opening=self.names[:made], moves=self.names[made:], **self._times())

    def _seat_of(self, player: int) -> int:
        return player if self.first_begins else 1 - player

    def _is_open(self) -> bool:
        return (
            self.repeated is None
            and not is_over(self.game, self.position.path)
            and len(self.names) < LONGEST_GAME
        )

    def _turn(self) -> None:
        """Have the player to move make its move."""
        mover = self.acting = self._seat_of(self.seat)
        spent, clock = self.times[mover], self.clocks[mover]
        turn = Turn(
            None if clock is None else clock - sum(spent),
            max(1.0, (self.length - len(self.names)) / 2),
        )
        began = time.perf_counter()
        try:
            choice: Choice = self.players[mover].choose(self.position, turn)
        finally:
            spent.append(time.perf_counter() - began)
        if self.interrupted:
            # A search that Ctrl-C has ended returns what it has; that is not the player's move.
            raise KeyboardInterrupt
        state = self.position.state
        if choice.action not in set(map(int, self.game.actions(state))):
            raise PlayerFailure(
                "illegal move", f"action {choice.action} in {self.game.format(state)}"
            )
        if choice.depth is not None:
            self.depths[mover].append(choice.depth)
        if choice.seconds is not None:
            self.searches[mover].append(choice.seconds)
        self._make(choice.action, mover)

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
        if self.repeated is not None:
            loss = self.game.repetition_loss
            value = -loss if self._seat_of(self.repeated) == 0 else loss
        elif is_over(self.game, self.position.path):
            value = final_value(self.game, self.position.path)
            value = value if self._seat_of(self.seat) == 0 else -value
        else:
            return replace(blank, end="drawn by length", note=f"after {LONGEST_GAME} plies")
        return replace(blank, score=0.5 + 0.5 * ((value > 0) - (value < 0)), utility=value)

    def _times(self) -> Keywords:
        """The fields of a Record about the time and the depth that the players used."""

        def over(player: int) -> int:
            limits, spent = self.players[player].limits, self.times[player]
            moves = (
                0
                if limits.seconds is None
                else sum(_is_over(each, limits.seconds) for each in spent)
            )
            return moves + (limits.clock is not None and _is_over(sum(spent), limits.clock))

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


def _is_over(seconds: float, limit: float) -> bool:
    return seconds > GRACE[0] * limit + GRACE[1]
