"""What finished searches leave behind does not stay with the server."""

from __future__ import annotations

import gc
import sys
import time
import weakref

import pytest

from prunus.studio.tidying import Tidying


@pytest.mark.skipif(sys.platform != "linux", reason="malloc_trim is the C library's of Linux")
def test_memory_goes_back_once_in_a_while():
    tidying = Tidying(every=0.01)
    time.sleep(0.02)
    assert tidying.after_search()
    time.sleep(0.02)
    assert tidying.after_search()
    seldom = Tidying(every=3600.0)
    assert not seldom.after_search()


def test_without_the_function_nothing_is_done():
    tidying = Tidying(every=0.01)
    tidying.trim = None
    assert not tidying.after_search()


def test_after_the_last_search_garbage_is_collected():
    """Once, however many searches there were; not while there are more of them."""
    collected = []

    def collect():  # the process's other threads may collect, and are not counted
        collected.append(gc.collect())

    tidying = Tidying(every=60.0, collect=collect)
    tidying.after_search()
    first = tidying.timer
    tidying.after_search()
    assert tidying.timer is first
    first.cancel()
    tidying._at_rest()  # as if the first search had been long ago, and the second had not
    assert not collected
    tidying.timer.cancel()
    tidying.used -= 100.0
    tidying._at_rest()
    assert len(collected) == 1
    assert tidying.timer is None


def test_what_refers_to_itself_is_garbage():
    """The usual collection finds a ring of which nothing else knows."""

    class Ring:
        def __init__(self):
            self.itself = self

    tidying = Tidying(every=60.0)
    gc.disable()
    try:
        ring, end = weakref.ref(Ring()), time.monotonic() + 30
        # Python collects nothing while another thread is collecting.
        while ring() is not None and time.monotonic() < end:
            tidying.used -= 100.0
            tidying._at_rest()
        assert ring() is None
    finally:
        gc.enable()


def test_the_rest_comes_by_itself():
    tidying = Tidying(every=0.01)
    tidying.after_search()
    end = time.monotonic() + 30
    while tidying.timer is not None and time.monotonic() < end:
        time.sleep(0.02)
    assert tidying.timer is None
