"""A clock for searches that run in the threads of their callers: it stops them when their time is
over."""

from __future__ import annotations

import threading
import time

from prunus.kernel.guard import Stoppable


class _Alarm:
    """A thread that sleeps until the next search is to be stopped."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.due: dict[object, tuple[float, Stoppable]] = {}
        self.wakes: float | None = None
        """When the thread will look next; None: when it is told to."""
        self.thread: threading.Thread | None = None

    def _live(self) -> None:
        with self.changed:
            while True:
                now = time.perf_counter()
                for mark, (when, memory) in list(self.due.items()):
                    if when <= now:
                        del self.due[mark]
                        memory.stop(asked=False)
                self.wakes = min((when for when, _ in self.due.values()), default=None)
                left = None if self.wakes is None else max(0.0, self.wakes - now)
                # No lock waits for centuries; woken before the time, the thread looks again.
                self.changed.wait(None if left is None else min(left, threading.TIMEOUT_MAX))


_alarm = _Alarm()


def set(memory: Stoppable, when: float) -> object:
    """Stop the search of this memory at a time (of `time.perf_counter`), unless it is cleared
    before; the mark that is returned clears it."""
    mark = object()
    with _alarm.changed:
        _alarm.due[mark] = (when, memory)
        if _alarm.wakes is None or when < _alarm.wakes:
            _alarm.changed.notify()
        if _alarm.thread is None:
            _alarm.thread = threading.Thread(target=_alarm._live, name="prunus-alarm", daemon=True)
            _alarm.thread.start()
    return mark


def clear(mark: object) -> None:
    """Forget an alarm: after this, it does not stop its search any more."""
    with _alarm.changed:
        _alarm.due.pop(mark, None)


def forget_thread() -> None:
    """Start without a thread after a fork: it does not survive it."""
    _alarm.__init__()  # type: ignore[misc]
