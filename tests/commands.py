"""Running commands as users do: to their end, or alongside the test."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tests.processes import forked


def prunus(*words, stdin="", status=0):
    """The outcome of a command that must end with this status and without a traceback."""
    done = forked(words, stdin=stdin)
    assert done.returncode == status, (words, done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    return done


@contextmanager
def started(*words, **options) -> Iterator[subprocess.Popen[str]]:
    """A command that runs alongside the test and is killed when the test ends."""
    # A background job ignores the Ctrl-C signal, and its children inherit that.
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    command = [sys.executable, "-m", "prunus", *words]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
    ) as process:
        signal.signal(signal.SIGINT, before)
        try:
            yield process
        finally:
            process.kill()
