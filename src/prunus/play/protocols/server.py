"""A conversation on standard input and output: lines in, lines out, and the end.

Lines are read in a thread of their own, so that `quit` and the end of the input are noticed while
something else takes long.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Final

from prunus.kernel.pipeline.garbage import unexamined

GOODBYE: Final = 0.3
"""Seconds that a search may take to say its last word when the conversation ends."""


class Server:
    """One end of a conversation. A derived class answers in `handle`."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self.ending = threading.Event()
        """Set as soon as `quit` or the end of the input has been read."""
        self.is_loaded = False
        """Whether all that takes long has been loaded before the conversation begins."""
        self.calm: ExitStack | None = None
        """While the conversation lasts: what there was when it last settled is not examined for
        garbage."""

    def say(self, *lines: str) -> None:
        """Send lines, together and at once."""
        with self.lock:
            try:
                sys.stdout.write("".join(f"{line}\n" for line in lines))
                sys.stdout.flush()
            except (OSError, ValueError):  # nobody listens any more
                os._exit(0)

    def handle(self, line: str) -> None:
        """Answer a line that is not empty."""
        raise NotImplementedError

    def hurry(self) -> None:
        """End what takes long: the conversation is about to end. Called in the reading thread."""

    def farewell(self) -> None:
        """Wait for the last word of what `hurry` has ended."""

    def complain(self, error: Exception) -> None:
        """Say that a line was not understood, or could not be carried out."""
        raise NotImplementedError

    def run(self) -> None:
        """Converse until `quit` or the end of the input; then the process ends, whatever else it is
        doing."""
        self.calm = ExitStack()
        if self.is_loaded:
            self.settle()
        threading.Thread(target=self._read, name="prunus-input", daemon=True).start()
        for line in self._waiting():
            try:
                self.handle(line)
            except Exception as error:  # no input may end an engine
                self.complain(error)
        self.farewell()
        sys.stdout.flush()
        os._exit(0)

    def settle(self) -> None:
        """Called when all that takes long has been loaded: from now on, moves may have little
        time."""
        if self.calm is not None:
            self.calm.enter_context(unexamined())

    def _read(self) -> None:
        for raw in sys.stdin.buffer:
            line = raw.decode("utf-8", "replace")
            self.lines.put(line)
            if line.split()[:1] == ["quit"] or line.split()[1:2] == ["quit"]:
                break
        self.lines.put(None)
        self.ending.set()
        self.hurry()

    def _waiting(self) -> Iterator[str]:
        while (line := self.lines.get()) is not None:
            if line.strip():
                yield line.strip()
