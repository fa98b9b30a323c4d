"""The laboratory of the apparent advantage: who leads, by plain minimax and by counting."""

from __future__ import annotations

import itertools

import pytest

from prunus.theory.lab.experiments import changing
from prunus.theory.lab.registry import experiment_named


def minimax(game, state, depth):
    """The value for MAX."""
    if depth == 0:
        return state.estimate
    values = [
        minimax(game, game.result(state, action), depth - 1) for action in game.actions(state)
    ]
    return max(values) if state.ply % 2 == 0 else min(values)


@pytest.mark.parametrize("kept", [0, 50, 90])
def test_the_lead_is_that_of_minimax(kept):
    game, count = changing.Drifting(3, kept, 5), 30
    for depth in (1, 2, 3):
        found = changing.measure_changing({"b": 3, "kept": kept, "depth": depth}, 5, count)
        expected = 0
        for number in range(count):
            root = game.tree(number)
            leads = [minimax(game, root, each) > 0 for each in (depth - 1, depth)]
            expected += leads[0] != leads[1]
        assert found["changes"].total == expected


def leads(signs, degree):
    """Whether the player to move leads, given whether he leads at each leaf for its own mover."""
    while len(signs) > 1:
        signs = [not all(signs[i : i + degree]) for i in range(0, len(signs), degree)]
    return signs[0]


@pytest.mark.parametrize(("degree", "depth"), [(2, 1), (2, 2), (2, 3), (2, 4), (3, 2), (5, 1)])
def test_the_probability_of_the_lead_is_that_of_all_signs(degree, depth):
    every = list(itertools.product((False, True), repeat=degree**depth))
    share = sum(leads(list(signs), degree) for signs in every) / len(every)
    assert changing.leading(degree, depth) == share


def test_independent_estimates_change_sides_at_every_ply():
    shares = [
        changing.changing_theory({"b": 3, "kept": 0, "depth": depth})["changes"]
        for depth in range(1, 12)
    ]
    assert shares == sorted(shares) and shares[0] == 0.5 and shares[-1] > 0.999


def test_what_is_kept_whole_never_changes():
    found = changing.measure_changing({"b": 2, "kept": 100, "depth": 3}, 1, 20)
    assert found["changes"].total == 0


def test_estimates_are_odd_and_as_wide_as_they_should_be():
    game = changing.Drifting(2, 0, 3)
    drawn = [game.tree(number).estimate for number in range(2_000)]
    assert all(each % 2 for each in drawn)
    assert abs(sum(drawn)) / len(drawn) < 0.1 * changing.WIDTH
    assert 0.95 * changing.WIDTH < max(map(abs, drawn)) < changing.WIDTH


def test_parameters_that_make_no_sense_are_refused():
    check = experiment_named("changing-sides").check
    for point in (
        {"b": 1, "kept": 0, "depth": 3},
        {"b": 3, "kept": 101, "depth": 3},
        {"b": 3, "kept": 0, "depth": 0},
        {"b": 20, "kept": 0, "depth": 15},
    ):
        with pytest.raises(ValueError, match="are|would"):
            check(point)
