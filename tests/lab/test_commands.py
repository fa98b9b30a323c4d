"""`prunus lab` as people use it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from prunus.theory.lab.store import read_journal
from tests.amount import in_full
from tests.commands import prunus, started

SMALL = ("--set", "m=2,3", "--set", "n=3,5", "--quick", "--executor", "serial")


def test_run_writes_and_prints_and_show_prints_it_again(tmp_path):
    done = prunus("lab", "run", "first-move-wins", *SMALL, "--output", tmp_path / "out")
    assert "26" in done.stdout
    assert "8 rows, all exact. Of 8 exact numbers all agree with the theory." in done.stdout
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        f"first-move-wins.{end}" for end in ("journal", "parquet", "svg", "png")
    }
    assert (
        prunus("lab", "show", "first-move-wins", "--output", tmp_path / "out").stdout == done.stdout
    )
    assert (
        prunus("lab", "show", "--output", tmp_path / "out").stdout
        == "first-move-wins: finished, seed 0, quick\n"
    )
    assert (
        prunus("lab", "run", "first-move-wins", *SMALL, "--output", tmp_path / "out").stdout
        == done.stdout
    )


WRONG = [
    (["run", "first-move"], "did you mean first-move-wins"),
    (["run", "first-move-wins", "--set", "q=1"], "no parameter 'q'; it has m, n, window"),
    (["run", "first-move-wins", "--set", "m"], "write a parameter and its values"),
    (["run", "first-move-wins", "--set", "m=0"], "degree must be at least 1"),
    (["run", "first-move-wins", "--executor", "dask"], "--scheduler tcp://HOST:8786"),
    (["run", "first-move-wins", "--scheduler", "tcp://x:1"], "needs --executor dask"),
    (["run", "first-move-wins", "--seed", str(1 << 63)], "64 bits"),
    (["reproduce", "--into", "page.html"], "ends in .md"),
    (["show", "first-move-wins"], "prunus lab run first-move-wins"),
]


@pytest.mark.parametrize(
    ("words", "message"), WRONG, ids=lambda value: value if isinstance(value, str) else None
)
def test_wrong_words_get_one_clear_line_before_any_work(words, message, tmp_path):
    done = prunus("lab", *words, "--output", tmp_path / "none", status=2)
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "none").exists()


def test_the_list_names_every_experiment():
    text = prunus("lab", "list").stdout
    assert "first-move-wins" in text
    assert "deepening-overhead" in text


HIDING = """
import sys
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("polars", "matplotlib"):
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Hidden())
import importlib.util
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name in ("polars", "matplotlib") else find(name, package)
sys.argv = ["prunus", *sys.argv[1:]]
from prunus.cli.main import run
run()
"""


def test_without_the_extra_it_says_what_to_install(tmp_path):
    for words in (["run", "first-move-wins"], ["reproduce"], ["show"]):
        command = [sys.executable, "-c", HIDING, "lab", *words, "--output", tmp_path / "none"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 2
        assert "not installed: pip install 'prunus[lab]'" in done.stderr
    done = subprocess.run(
        [sys.executable, "-c", HIDING, "lab", "list"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert "first-move-wins" in done.stdout


def test_help_loads_none_of_the_heavy_libraries():
    code = (
        "import sys; sys.argv = ['prunus', 'lab', 'run', '--help']\nfrom prunus.cli.main import "
        "run\ntry:\n    run()\nfinally:\n    print(sorted({'polars', 'matplotlib', 'distributed', "
        "'numba'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"
    assert "Example" in done.stdout


@in_full
def test_ctrl_c_says_what_is_kept_and_the_same_command_goes_on(tmp_path):
    rows = ("--set", "algorithm=alphabeta", "--set", "B=3", "--set", "h=5,7", "--samples", "400")
    work = ("lab", "run", "deepening-overhead", *rows, "--cores", "2")
    journal = tmp_path / "stopped" / "deepening-overhead.journal"
    with started(*work, "--output", str(tmp_path / "stopped"), start_new_session=True) as run:
        until = time.monotonic() + 100
        while (
            time.monotonic() < until
            and run.poll() is None
            and not (journal.exists() and journal.read_bytes().count(b"\n") > 3)
        ):
            time.sleep(0.02)
        os.killpg(run.pid, signal.SIGINT)
        _, errors = run.communicate(timeout=60)
    assert run.returncode == 130
    kept = len(read_journal(journal)[1])
    assert f"interrupted; {kept} of 40 blocks are kept in" in errors
    assert errors.count("\n") == 1
    assert 3 <= kept < 40
    prunus(*work, "--output", tmp_path / "stopped")
    prunus(*work[:-2], "--executor", "serial", "--output", tmp_path / "whole")
    tables = [
        (tmp_path / folder / "deepening-overhead.parquet").read_bytes()
        for folder in ("stopped", "whole")
    ]
    assert tables[0] == tables[1]


def test_reproduce_writes_every_figure_and_the_page(tmp_path, monkeypatch):
    """With two experiments in place of all."""
    from prunus.cli import lab
    from prunus.theory.lab import registry
    from tests.lab.samples import experiment

    monkeypatch.setattr(
        registry,
        "all_experiments",
        lambda: {name: experiment(name, title=name) for name in ("one", "two")},
    )
    lab.reproduce(
        quick=True,
        output=tmp_path / "out",
        executor=lab.Where.serial,
        into=tmp_path / "docs" / "lab.md",
    )
    for page, folder in (
        (tmp_path / "out" / "laboratory.md", ""),
        (tmp_path / "docs" / "lab.md", "lab/"),
    ):
        text = page.read_text()
        assert text.index(f"![one]({folder}one.svg)") < text.index(f"![two]({folder}two.svg)")
        assert (page.parent / folder / "two.svg").exists()
    assert "`--quick`" in text


@in_full
def test_a_tree_and_what_the_theorems_say_of_it(tmp_path):
    even, uneven = tmp_path / "even.json", tmp_path / "uneven.json"
    even.write_text("[[3, 12, 8], [2, 4, 6], [14, 5, 2]]")
    uneven.write_text("[[3, 12, 8], [2, 4], [14, 5, 2]]")
    shown = prunus("lab", "tree", "tree", str(even), "--uniform", "--positions").stdout
    assert "value 3, height 2, 13 positions, 9 leaves" in shown
    assert "alphabeta examines: 7 as it stands, 5 with a best successor first" in shown
    assert (
        "uniform, d = 3, h = 2: the critical tree has 5 leaves by formula, F1 in best order 5"
        in shown
    )
    assert shown.count(": type ") == 9 and "node 2.1: type 3" in shown
    shown = prunus("lab", "tree", "tree", str(uneven), "--algorithm", "minimax").stdout
    assert (
        "minimax examines: 8 as it stands, 8 with" in shown
        and "5 leaves, all of them among those" in shown
    )
    assert (
        "node 2 has 2 children, the root has 3"
        in prunus("lab", "tree", "tree", str(uneven), "--uniform", status=2).stderr
    )
    assert "give a depth" in prunus("lab", "tree", "connect-four", status=2).stderr


@pytest.mark.parametrize("algorithm", ["mtdf", "engine", "sss-stockman"])
def test_a_tree_searched_by_algorithms_with_tables(algorithm):
    assert (
        "all of them among those"
        in prunus("lab", "tree", "tic-tac-toe", "XO./.X./..O", "--algorithm", algorithm).stdout
    )
