"""The experiments on critical positions and on random trees: their quick rows agree with the
theory; bad parameters are refused."""

from __future__ import annotations

import pytest

from prunus.run.registry import ALGORITHMS
from prunus.theory.critical import minimal_leaves
from prunus.theory.lab.experiments import growth, positions
from prunus.theory.lab.plan import make_plan
from prunus.theory.lab.report import summary
from prunus.theory.lab.runner import Job, run
from prunus.theory.lab.store import BlockJournal, rows_of
from prunus.theory.lab.workers import Serial

EXPERIMENTS = {
    experiment.name: experiment for experiment in (*positions.EXPERIMENTS, *growth.EXPERIMENTS)
}


def rows(name, tmp_path, **asked):
    plan = make_plan(EXPERIMENTS[name], quick=True, **asked)
    journal = BlockJournal.open(tmp_path, plan)
    run([Job(plan, journal)], Serial())
    journal.close()
    return rows_of(plan, journal.results)


def test_critical_positions(tmp_path):
    found = rows("critical-positions", tmp_path, samples=10)
    assert all(row["differing"] == 0 for row in found)
    assert all(row["least"] <= row["best_order"] <= row["all"] for row in found)
    assert sum(row["best_order"] < row["drawn_order"] for row in found) > len(found) / 2


def test_minimal_tree(tmp_path):
    found = {row["algorithm"]: row for row in rows("minimal-tree", tmp_path, samples=3)}
    assert set(found) == set(ALGORITHMS)
    assert found["alphabeta"]["best_order"] == minimal_leaves(3, 4) == 17
    assert found["minimax"]["best_order"] == 81
    ordered = [row for name, row in found.items() if not ALGORITHMS[name].two_values]
    # Those take no order.
    assert all(17 <= row["best_order"] <= row["drawn_order"] for row in ordered)
    assert "alphabeta, " in positions.attained(list(found.values()))
    assert "minimax" not in positions.attained(list(found.values()))


def test_permutations(tmp_path):
    found = rows("permutations", tmp_path, samples=5)
    assert len(found) == len(ALGORITHMS)
    assert all(
        row["outside"] == 0 and row["least"] <= row["alphabeta_leaves"] <= row["algorithm_leaves"]
        for row in found
    )


def test_order_by_value(tmp_path):
    found = rows("order-by-value", tmp_path, changes={"leaves": ["3", "4", "5"]})
    assert [row["worse"] for row in found] == [0, 1, 16]
    assert "all agree" in summary(found)
    assert "have 4 leaves (MAX moves first): `[[[1, 2], 3], 4]`." in positions.smallest(found)
    assert "None" in positions.smallest(found[:1])


def test_random_branching(tmp_path):
    found = rows("random-branching", tmp_path, samples=20_000)
    assert len(found) == 4 * 5
    assert all(row["examined_sigmas"] is None or abs(row["examined_sigmas"]) < 4 for row in found)


@pytest.mark.parametrize(
    "name",
    ["expected-leaves", "growth-rates", "submultiplicative", "binomial-bounds", "dependent-limit"],
)
def test_exact_experiments_agree_with_the_theory(name, tmp_path):
    found = rows(name, tmp_path)
    assert all(row["samples"] == 0 for row in found)
    for row in found:
        for said in [
            column.removesuffix("_theory") for column in row if column.endswith("_theory")
        ]:
            if said in row:
                assert row[said] == pytest.approx(row[f"{said}_theory"], rel=2e-6)
    assert "All but" not in summary(found)
    EXPERIMENTS[name].finding(found)


def test_published_numbers(tmp_path):
    found = rows("expected-leaves", tmp_path, changes={"d": ["2"], "h": ["2", "3"]})
    assert [row["f1"] for row in found] == pytest.approx([11 / 3, 719 / 105])
    found = rows("dependent-limit", tmp_path, changes={"d": ["3"], "h": ["20", "160"]})
    assert [round(row["ratio"]) for row in found] == [11, 45132]


@pytest.mark.parametrize(
    ("name", "parameter", "value", "message"),
    [
        ("critical-positions", "depth", "0", "both must be at least 1"),
        ("critical-positions", "depth", "40", "at most 100,000 are searched"),
        (
            "minimal-tree",
            "algorithm",
            "alphabet",
            "there is no algorithm 'alphabet'; did you mean alphabeta",
        ),
        ("permutations", "algorithm", "maxn", "more than two players"),
        ("order-by-value", "leaves", "9", "1 to 8 leaves"),
        ("random-branching", "law", "none", "the laws are"),
        ("random-branching", "level", "0", "levels are 1 to 20"),
        ("expected-leaves", "d", "0", "degrees are 2 to 200"),
        ("expected-leaves", "h", "99", "heights are 0 to 20"),
        ("growth-rates", "d", "1", "degrees are 2 to 200"),
        ("binomial-bounds", "x", "1.5", "theorem 9.1 is about"),
        ("dependent-limit", "h", "-1", "heights 0 to 5000"),
    ],
)
def test_bad_parameters_are_refused(name, parameter, value, message):
    with pytest.raises(ValueError, match=message):
        make_plan(EXPERIMENTS[name], changes={parameter: [value]})
