"""The status line: the progress of a command."""

from __future__ import annotations

import os
import shutil
import sys
import time
from typing import Final

import typer

USUAL: Final = 80
"""The columns of a terminal that does not tell how many it has."""


class Status:
    """On a terminal one line of standard error that is overwritten, at most every `often` seconds;
    elsewhere whole lines, at most every `seldom` seconds (None: none). Nothing appears before
    `patience` seconds have passed."""

    def __init__(
        self, patience: float = 2.0, often: float = 0.1, seldom: float | None = 60.0
    ) -> None:
        self.is_terminal = sys.stderr.isatty()
        self.patience, self.pause = patience, often if self.is_terminal else seldom
        self.is_shown = False
        self.begin()

    def begin(self) -> None:
        """Begin something else: `patience` counts from now."""
        self.began = time.perf_counter()
        self.last = self.began - (self.pause or 0) if self.is_terminal else self.began

    def show(self, text: str, at_once: bool = False) -> None:
        """Show this text unless it is too soon; with `at_once`, in any case."""
        if self.pause is None:
            return
        now = time.perf_counter()
        is_early = now - self.began < self.patience or now - self.last < self.pause
        if is_early and not at_once:
            return
        self.last = now
        if self.is_terminal:
            typer.echo(f"\r{text[: _width() - 1]}\x1b[K", err=True, nl=False)
            self.is_shown = True
        else:
            typer.echo(text, err=True)

    def clear(self) -> None:
        """Erase the line from the terminal."""
        if self.is_shown:
            typer.echo("\r\x1b[K", err=True, nl=False)
            self.is_shown = False

    def keep(self) -> None:
        """Leave the line where it is and continue below it."""
        if self.is_shown:
            typer.echo("", err=True)
            self.is_shown = False


def _width() -> int:
    """The columns of the terminal that standard error is; standard output may be another one, or a
    file."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or USUAL
    except OSError:
        return shutil.get_terminal_size((USUAL, 24)).columns
