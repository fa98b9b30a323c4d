"""Running a search in a thread of its own, so that Ctrl-C, a time limit or a progress display can
reach it."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, nullcontext, suppress
from queue import SimpleQueue
from typing import Any, Final

from prunus.kernel import alarm, guard
from prunus.kernel.guard import Stoppable
from prunus.kernel.memory import Stopped
from prunus.kernel.reporting.locating import located

STACK_BYTES = 256 << 20
"""The stack for the deepest recursion; memory is only taken as it is used."""

RECURSION = 50_000


def _has_usual_limit() -> bool:
    try:
        import resource
    except ImportError:  # not a system that tells
        return False
    limit = resource.getrlimit(resource.RLIMIT_STACK)[0]
    return limit == resource.RLIM_INFINITY or limit >= 8 << 20


_USUAL: Final = _has_usual_limit()

_lock = threading.Lock()
_running: list[int] = []
"""The recursion limit that each running search found at its start; the first is the program's
own."""


def run(
    search: Callable[[], Any],
    memory: Stoppable,
    seconds: float | None = None,
    watch: Callable[[], None] | None = None,
    interpreted: bool = True,
) -> tuple[Any, bool]:
    """The result of `search()` and whether it was stopped (then the result is None).

    It runs in a worker thread and is stopped, at its next node, after `seconds` or by Ctrl-C. If
    the caller is in a worker thread (`start`), it runs there.
    `watch` is called several times a second. However the call ends, even by an error in `watch`,
    the search has ended by then: the caller may reuse its memory. An `interpreted` search may
    recurse deeper than Python usually allows."""
    if watch is None and getattr(_here, "is_worker", False):
        with _deep_recursion() if interpreted else nullcontext():
            return _run_inside(search, memory, seconds)
    outcome: list[Any] = []
    begun: list[bool] = []
    given_up: list[bool] = []
    # `join` loses track of the thread when Ctrl-C interrupts it; an event makes a lock for each
    # wait.
    going = threading.Lock()
    going.acquire()

    def work() -> None:
        begun.append(True)
        try:
            if given_up:
                raise Stopped
            outcome.append((search(), None))
        except BaseException as error:  # raised in the caller's thread below
            outcome.append((None, located(error)))

    with _deep_recursion() if interpreted else nullcontext():
        try:
            _start(work, going.release)
            _wait(outcome, going, memory, seconds, watch)
        except BaseException:
            given_up.append(True)
            _end(begun, outcome, going, memory)
            raise
    # Taken out: the error knows the frame of `work`, which knows the list. In a circle the search's
    # tables would last until Python next looks for circles, which can be gigabytes later.
    result, error = outcome.pop()
    try:
        if isinstance(error, Stopped):
            return None, True
        if error is not None:
            raise error
        return result, False
    finally:
        del error


def _run_inside(
    search: Callable[[], Any], memory: Stoppable, seconds: float | None
) -> tuple[Any, bool]:
    """`run` in a worker thread: the search needs no other thread, which would cost two changes of
    thread. The alarm stops it."""
    mark = None if seconds is None else alarm.set(memory, time.perf_counter() + seconds)
    try:
        return search(), False
    except Stopped:
        return None, True
    except BaseException as error:
        located(error)
        raise
    finally:
        if mark is not None:
            alarm.clear(mark)


def run_here(search: Callable[[], Any], memory: Stoppable) -> tuple[Any, bool]:
    """Like `run`, but in the caller's thread, where Python handles Ctrl-C after the search: for
    short ones. One that takes longer than `guard.PATIENCE` is stopped at its next node."""
    mark = guard.begin(memory)
    result = None
    try:
        result = search()
    except Stopped:
        mark.stopped = True
    except BaseException as error:
        located(error)
        raise
    finally:
        guard.end()
    return (None, True) if mark.stopped else (result, False)


def has_usual_stack() -> bool:
    """Whether the calling thread is known to have the usual stack of 8 megabytes: the main thread,
    on systems that report it."""
    return _USUAL and threading.get_ident() == threading.main_thread().ident


def start(search: Callable[[], Any]) -> Future[Any]:
    """Begin `search()` in a worker thread of its own; the Future gets its result or its error."""
    future: Future[Any] = Future()
    asked = [future]  # taken out, against the circle that `run` tells of

    def work() -> None:
        try:
            asked[0].set_result(search())
        except BaseException as error:  # raised when the Future is asked
            asked.pop().set_exception(located(error))

    _start(work, lambda: None)
    return future


@contextmanager
def _deep_recursion() -> Iterator[None]:
    """Raise Python's recursion limit, which is too low for an interpreted search to the end of a
    long game, until the last search is over.

    Python has one limit for all threads. That of Python 3.11 also counts calls that take stack (of
    a key of `sorted`, a property, a generator). Meanwhile a function of another thread that calls
    itself without end in such a way overflows a usual stack, which ends the process, before it
    would get RecursionError. Calls between plain functions take no stack and do get it; from Python
    3.12 on the limit counts only those."""
    with _lock:
        _running.append(sys.getrecursionlimit())
        sys.setrecursionlimit(max(_running[0], RECURSION))
    try:
        yield
    finally:
        with _lock:
            before = _running[0]
            _running.pop()
            if not _running:
                sys.setrecursionlimit(before)


LOOK = 0.1
"""Seconds between two checks of a running search: for progress, Ctrl-C and its time limit."""


ROOM: Final = 4 << 20
"""Bytes for the frames of calls in a worker thread, some ten thousand of them: see `_with_room`."""


def _with_room(call: Callable[[], None]) -> None:
    """Call this with room for the frames of calls in it.

    Python puts frames into pieces of 16 KB, asks the system for one when a call does not fit any
    more, and gives it back as soon as that call returns. A compilation, or an interpreted search,
    that calls to and fro across the end of a piece does so tens of thousands of times, each for
    some microseconds. This function's own frame claims ROOM, so the piece that it gets is twice as
    large, and the other half is for the calls. What is not used takes no memory; but whoever looks
    at this frame as an object, as debuggers do, makes one of that size."""
    call()


_with_room.__code__ = _with_room.__code__.replace(co_stacksize=ROOM // 8)


class _Worker:
    """A thread that waits for the next search after finishing one: making a new thread's stack
    costs more than many a search."""

    def __init__(self) -> None:
        self.work: SimpleQueue[tuple[Callable[[], None], Callable[[], None]]] = SimpleQueue()

    def begin(self) -> None:
        """Start the thread."""
        before = threading.stack_size(STACK_BYTES)
        try:
            threading.Thread(
                target=_with_room, args=(self._live,), name="prunus-search", daemon=True
            ).start()
        finally:
            threading.stack_size(before)

    def _live(self) -> None:
        _here.is_worker = True
        while True:
            work, done = self.work.get()
            work()
            del work  # and the memory of the search with it
            # Without a lock, so that the caller of the next search never waits for it; and before
            # anyone is told of the end, so that the next search finds this thread.
            _idle.append(self)
            done()


_idle: list[_Worker] = []

_here = threading.local()
"""`is_worker` says that the current thread is a worker."""


def _forget_threads() -> None:
    """Start without threads after a fork: they do not survive it."""
    _idle.clear()
    _running.clear()
    guard.forget_thread()
    alarm.forget_thread()
    _lock.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_forget_threads
    )


def _start(work: Callable[[], None], done: Callable[[], None]) -> None:
    """Let a thread do the work, which must not raise, and call `done` when the thread is free
    again."""
    try:
        worker = _idle.pop()
    except IndexError:
        worker = _Worker()
        with _lock:
            worker.begin()
    worker.work.put((work, done))


def _end(begun: list[bool], outcome: list[Any], going: threading.Lock, memory: Stoppable) -> None:
    """Stop a search that has begun, and wait until it has ended, ignoring Ctrl-C meanwhile."""
    while begun and not outcome:
        with suppress(KeyboardInterrupt):
            memory.stop()
            going.acquire(timeout=LOOK)


def _wait(
    outcome: list[Any],
    going: threading.Lock,
    memory: Stoppable,
    seconds: float | None,
    watch: Callable[[], None] | None,
) -> None:
    """Wait until there is an outcome. It is set before the lock is released, because Ctrl-C may
    interrupt the acquisition unnoticed."""
    end = None if seconds is None else time.perf_counter() + seconds
    while not outcome:
        try:
            left = LOOK if end is None else min(LOOK, max(0.0, end - time.perf_counter()))
            if going.acquire(timeout=left):
                return
            if end is not None and time.perf_counter() >= end:
                memory.stop(asked=False)
                # wait for the search to notice; asking repeatedly would keep it from the GIL
                end = None
            if watch is not None:
                watch()
        except KeyboardInterrupt:
            memory.stop()
