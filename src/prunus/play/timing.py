"""Time controls, and the clock of one player in one game."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Final

from prunus.play.players import MatchError, PlayerLimits, Turn

CONTROL: Final = re.compile(r"(?:(?P<moves>\d+)/)?(?P<clock>[\d.]+)(?:\+(?P<increment>[\d.]+))?")

EXAMPLES: Final = "write 60 (seconds a game), 10+0.1 (and a tenth more each move) or 40/60+0.5"


@dataclass(frozen=True)
class TimeControl:
    """`clock` seconds for a game, or for `moves` moves if that is not 0, after which they are given
    again; each move adds `increment` seconds."""

    clock: float
    increment: float = 0.0
    moves: int = 0

    def __str__(self) -> str:
        periods = f"{self.moves}/" if self.moves else ""
        return f"{periods}{self.clock:g}" + (f"+{self.increment:g}" if self.increment else "")


def read_control(text: str) -> TimeControl:
    """The time control that a text such as `10+0.1`, `40/60` or `300` describes. Raises
    MatchError."""
    found = CONTROL.fullmatch(text.strip())
    try:
        if found is None:
            raise ValueError
        clock, increment = float(found["clock"]), float(found["increment"] or 0)
        moves = int(found["moves"] or 0)
    except ValueError:
        raise MatchError(f"{text!r} is not a time control: {EXAMPLES}") from None
    if not (clock > 0 and math.isfinite(clock + increment)):
        raise MatchError(f"the time control {text!r} gives no time: {EXAMPLES}")
    return TimeControl(clock, increment, moves)


class GameClock:
    """The clock of a player in one game. `seconds` is what it shows at the beginning (None: there
    is no clock); increments and periods are those of the player's limits. A clock set to equal the
    opponent's time may be overstepped, others may not, but for `margin` seconds."""

    def __init__(self, seconds: float | None, limits: PlayerLimits, margin: float = 0.0) -> None:
        self.left, self.limits, self.margin = seconds, limits, margin
        self.moves = 0
        self.has_fallen = False

    def turn(self, moves: float, theirs: float | None) -> Turn:
        """What the player is told when it has to move; it will probably still make `moves` moves.
        `theirs` is the time on the opponent's clock."""
        limits = self.limits
        to_go = limits.moves - self.moves % limits.moves if limits.moves else None
        return Turn(self.left, moves, limits.increment, to_go, theirs)

    def spend(self, seconds: float) -> None:
        """Note that a move has taken so long."""
        if self.left is None:
            return
        self.left -= seconds
        self.has_fallen = self.left < -self.margin and not self.limits.equal
        self.moves += 1
        self.left += self.limits.increment
        if self.limits.moves and self.moves % self.limits.moves == 0:
            self.left += self.limits.clock or 0.0
