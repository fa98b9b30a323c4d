"""The line that shows a command's progress."""

from __future__ import annotations

import io
import os
import sys

import pytest

from prunus.cli import status
from prunus.cli.status import Status


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def clock(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(status.time, "perf_counter", lambda: now[0])
    return now


def on(stream, monkeypatch):
    monkeypatch.setattr(sys, "stderr", stream)
    return stream


def test_on_a_terminal_one_line_is_overwritten(clock, monkeypatch):
    shown = on(Terminal(), monkeypatch)
    monkeypatch.setenv("COLUMNS", "20")
    line = Status(patience=2, often=0.5)
    line.show("too soon")
    assert shown.getvalue() == ""
    for seconds, text in ((2, "one"), (2.3, "not yet"), (2.5, "x" * 40)):
        clock[0] = 100 + seconds
        line.show(text)
    assert shown.getvalue() == "\rone\x1b[K" + "\r" + "x" * 19 + "\x1b[K"
    line.clear()
    line.clear()
    line.keep()
    assert shown.getvalue().endswith("x\x1b[K\r\x1b[K")
    line.begin()
    line.show("something else begins")
    line.show("now", at_once=True)
    line.keep()
    assert shown.getvalue().endswith("\x1b[K\r\x1b[K\rnow\x1b[K\n")


def test_elsewhere_lines_are_few(clock, monkeypatch):
    shown = on(io.StringIO(), monkeypatch)
    line, silent = Status(seldom=60), Status(seldom=None)
    for seconds in (0, 10, 59, 60, 61, 119, 121):
        clock[0] = 100 + seconds
        line.show(f"{seconds} s")
        silent.show("never")
        silent.show("never", at_once=True)
    line.clear()
    line.keep()
    assert shown.getvalue() == "60 s\n121 s\n"


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
@pytest.mark.parametrize("columns", [37, 150])
def test_the_line_is_as_wide_as_the_terminal_that_shows_it(monkeypatch, columns):
    """Even if standard output is a file, as in `prunus solve ... > answer`."""
    import fcntl
    import pty
    import struct
    import termios

    monkeypatch.delenv("COLUMNS", raising=False)
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    with open(theirs, "w", buffering=1) as terminal:
        on(terminal, monkeypatch)
        Status(patience=0).show("x" * 300, at_once=True)
        terminal.flush()
        assert os.read(ours, 1000).decode() == "\r" + "x" * (columns - 1) + "\x1b[K"
    os.close(ours)
