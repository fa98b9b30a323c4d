"""Files of a build that somebody removes while it runs, or between two runs: they are made again,
or the build says what to do. It never ends with other bytes."""

from __future__ import annotations

import shutil

import pytest

from prunus.databases import workshop
from prunus.databases.building import Interrupted
from prunus.databases.cluster import building, exchange, finding, lease, sending, workers
from prunus.databases.cluster.exchange import ExchangeError, store_at
from prunus.databases.cluster.workers import Here
from prunus.databases.workshop import StorageError
from prunus.tables.stored import MANIFEST
from tests.amount import in_full, thinned
from tests.databases import builder
from tests.databases.crews import Forgetful, Opened, Stopping, alone, together

KINDS = ["outcomes", "ranked scores"]
OPENED = {kind: Opened(kind, 5000) for kind in KINDS}
WHAT = ["found-*/kept-*", "found-*/moves-*", "told-*/told-*"]


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(exchange, "PATIENCE", 0.02)
    monkeypatch.setattr(lease, "BEAT", 0.05)


@pytest.fixture(scope="module")
def wanted(tmp_path_factory):
    folder = tmp_path_factory.mktemp("alone")
    return {kind: alone(OPENED[kind], folder / kind) for kind in KINDS}


class Removing(Here):
    """Removes files before a round: `choose` gets those that match, and returns some of them."""

    def __init__(self, place, when, what, choose, crew=None):
        super().__init__()
        self.place, self.when, self.what, self.choose = place, when, what, choose
        self.crew, self.number, self.gone = crew or Here(), -1, []

    def run(self, given):
        self.number += 1
        if self.number == self.when:
            self.gone = removed(self.place, self.what, self.choose)
        return self.crew.run(given)


def removed(place, what, choose):
    """Remove some of the files that match; return them."""
    chosen = choose(sorted(place.rglob(what)))
    for path in chosen:
        path.unlink()
    return chosen


class One:
    """Chooses one of the files that match, `most` in number."""

    def __init__(self, which):
        self.which, self.most = which, 0

    def __call__(self, found):
        self.most = len(found)
        return found[self.which % self.most :][:1] if found else []


def rounds_of(opened, tmp_path):
    """The numbers of tasks and rounds."""
    crew = Removing(tmp_path, -2, "", list)
    _, built = together(opened, tmp_path / "whole", crew, 2)
    shutil.rmtree(tmp_path / "whole")
    return sum(map(len, built.records)), crew.number + 1


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("what", WHAT)
def test_any_file_that_is_removed_while_it_is_built_is_made_again(what, kind, wanted, tmp_path):
    _, rounds = rounds_of(OPENED[kind], tmp_path)
    gone = 0
    for when in range(1, rounds):
        for which in thinned(range(2 * rounds), 5):
            one = One(which)
            crew = Removing(tmp_path / "db.exchange", when, what, one)
            found, _ = together(OPENED[kind], tmp_path / "db", crew, 2)
            assert found == wanted[kind]
            shutil.rmtree(tmp_path / "db")
            gone += len(crew.gone)
            if which >= one.most:
                break
    assert gone


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("what", WHAT)
def test_any_file_that_is_removed_between_two_runs_is_made_again(what, kind, wanted, tmp_path):
    tasks, rounds = rounds_of(OPENED[kind], tmp_path)
    gone = 0
    for after in range(1, tasks, 2):
        for which in thinned(range(2 * rounds), 5):
            with pytest.raises(Interrupted):
                together(OPENED[kind], tmp_path / "db", Stopping(after), 2)
            one = One(which)
            some = removed(tmp_path / "db.exchange", what, one)
            found, _ = together(OPENED[kind], tmp_path / "db", Here(), 2)
            assert found == wanted[kind]
            shutil.rmtree(tmp_path / "db")
            gone += len(some)
            if which >= one.most:
                break
    assert gone


@pytest.mark.parametrize("crew", [Here, Forgetful])
@pytest.mark.parametrize("what", [*WHAT, "*.arrays"])
def test_all_files_of_a_kind(what, crew, wanted, tmp_path, monkeypatch):
    """Also of rounds that ended before all positions were expanded. Each is waited for once."""
    for module in (finding, sending):
        monkeypatch.setattr(module, "BUFFER", 9)
    shared = building.Shared
    monkeypatch.setattr(building, "SHARE", 10**9)
    limited = lambda *words, **named: shared(*words, **named)._replace(memory=10**11)  # noqa: E731
    monkeypatch.setattr("tests.databases.crews.Shared", limited)
    opened, place = Opened("connect-four:width=3,height=2"), tmp_path / "db.exchange"
    whole = alone(opened, tmp_path / "alone")
    _, rounds = rounds_of(opened, tmp_path)
    for when in (3, rounds // 2, rounds - 3, rounds - 1):
        removing = Removing(place, when, what, list, crew())
        found, built = together(opened, tmp_path / "db", removing, 2)
        assert found == whole
        assert any(record.get("left") for records in built.records for record in records)
        assert removing.gone or what in WHAT[1:]
        assert not place.exists()
        shutil.rmtree(tmp_path / "db")


@in_full
def test_a_file_that_workers_miss_is_made_again(wanted, tmp_path):
    with workers.local(2) as cluster:
        for when, what in ((3, "kept-0001*"), (8, "kept-0000*"), (9, "told-0001*")):
            crew = Removing(tmp_path / "db.exchange", when, what, lambda all: all[:2], cluster)
            found, _ = together(OPENED["outcomes"], tmp_path / "db", crew, 2)
            assert found == wanted["outcomes"]
            assert crew.gone
            shutil.rmtree(tmp_path / "db")


def test_a_file_that_is_missing_again_is_named(tmp_path):
    class Hiding(Here):
        """Workers that see another folder than whoever directs them."""

        def run(self, given):
            found = super().run(given)
            removed(tmp_path / "db.exchange", "kept-0001*", list)
            return found

    with pytest.raises(ExchangeError, match="missing: do all workers see the same .*, remove .*db"):
        together(OPENED["outcomes"], tmp_path / "db", Hiding(), 2)


@pytest.mark.parametrize("place", ["", "file://{0}/store"])
def test_an_exchange_that_is_removed_ends_the_build(place, wanted, tmp_path):
    folder = tmp_path / "store" / "db.exchange" if place else tmp_path / "db.exchange"

    class Clearing(Here):
        def run(self, given):
            if folder.exists() and len(list(folder.rglob("told-*"))) > 4:
                while folder.exists():  # the builder may write its sign in between
                    shutil.rmtree(folder, ignore_errors=True)
            return super().run(given)

    with pytest.raises(ExchangeError, match="was removed while .*: the same command begins again"):
        together(OPENED["outcomes"], tmp_path / "db", Clearing(), 2, place.format(tmp_path))
    shutil.rmtree(folder, ignore_errors=True)
    found, _ = together(OPENED["outcomes"], tmp_path / "db", Here(), 2, place.format(tmp_path))
    assert found == wanted["outcomes"]


def test_an_exchange_without_its_plan_is_left_alone(wanted, tmp_path):
    crew = Removing(tmp_path / "db.exchange", 4, exchange.PLAN, list)
    with pytest.warns(UserWarning, match=r"left over: its plan.json is gone"):
        found, _ = together(OPENED["outcomes"], tmp_path / "db", crew, 2)
    assert found == wanted["outcomes"]
    assert list((tmp_path / "db.exchange").iterdir())


def test_a_builder_whose_sign_is_gone_says_so(tmp_path):
    store = store_at(f"file://{tmp_path}/store")
    with (
        store.held() as expect,
        pytest.raises(ExchangeError, match=r"builder.json is gone, .*: start again"),
    ):
        for _ in range(1000):  # a sign that is just being written is there again
            store.remove(lease.NAME)
            lease.time.sleep(4 * lease.BEAT)
            expect()


class Stopped(BaseException):
    """What ends a build as a kill would."""


@pytest.fixture
def at_step(monkeypatch):
    """Has something done before a step of the workshop: saving a file, or publishing."""
    whole = {name: getattr(workshop.Workshop, name) for name in ("save", "publish")}

    def have(step, act):
        count = [0]

        def counting(name):
            def call(shop, *words, **named):
                count[0] += 1
                if count[0] == step:
                    act(shop.place)
                return whole[name](shop, *words, **named)

            return call

        for name in whole:
            monkeypatch.setattr(workshop.Workshop, name, counting(name))

    return have


@pytest.mark.filterwarnings("ignore:.*(it is made again|the build starts anew)")
@pytest.mark.parametrize("running", [True, False])
@pytest.mark.parametrize("name", ["outcomes", "ranked", "layers"])
def test_any_file_of_a_build_in_memory(name, running, tmp_path, at_step):
    folder = tmp_path / "db"
    builder.build(name, tmp_path / "whole")
    whole, gone = builder.contents(tmp_path / "whole"), 0

    def stop(place):
        raise Stopped

    for step in thinned(range(2, 30), 4):
        for which in range(5):
            chosen = lambda all: all[which : which + 1]  # noqa: E731
            some = []
            act = (lambda place: some.extend(removed(place, "*", chosen))) if running else stop
            at_step(step, act)
            try:
                builder.build(name, folder)
            except (Stopped, StorageError) as error:
                if running:
                    assert "removed or changed by somebody else: the same command" in str(error)
            at_step(0, stop)
            if not folder.exists():
                if not running:
                    some += removed(tmp_path / "db.building", "*", chosen)
                builder.build(name, folder)
            assert builder.contents(folder) == whole
            shutil.rmtree(folder)
            gone += len(some)
    assert gone


@pytest.mark.parametrize("what", [MANIFEST, "whose.npy"])
def test_the_record_of_a_build_whose_exchange_is_elsewhere(what, wanted, tmp_path):
    place = str(tmp_path / "elsewhere")
    with pytest.raises(Interrupted):
        together(OPENED["outcomes"], tmp_path / "db", Stopping(9), 2, place)
    (tmp_path / "db.building" / what).unlink()
    crew = Stopping(1000)
    if what == MANIFEST:
        found, _ = together(OPENED["outcomes"], tmp_path / "db", crew, 2, place)
    else:
        with pytest.warns(UserWarning, match=what):
            found, _ = together(OPENED["outcomes"], tmp_path / "db", crew, 2, place)
    assert found == wanted["outcomes"]
    tasks, _ = rounds_of(OPENED["outcomes"], tmp_path)
    assert 1000 - crew.left == tasks - 9  # what had been done was not done again


@pytest.mark.filterwarnings("ignore:.*it is made again")
def test_a_file_that_is_removed_from_a_whole_database(wanted, tmp_path, at_step):
    """In a build in parts, also if its exchange is elsewhere."""
    place, folder = str(tmp_path / "elsewhere"), tmp_path / "db"
    opened = OPENED["ranked scores"]
    for name in ("marks", "hints", "values"):

        def act(place, name=name):
            (place / f"{name}.npy").unlink()

        at_step(5, act)  # the name of the folder is all that is missing
        with pytest.raises(StorageError, match="removed or changed .*the same command makes it"):
            together(opened, folder, Here(), 2, place)
        at_step(0, act)
        found, _ = together(opened, folder, Here(), 2, place)
        assert found == wanted["ranked scores"]
        shutil.rmtree(folder)
