"""The same numbers in one process, in several, on a cluster, after a stop, and after workers or the
whole run were killed."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from prunus.theory.lab.experiment import LabError
from prunus.theory.lab.plan import make_plan
from prunus.theory.lab.session import kept, perform
from prunus.theory.lab.store import read_journal, read_table
from prunus.theory.lab.workers import Cluster, Processes, Serial
from tests.lab import samples
from tests.lab.samples import SLOW, experiment

ROOT = Path(__file__).parents[2]
BLOCKS = 60


@pytest.fixture(scope="module")
def truth(tmp_path_factory):
    """The table of the slow experiment, run in this process without a stop."""
    folder = tmp_path_factory.mktemp("truth")
    perform([make_plan(experiment("slow"))], Serial(), folder)
    return (folder / "slow.parquet").read_bytes()


def finish(folder, workers):
    try:
        perform([make_plan(SLOW)], workers, folder)
    finally:
        workers.stop()
    return (folder / "slow.parquet").read_bytes()


class Kill:
    """Called with the progress: kills a process once some blocks are done."""

    def __init__(self, find, after=8):
        self.find, self.after, self.killed = find, after, []

    def __call__(self, state):
        if state.done >= self.after and not self.killed:
            self.killed.append(self.find())
            os.kill(self.killed[0], signal.SIGKILL)


def test_processes_come_to_the_same_numbers(truth, tmp_path):
    assert finish(tmp_path, Processes(2)) == truth


def test_a_process_that_is_killed_costs_nothing_but_its_block(truth, tmp_path):
    workers = Processes(2)
    kill = Kill(lambda: next(p.pid for p in multiprocessing.active_children()))
    try:
        perform([make_plan(SLOW)], workers, tmp_path, show=kill)
    finally:
        workers.stop()
    assert kill.killed
    assert (tmp_path / "slow.parquet").read_bytes() == truth


@pytest.mark.filterwarnings("ignore")
def test_dask_comes_to_the_same_numbers_although_a_worker_is_killed(truth, tmp_path):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, processes=True
    ) as cluster:
        workers = Cluster(cluster.scheduler_address)
        assert workers.width == 4
        kill = Kill(lambda: next(iter(cluster.workers.values())).pid)
        try:
            perform([make_plan(SLOW)], workers, tmp_path, show=kill)
        finally:
            workers.stop()
    assert kill.killed
    assert (tmp_path / "slow.parquet").read_bytes() == truth


@pytest.mark.parametrize("stops", [(1,), (7, 40, 59)])
def test_an_interrupted_run_goes_on(truth, tmp_path, stops):
    for stop in stops:

        def interrupt(state, stop=stop):
            if kept([make_plan(SLOW)], tmp_path)[0] >= stop:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            perform([make_plan(SLOW)], Serial(), tmp_path, show=interrupt)
        assert kept([make_plan(SLOW)], tmp_path) == (stop, BLOCKS)
        assert not (tmp_path / "slow.parquet").exists()
    assert finish(tmp_path, Serial()) == truth


def test_a_finished_run_measures_nothing_more(tmp_path):
    plan = make_plan(experiment(run=samples.measure))
    perform([plan], Serial(), tmp_path)
    perform([make_plan(experiment(run=samples.failing))], Serial(), tmp_path)


@pytest.mark.parametrize("cores", ["1", "2"])
def test_a_run_killed_outright_goes_on(truth, tmp_path, cores):
    environment = os.environ | {"PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"}
    run = subprocess.Popen(
        [sys.executable, "-m", "tests.lab.samples", tmp_path, cores], cwd=ROOT, env=environment
    )
    journal = tmp_path / "slow.journal"
    until = time.monotonic() + 60
    while (
        time.monotonic() < until
        and run.poll() is None
        and not (journal.exists() and journal.read_bytes().count(b"\n") > 10)
    ):
        time.sleep(0.02)
    children = children_of(run.pid)
    run.kill()
    run.wait()
    _, results = read_journal(journal)
    assert 10 <= len(results) < BLOCKS
    assert all(gone(child) for child in children), "a process outlives its parent"
    assert finish(tmp_path, Serial()) == truth


def children_of(pid):
    listed = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False
    )
    return [int(word) for word in listed.stdout.split()]


def gone(pid):
    until = time.monotonic() + 20
    while time.monotonic() < until:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state == "Z":
            return True
        time.sleep(0.05)
    return False


def test_rows_do_not_depend_on_the_other_rows(tmp_path):
    perform([make_plan(experiment())], Serial(), tmp_path / "all")
    perform([make_plan(experiment(), changes={"d": ["6"]})], Serial(), tmp_path / "one")
    everything = read_table(tmp_path / "all" / "dice.parquet")[0]
    assert read_table(tmp_path / "one" / "dice.parquet")[0] == [
        row for row in everything if row["d"] == 6
    ]


def test_another_seed_gives_other_numbers(tmp_path):
    for seed in (0, 1):
        perform([make_plan(experiment(), seed=seed)], Serial(), tmp_path / str(seed))
    tables = [read_table(tmp_path / str(seed) / "dice.parquet")[0] for seed in (0, 1)]
    assert all(a["x"] != b["x"] for a, b in zip(*tables, strict=True) if a["kind"] == "uniform")


def test_a_measurement_that_fails_says_where_and_keeps_the_rest(tmp_path):
    plan = make_plan(experiment(run=samples.failing))
    with pytest.raises(LabError, match="dice, d=3, kind=dice: RuntimeError: a bad day"):
        perform([plan], Serial(), tmp_path)
    assert kept([plan], tmp_path) == (20, BLOCKS)


def test_a_block_that_kills_its_process_again_and_again_is_given_up(tmp_path):
    workers = Processes(1)
    try:
        with pytest.raises(
            LabError,
            match=r"d=2, kind=(dice|uniform): the process that measured it has died 3 "
            r"times.*--cores",
        ):
            perform([make_plan(experiment(run=samples.deadly), quick=True)], workers, tmp_path)
    finally:
        workers.stop()


def test_costly_blocks_begin_and_each_process_compiles_once(tmp_path, monkeypatch):
    monkeypatch.setenv("PRUNUS_TEST_WARM", str(tmp_path / "warm"))
    plan = make_plan(experiment(warm=samples.warm, cost=lambda point: float(point["d"])))
    left = []
    perform([plan], Serial(), tmp_path, show=lambda state: left.append(state.seconds_left()))
    assert (tmp_path / "warm").read_text().splitlines() == [str(os.getpid())]
    first = (tmp_path / "dice.journal").read_text().splitlines()[1]
    assert '"row":4,' in first
    assert left[-1] == 0
    assert all(value is not None for value in left)


def test_no_scheduler_is_a_clear_error():
    pytest.importorskip("distributed")
    with pytest.raises(LabError, match="no Dask scheduler answers at nowhere://x"):
        Cluster("nowhere://x")
