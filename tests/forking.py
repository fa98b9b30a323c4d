"""A process that has loaded Prunus and Numba and forks for each program that a test starts.

A program then runs as in a new process, without the second that loading takes: nothing has been
searched or compiled before it, and its streams, working folder, environment, exit status and end
are its own. It shares the seed of Python's hashes with the others, and has loaded more than it may
need: tests of either start a Python of their own. `tests.processes` sends the requests.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import runpy
import signal
import socket
import sys
import types
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from numba.core.registry import cpu_target

STREAMS = 3
LOADED = (
    "numba.np.arraymath",
    "prunus.cli.main",
    "prunus.cli.matches",
    "prunus.cli.searching",
    "prunus.cli.tracing",
    "prunus.kernel.compiling.compiled",
    "prunus.run.driver",
    "pydantic.type_adapter",
)
"""What nearly all programs load, and what others load for them if it is installed."""


def main(descriptor: int) -> None:
    """Answer requests from a socket until it is closed. Returns in the child, whose program has
    then run to its end."""
    for name in LOADED:
        with suppress(ImportError):
            importlib.import_module(name)
    cpu_target.typing_context.refresh()
    cpu_target.target_context.refresh()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # meant for the tests
    gc.freeze()
    with socket.socket(fileno=descriptor) as requests:
        while True:
            message, streams, _, _ = socket.recv_fds(requests, 1, 1 + STREAMS)
            if not message:
                return
            child = os.fork()
            if child == 0:
                break
            for stream in streams:
                os.close(stream)
            requests.sendall(child.to_bytes(8, "little"))
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            requests.sendall(status.to_bytes(8, "little", signed=True))
    with os.fdopen(streams[0], "rb") as file:
        request = json.load(file)
    _become(request, streams[1:])


def _become(request: dict[str, Any], streams: Sequence[int]) -> None:
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.dont_write_bytecode = bool(request["environment"].get("PYTHONDONTWRITEBYTECODE"))
    sys.argv[1:] = request["words"]
    if request["program"] is None:
        sys.path[0] = request["folder"]
        runpy.run_module("prunus", run_name="__main__", alter_sys=True)
        return
    sys.argv[0], sys.path[0] = "-c", ""
    sys.modules["__main__"] = types.ModuleType("__main__")
    exec(compile(request["program"], "<string>", "exec"), vars(sys.modules["__main__"]))


if __name__ == "__main__":
    main(int(sys.argv[1]))
