"""Builds that put partitions aside, because memory is limited, are those of one machine."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from prunus.cli.databases import _build
from prunus.databases import limit
from prunus.databases.building import Asked, Interrupted, Work
from prunus.databases.cluster import building, deciding, finding, sending, shelf, tasks
from prunus.databases.cluster.building import Shared, build_by
from prunus.databases.cluster.exchange import ExchangeError
from prunus.databases.cluster.workers import Here
from tests.amount import amount
from tests.commands import prunus
from tests.databases import builder
from tests.databases.crews import KINDS, Forgetful, Opened, Stopping, alone

ROOM = 6000
"""Bytes: enough for some partitions of a small game."""


class Counted:
    """What the process takes is what the partitions do that it holds, 2,000 bytes each."""

    def __init__(self, monkeypatch):
        self.aside, self.resumed, self.left = [], [], 0
        monkeypatch.setattr(shelf, "resident", lambda: 2000 * len(tasks.shelf._held))
        put_aside = shelf.Shelf._put_aside
        monkeypatch.setattr(
            shelf.Shelf,
            "_put_aside",
            lambda this: self.aside.append(list(this._held)[-1][0]) or put_aside(this),
        )
        resume = deciding.Decider.resume
        monkeypatch.setattr(
            deciding.Decider,
            "resume",
            lambda *words: self.resumed.append(1) or resume(*words),
        )
        for module in (finding, sending):
            monkeypatch.setattr(module, "BUFFER", 9)
        monkeypatch.setattr(building, "SHARE", 1000)
        run = finding.Finder.run

        def counted(finder, exchange, number, sent):
            made = run(finder, exchange, number, sent)
            self.left += made[0]["left"] > 0
            return made

        monkeypatch.setattr(finding.Finder, "run", counted)


@pytest.fixture
def counted(monkeypatch):
    return Counted(monkeypatch)


def build(opened, folder, crew=None, partitions=7, memory=ROOM):
    shared = Shared(partitions, compile=False, memory=memory)
    build_by(crew or Here(), opened, Path(folder), opened.asked, shared)
    return builder.contents(folder)


@pytest.fixture
def little(monkeypatch):
    """What is asked for is small, whatever it is; only the partitions that are held count."""
    expect = shelf.Shelf.expect
    monkeypatch.setattr(shelf.Shelf, "expect", lambda this, more: expect(this, min(more, 1000)))


@pytest.mark.parametrize("kind", KINDS)
def test_the_files_are_those_of_a_build_in_memory(kind, counted, little, tmp_path):
    for seed in range(amount(2, 60)):
        opened = Opened(kind, 9000 + seed)
        wanted = alone(opened, tmp_path / f"{seed}-alone")
        assert build(opened, tmp_path / f"{seed}", partitions=2, memory=1900) == wanted, seed
    assert {*counted.aside} == {"Finder", "Decider"}
    assert counted.resumed
    assert not list(tmp_path.glob("*.*"))


@pytest.mark.parametrize("kind", ["outcomes", "ranked scores"])
def test_a_build_that_is_stopped_goes_on_with_what_was_put_aside(kind, counted, little, tmp_path):
    draw, stops = random.Random(5), 0
    for seed in range(amount(1, 30)):
        opened, folder = Opened(kind, 9500 + seed), tmp_path / f"{seed}"
        while not folder.exists():
            try:
                found = build(opened, folder, Stopping(draw.randint(5, 40)))
            except Interrupted:
                stops += 1
            finally:
                tasks.shelf.clear()
        assert found == alone(opened, tmp_path / f"{seed}-alone"), seed
    assert stops and counted.resumed


@pytest.mark.parametrize("kind", ["connect-four:width=3,height=3"])
def test_what_a_round_has_no_room_for_is_expanded_in_the_next(kind, counted, little, tmp_path):
    opened = Opened(kind)
    wanted = alone(opened, tmp_path / "alone")
    for name, crew in {"kept": Here(), "forgotten": Forgetful()}.items():
        counted.left = 0
        assert build(opened, tmp_path / name, crew, partitions=2) == wanted
        assert counted.left


@pytest.mark.parametrize("links", [False, True])
def test_what_was_put_aside_and_is_damaged_is_made_again(
    links, counted, little, tmp_path, monkeypatch
):
    opened, load = Opened("outcomes", 9001), finding.Exchange.load
    damaged = []

    def torn(exchange, round_, name, partition, **how):
        if round_ == "aside" and (name == deciding.LINKS) == links:
            damaged.append(name)
            raise ExchangeError("damaged")
        return load(exchange, round_, name, partition, **how)

    monkeypatch.setattr(finding.Exchange, "load", torn)
    wanted = alone(opened, tmp_path / "alone")
    assert build(opened, tmp_path / "db") == wanted
    assert damaged
    assert bool(counted.resumed) == links


def test_whoever_does_a_task_ends_a_round_at_the_same_place(counted, little, tmp_path):
    """The memory of the run that began the build decides, whatever another one has."""
    opened = Opened("connect-four:width=3,height=3")
    with pytest.raises(Interrupted):
        build(opened, tmp_path / "db", Stopping(9), 2)
    assert counted.left
    counted.left = 0
    assert build(opened, tmp_path / "db", memory=0) == alone(opened, tmp_path / "alone")
    assert counted.left


def test_a_partition_that_is_too_large_ends_the_build_and_keeps_it(counted, tmp_path):
    opened = Opened("outcomes", 9002)
    with pytest.raises(limit.MemoryLimitError, match=r"one of the 7 partitions needs .* give more"):
        build(opened, tmp_path / "db", memory=100)
    assert (tmp_path / "db.exchange").exists()
    wanted = alone(opened, tmp_path / "alone")
    assert build(opened, tmp_path / "db", memory=0) == wanted


def test_a_build_that_needs_more_memory_goes_through_the_disk(tmp_path, monkeypatch, capsys):
    asked = Asked("nim:piles=1-2", "", "build")
    wanted = _build(asked, tmp_path / "whole", Work(compile=False))
    memory = limit.resident() + 10**9  # other tests may have left much in this process
    seen = []
    monkeypatch.setattr(limit.Limited, "_more", lambda *words: seen.append(words[1]) or 1 << 40)
    made = _build(asked, tmp_path / "db", Work(compile=False, memory=memory))
    assert len(seen) == 1
    assert "it goes on through the disk" in capsys.readouterr().err
    assert made["files"] == wanted["files"] and made["won"] == wanted["won"]
    asked = Asked("awari:pits=2,stones=5", "", "build")
    with pytest.raises(limit.MemoryLimitError, match="before anything could be kept"):
        _build(asked, tmp_path / "awari", Work(compile=False, memory=memory))


def test_the_command_builds_in_parts(tmp_path):
    words = ("db", "build", "nim:piles=1-2", "--out")
    prunus(*words, tmp_path / "whole")
    prunus(*words, tmp_path / "db", "--partitions", 3, "--memory", "1GB")
    found, wanted = (builder.contents(tmp_path / name) for name in ("db", "whole"))
    assert found.keys() == wanted.keys()
    assert all(found[name] == wanted[name] for name in found if name.endswith(".npy"))
