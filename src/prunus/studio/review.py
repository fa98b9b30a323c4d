"""A game that was played, reviewed: what each position was worth, and what each move lost.

The review goes from the end of the game to its beginning. Ends are proved first, and what is proved
of a position counts for the one before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Final

from prunus.core.analysis import Analysis, Bound
from prunus.core.errors import SearchError
from prunus.core.game import Game
from prunus.core.generic import Json
from prunus.core.position import Position
from prunus.run.driver import analyze
from prunus.run.limits import Limit, Stop
from prunus.studio.boards import mover_of, scale_of
from prunus.studio.values import LEAST, MEGABYTES
from prunus.tables.book import installed_book

FIRST: Final = 0.6
"""The part of a move's time that the position before it gets."""

QUICK: Final = 0.4
"""The part of the time in which the whole game is looked at. The rest is for what is not proved by
then; and code may have been compiled meanwhile."""

NOISE: Final = 0.1
"""The part of a clear advantage that two estimates have to differ by, to be told as a loss."""

OTHER: Final[dict[Bound, Bound]] = {"exact": "exact", "lower": "upper", "upper": "lower"}


@dataclass(frozen=True)
class Standing:
    """What is known of a position, for one of the players. `proved`: the value, to the extent that
    `bound` states, rests on finished games alone. `best`: an action that reaches the value.
    `depth`: the plies that an estimate looked ahead."""

    value: int
    bound: Bound = "exact"
    proved: bool = False
    best: int | None = None
    depth: int | None = None

    def seen(self, side: int) -> Standing:
        """The same for the same player (1) or for the other one (-1)."""
        return self if side == 1 else replace(self, value=-self.value, bound=OTHER[self.bound])

    @property
    def least(self) -> int | None:
        """What the position is proved to be worth at least."""
        return self.value if self.proved and self.bound != "upper" else None

    @property
    def most(self) -> int | None:
        """What the position is proved to be worth at most."""
        return self.value if self.proved and self.bound != "lower" else None

    @property
    def outcome(self) -> int | None:
        """1, 0 or -1 if a win, a draw or a loss is proved."""
        if self.least is not None and self.least > 0:
            return 1
        if self.most is not None and self.most < 0:
            return -1
        return 0 if self.least == self.most == 0 else None

    def to_dict(self) -> Json:
        """The standing as plain data."""
        return {
            "value": self.value,
            "bound": self.bound,
            "proved": self.proved,
            "outcome": self.outcome,
        }


class Review:
    """The review of a game of two players, from its positions and the actions between them. `tell`
    gets an event `ply` for each position, the last one first; `stop` ends the review soon."""

    def __init__(
        self,
        game: Game,
        positions: list[Position],
        actions: list[int],
        stop: Stop,
        tell: Callable[[str, Json], None],
    ) -> None:
        if game.players != 2:
            raise SearchError(f"{game.title()} has {game.players} players; a review is for two")
        self.game, self.positions, self.actions = game, positions, actions
        self.stop, self.tell = stop, tell
        self.movers = [mover_of(game, positions[: ply + 1]) for ply in range(len(positions))]
        self.noise = NOISE * scale_of(game, positions[0].state)
        self.book = installed_book(game)
        self.known: dict[int, Standing] = {}

    def run(self, seconds: float) -> Json:
        """Review the game within about so many seconds: all of it in a part of them, then again
        what is not proved."""
        began, last = perf_counter(), len(self.actions)
        for end in (began + QUICK * seconds, began + seconds):
            waiting = [ply for ply in range(last + 1) if not self._is_settled(ply)]
            for ply in reversed(range(last + 1) if waiting else ()):
                if self.stop.requested:
                    break
                count = sum(each <= ply for each in waiting)
                self._review(ply, (end - perf_counter()) / max(1, count))
        return {"reviewed": len(self.known), "positions": last + 1}

    def _is_settled(self, ply: int) -> bool:
        """Whether the value of a position is proved."""
        found = self.known.get(ply)
        return found is not None and found.proved and found.bound == "exact"

    def _side(self, ply: int) -> int:
        """1 if the first player is to move at this ply, else -1."""
        return 1 if self.movers[ply] == 0 else -1

    def _review(self, ply: int, seconds: float) -> None:
        """Find what a position is worth and what the move made there lost, and tell it. Nothing is
        told if the review was stopped before anything was known."""
        before = self.known.get(ply)
        if before is None or not self._is_settled(ply):
            before = _better(before, self._standing(self.positions[ply], FIRST * seconds))
        if before is None:
            return
        told: Json = {"ply": ply}
        if ply < len(self.actions):
            before, made = self._moved(ply, (1 - FIRST) * seconds, before)
            told |= self._told(ply, before, made)
        self.known[ply] = before
        self.tell("ply", {**told, "before": before.seen(self._side(ply)).to_dict()})

    def _moved(self, ply: int, seconds: float, before: Standing) -> tuple[Standing, Standing]:
        """What a position and the move made there are worth to the player who made it, from what is
        known of both positions."""
        side = 1 if self.movers[ply] == self.movers[ply + 1] else -1
        action, after = self.actions[ply], self.known.get(ply + 1)
        made = None if after is None else after.seen(side)
        if made is not None and made.proved:
            return self._at_least(self.positions[ply], before, made, action), made
        if action == before.best:
            return before, before
        if not before.proved:
            made = self._compared(ply, seconds, before, side) or made
        return before, made or before

    def _told(self, ply: int, before: Standing, made: Standing) -> Json:
        """What a move lost, as plain data, with values for the first player."""
        name, state = self.game.action_name, self.positions[ply].state
        lost, certain = lost_by(before, made, self.noise)
        return {
            "mover": self.movers[ply],
            "move": name(state, self.actions[ply]),
            "after": made.seen(self._side(ply)).to_dict(),
            "lost": lost,
            "certain": certain,
            "better": name(state, before.best) if lost and before.best is not None else None,
        }

    def _standing(self, position: Position, seconds: float) -> Standing | None:
        """What a position is worth to the player to move; None: stopped before that was known."""
        limit = Limit(seconds=max(LEAST, seconds))
        found = self._searched(position, limit, None)
        if found.value is None and not self.stop.requested:
            found = self._searched(position, Limit(1), False)
        return _standing_of(found)

    def _searched(self, position: Position, limit: Limit, compile: bool | None) -> Analysis:
        return analyze(
            self.game,
            position,
            limit=limit,
            compile=compile,
            book=self.book,
            table=MEGABYTES,
            stop=self.stop,
        )

    def _at_least(
        self, position: Position, before: Standing, made: Standing, action: int
    ) -> Standing:
        """The standing before a move, which is worth at least what the move is proved to be
        worth."""
        if before.outcome is not None or made.least is None:
            return before
        if made.least <= before.value and made.outcome != 1:
            return before
        highest = self.game.bounds(position.state)[1] if self.game.has_bounds else None
        bound: Bound = "exact" if made.least == highest else "lower"
        return Standing(made.least, bound, True, action)

    def _compared(self, ply: int, seconds: float, before: Standing, side: int) -> Standing | None:
        """The move made, searched as deep as the position before it was: estimates of different
        depths would differ even if nothing was lost."""
        if before.depth is None or before.depth < 1:
            return None
        limit = Limit(before.depth - 1, seconds=max(LEAST, seconds))
        found = self._searched(self.positions[ply + 1], limit, None)
        standing = None if found.interrupted else _standing_of(found)
        return None if standing is None else standing.seen(side)


def lost_by(before: Standing, made: Standing, noise: float) -> tuple[int, bool]:
    """What a move lost, and whether it is proved that it lost something, or nothing. `before`,
    `made`: what the position and the move are worth to the player who made it. Values of which one
    is an estimate have to differ by more than `noise`."""
    if before.least is not None and made.most is not None and before.least > made.most:
        return before.least - made.most, True
    if before.proved and made.proved and before.bound == made.bound == "exact":
        return 0, True
    lost = before.value - made.value
    return (lost, False) if lost > noise else (0, False)


def _standing_of(found: Analysis) -> Standing | None:
    if found.value is None:
        return None
    return Standing(int(found.value), found.bound, found.proved, found.best, found.depth)


def _better(old: Standing | None, new: Standing | None) -> Standing | None:
    """The one of two standings of a position that says more: a proved one, then the one that looked
    farther ahead."""
    if old is None or new is None:
        return old or new
    if old.proved != new.proved:
        return old if old.proved else new
    if old.proved and old.bound != new.bound:
        return old if old.bound == "exact" else new
    return old if (old.depth or 0) > (new.depth or 0) else new
