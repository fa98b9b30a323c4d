"""Programs that speak UCI (chess) or UGI (any game), as players.

The program is told the whole game before each move: where it began, and the names that its actions
have in protocols (`Game.protocol_name`).
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from prunus.core.game import Game, PositionError
from prunus.core.position import Position
from prunus.play.players import Choice, MatchError, Player, PlayerFailure, PlayerLimits, Turn
from prunus.play.pondering import expected_reply
from prunus.play.program import PATIENCE, TIMEOUT, Program
from prunus.play.turns import player_to_move

MATE: Final = 32_000
"""The value of a mate that a program announces, less one for each move until then."""


@dataclass(frozen=True)
class Dialect:
    """The words in which UCI and UGI differ."""

    name: str
    times: tuple[str, str]
    increments: tuple[str, str]


DIALECTS: Final = {
    "uci": Dialect("uci", ("wtime", "btime"), ("winc", "binc")),
    "ugi": Dialect("ugi", ("p1time", "p2time"), ("p1inc", "p2inc")),
}


class UgiPlayer(Player):
    """A program that speaks a dialect, `uci` or `ugi`; after a failure it is restarted for the next
    game. `options` are set at its start. `timeout`: the seconds after which an answer is given up;
    by default the greatest of 60, 20 times the time of a move, and the game's clock. If it
    `ponders`, it is told to think on from the reply that it expects."""

    clocked = True

    def __init__(
        self,
        dialect: str,
        command: str,
        limits: PlayerLimits | None = None,
        options: Mapping[str, str] | None = None,
        timeout: float | None = None,
        name: str = "",
    ) -> None:
        self.dialect, self.command, self.name = DIALECTS[dialect], command, name
        self.limits, self.options = limits or PlayerLimits(), dict(options or {})
        if not command.strip():
            raise MatchError(f"{dialect}: needs a command, as in {dialect}:PROGRAM")
        limited = (self.limits.depth, self.limits.nodes, self.limits.seconds, self.limits.clock)
        if limited == (None,) * 4 and not self.limits.equal:
            raise MatchError(
                f"{dialect}:{command} has no limit: give it depth, nodes, seconds or clock"
            )
        self.timeout = timeout or max(
            TIMEOUT, PATIENCE * (self.limits.seconds or 0.0), self.limits.clock or 0.0
        )
        self.program: Program | None = None
        self.game: Game | None = None
        self.start, self.names = "startpos", list[str]()
        self.ponders = False
        self.guess: list[str] | None = None
        """The names of the game as the program expects it to go on, while it ponders."""

    def warm_up(self, game: Game) -> None:
        """Start the program. Raises MatchError if that is not possible."""
        try:
            self.begin(game, 0)
        except PlayerFailure as failure:
            raise MatchError(f"{self.command}: {failure}") from None

    def begin(self, game: Game, seat: int, state: object = None) -> None:
        self._end_guess()
        self.game, self.names = game, []
        self.start = "startpos" if state is None else f"fen {game.format(state)}"
        if self.program is None or not self.program.is_alive:
            self._launch()
        self._send(f"{self.dialect.name}newgame")
        self._wait("isready", "readyok")

    def _launch(self) -> None:
        if self.program is not None:
            self.program.close()
        self.program = Program(self.command)
        for line in self._wait(self.dialect.name, f"{self.dialect.name}ok"):
            if line.startswith("id name ") and not self.name:
                self.name = line.removeprefix("id name ").strip()
        for name, value in self.options.items():
            self._send(f"setoption name {name} value {value}")

    def _send(self, line: str) -> None:
        assert self.program is not None
        self.program.send(line)

    def _wait(self, command: str, word: str) -> list[str]:
        """Send a command; the lines up to the one that begins with this word, which is the last."""
        assert self.program is not None
        self.program.is_asked = True
        self._send(command)
        found, end = [], time.perf_counter() + self.timeout
        while True:
            found.append(self.program.line(command, end, self.timeout))
            if found[-1].split()[:1] == [word]:
                self.program.is_asked = False
                return found

    def observe(self, state: object, action: int, seat: int) -> None:
        assert self.game is not None
        self.names.append(self.game.protocol_name(state, action))

    def choose(self, position: Position, turn: Turn) -> Choice:
        game, state = self.game, position.state
        assert game is not None
        began = time.perf_counter()
        if self.guess is not None and self.guess == self.names:
            self.guess = None
            lines = self._wait("ponderhit", "bestmove")
        else:
            self._end_guess()
            self._place(self.names)
            lines = self._wait(self._order(game, position, turn), "bestmove")
        answer = (lines[-1].split()[1:] or [""])[0]
        legal = {game.protocol_name(state, each): int(each) for each in game.actions(state)}
        action = legal.get(answer)
        if action is None:
            try:
                action = game.action_named(state, answer)
            except PositionError:
                raise PlayerFailure(
                    "illegal move",
                    f"{answer!r} in {game.format(state)}; legal: {' '.join(legal)}",
                ) from None
        self.names.append(game.protocol_name(state, action))
        depth, value = _said(lines)
        if self.ponders:
            self._guess_next(game, position, action, lines[-1].split()[2:])
            if self.guess is not None:
                spent = time.perf_counter() - began
                self._go_on(game, position, turn, spent)
        return Choice(action, depth, value=value)

    def _place(self, names: list[str]) -> None:
        """Tell the program the position after these actions."""
        moves = f" moves {' '.join(names)}" if names else ""
        self._send(f"position {self.start}{moves}")

    def _guess_next(self, game: Game, position: Position, action: int, said: list[str]) -> None:
        """Note the reply that the program expects, if it has named one that is legal."""
        if len(said) != 2 or said[0] != "ponder":
            return
        after = position.after(game, action)
        try:
            reply = int(game.action_named(after.state, said[1]))
        except PositionError:
            return
        if expected_reply(game, position, (action, reply)) is not None:
            self.guess = [*self.names, game.protocol_name(after.state, reply)]

    def _go_on(self, game: Game, position: Position, turn: Turn, spent: float) -> None:
        """Let the program ponder: its clock shows what will be left when it has to move."""
        assert self.guess is not None
        left, to_go = turn.left, turn.to_go
        if left is not None:
            left = max(0.001, left - spent + turn.increment)
            if to_go == 1:  # another period begins
                left, to_go = left + (self.limits.clock or 0.0), self.limits.moves
            elif to_go is not None:
                to_go -= 1
        self._place(self.guess)
        order = self._order(game, position, replace(turn, left=left, to_go=to_go))
        self._send(order.replace("go", "go ponder", 1))

    def _end_guess(self) -> None:
        """End what the program ponders."""
        if self.guess is not None:
            self.guess = None
            if self.program is not None and self.program.is_alive:
                self._wait("stop", "bestmove")

    def _order(self, game: Game, position: Position, turn: Turn) -> str:
        """The command to search."""
        limits, words = self.limits, ["go"]
        if turn.left is not None:
            mine = player_to_move(game, position)
            theirs = turn.left if turn.theirs is None else turn.theirs
            for player in (0, 1):
                left = turn.left if player == mine else theirs
                words += [self.dialect.times[player], str(max(1, int(1000 * left)))]
            for player in (0, 1):
                words += [self.dialect.increments[player], str(int(1000 * turn.increment))]
            if turn.to_go is not None:
                words += ["movestogo", str(turn.to_go)]
        elif limits.seconds is not None:
            words += ["movetime", str(max(1, int(1000 * limits.seconds)))]
        if limits.depth is not None:
            words += ["depth", str(limits.depth)]
        if limits.nodes is not None:
            words += ["nodes", str(limits.nodes)]
        return " ".join(words)

    def close(self) -> None:
        if self.program is not None:
            self.program.close()


def _said(lines: list[str]) -> tuple[int | None, int | None]:
    """The depth and the value of the last line of information that has a value."""
    for line in reversed(lines):
        words = line.split()
        if words[:1] == ["info"] and "score" in words:
            found = {words[at]: words[at + 1] for at in range(1, len(words) - 1)}
            try:
                depth = int(found["depth"]) if "depth" in found else None
                if "cp" in found:
                    return depth, int(found["cp"])
                mate = int(found["mate"])
                return depth, MATE - mate if mate > 0 else -MATE - mate
            except (KeyError, ValueError):
                continue
    return None, None
