"""The C++ programs that benchmarks compare with: they compile, and the Connect Four solver does the
same work as Prunus."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks import common, proofs

from prunus.games.connect_four import ConnectFour
from prunus.tables.transposition import TranspositionTable
from tests.amount import in_full

FLAGS = {"uniform.cpp": ("-DDEGREE=3", "-DHEIGHT=3")}
MEGABYTES = 0.25


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(common, "BUILD", tmp_path)


def built(source: str) -> Path:
    """The compiled program; the test is skipped if there is no compiler."""
    try:
        return common.build(source, Path(source).stem, *FLAGS.get(source, ()))
    except common.NotMeasured as reason:
        if "does not compile" in str(reason):
            raise
        pytest.skip(str(reason))


@pytest.mark.parametrize(
    "source", sorted(path.name for path in (common.HERE / "limit").glob("*.cpp"))
)
def test_every_program_compiles(source):
    assert built(source).exists()


@pytest.mark.parametrize(
    ("position", "least"), [pytest.param("7422341735", 80_000, marks=in_full), ("4365214", 50_000)]
)
def test_the_solver_does_the_same_work(position, least):
    """Even with a table that is far too small, where the replacement of entries matters."""
    program, game = built("connect_four_solver.cpp"), ConnectFour()
    state = game.parse(position)
    ours = proofs.Ours(game, state, TranspositionTable(MEGABYTES, game, state), 1)
    found = ours.run()
    theirs = proofs.theirs(program, state, ours.buckets, [alpha for alpha, _ in found.asked])
    assert (theirs.asked, theirs.counts) == (found.asked, found.counts)
    assert found.counts["nodes"] > least
