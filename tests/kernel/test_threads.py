"""Searches in threads of their own."""

from __future__ import annotations

import gc
import sys
import threading
import time
import weakref
from contextlib import suppress
from functools import partial

import pytest

from prunus.kernel import alarm, threads
from prunus.kernel.memory import Stopped
from prunus.kernel.reporting.locating import PREFIX


class Told:
    """Stands in for a search's memory; its search takes a while to end."""

    def __init__(self) -> None:
        self.stopped = False
        self.over = False

    def stop(self, asked: bool = True) -> None:
        self.stopped = True

    def search(self) -> int:
        while not self.stopped:
            time.sleep(0.001)
        time.sleep(0.05)
        self.over = True
        return 1


@pytest.mark.parametrize("error", [ValueError, SystemExit])
def test_whoever_watches_may_fail(error):
    """The search has ended before anyone gets its memory back."""
    told = Told()

    def watch():
        raise error

    with pytest.raises(error):
        threads.run(told.search, told, watch=watch)
    assert told.over


class Ending(Told):
    """Its search ends as compiled ones do: by an error, at the next node after it was stopped."""

    def search(self) -> int:
        self.thread = threading.get_ident()
        end = time.perf_counter() + 30
        while time.perf_counter() < end:
            time.sleep(0.001)
            if self.stopped:
                raise Stopped
        return 1


def test_a_search_in_a_worker_stays_there_and_is_stopped_in_time():
    told, other = Ending(), Told()

    def work():
        ended = threads.run(told.search, told, seconds=0.05)
        quick = threads.run(lambda: 7, other, seconds=0.02)
        time.sleep(0.1)
        return threading.get_ident(), ended, quick

    worker, ended, quick = threads.start(work).result(60)
    assert ended == (None, True)
    assert quick == (7, False)
    assert told.thread == worker != threading.get_ident()
    assert not other.stopped  # the alarm of a search that is over stops nothing


def test_alarms_ring_in_their_order():
    rung = []

    class Noted:
        def __init__(self, name):
            self.name = name

        def stop(self, asked=True):
            rung.append((self.name, asked))

    now = time.perf_counter()
    late = alarm.set(Noted("late"), now + 60)
    for name, after in (("third", 0.15), ("first", 0.05), ("second", 0.1)):
        alarm.set(Noted(name), now + after)
    cleared = alarm.set(Noted("cleared"), now + 0.08)
    alarm.clear(cleared)
    while len(rung) < 3 and time.perf_counter() < now + 30:
        time.sleep(0.01)
    assert rung == [("first", False), ("second", False), ("third", False)]
    alarm.clear(late)
    alarm.clear(late)


def test_errors_of_a_search_in_a_worker_come_through():
    def wrong():
        raise ZeroDivisionError("here")

    def work():
        return threads.run(wrong, Told(), seconds=5)

    with pytest.raises(ZeroDivisionError, match="here"):
        threads.start(work).result(60)


def refused(told):
    raise ValueError


def refused_as_compiled(told):
    """The error's place is one in compiled code, as such code tells it."""
    file = f"{PREFIX}{refused.__module__}"
    exec(compile("raise ValueError", file, "exec").replace(co_name="refused"), {})


@pytest.mark.parametrize("search", [Ending.search, refused, refused_as_compiled])
def test_a_search_that_has_ended_is_not_held(search):
    """Whether it was stopped, has failed, or its thread waits for the next one: what it worked with
    is free at once, not when Python next looks for circles."""
    told = Ending()
    held = weakref.ref(told)
    gc.disable()
    try:
        with suppress(ValueError):
            ended = threads.run(partial(search, told), told, 0.01)
            assert ended == (None, True)
        with suppress(ValueError):
            threads.start(partial(refused_as_compiled, told)).result()
        del told
        end = time.perf_counter() + 10  # until the thread has come to its next line
        while held() is not None and time.perf_counter() < end:
            time.sleep(0.001)
        assert held() is None
    finally:
        gc.enable()


def large() -> None:
    """A function with a large frame."""


large.__code__ = large.__code__.replace(co_stacksize=300)


def most_faults(calls: int) -> int:
    """How often a hundred calls of `large` touched a page of memory anew, at most, below up to so
    many calls in each other."""
    import resource

    def touched() -> int:
        return resource.getrusage(resource.RUSAGE_THREAD).ru_minflt

    before = touched()
    for _ in range(100):
        large()
    faults = touched() - before
    return max(faults, most_faults(calls - 1)) if calls else faults


@pytest.mark.skipif(sys.platform != "linux", reason="page faults of a thread are told by Linux")
def test_frames_are_not_asked_for_at_each_call():
    """Where a call's frame does not fit into what Python has taken, it asks the system for more,
    and gives it back after the call."""
    most_faults(0)
    assert threads.start(partial(most_faults, 400)).result() < 50
