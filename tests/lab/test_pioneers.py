"""The pioneers' programs: what they see, how far they look, and their matches."""

from __future__ import annotations

import pytest

from prunus.core.position import Position
from prunus.games import Othello
from prunus.play.openings import openings
from prunus.play.players import Turn
from prunus.run.driver import analyze
from prunus.theory.lab.experiment import LabError, Moments
from prunus.theory.lab.experiments.pioneers import (
    MEASURE,
    PLAUSIBLE,
    PROGRAMS,
    Deepener,
    Plausible,
    check_history,
    measure_history,
)


def positions(plies, count):
    game = Othello()
    for opening in openings(game, plies, count, 7):
        state = game.initial()
        for action in opening:
            state = game.result(state, action)
        yield state


def test_type_b_sees_the_moves_that_come_first():
    game = Othello()
    for state in positions(13, 20):
        actions = sorted(game.actions(state), key=lambda each: (-game.order(state, each), each))
        assert sorted(Plausible().actions(state)) == sorted(actions[:PLAUSIBLE])


@pytest.mark.parametrize("algorithm", ["minimax", "branch-and-bound", "alphabeta", "sss-stockman"])
def test_the_nodes_of_all_depths_count(algorithm):
    """The move is that of the deepest search that the nodes suffice for, after all before it."""
    game = Othello()
    for state in positions(9, 3):
        searches = [
            analyze(game, state, algorithm, depth, compile=False, book=False)
            for depth in range(1, 4)
        ]
        nodes = [found.statistics.nodes for found in searches]
        for depth in (2, 3):
            enough = sum(nodes[:depth])
            for given, reached in ((enough, depth), (enough - 1, depth - 1)):
                player = Deepener(game, algorithm, given, False)
                player.begin(game, 0)
                choice = player.choose(Position(state), Turn())
                assert choice.depth == reached
                assert choice.action == searches[reached - 1].best


def test_alphabeta_against_itself_scores_one_half():
    point = {"year": 1963, "program": MEASURE, "nodes": 30, "against": MEASURE}
    assert measure_history(point, 3, 2) == {"score": Moments(2, 1.0, 0.5)}


@pytest.mark.parametrize(
    ("change", "words"),
    [({"program": "Turing"}, "the programs are"), ({"year": 1964}, "not of"), ({"nodes": 0}, "1")],
)
def test_parameters_that_make_no_sense_are_refused(change, words):
    point = {"year": PROGRAMS[MEASURE].year, "program": MEASURE, "nodes": 9, "against": MEASURE}
    check_history(point)
    with pytest.raises(LabError, match=words):
        check_history(point | change)
