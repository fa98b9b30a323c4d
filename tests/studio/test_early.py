"""The seconds of an analysis, and the code that its game has or has not."""

from __future__ import annotations

import time
from threading import Event

import pytest

from prunus.kernel import backends
from prunus.kernel.code.recent import Recent
from prunus.run import soon
from prunus.run.limits import Stop
from prunus.studio import work
from prunus.studio.messages import Analyse, Place
from prunus.studio.offer import Offer


@pytest.fixture
def endless_compiling(monkeypatch):
    """No game has code, and none gets any before the test is over; none has been played, after
    which its searches wait for their code. The interpreter has a small part of the seconds, that a
    busy machine leaves some to wait in."""
    over = Event()
    monkeypatch.setattr(work, "EARLY", 0.3)
    monkeypatch.setattr(soon, "_allowances", Recent(soon.GAMES))
    monkeypatch.setattr(backends, "_ready", lambda *asked: None)
    monkeypatch.setattr(backends, "_compiled", lambda *asked: over.wait(60))
    for module in (work, soon):
        monkeypatch.setattr(module, "is_at_hand", lambda *asked: False)
    monkeypatch.setattr(work, "is_loaded", lambda *asked: False)
    yield
    over.set()


def analysed(lines, seconds, stop, tell):
    place = Place(game="connect-four")  # of whose plies the interpreter ends some at once
    request = Analyse(id=1, do="analyse", place=place, seconds=seconds, lines=lines)
    found = work.analyse(request, Offer(), stop, tell)
    assert found["best"] is not None
    assert len(found.get("lines", [0])) == lines
    assert not found["ready"]
    return found


@pytest.mark.parametrize("lines", [1, 3])
def test_the_seconds_of_an_analysis_contain_compiling(endless_compiling, lines):
    began = time.perf_counter()
    found = analysed(lines, 3.0, Stop(), lambda kind, data: None)
    assert time.perf_counter() - began < 30.0, "half of what compiling would take"
    assert 0 <= found["compiling"] < time.perf_counter() - began


@pytest.mark.parametrize("lines", [1, 3])
def test_an_analysis_says_how_long_it_waits_for_its_code(endless_compiling, lines):
    """Until it has said so it may take as long as the code."""
    stop, told = Stop(), []

    def tell(kind, data):
        if kind == "progress" and data["compiling"] > 0:
            told.append(data["compiling"])
            stop.now()

    began = time.perf_counter()
    found = analysed(lines, 50.0, stop, tell)
    assert 0 < max(told) <= found["compiling"] < time.perf_counter() - began


@pytest.mark.parametrize("loaded", [False, True])
def test_code_on_disk_is_not_waited_for(monkeypatch, loaded):
    """Reading it takes as long as a short analysis; until it is there the interpreter searches."""
    monkeypatch.setattr(soon, "_allowances", Recent(soon.GAMES))
    monkeypatch.setattr(work, "is_at_hand", lambda *asked: True)
    monkeypatch.setattr(work, "is_loaded", lambda *asked: loaded)
    rounds = []
    monkeypatch.setattr(work, "_iterations", lambda *asked: iter(rounds.append(asked[-1]) or ()))
    request = Analyse(id=1, do="analyse", place=Place(game="nim"), seconds=2.0)
    work.analyse(request, Offer(), Stop(), lambda kind, data: None)
    assert rounds == ([False] if loaded else [True, False])


def test_rounds_of_an_analysis_tell_no_depth_twice(monkeypatch):
    """The interpreter begins where there is no code, and has a part of the time; the compiled
    search begins at the first depth again."""
    rounds, told = [], []
    deepest = [3, 4]

    def iterations(request, game, position, chosen, stop, progress, is_early):
        rounds.append((round(request.seconds), is_early))
        for depth in range(1, deepest[len(rounds) - 1] + 1):
            last = {"proved": False, "interrupted": False, "nodes": 10 * depth}
            yield {"value": 0, "depth": depth, **last}
        yield {"value": 0, "depth": depth, **last, "interrupted": True}

    monkeypatch.setattr(work, "_iterations", iterations)
    monkeypatch.setattr(work, "_begins_early", lambda *asked: True)
    request = Analyse(id=1, do="analyse", place=Place(game="nim"), seconds=10.0)
    found = work.analyse(
        request, Offer(), Stop(), lambda kind, data: told.append((kind, data.get("depth")))
    )
    assert rounds == [(3, True), (10, False)]
    assert [depth for kind, depth in told if kind == "iteration"] == [1, 2, 3, 4]
    assert found["depth"] == 4
