"""Programs that speak the Go Text Protocol, version 2 (Farneback 2002): those for Go, and some for
Othello, such as `gtp-rhino`.

The names of a game's actions are the vertices; black makes the first move of a game, white the
second. A game with an attribute `size` asks for that board.
"""

from __future__ import annotations

import contextlib
import os
import queue
import shlex
import signal
import subprocess
import tempfile
import threading
import time
from typing import IO, Final

from prunus.core.game import Game
from prunus.core.position import Position
from prunus.play.players import Choice, MatchError, Player, PlayerFailure, PlayerLimits, Turn

COLOURS: Final = ("black", "white")

TIMEOUT: Final = 60.0
"""The default number of seconds that a program may take to answer."""

PATIENCE: Final = 20.0
"""A program is given up after this many times the time of its move."""

GAMES: Final = "/usr/games"
"""The folder where Debian puts games; it is not always in PATH."""

GOODBYE: Final = 1.0
"""The seconds that a program may take to end when it is told to."""


class Program:
    """A running program and the conversation with it. Raises MatchError if it cannot be started.

    It runs in a session of its own: Ctrl-C in the terminal is for the match, which then ends the
    program in an orderly way.
    """

    def __init__(self, command: str) -> None:
        self.command = command
        self.errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the program
        try:
            self.process = subprocess.Popen(  # noqa: S603 - running the user's program is the purpose
                shlex.split(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.errors,
                start_new_session=True,
                env=os.environ
                | {"PATH": os.pathsep.join((os.environ.get("PATH", os.defpath), GAMES))},
            )
        except (OSError, ValueError, IndexError) as error:
            self.errors.close()
            reason = (
                "no such program"
                if isinstance(error, FileNotFoundError)
                else getattr(error, "strerror", None) or str(error)
            )
            raise MatchError(f"cannot start {command!r}: {reason}") from None
        self.lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self.is_asked = False
        threading.Thread(target=self._read, name="prunus-gtp", daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        with contextlib.suppress(OSError, ValueError), self.process.stdout as lines:
            for line in lines:
                self.lines.put(line.decode("utf-8", "replace"))
        self.lines.put(None)

    def ask(self, command: str, timeout: float) -> tuple[bool, str]:
        """Whether the program has carried out the command, and its answer. Raises PlayerFailure,
        and ends the program, if it has died, does not answer within `timeout` seconds, or gives an
        answer that is not in the protocol."""
        self.is_asked = True
        try:
            assert self.process.stdin is not None
            self.process.stdin.write(f"{command}\n".encode())
            self.process.stdin.flush()
        except (OSError, ValueError):
            raise self._dead(command) from None
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
            try:
                line = self.lines.get(timeout=max(0.0, end - time.perf_counter()))
            except queue.Empty:
                self.end()
                raise PlayerFailure(
                    "no answer",
                    f"no answer to {command!r} within {timeout:g} s; the program was ended",
                ) from None
            if line is None:
                raise self._dead(command)
            if line.strip():
                found.append(
                    "".join(
                        character
                        for character in line.rstrip()
                        if character >= " " or character == "\t"
                    )
                )
            elif found:
                return found

    def _dead(self, command: str) -> PlayerFailure:
        self.end()
        code = self.process.returncode
        how = (
            f"by signal {signal.Signals(-code).name}"
            if code is not None and -code in set(signal.Signals)
            else f"with status {code}"
        )
        return PlayerFailure("died", f"the program ended {how} at {command!r}{self._last_words()}")

    def _last_words(self) -> str:
        """The last words that the program wrote to its standard error."""
        with contextlib.suppress(OSError, ValueError):
            self.errors.seek(max(0, self.errors.seek(0, os.SEEK_END) - 300))
            words = self.errors.read().decode("utf-8", "replace").split()
            return f"; it said: {' '.join(words)}" if words else ""
        return ""

    @property
    def is_alive(self) -> bool:
        """Whether the program still runs."""
        return self.process.poll() is None

    def end(self) -> None:
        """End the program: by closing its input, after a moment by force."""
        with contextlib.suppress(OSError, ValueError):
            assert self.process.stdin is not None
            self.process.stdin.close()
        try:
            # A program that has died is gone already; a silent one does not get another second of
            # the match's time.
            self.process.wait(0.2)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(OSError):  # programs that it has started end too
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def close(self) -> None:
        """Say goodbye and end the program."""
        with contextlib.suppress(PlayerFailure):
            # a program that is still answering (after Ctrl-C) would not read it
            if self.is_alive and not self.is_asked:
                self.ask("quit", GOODBYE)
        self.end()
        self.errors.close()


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
        self.program: Program | None = None
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
        self.program = Program(self.command)
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
