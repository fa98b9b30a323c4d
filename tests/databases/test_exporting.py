"""Databases as Parquet: every row against a naive solver."""

from __future__ import annotations

import subprocess
import sys

import pytest

from prunus.databases import exporting
from prunus.databases.exporting import export_database
from prunus.databases.folder import Database
from prunus.games import make_game
from tests.commands import prunus as command
from tests.databases import builder, naive
from tests.databases.test_answers import database_of
from tests.lab.test_commands import HIDING

polars = pytest.importorskip("polars")


def rows_of(game, folder, **how):
    database = database_of(game, folder, **how)
    path = folder.with_suffix(".parquet")
    assert export_database(database, path, compile=False) == len(database)
    return polars.read_parquet(path)


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(exporting, "AT_ONCE", 17)


@pytest.mark.parametrize("name", ["outcomes", "scores"])
def test_rows_are_the_values_of_a_naive_solver(name, tmp_path):
    game = builder.GAMES[name]()
    start = game.initial()
    scores = name == "scores"
    wanted = (
        {state: (value, None) for state, value in naive.scores(game, start).items()}
        if scores
        else naive.outcomes(game, start)
    )
    found = rows_of(game, tmp_path / "db")
    assert found.columns == ["position", "key", "outcome", "score" if scores else "plies", "moves"]
    texts = {game.format(state): state for state in wanted}
    assert len(found) == len(wanted) and set(found["position"]) == set(texts)
    for text, key, outcome, number, moves in found.rows():
        state = texts[text]
        value, plies = wanted[state]
        assert outcome == ("drawn" if value == 0 else "won" if value > 0 else "lost")
        assert number == (value if scores else plies)
        assert key == int(game.key(state)) & (1 << 64) - 1
        assert moves == len(naive.children(game, state))


def test_the_command(tmp_path):
    folder, path = tmp_path / "db", tmp_path / "table.parquet"
    command("db", "build", "three-mens-morris", "--out", str(folder))
    said = command("db", "export", str(folder), "--out", str(path)).stdout
    assert said.startswith("744 positions") and f"{path.stat().st_size:,} bytes" in said
    found = polars.read_parquet(path)
    assert found["outcome"].value_counts().sort("outcome")["count"].to_list() == [176, 168, 400]
    start = found.filter(polars.col("position") == ".../.../... X")
    assert start.select("outcome", "plies", "moves").rows() == [("won", 9, 9)]
    again = command("db", "export", str(folder), "--out", str(path), status=2).stderr
    assert "exists already" in again
    assert "--out FILE.parquet" in command("db", "export", str(folder), status=2).stderr
    assert sorted(p.name for p in tmp_path.iterdir()) == ["db", "table.parquet"]


def test_without_polars_it_says_what_to_install(tmp_path):
    game = make_game("tic-tac-toe")
    database_of(game, tmp_path / "db")
    assert len(Database(tmp_path / "db", game)) == 765
    words = ["db", "export", str(tmp_path / "db"), "--out", "x.parquet", "--game", "tic-tac-toe"]
    command_line = [sys.executable, "-c", HIDING, *words]
    done = subprocess.run(command_line, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2 and "pip install 'prunus[lab]'" in done.stderr, done.stderr
