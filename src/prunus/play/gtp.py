"""Programs that speak the Go Text Protocol, version 2 (Farneback 2002): those for Go, and some for
Othello, such as `gtp-rhino`.

The names of a game's actions are the vertices; black makes the first move of a game, white the
second. A game with an attribute `size` asks for that board.
"""

from __future__ import annotations

import time
from typing import Final

from prunus.core.game import Game
from prunus.core.position import Position
from prunus.play.players import Choice, MatchError, Player, PlayerFailure, PlayerLimits, Turn
from prunus.play.program import GOODBYE, PATIENCE, TIMEOUT, Program

COLOURS: Final = ("black", "white")


class GtpProgram(Program):
    """A running program that speaks GTP."""

    def ask(self, command: str, timeout: float) -> tuple[bool, str]:
        """Whether the program has carried out the command, and its answer. Raises PlayerFailure,
        and ends the program, if it has died, does not answer within `timeout` seconds, or gives an
        answer that is not in the protocol."""
        self.is_asked = True
        self.send(command)
        lines = self._answer(command, time.perf_counter() + timeout, timeout)
        self.is_asked = False
        text = "\n".join(lines)
        if text[0] not in "=?":
            self.end()
            raise PlayerFailure(
                "protocol",
                f"the answer to {command!r} begins neither with = nor with ?: {text[:80]!r}",
            )
        # An answer may repeat the number of its command; none of ours has one.
        return text[0] == "=", text[1:].strip()

    def _answer(self, command: str, end: float, timeout: float) -> list[str]:
        """The lines up to the empty one that ends an answer; empty ones before it do not count."""
        found: list[str] = []
        while True:
            line = self.line(command, end, timeout)
            if line.strip():
                found.append(line)
            elif found:
                return found

    def goodbye(self) -> None:
        self.ask("quit", GOODBYE)


class GtpPlayer(Player):
    """A GTP program as a player; after a failure it is restarted for the next game.

    It is told the limits that the protocol can express: seconds a move as one period of one move, a
    clock as main time. Many programs ignore both (gtp-rhino does); the referee counts the time they
    take. `timeout`: the seconds after which an answer is given up; by default the greatest of 60,
    20 times the time of a move, and the game's clock.
    """

    clocked = True

    def __init__(
        self,
        command: str,
        limits: PlayerLimits | None = None,
        timeout: float | None = None,
        name: str = "",
    ) -> None:
        self.command, self.limits, self.name = command, limits or PlayerLimits(), name
        if self.limits.depth is not None or self.limits.nodes is not None:
            raise MatchError(
                f"{command}: the protocol has no limit of depth or nodes; use the program's own "
                f"options"
            )
        if not command.strip():
            raise MatchError("gtp: needs a command, as in gtp:gtp-rhino")
        self.timeout = timeout or max(
            TIMEOUT, PATIENCE * (self.limits.seconds or 0.0), self.limits.clock or 0.0
        )
        self.program: GtpProgram | None = None
        self.known: set[str] = set()
        self.game: Game | None = None
        self.seat = 0

    def warm_up(self, game: Game) -> None:
        """Start the program and ask its name. Raises MatchError if it does not play this game."""
        try:
            self.begin(game, 0)
            self.name = self.name or self._title()
        except PlayerFailure as failure:
            raise MatchError(f"{self.command}: {failure}") from None

    def _title(self) -> str:
        words = [self._ask(command) for command in ("name", "version") if command in self.known]
        return " ".join(filter(None, words)) or self.command

    def begin(self, game: Game, seat: int, state: object = None) -> None:
        self.game, self.seat = game, seat
        if state is not None:
            raise PlayerFailure(
                "cannot begin", "the protocol has no way to begin a game in another position"
            )
        if self.program is None or not self.program.is_alive:
            self._start()
        size = getattr(game, "size", None)
        if isinstance(size, int):
            self._ask(f"boardsize {size}")
        self._ask("clear_board")
        if "time_settings" in self.known and self.limits.clock is not None:
            self._ask(f"time_settings {max(1, round(self.limits.clock))} 0 0")
        elif "time_settings" in self.known and self.limits.seconds is not None:
            self._ask(f"time_settings 0 {max(1, round(self.limits.seconds))} 1")

    def _start(self) -> None:
        if self.program is not None:
            self.program.close()
        self.program = GtpProgram(self.command)
        self.known = set(self._ask("list_commands").split())
        for command in ("genmove", "play", "clear_board"):
            if command not in self.known:
                raise PlayerFailure("protocol", f"the program does not know the command {command}")
        if self.game is not None and "set_game" in self.known:
            self.program.ask(f"set_game {self.game.title()}", self.timeout)

    def _ask(self, command: str) -> str:
        assert self.program is not None
        done, answer = self.program.ask(command, self.timeout)
        if not done:
            raise PlayerFailure("error answer", f"the answer to {command!r} is ? {answer}")
        return answer

    def observe(self, state: object, action: int, seat: int) -> None:
        assert self.game is not None
        assert self.program is not None
        name = self.game.action_name(state, action)
        command = f"play {COLOURS[seat]} {name}"
        done, answer = self.program.ask(command, self.timeout)
        # Some programs do not accept a pass in `play`, and infer it from the colour of the next
        # move.
        if not done and name != "pass":
            raise PlayerFailure("error answer", f"the answer to {command!r} is ? {answer}")

    def choose(self, position: Position, turn: Turn) -> Choice:
        state = position.state
        assert self.game is not None
        if turn.left is not None and "time_left" in self.known:
            self._ask(f"time_left {COLOURS[self.seat]} {max(0, int(turn.left))} 0")
        answer = self._ask(f"genmove {COLOURS[self.seat]}")
        if answer.lower() == "resign":
            raise PlayerFailure("resigned", "the program resigned")
        legal = {
            self.game.action_name(state, action).lower(): int(action)
            for action in self.game.actions(state)
        }
        if answer.lower() not in legal:
            raise PlayerFailure(
                "illegal move", f"{answer!r} in {self.game.format(state)}; legal: {' '.join(legal)}"
            )
        return Choice(legal[answer.lower()])

    def close(self) -> None:
        if self.program is not None:
            self.program.close()
