"""The experiments in best order: counts compared with recurrences, published numbers, plain minimax
and traced searches."""

from __future__ import annotations

import math

import pytest

import prunus
from prunus.games import UniformTree
from prunus.games.uniform import AnyUniformTree
from prunus.theory.critical import leaves_without_deep_cutoffs
from prunus.theory.growth import best_order_leaves, best_order_root
from prunus.theory.lab.experiment import LabError
from prunus.theory.lab.experiments import best_order as lab
from prunus.theory.lab.experiments import deepening
from prunus.theory.lab.plan import make_plan
from prunus.theory.lab.report import summary
from prunus.theory.lab.runner import Job, run
from prunus.theory.lab.store import BlockJournal, rows_of
from prunus.theory.lab.workers import Serial

EXPERIMENTS = (*lab.EXPERIMENTS, *deepening.EXPERIMENTS)
NAMES = [experiment.name for experiment in EXPERIMENTS]


def rows(name, tmp_path, **asked):
    plan = make_plan(
        next(experiment for experiment in EXPERIMENTS if experiment.name == name),
        quick=True,
        **asked,
    )
    journal = BlockJournal.open(tmp_path, plan)
    run([Job(plan, journal)], Serial())
    journal.close()
    return rows_of(plan, journal.results)


@pytest.mark.parametrize("name", ["no-deep-cutoffs", "no-deep-cutoffs-growth", "first-move-wins"])
def test_all_counts_agree_with_the_theory(name, tmp_path):
    found = rows(name, tmp_path)
    assert "all agree with the theory" in summary(found)
    assert "but" not in summary(found)


def test_f1_examines_fibonacci_numbers_of_leaves_in_binary_trees(tmp_path):
    found = rows("no-deep-cutoffs", tmp_path, changes={"d": ["2"]})
    assert [row["f1"] for row in found][:8] == [2, 3, 5, 8, 13, 21, 34, 55]


@pytest.mark.parametrize(("d", "n"), [(2, 7), (3, 5), (4, 4)])
def test_data_sized_trees_are_searched_as_the_fixed_ones(d, n):
    for algorithm in ("branch-and-bound", "alphabeta", "minimax"):
        for order in ("best", "random"):
            counts = lab.searched(AnyUniformTree(d, n, order, 5), algorithm, n)
            traced = prunus.trace(UniformTree(d, n, order, 5), algorithm=algorithm)
            assert (counts["nodes"], counts["leaves"]) == (
                len(traced.nodes),
                traced.statistics.leaves,
            )


@pytest.mark.parametrize("d", [1, 2, 3, 10, 50])
def test_the_closed_form_is_the_recurrence(d):
    for n in range(30):
        assert math.isclose(
            best_order_leaves(d, n), leaves_without_deep_cutoffs(d, n), rel_tol=1e-12
        )
    assert math.isclose(best_order_root(d) ** 2, best_order_root(d) + d - 1)


def test_the_example_of_the_slides(tmp_path):
    found = rows("first-move-wins", tmp_path, changes={"m": ["3"], "n": ["5"]})
    assert {row["window"]: row["nodes"] for row in found} == {"extreme values": 26, "infinite": 72}
    assert "26 nodes in the window [-1, 1], and 72 with infinities" in lab.win_finding(found)


@pytest.mark.parametrize(("m", "n"), [(2, 1), (2, 5), (3, 3), (5, 7)])
def test_the_formula_for_odd_heights(m, n):
    assert lab.win_nodes({"m": m, "n": n, "window": "extreme values"}) == 2 * (
        m ** (n // 2 + 1) - 1
    ) // (m - 1)


def test_the_first_move_wins_and_no_other():
    for m, n in ((2, 4), (3, 5)):
        found = prunus.analyze(
            lab.FirstMoveWins(m, n), algorithm="minimax", all_moves=True, compile=False
        )
        assert [move.value for move in found.moves] == [1] + [-1] * (m - 1)
        assert found.statistics.leaves == m**n


def test_what_deepening_costs(tmp_path):
    found = rows(
        "deepening-overhead", tmp_path, changes={"h": ["2", "6"], "B": ["2", "5"]}, samples=20
    )
    exact = {(row["B"], row["h"]): row["share"] for row in found if row["algorithm"] == "minimax"}
    assert exact == {(2, 2): 3 / 10, (2, 6): 119 / 246, (5, 2): 6 / 37, (5, 6): 4880 / 24411}
    assert "all agree with the theory. All of 4 comparisons with bounds hold" in summary(
        found
    ).replace("exact numbers ", "")
    for row in found:
        if row["algorithm"] == "alphabeta":
            assert row["share"] > exact[row["B"], row["h"]]
            assert row["share_error"] > 0


@pytest.mark.parametrize(
    ("name", "changes", "words"),
    [
        ("no-deep-cutoffs", {"d": ["0"]}, "degree must be at least 1"),
        ("no-deep-cutoffs", {"d": ["20"], "n": ["14"]}, "at most"),
        ("first-move-wins", {"window": ["wide"]}, "no window 'wide'"),
        ("deepening-overhead", {"algorithm": ["mtdf"]}, "only minimax and alphabeta"),
        ("deepening-overhead", {"h": ["300"]}, "height 0 to 255"),
    ],
)
def test_bad_parameters(name, changes, words, tmp_path):
    with pytest.raises((LabError, ValueError), match=words):
        rows(name, tmp_path, changes=changes)
    assert list(tmp_path.iterdir()) == []
