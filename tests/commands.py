"""Running commands as people do: to their end, or beside the test."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager


def prunus(*words, stdin="", status=0):
    """A command that has ended with this status, and without a traceback."""
    command = [sys.executable, "-m", "prunus.cli.main", *words]
    done = subprocess.run(
        command, input=stdin, capture_output=True, text=True, timeout=170, check=False
    )
    assert done.returncode == status, (words, done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    return done


@contextmanager
def started(*words, **options) -> Iterator[subprocess.Popen[str]]:
    """A command that runs beside the test, and is killed with it."""
    # A job in the background ignores the signal of Ctrl-C, and hands that down.
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    command = [sys.executable, "-m", "prunus.cli.main", *words]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
    ) as process:
        signal.signal(signal.SIGINT, before)
        try:
            yield process
        finally:
            process.kill()
