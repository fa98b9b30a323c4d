"""Searches in threads of their own."""

from __future__ import annotations

import time

import pytest

from prunus.kernel import threads


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
