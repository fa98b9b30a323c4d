"""Databases built partition by partition, and by the workers of a cluster, are those of one
machine, whoever forgets, stops or dies meanwhile."""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from prunus.core.errors import SearchError
from prunus.core.position import Position
from prunus.databases.building import Asked, Interrupted
from prunus.databases.cluster import (
    building,
    deciding,
    exchange,
    merging,
    stores,
    tasks,
    workers,
)
from prunus.databases.cluster.building import Shared, build_by
from prunus.databases.cluster.exchange import Exchange
from prunus.databases.cluster.finding import round_name
from prunus.databases.cluster.stores import ExchangeError
from prunus.databases.cluster.workers import ClusterError, Here
from prunus.databases.errors import DatabaseError
from prunus.tables.stored import MANIFEST
from tests.amount import amount
from tests.commands import prunus, started
from tests.databases import builder
from tests.databases.crews import (
    KINDS,
    Forgetful,
    Killing,
    Opened,
    Stopping,
    Torn,
    alone,
    together,
)
from tests.databases.test_backward import Dead

MORRIS = Opened("three-mens-morris")


@pytest.mark.parametrize("kind", KINDS)
def test_the_files_are_those_of_one_machine(kind, tmp_path):
    for seed in range(amount(2, 60)):
        opened = Opened(kind, 4000 + seed)
        wanted = alone(opened, tmp_path / f"{seed}-alone")
        partitions = (1, 5, 2, 40)[seed % 4]
        found, _ = together(opened, tmp_path / f"{seed}", Here(), partitions)
        assert found == wanted, seed
    assert not list(tmp_path.glob("*.*"))


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize("name", ["connect-four:width=3,height=3", "ranked scores"])
def test_ranges_of_any_size_are_merged(name, size, tmp_path, monkeypatch):
    monkeypatch.setattr(merging, "RANGE", size)
    opened = Opened(name, 4711)
    assert together(opened, tmp_path / "db", Here(), 7)[0] == alone(opened, tmp_path / "alone")


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="open files cannot be counted")
def test_however_many_partitions_few_files_are_open_while_they_are_merged(tmp_path, monkeypatch):
    opened, seen = Opened("ranked scores", 4711), []
    pieces, before = building.Ordered.__iter__, len(os.listdir("/proc/self/fd"))

    def counted(ordered):
        for piece in pieces(ordered):
            seen.append(len(os.listdir("/proc/self/fd")))
            yield piece

    monkeypatch.setattr(stores, "SMALL", 1)  # larger ones are mapped into memory
    monkeypatch.setattr(building.Ordered, "__iter__", counted)
    assert together(opened, tmp_path / "db", Here(), 40)[0] == alone(opened, tmp_path / "alone")
    assert seen
    assert max(seen) - before < 20


def test_the_ranges_that_are_merged_depend_on_the_memory(tmp_path, monkeypatch):
    assert [merging.span_of(most) for most in (0, 1, 8000, 10**12)] == [1 << 22, 1, 100, 1 << 22]
    spans = []
    ends = merging._ends
    monkeypatch.setattr(merging, "_ends", lambda ranks: spans.append(ranks.span) or ends(ranks))
    opened, memory = Opened("ranked scores", 4711), 10**11
    monkeypatch.setattr(building, "SHARE", memory // 8000)
    shared = Shared(3, memory=memory, compile=False)
    build_by(Here(), opened, tmp_path / "db", opened.asked, shared)
    assert builder.contents(tmp_path / "db") == alone(opened, tmp_path / "alone")
    assert set(spans) == {100}


def test_partitions_of_numbered_positions_are_even(tmp_path):
    """In each round that is large; the numbers of the positions are not even."""
    _, built = together(Opened("connect-four:width=4,height=3"), tmp_path / "db", Here(), 4)
    found = [
        [record["new"] for record in round_] for round_ in built.records if "ends" in round_[0]
    ]
    large = [counts for counts in found if sum(counts) > 500]
    assert len(large) > 3
    assert max(max(counts) / sum(counts) for counts in large) < 0.4


@pytest.mark.parametrize("size", [1, 20])
def test_rounds_are_linked_in_groups_of_any_size(size, tmp_path, monkeypatch):
    monkeypatch.setattr(deciding, "GROUP", size)
    opened, rounds = Opened("outcomes", 3000), []
    linked = deciding.Decider._link_rounds
    monkeypatch.setattr(
        deciding.Decider,
        "_link_rounds",
        lambda *words: rounds.append(len(words[2])) or linked(*words),
    )
    found, _ = together(opened, tmp_path / "db", Here(), partitions=2)
    assert found == alone(opened, tmp_path / "alone")
    assert (set(rounds) == {1}) == (size == 1)


@pytest.mark.parametrize("kind", ["outcomes", "ranked scores"])
@pytest.mark.parametrize("crew", [Forgetful, Torn])
def test_tasks_are_functions_of_files(kind, crew, tmp_path):
    for seed in range(amount(1, 30)):
        opened = Opened(kind, 5000 + seed)
        found, built = together(opened, tmp_path / f"{seed}", crew())
        assert found == alone(opened, tmp_path / f"{seed}-alone"), seed
        if crew is Forgetful:
            # All but those of the first round in which positions are found, and decided.
            fresh = [not any(r["restored"] for r in records) for records in built.records]
            assert sum(fresh) == 2
            assert fresh[0]


@pytest.mark.parametrize("kind", ["outcomes", "scores"])
def test_a_build_that_is_stopped_goes_on(kind, tmp_path):
    draw = random.Random(3)
    for seed in range(amount(1, 30)):
        opened, folder, stops = Opened(kind, 6000 + seed), tmp_path / f"{seed}", 0
        while not folder.exists():
            crew = Stopping(draw.randint(5, 40))
            try:
                found, _ = together(opened, folder, crew, partitions=draw.randint(1, 4))
            except Interrupted as error:
                stops += 1
                assert f"kept in {folder}.exchange" in str(error)
        assert found == alone(opened, tmp_path / f"{seed}-alone"), seed
        assert not Path(f"{folder}.exchange").exists()
    assert stops


def begun(tmp_path, after):
    """The files of a build that was stopped after some tasks of three partitions each."""
    with pytest.raises(Interrupted):
        together(MORRIS, tmp_path / "db", Stopping(after))
    (files,) = (tmp_path / "db.exchange").glob("*/")
    return files


def test_workers_get_equally_many_partitions():
    crew = workers.Cluster.__new__(workers.Cluster)
    crew._homes, crew._addresses = {}, lambda: ["a", "b", "c"]
    crew._settle(range(9))
    assert "".join(crew._homes.values()) == "abcabcabc"
    crew._addresses = lambda: ["a", "c"]  # b is gone, and had the partitions 1, 4, 7
    crew._settle(range(9))
    assert "".join(crew._homes.values()) == "acacac" + "aca"


def test_workers_with_several_threads_are_refused():
    client = SimpleNamespace(
        nthreads=lambda: {"tcp://a": 1, "tcp://b": 2}, run=lambda call: {"tcp://a": call()}
    )
    with pytest.raises(ClusterError, match="have several threads; start them with --nthreads 1"):
        workers.Cluster(client, "tcp://c")


def test_files_that_are_too_long_are_found(tmp_path, monkeypatch):
    """The file is as it was written, but not as its record says."""
    monkeypatch.setattr(exchange, "PATIENCE", 0.1)
    files = begun(tmp_path, 12)
    files_of = Exchange(str(files), 3)
    record = files_of.done(round_name(3), 1)
    assert sum(record["sent"])
    record["sent"] = [max(0, sent - 1) for sent in record["sent"]]
    kept = files_of.load(round_name(3), exchange.KEPT, 1).all()
    files_of.finish(round_name(3), 1, kept, record)
    with pytest.raises(DatabaseError, match="moves-0001.arrays is damaged: .* items instead of"):
        together(MORRIS, tmp_path / "db", Here())
    assert files.exists()  # what the other tasks did stays


def test_lost_messages_are_noticed(tmp_path, monkeypatch):
    monkeypatch.setattr(tasks, "parts_of", lambda *words: exchange.parts_of(*words)[1:])
    with pytest.raises(DatabaseError, match="messages were sent, but .* arrived in told-00001"):
        together(MORRIS, tmp_path / "db", Here())


def test_another_build_is_refused(tmp_path):
    begun(tmp_path, 12)
    opened = Opened("outcomes", 7)
    with pytest.raises(DatabaseError, match="has the beginning of another build: identity is"):
        together(opened, tmp_path / "db", Here())


class Words(dict):
    """The words of marks of one partition, all in one part."""

    def part(self, title, number):
        return self[title]


def test_partitions_that_are_not_of_one_build_are_not_merged():
    first, second = (
        Words(places=np.array([place], np.uint64), words=np.array([5], np.uint64))
        for place in (0, 1)
    )
    (found,) = merging.ranges(merging.Ranks(100, 4, 9), [first, second])
    assert found.words.tolist()[:2] == [5, 5] and found.ends.tolist()[:2] == [2, 4]
    with pytest.raises(ExchangeError, match="two partitions have the same positions"):
        list(merging.ranges(merging.Ranks(100, 4, 9), [first, first]))
    with pytest.raises(ExchangeError, match="partitions have 2 of 4 positions"):
        list(merging.ranges(merging.Ranks(100, 4, 9), [first]))


def test_what_was_begun_in_another_form_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(exchange, "FORM", exchange.FORM - 1)
    begun(tmp_path, 12)
    monkeypatch.undo()
    with pytest.raises(DatabaseError, match=r"beginning of another build: form is 3, not 4"):
        together(MORRIS, tmp_path / "db", Here())


def test_errors_of_rules_end_the_build_and_keep_nothing(tmp_path):
    def opened():
        return Dead(), Position(Dead().initial())

    with pytest.raises(SearchError, match="left=1 is not terminal but has no action"):
        build_by(Here(), opened, tmp_path / "db", Asked("dead", "", ""), Shared(2, compile=False))
    assert not list(tmp_path.iterdir())


def test_ranks_that_lead_nowhere_are_named(tmp_path, monkeypatch):
    monkeypatch.setattr(builder.SeededRanked, "rank", lambda self, state: 1 + 5 * state.node)
    with pytest.raises(DatabaseError, match="a number of its own that leads back to it"):
        together(Opened("ranked", 5), tmp_path / "db", Here())


@pytest.mark.parametrize("name", ["has_settled", "every_rank"])
def test_databases_that_hold_more_than_what_ends_are_worth_are_refused(name, tmp_path, monkeypatch):
    for needed in {name, *(("has_unsettled", "has_layer") if name == "has_settled" else ())}:
        monkeypatch.setattr(builder.SeededRanked, needed, True)
    with pytest.raises(DatabaseError, match=f"has {name}: such a database is built by one process"):
        together(Opened("ranked", 5), tmp_path / "db", Here())


def test_impossible_partitions_are_refused(tmp_path):
    with pytest.raises(DatabaseError, match="0 partitions: 1 ... 65,535 are possible"):
        together(MORRIS, tmp_path / "db", Here(), 0)


distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def cluster():
    """Two processes."""
    with workers.local(2) as found:
        yield found


@pytest.fixture(scope="module")
def wanted(tmp_path_factory):
    return alone(MORRIS, tmp_path_factory.mktemp("alone") / "db")


def test_a_cluster_makes_the_same_files(cluster, wanted, tmp_path):
    found, built = together(MORRIS, tmp_path / "db", cluster, 2)
    assert found == wanted
    done = [record for records in built.records for record in records]
    assert len({record["worker"] for record in done}) == 2
    # Dask may hand a task to the worker that is idle, which has to read the partition first.
    assert sum(record["restored"] for record in done) < len(done) / 4
    assert built.spent().busiest < built.spent().seconds


def test_workers_that_are_killed_cost_only_their_tasks(cluster, wanted, tmp_path):
    marks = tmp_path / "marks"
    marks.mkdir()
    rounds = (2, 14)  # one in which positions are found, one in which they are decided
    found, built = together(MORRIS, tmp_path / "db", Killing(cluster, rounds, marks), 4)
    assert found == wanted
    assert {path.name for path in marks.iterdir()} == {"2", "14"}
    restored = [
        number
        for number, records in enumerate(built.records)
        if any(record["restored"] for record in records)
    ]
    assert {2, 14} <= set(restored)
    assert len(built.records) > 20


def test_the_command_is_interrupted_and_goes_on(wanted, tmp_path):
    folder, exchanged = tmp_path / "db", tmp_path / "db.exchange"
    words = ("db", "build", "three-mens-morris", "--workers", "1", "--out", folder)
    with started(*words, start_new_session=True) as process:
        while process.poll() is None and not list(exchanged.glob("*/found-00000/kept*")):
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the workers, too
        assert process.wait(60) == 130
        said = process.stderr.read()
    assert "interrupted: what is done is kept in" in said
    assert "Traceback" not in said
    assert list(exchanged.glob("*/found-00000/kept*"))
    said = prunus(*words).stdout
    assert "tasks took" in said
    found = builder.contents(folder)
    assert found[MANIFEST].pop("command") == f"prunus db build three-mens-morris --out {folder}"
    assert {**found[MANIFEST], "command": "build"} == wanted[MANIFEST]
    assert {**found, MANIFEST: None} == {**wanted, MANIFEST: None}


def test_no_scheduler_is_a_clear_error(tmp_path):
    words = ("db", "build", "three-mens-morris", "--out", tmp_path / "db")
    with (
        pytest.raises(ClusterError, match="no Dask scheduler answers at nowhere://x"),
        workers.connected("nowhere://x"),
    ):
        pass
    both = ("--workers", 2, "--scheduler", "tcp://127.0.0.1:1")
    assert "either --workers" in prunus(*words, *both, status=2).stderr
    assert "belongs to a build in memory" in (
        prunus(*words, "--workers", 2, "--threads", 2, status=2).stderr
    )
