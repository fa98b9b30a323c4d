"""The clock of searches that run in the threads of their callers."""

from __future__ import annotations

import threading
import time

from prunus.kernel import alarm


class Search:
    """Something that an alarm stops."""

    def __init__(self):
        self.stopped = threading.Event()

    def stop(self, asked=True):
        self.stopped.set()


def test_an_alarm_that_never_rings_keeps_no_other_from_ringing():
    far, near = Search(), Search()
    marks = [alarm.set(far, time.perf_counter() + 1e15)]
    time.sleep(0.1)  # the thread waits for the far one
    marks.append(alarm.set(near, time.perf_counter() + 0.05))
    assert near.stopped.wait(30)
    assert not far.stopped.is_set()
    for mark in marks:
        alarm.clear(mark)
