"""Builds that exchange files through a folder or through a store of fsspec are those of one
machine; files that are damaged on the way are found, and made again if that is possible."""

from __future__ import annotations

import json
import os
import threading
import time

import numpy as np
import pytest

from prunus.databases.building import Interrupted
from prunus.databases.cluster import building, exchange, lease, stores, workers
from prunus.databases.cluster.arrays import Arrays, Check, Parted, packed
from prunus.databases.cluster.deciding import told_name
from prunus.databases.cluster.exchange import Damaged, Exchange, store_at
from prunus.databases.cluster.finding import round_name
from prunus.databases.cluster.stores import ExchangeError, Whole, beneath
from prunus.databases.cluster.workers import ClusterError, Here
from prunus.databases.errors import DatabaseError
from prunus.tables.stored import MANIFEST
from tests.commands import prunus
from tests.databases import builder
from tests.databases.crews import Killing, Opened, Stopping, Torn, alone, together

pytest.importorskip("fsspec")
pytest.importorskip("distributed")

from tests.databases.objects import Objects, OpenedBeside  # noqa: E402

MORRIS = OpenedBeside("three-mens-morris")
STORES = ["", "{0}/elsewhere", "file://{0}/store", "objects://{0}/store/-/some"]


@pytest.fixture(scope="module")
def cluster():
    """Two processes."""
    with workers.local(2) as found:
        yield found


@pytest.fixture(scope="module")
def wanted(tmp_path_factory):
    return alone(MORRIS, tmp_path_factory.mktemp("alone") / "db")


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(exchange, "PATIENCE", 0.1)
    monkeypatch.setattr(lease, "BEAT", 0.05)


def left_over(tmp_path):
    """What is left where files were exchanged."""
    return [
        name
        for name in ("db.exchange", "elsewhere", "store")
        for path in (tmp_path / name).rglob("*")
        if path.is_file()
    ]


@pytest.mark.parametrize("place", STORES)
def test_a_cluster_makes_the_same_files(place, cluster, wanted, tmp_path):
    Objects.writes.clear()
    found, _ = together(MORRIS, tmp_path / "db", cluster, 2, place.format(tmp_path))
    assert found == wanted
    assert not left_over(tmp_path)
    assert bool(Objects.writes) == place.startswith("objects")


def test_workers_that_are_killed_cost_only_their_tasks(wanted, tmp_path):
    marks, place = tmp_path / "marks", STORES[3].format(tmp_path)
    marks.mkdir()
    with workers.local(2) as cluster:  # its own, which may need some time to recover
        crew = Killing(cluster, (2, 14), marks)
        found, _ = together(MORRIS, tmp_path / "db", crew, 4, place)
    assert found == wanted
    assert {path.name for path in marks.iterdir()} == {"2", "14"}


@pytest.mark.parametrize("place", STORES)
@pytest.mark.parametrize("kind", ["outcomes", "ranked scores"])
def test_tasks_are_functions_of_files(kind, place, tmp_path):
    opened = Opened(kind, 5000)
    found, _ = together(opened, tmp_path / "db", Torn(), exchange=place.format(tmp_path))
    assert found == alone(opened, tmp_path / "alone")


@pytest.mark.parametrize("place", STORES)
def test_a_build_that_is_stopped_goes_on(place, wanted, tmp_path):
    place = place.format(tmp_path)
    for after in (7, 40):
        with pytest.raises(Interrupted, match=r"kept in .*db\.exchange, and the same"):
            together(MORRIS, tmp_path / "db", Stopping(after), 3, place)
    assert left_over(tmp_path)
    found, built = together(MORRIS, tmp_path / "db", Here(), 3, place)
    assert found == wanted
    assert not left_over(tmp_path)


@pytest.mark.parametrize("place", STORES[1:])
def test_the_place_of_another_database_with_this_name_is_refused(place, wanted, tmp_path):
    place, first, second = place.format(tmp_path), tmp_path / "1" / "db", tmp_path / "2" / "db"
    with pytest.raises(Interrupted):
        together(MORRIS, first, Stopping(7), 3, place)
    with pytest.raises(DatabaseError, match="another build: database is '.*1/db', not '.*2/db'"):
        together(MORRIS, second, Here(), 3, place)
    found, built = together(MORRIS, first, Here(), 3, place)
    assert found == wanted
    assert together(MORRIS, second, Here(), 3, place)[0] == wanted


def test_the_place_beside_a_database_is_its_own(wanted, tmp_path):
    first, second = tmp_path / "first" / "db", tmp_path / "shared" / "db"
    with pytest.raises(Interrupted):
        together(MORRIS, first, Stopping(7), 3, str(tmp_path / "shared"))
    with pytest.raises(DatabaseError, match="another build: database is '.*first/db', not 'the"):
        together(MORRIS, second, Here(), 3)
    assert together(MORRIS, first, Here(), 3, str(tmp_path / "shared"))[0] == wanted
    with pytest.raises(Interrupted):
        together(MORRIS, second, Stopping(7), 3)
    (tmp_path / "shared").rename(tmp_path / "moved")
    second = tmp_path / "moved" / "db"
    assert together(MORRIS, second, Here(), 3, str(second.parent))[0] == wanted


@pytest.mark.parametrize("place", STORES[1:])
def test_a_build_goes_on_after_its_folder_was_moved(place, wanted, tmp_path):
    place = place.format(tmp_path)
    with pytest.raises(Interrupted):
        together(MORRIS, tmp_path / "old" / "db", Stopping(40), 3, place)
    (tmp_path / "old").rename(tmp_path / "new")
    with pytest.raises(DatabaseError, match="another build: database is '.*old/db', not '.*old/d"):
        together(MORRIS, tmp_path / "old" / "db", Here(), 3, place)
    assert not list((tmp_path / "old").iterdir())
    crew = Stopping(1000)
    found, _ = together(MORRIS, tmp_path / "new" / "db", crew, 3, place)
    assert found == wanted
    finding = Stopping(1000)
    together(MORRIS, tmp_path / "whole" / "db", finding, 3, place)
    assert crew.left - finding.left == 40
    assert not left_over(tmp_path)


def flipped(data):
    return data[:-70] + bytes([data[-70] ^ 4]) + data[-69:]


def recorded(data):
    """A record that has changed."""
    return data[:20] + bytes([data[20] ^ 4]) + data[21:]


def cut(data):
    return data[:-8]


def emptied(data):
    return b""


class Damaging(Here):
    """Damages a file before a round, in which it is read; `when` is the number of that round."""

    def __init__(self, when, name, how, crew=None):
        super().__init__()
        self.crew = crew or Here()
        self.when, self.name, self.how, self.number = when, name, how, -1

    def run(self, given):
        self.number += 1
        if self.number == self.when and given:
            files = Exchange(given[0].arguments[0].place, 3).files
            files.write(self.name, [self.how(files.read(self.name))])
        return self.crew.run(given)


FOUND = 4, f"{round_name(3)}/moves-0001.arrays"


@pytest.mark.parametrize("place", STORES)
@pytest.mark.parametrize("how", [flipped, recorded, cut, emptied])
def test_a_task_whose_file_is_damaged_is_repeated(how, place, wanted, tmp_path):
    crew = Damaging(*FOUND, how)
    found, _ = together(MORRIS, tmp_path / "db", crew, 3, place.format(tmp_path))
    assert found == wanted
    assert crew.number > crew.when


@pytest.mark.parametrize("place", STORES[:3])
def test_workers_tell_which_task_is_to_be_repeated(place, cluster, wanted, tmp_path):
    crew = Damaging(*FOUND, flipped, cluster)
    found, _ = together(MORRIS, tmp_path / "db", crew, 3, place.format(tmp_path))
    assert found == wanted


@pytest.mark.parametrize("how", [flipped, recorded])
def test_messages_that_are_damaged_are_sent_again(how, wanted, tmp_path):
    _, built = together(MORRIS, tmp_path / "first", Here(), 3)
    finding = sum("ends" in records[0] for records in built.records)
    crew = Damaging(finding + 1, f"{told_name(0)}/told-0001.arrays", how)
    found, _ = together(MORRIS, tmp_path / "db", crew, 3)
    assert found == wanted


def test_a_file_of_an_earlier_round_that_is_damaged_is_made_again(wanted, tmp_path):
    name = f"{round_name(1)}/kept-0002.arrays"
    with pytest.raises(Interrupted):
        together(MORRIS, tmp_path / "db", Stopping(15), 3)
    crew = Damaging(0, name, lambda data: b"nothing\n")
    found, _ = together(MORRIS, tmp_path / "db", crew, 3)
    assert found == wanted


def test_a_file_that_is_damaged_whenever_it_is_made_is_named(tmp_path, monkeypatch):
    finish = Exchange.finish

    def damaging(this, round_, partition, arrays, record):
        finish(this, round_, partition, arrays, record)
        if (round_, partition) == (round_name(1), 2):
            this.files.write(f"{round_}/kept-0002.arrays", [b"nothing\n"])

    monkeypatch.setattr(Exchange, "finish", damaging)
    for _ in range(2):
        with pytest.raises(
            Damaged, match=r"kept-0002.arrays is damaged: .*; remove .*db.exchange,"
        ):
            together(MORRIS, tmp_path / "db", Here(), 3)
    assert not (tmp_path / "db").exists()


def test_pieces_of_the_database_that_are_damaged_are_made_again(wanted, tmp_path, monkeypatch):
    finish, damaged = Exchange.finish, []

    def damaging(this, round_, partition, arrays, record):
        finish(this, round_, partition, arrays, record)
        if round_ == "ordered" and partition == 1 and not damaged:
            path = f"{round_}/pieces-{partition:04}.arrays"
            this.files.write(path, [flipped(this.files.read(path))])
            damaged.append(path)

    monkeypatch.setattr(Exchange, "finish", damaging)
    found, _ = together(MORRIS, tmp_path / "db", Here(), 3)
    assert found == wanted
    assert damaged


def test_every_bit_of_a_file_is_checked(tmp_path):
    ranks = np.arange(3000, dtype=np.uint32)
    parts = Parted.cut(ranks, [10, 0, 2000, 990])
    arrays = {"ranks": parts, "none": np.zeros(0, np.int64), "bits": ranks[:3].astype(np.uint16)}
    data = b"".join(packed(arrays))

    def blame(why):
        return ExchangeError(str(why))

    whole = Arrays(Whole(data), blame).all()
    assert np.array_equal(whole["ranks"], ranks) and not len(whole["none"])
    assert np.array_equal(Arrays(Whole(data), blame).part("ranks", 2), ranks[10:2010])
    filling = [place for place in range(len(data)) if data[place] in b"\0 "]
    for place in range(len(data)):
        wrong = data[:place] + bytes([data[place] ^ 1 << place % 8]) + data[place + 1 :]
        try:
            found = Arrays(Whole(wrong), blame).all()
        except ExchangeError:
            continue
        assert place in filling
        assert all(np.array_equal(found[title], whole[title]) for title in whole)
    for size in range(0, len(data), 7):
        with pytest.raises(ExchangeError):
            Arrays(Whole(data[:size]), blame).all()


def test_pages_that_change_places_are_noticed():
    data = np.arange(4096, dtype=np.uint64)
    other = np.concatenate([data[512:1024], data[:512], data[1024:]])
    whole, swapped = data.tobytes(), other.tobytes()
    assert Check().add(whole).value() != Check().add(swapped).value()
    assert Check().add(whole[:-1]).value() != Check().add(whole).value()
    for first in (0, 1, 4095, 4096, 20_000):
        for last in (first, first + 7, 30_001):
            check = Check().add(whole[:first]).add(whole[first:last]).add(whole[last:])
            assert check.value() == Check().add(whole).value()


@pytest.mark.parametrize("place", ["{0}/store", "file://{0}/store", "objects://{0}/store/-/some"])
def test_stores_do_as_folders_do(place, tmp_path, monkeypatch):
    monkeypatch.setattr(stores, "SMALL", 100)
    store = store_at(place.format(tmp_path))
    assert not store.has("a/b") and store.names("a") == []
    with pytest.raises(FileNotFoundError):
        store.read("a/b")
    with pytest.raises(FileNotFoundError):
        store.open("a/b")
    line, rest = b"x" * 1000 + b"\n", bytes(range(256)) * 1000
    assert store.write("a/b", [line, memoryview(rest)]) == len(line) + len(rest)
    store.write("a/c", [b"small"])
    assert store.has("a/b") and store.names("a") == ["b", "c"]
    source = store.open("a/b")
    assert source.line() == line
    assert bytes(source.take(1001, 20)) == rest[:20]
    assert bytes(source.take(200_000, 100)) == (line + rest)[200_000:200_100]
    assert len(source.take(len(line) + len(rest) - 5, 10)) == 5
    assert bytes(store.open("a/c").line()) == b"small"
    store.write("a/c", [b"new"])
    assert store.read("a/c") == b"new"
    store.remove("a/c")
    store.remove("a/c")
    assert store.names("a") == ["b"]
    store.clear()
    assert store.names("") == [] and not store.has("a/b")


def test_files_from_afar_are_not_opened_for_each_part_of_them(monkeypatch):
    """Opening one means to read its beginning; only files that are mapped stay open."""
    afar = Exchange("memory://afar", 1)
    afar.save("round", "name", 0, {"ranks": Parted.cut(np.arange(900), [300, 600])})
    opened = []
    files = type(afar.files)
    monkeypatch.setattr(
        files, "open", lambda self, name, known=files.open: opened.append(name) or known(self, name)
    )
    arrays = afar.load("round", "name", 0, briefly=True)
    for part, wanted in ((0, 300), (1, 600), (0, 300)):
        assert len(arrays.part("ranks", part)) == wanted
    assert len(opened) == 1


def test_nothing_else_in_the_place_is_removed(tmp_path):
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "mine").write_text("mine")
    together(Opened("outcomes", 5), tmp_path / "db", Here(), 2, str(tmp_path / "shared"))
    assert [path.name for path in (tmp_path / "shared").iterdir()] == ["mine"]


@pytest.mark.parametrize("place", ["{0}/shared", "file://{0}/shared"])
def test_a_place_with_something_else_is_refused_and_left_alone(place, tmp_path):
    kept = tmp_path / "shared" / "db.exchange" / "mine" / "letter.txt"
    kept.parent.mkdir(parents=True)
    kept.write_text("mine")
    with pytest.raises(DatabaseError, match="not empty .mine., and no build was begun there"):
        together(Opened("outcomes", 5), tmp_path / "db", Here(), 2, place.format(tmp_path))
    assert kept.read_text() == "mine"


@pytest.mark.parametrize("name", [MANIFEST, f"{building.WHOSE}.npy"])
@pytest.mark.parametrize("place", STORES[1:])
def test_a_build_whose_record_is_damaged_goes_on(place, name, wanted, tmp_path):
    place = place.format(tmp_path)
    with pytest.raises(Interrupted):
        together(MORRIS, tmp_path / "db", Stopping(40), 3, place)
    path = tmp_path / "db.building" / name
    path.write_bytes(cut(path.read_bytes()))
    crew = Stopping(1000)
    with pytest.warns(UserWarning, match=name):
        found, _ = together(MORRIS, tmp_path / "db", crew, 3, place)
    assert found == wanted
    whole = Stopping(1000)
    together(MORRIS, tmp_path / "whole" / "db", whole, 3, place)
    assert crew.left - whole.left == 40  # what had been done was not done again


@pytest.mark.parametrize("place", STORES[1:2])
def test_a_damaged_record_does_not_take_the_place_of_another_database(place, wanted, tmp_path):
    place, first, second = place.format(tmp_path), tmp_path / "1" / "db", tmp_path / "2" / "db"
    with pytest.raises(Interrupted):
        together(MORRIS, first, Stopping(7), 3, place)
    (second.with_name("db.building")).mkdir(parents=True)
    (second.with_name("db.building") / MANIFEST).write_text("nothing")
    with pytest.warns(UserWarning), pytest.raises(DatabaseError, match="another build: database"):
        together(MORRIS, second, Here(), 3, place)
    assert together(MORRIS, first, Here(), 3, place)[0] == wanted


@pytest.mark.parametrize("place", ["{0}/shared", "file://{0}/shared"])
def test_a_second_builder_is_refused(place, tmp_path):
    place = beneath(place.format(tmp_path), "db.exchange")
    seen = []

    def second():
        with pytest.raises(DatabaseError, match="another process is building") as caught:
            with store_at(place).held():
                pass
        seen.append(caught.value)

    with store_at(place).held() as expect:
        thread = threading.Thread(target=second)
        thread.start()
        thread.join()
        expect()
    assert seen
    with store_at(place).held():
        pass


def test_a_builder_that_died_is_noticed_and_one_that_slept_gives_up(tmp_path):
    place = f"file://{tmp_path}/store"
    store = store_at(place)
    dead = {"token": "x", "host": "elsewhere", "process": 1, "number": 7}
    store.write(lease.NAME, [json.dumps(dead).encode()])
    began = time.monotonic()
    with store.held() as expect:
        assert time.monotonic() - began > lease.PATIENCE * lease.BEAT
        store.write(lease.NAME, [json.dumps({**dead, "number": 8}).encode()])
        time.sleep(4 * lease.BEAT)
        with pytest.raises(ExchangeError, match="took this one for dead"):
            expect()
    assert json.loads(store.read(lease.NAME))["number"] == 8  # it is the other one's


def test_a_builder_of_this_machine_that_ended_is_not_waited_for(tmp_path, monkeypatch):
    monkeypatch.setattr(lease, "BEAT", 1.0)
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    store = store_at(f"file://{tmp_path}/store")
    dead = {"token": "x", "host": lease.platform.node(), "process": child, "number": 7}
    store.write(lease.NAME, [json.dumps(dead).encode()])
    began = time.monotonic()
    with store.held():
        assert time.monotonic() - began < 2


def test_what_one_process_alone_sees_is_refused_for_several(cluster, tmp_path):
    with pytest.raises(ClusterError, match="memory of this process, which workers, .* do not see"):
        together(MORRIS, tmp_path / "db", cluster, 2, "memory://some")
    assert not (tmp_path / "db.building").exists()
    opened = Opened("outcomes", 5)
    found, _ = together(opened, tmp_path / "db", Here(), 2, "memory://some")
    assert found == alone(opened, tmp_path / "alone")


def test_stores_that_cannot_be_opened_are_clear_errors(tmp_path, monkeypatch):
    with pytest.raises(ExchangeError, match="exchange nonsense://x cannot be opened: Protocol not"):
        store_at("nonsense://x")
    monkeypatch.setitem(__import__("sys").modules, "s3fs", None)
    with pytest.raises(
        ExchangeError, match="s3://some/place needs a package .*Install s3fs.*all workers"
    ):
        store_at("s3://some/place")
    (tmp_path / "file").write_text("")
    store = store_at(f"file://{tmp_path}/file/store")
    with pytest.raises(
        ExchangeError, match=r"store/a cannot be written: .*the same command goes on"
    ):
        store.write("a", [b"b"])


def test_the_command_names_the_place(tmp_path):
    words = ("db", "build", "nim:piles=1-2", "--out")
    prunus(*words, tmp_path / "whole")
    prunus(*words, tmp_path / "db", "--partitions", 3, "--exchange", f"file://{tmp_path}/store")
    found, wanted = (builder.contents(tmp_path / name) for name in ("db", "whole"))
    assert all(found[name] == wanted[name] for name in found if name.endswith(".npy"))
    assert not left_over(tmp_path)
    said = prunus(*words, tmp_path / "no", "--exchange", "nonsense://x", status=2).stderr
    assert "nonsense://x/no.exchange cannot be opened" in said and "Traceback" not in said
