"""Waiting for a compilation that runs in another thread."""

from __future__ import annotations

from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooLate

import pytest

from prunus.kernel import waiting
from prunus.kernel.waiting import NotReady, Patience, waited_for


class Late(Future):
    """Work that ends just after somebody has waited for it in vain."""

    def __init__(self, result=None, error=None):
        super().__init__()
        self.ends = result, error

    def result(self, timeout=None):
        if self.done():
            return super().result(timeout)
        result, error = self.ends
        if error is None:
            self.set_result(result)
        else:
            self.set_exception(error)
        raise TooLate


def test_what_ends_when_the_waiting_does_is_the_answer(monkeypatch):
    monkeypatch.setattr(waiting.threads, "start", lambda work: Late(7))
    assert waited_for("late", lambda: 7, Patience()) == 7
    monkeypatch.setattr(waiting.threads, "start", lambda work: Late(error=TooLate("its own")))
    with pytest.raises(TooLate, match="its own"):
        waited_for("late", lambda: 7, Patience())


def test_nobody_waits_when_the_time_is_over(monkeypatch):
    never = Future()
    monkeypatch.setattr(waiting.threads, "start", lambda work: never)
    with pytest.raises(NotReady):
        waited_for("never", lambda: 7, Patience(until=0.0))
    never.set_result(7)
    assert not waiting.is_busy()
