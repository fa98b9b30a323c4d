"""Something done in a process of its own: what kills it or never ends is found out, too."""

from __future__ import annotations

import os
import pickle
import resource
import select
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOM = 4 << 30
"""The bytes that the process may use."""


class Ended(Exception):
    """The process gave no result; the message says how it ended."""


def apart(call: Callable[[], Any], seconds: float) -> Any:
    """The result of `call`, which runs in a copy of this process (Unix; made with `fork`, so that
    what is imported already costs nothing) for `seconds` at most. Its result must pickle. Raises
    Ended if it raises, crashes or takes longer."""
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        os.close(reading)
        _work(call, writing)
    os.close(writing)
    try:
        data = _read(reading, seconds)
    finally:
        os.close(reading)
        if not _is_over(process):
            os.kill(process, signal.SIGKILL)
        _, status = os.waitpid(process, 0)
    if data is None:
        raise Ended(f"did not end within {seconds:.0f} s")
    if not data:
        ended = os.waitstatus_to_exitcode(status)
        raise Ended(f"crashed: {signal.Signals(-ended).name if ended < 0 else ended}")
    kind, value = pickle.loads(data)  # noqa: S301 - our own
    if kind == "error":
        raise Ended(value)
    return value


def _in_use() -> int:
    """The bytes of address space that this process has, with what its parent left it."""
    sizes = Path("/proc/self/statm")
    return int(sizes.read_text().split()[0]) * resource.getpagesize() if sizes.exists() else 0


def _work(call: Callable[[], Any], writing: int) -> None:
    try:
        room = _in_use() + ROOM
        resource.setrlimit(resource.RLIMIT_AS, (room, room))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        try:
            data = pickle.dumps(("value", call()))
        except BaseException as error:  # what it is goes to the reader
            data = pickle.dumps(("error", f"{type(error).__name__}: {str(error)[:300]}"))
        while data:
            data = data[os.write(writing, data) :]
    finally:
        os._exit(1)  # whatever happens, this copy never goes on with what its parent does


def _read(reading: int, seconds: float) -> bytes | None:
    """All that comes until the other end is closed; None if that takes longer."""
    found, end = b"", time.monotonic() + seconds
    while True:
        ready, _, _ = select.select([reading], [], [], max(0.0, end - time.monotonic()))
        if not ready:
            return None
        part = os.read(reading, 1 << 16)
        if not part:
            return found
        found += part


def _is_over(process: int) -> bool:
    return os.waitid(os.P_PID, process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
