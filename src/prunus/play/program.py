"""Other people's programs: started, talked to line by line, and ended."""

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

from prunus.play.players import MatchError, PlayerFailure

TIMEOUT: Final = 60.0
"""The default number of seconds that a program may take to answer."""

PATIENCE: Final = 20.0
"""A program is given up after this many times the time of its move."""

GAMES: Final = "/usr/games"
"""The folder where Debian puts games; it is not always in PATH."""

GOODBYE: Final = 1.0
"""The seconds that a program may take to end when it is told to."""


def environment() -> dict[str, str]:
    """The environment of a program: that of this process, with `GAMES` in its PATH."""
    path = os.pathsep.join((os.environ.get("PATH", os.defpath), GAMES))
    return os.environ | {"PATH": path}


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
                env=environment(),
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
        threading.Thread(target=self._read, name="prunus-program", daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        with contextlib.suppress(OSError, ValueError), self.process.stdout as lines:
            for line in lines:
                self.lines.put(line.decode("utf-8", "replace"))
        self.lines.put(None)

    def send(self, command: str) -> None:
        """Send a line. Raises PlayerFailure, and ends the program, if it has died."""
        try:
            assert self.process.stdin is not None
            self.process.stdin.write(f"{command}\n".encode())
            self.process.stdin.flush()
        except (OSError, ValueError):
            raise self._dead(command) from None

    def line(self, command: str, end: float, timeout: float) -> str:
        """The next line of the answer to a command, without control characters. Raises
        PlayerFailure, and ends the program, if it has died, or says nothing up to the time `end`
        (of `time.perf_counter`), `timeout` seconds after it was asked."""
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
        return "".join(
            character for character in line.rstrip() if character >= " " or character == "\t"
        )

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

    def end(self, patience: float = 0.2) -> None:
        """End the program: by closing its input, after `patience` seconds by force."""
        with contextlib.suppress(OSError, ValueError):
            assert self.process.stdin is not None
            self.process.stdin.close()
        try:
            # A program that has died is gone already; a silent one does not get another second of
            # the match's time.
            self.process.wait(patience)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(OSError):  # programs that it has started end too
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def goodbye(self) -> None:
        """Tell the program that the conversation is over. Raises PlayerFailure."""
        self.send("quit")

    def close(self) -> None:
        """Say goodbye and end the program."""
        patience = 0.2
        with contextlib.suppress(PlayerFailure):
            # a program that is still answering (after Ctrl-C) would not read it
            if self.is_alive and not self.is_asked:
                self.goodbye()
                patience = GOODBYE
        self.end(patience)
        self.errors.close()
