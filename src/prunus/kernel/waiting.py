"""Waiting for a compilation: watching the clock, and no longer than the caller allows.

A compilation cannot be interrupted. It runs in a thread of its own, so that the thread that waits
can be interrupted, show how long it takes, or stop waiting; the compilation then goes on, and its
result is kept for the next search. When the process ends, a compilation is abandoned before the
next function it would start on.
"""

from __future__ import annotations

import atexit
import time
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooLate
from dataclasses import dataclass
from typing import Any, Final

from prunus.kernel import threads

LAST_STEP: Final = 3.0
"""Seconds that the end of a process waits for a compilation that is in its last and longest
step."""


class NotReady(Exception):
    """Raised when the waiting time is over and the code is not ready."""


class GivenUp(BaseException):
    """Raised inside a compilation when the process ends."""


@dataclass(frozen=True)
class Patience:
    """How long to wait (until `time.perf_counter` reaches `until`; None: as long as it takes), and
    a function that is called several times a second with the seconds waited."""

    until: float | None = None
    watch: Callable[[float], None] | None = None


_running: dict[Hashable, Future[Any]] = {}
_ending = [False]


def waited_for(key: Hashable, work: Callable[[], Any], patience: Patience) -> Any:
    """The result of `work()`, which runs in another thread. If work with this key is already
    running, wait for its result.

    Raises NotReady when the time is over and KeyboardInterrupt at Ctrl-C; the work goes on.
    """
    future = _running.get(key)
    if future is None:
        future = _running[key] = threads.start(work)
        future.add_done_callback(lambda _: _running.pop(key, None))
    began = time.perf_counter()
    while True:
        now = time.perf_counter()
        left = 0.1 if patience.until is None else min(0.1, patience.until - now)
        if left <= 0 and not future.done():
            raise NotReady
        try:
            return future.result(max(0.0, left))
        except TooLate:
            if future.done():  # meanwhile; or the work itself raised this
                return future.result()
        if patience.watch is not None:
            patience.watch(time.perf_counter() - began)


def go_on() -> None:
    """Called by a compilation before it starts on each function. Raises GivenUp when the process
    ends."""
    if _ending[0]:
        raise GivenUp


def is_busy() -> bool:
    """Whether a compilation is running."""
    return bool(_running)


def _end() -> None:
    _ending[0] = True
    until = time.perf_counter() + LAST_STEP
    for future in list(_running.values()):
        try:
            future.exception(max(0.0, until - time.perf_counter()))
        except TooLate:
            return


atexit.register(_end)
