"""The experiments that simulate: what they measure agrees with their theory and is the same for the
same seed; bad input is refused at once."""

from __future__ import annotations

import math

import pytest

from prunus.theory.lab.experiments import (
    breadth,
    comparison,
    complexity,
    duel,
    random_trees,
    real_games,
)
from prunus.theory.lab.plan import make_plan

EXPERIMENTS = {
    e.name: e
    for module in (breadth, random_trees, comparison, real_games, complexity, duel)
    for e in module.EXPERIMENTS
}
MANY = 2000


@pytest.mark.parametrize("name", ["random-trees", "dependent-trees", "randomised-alphabeta"])
def test_measurements_agree_with_the_theory(name):
    experiment = EXPERIMENTS[name]
    for point in experiment.points(True)[::3]:
        found, theory = experiment.measure(point, 12345, MANY), experiment.theory(point)
        for quantity, (count, total, squares) in found.items():
            mean = total / count
            error = math.sqrt(max(0.0, squares / count - mean * mean) / count)
            assert count == MANY
            assert abs(mean - theory[quantity]) <= 4.5 * error + 1e-9 * mean, (point, quantity)


@pytest.mark.parametrize(
    "name",
    ["random-trees", "dependent-trees", "randomised-alphabeta", "family-ordering", "family-values"],
)
def test_the_same_seed_gives_the_same_and_another_something_else(name):
    experiment = EXPERIMENTS[name]
    point = experiment.points(True)[-2]
    once, again, other = (experiment.measure(point, seed, 5) for seed in (3, 3, 4))
    assert once == again != other


@pytest.mark.parametrize("name", ["game-size", "positions-held", "breadth-or-deepening"])
def test_exact_experiments_reach_their_theory(name):
    experiment = EXPERIMENTS[name]
    for point in experiment.points(True):
        found, theory = experiment.measure(point, 0, 1), experiment.theory(point)
        for quantity, moments in found.items():
            assert moments.total == theory.get(quantity, moments.total)
            assert moments.total <= theory.get(f"{quantity}_high", math.inf)


def test_alphabeta_makes_deepening_faster_than_breadth_first_search():
    """As the errata say: minimax inside is slower, alpha-beta inside is faster."""
    found = EXPERIMENTS["breadth-or-deepening"].measure({"n": 9, "d": 3}, 0, 1)
    assert found["deepening_alphabeta"].total < 1 < found["deepening"].total


def test_games_are_small_in_the_quick_set():
    for name in ("family-games", "distance-to-minimal", "cheap-or-dear", "game-shape"):
        experiment = EXPERIMENTS[name]
        for point in experiment.points(True)[-1:]:
            found = experiment.measure(point, 1, 2)
            assert all(moments.count == 2 for moments in found.values())
            if name == "cheap-or-dear":
                assert 0 <= found["score"].total <= 2
            if name == "distance-to-minimal":
                assert found["ratio"].total >= 2


BAD = [
    ("random-trees", {"d": ["0"]}, "degree must be at least 1"),
    ("random-trees", {"h": ["-1"]}, "height 0 to 255"),
    ("random-trees", {"d": ["10"], "h": ["17"]}, "take a lower tree"),
    ("dependent-trees", {"d": ["0"]}, "degree"),
    ("dependent-trees", {"d": ["10"], "h": ["12"]}, "are expected; at most"),
    ("randomised-alphabeta", {"d": ["17"]}, "degree must be 1 to 16"),
    ("randomised-alphabeta", {"root": ["drawn"]}, "the root is lost or won"),
    ("family-ordering", {"strength": ["101"]}, "0 to 100, not 101"),
    ("family-ordering", {"strength": ["-1"]}, "0 to 100, not -1"),
    ("family-values", {"values": ["0"]}, "values must be 1"),
    ("family-height", {"h": ["30"]}, "are compared"),
    ("family-games", {"game": ["chess"]}, "the games are"),
    ("family-games", {"depth": ["0"]}, "1 to 16 plies"),
    ("distance-to-minimal", {"depth": ["17"]}, "1 to 16 plies"),
    ("game-shape", {"game": ["chess"]}, "the games here are"),
    ("game-shape", {"play": ["perfect"]}, "random or engine"),
    ("game-size", {"game": ["othello"]}, "games are counted for"),
    ("positions-held", {"h": ["0"]}, "height 1 or more"),
    ("positions-held", {"h": ["30"]}, "at most 50,000"),
    ("breadth-or-deepening", {"n": ["5"], "d": ["6"]}, "1 <= d <= n"),
    ("breadth-or-deepening", {"n": ["25"], "d": ["5"]}, "at most 100,000"),
    ("cheap-or-dear", {"nodes": ["0"]}, "at least 1"),
]


@pytest.mark.parametrize(("name", "changes", "message"), BAD)
def test_bad_input_is_refused_before_any_work(name, changes, message):
    with pytest.raises(ValueError, match=message):
        make_plan(EXPERIMENTS[name], quick=True, changes=changes)


@pytest.mark.parametrize("name", sorted(EXPERIMENTS))
@pytest.mark.parametrize("quick", [True, False])
def test_plans_are_accepted_and_fit(name, quick):
    plan = make_plan(EXPERIMENTS[name], quick=quick)
    assert sum(block.cost for block in plan.blocks) < (20 if quick else 400)
