"""Programs in processes of their own, forked from one that has loaded what they need."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import Any

_server: list[tuple[subprocess.Popen[bytes], socket.socket]] = []


def forked(
    words: Sequence[object] = (),
    *,
    program: str | None = None,
    stdin: str = "",
    environment: Mapping[str, str] | None = None,
    seconds: float = 170,
) -> subprocess.CompletedProcess[str]:
    """What becomes of `prunus WORDS`, or of a program (as after `python -c`) with these words. Its
    environment is this process's if not given; raises TimeoutExpired if it takes longer."""
    request = {
        "words": [str(word) for word in words],
        "program": program,
        "folder": os.getcwd(),
        "environment": dict(os.environ if environment is None else environment),
    }
    with ExitStack() as open_files:
        files = [
            open_files.enter_context(tempfile.TemporaryFile("w+", encoding="utf-8", newline=""))
            for _ in range(4)
        ]
        for file, text in zip(files, (json.dumps(request), stdin), strict=False):
            file.write(text)
            file.seek(0)
        status = _status(request, [file.fileno() for file in files], seconds)
        for file in files[2:]:
            file.seek(0)
        out, errors = (file.read() for file in files[2:])
    return subprocess.CompletedProcess(list(words), status, out, errors)


def _status(request: dict[str, Any], files: list[int], seconds: float) -> int:
    """The exit status, negative if a signal ended the process."""
    channel = _channel()
    socket.send_fds(channel, [b"."], files)
    child = int.from_bytes(channel.recv(8), "little")
    channel.settimeout(seconds)
    try:
        return int.from_bytes(channel.recv(8), "little", signed=True)
    except TimeoutError:
        os.kill(child, signal.SIGKILL)
        channel.settimeout(None)
        channel.recv(8)
        raise subprocess.TimeoutExpired(request["words"], seconds) from None
    finally:
        channel.settimeout(None)


def _channel() -> socket.socket:
    """The way to the process that forks, which is started when first needed."""
    if not _server:
        here, there = socket.socketpair()
        with there:
            started = subprocess.Popen(
                [sys.executable, "-m", "tests.forking", str(there.fileno())],
                pass_fds=[there.fileno()],
            )
        _server.append((started, here))
    return _server[0][1]


def end() -> None:
    """End the process that forks, if it runs."""
    while _server:
        started, channel = _server.pop()
        channel.close()
        started.wait()
