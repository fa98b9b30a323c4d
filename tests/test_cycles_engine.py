"""The engine in games with cycles, under each rule of repetition."""

from __future__ import annotations

from typing import NamedTuple

import pytest

import prunus
from prunus import Game, u8
from prunus.algorithms.repetition import ends_by_repetition
from prunus.engine.frames import NULL_ACTION
from prunus.engine.options import Options
from prunus.run.configuration import Configuration
from prunus.run.registry import ALGORITHMS
from prunus.run.session import Session
from prunus.run.task import Course, Root
from prunus.tables.transposition import TranspositionTable
from tests.amount import few
from tests.test_cycles import ForbiddenGraph, Graph, LosingGraph, path_value, random_graph


class Loop(Game):
    """0 -> 1 -> 2 -> 3, from where the only move leads back to 2, which is forbidden. In 1, MIN may
    end the game instead, if `open`."""

    repetition = "forbidden"
    repetition_loss = 2

    class State(NamedTuple):
        node: u8

    def __init__(self, open=True):
        self.open = open

    def initial(self):
        return self.State(0)

    def actions(self, state):
        yield 0
        if state.node == 1 and self.open:
            yield 1

    def result(self, state, action):
        if action == 1:
            return self.State(9)
        return self.State(2 if state.node == 3 else state.node + 1)

    def is_terminal(self, state):
        return state.node == 9

    def utility(self, state):
        return 5


@pytest.mark.parametrize("compile", [False, True])
@pytest.mark.parametrize("open", [False, True])
def test_who_may_do_nothing_loses(open, compile):
    """MIN would rather enter the loop, where he loses 2, than end the game with 5 for MAX. The line
    ends where no action is left."""
    found = prunus.analyze(Loop(open), depth=8, compile=compile)
    assert (found.value, found.proved, found.pv, found.distance) == (2, True, (0, 0, 0), 3)


def root_values(game, depth):
    """The value of every root action under the game's rule, by the oracle."""
    start = game.initial()
    found = {}
    for action in game.actions(start):
        child = game.result(start, action)
        if child == start:
            if game.repetition != "forbidden":
                found[action] = 0 if game.repetition == "draw" else -game.repetition_loss
            continue
        value = path_value(game, child, (start,))
        found[action] = value if game.keeps_turn(start, child) else -value
    return found


@pytest.mark.parametrize("kind", [Graph, LosingGraph, ForbiddenGraph])
@pytest.mark.parametrize(("compile", "graphs"), few([(False, 40), (True, 400)], 1))
def test_the_engine_values_all_root_actions_by_the_rule(kind, compile, graphs):
    """The root has been on the board: a root action that lets the other side return to it is worth
    what the rule says."""
    for seed in range(graphs):
        game = random_graph(seed, 5, kind)
        expected = root_values(game, 64)
        found = prunus.analyze(game, depth=64, all_moves=True, compile=compile)
        assert {move.action: move.value for move in found.moves} == expected, seed
        assert found.value == max(expected.values(), default=-game.repetition_loss), seed


class Passing(Graph):
    """A graph in which the null move may be tried."""

    def pass_turn(self, state):
        return state._replace(turn=1 - state.turn)


def test_the_path_of_repetitions_goes_along_with_a_null_move(monkeypatch):
    """Below a pass the path has the length that the ply says, so that players and positions on it
    agree."""
    seen = []

    def noting(game, state, memory):
        seen.append(
            (memory.ply, memory.path_length, NULL_ACTION in memory.path_action.array[: memory.ply])
        )
        return ends_by_repetition(game, state, memory)

    monkeypatch.setattr("prunus.engine.search.ends_by_repetition", noting)
    for seed in range(20):
        game = random_graph(seed, 6, Passing)
        game.freeze()
        table = TranspositionTable(0.1, game, game.initial())
        how = Configuration(ALGORITHMS["engine"], False, options=Options(null_move=1))
        session = Session(game, Root(game.initial()), how, 6, Course(table=table))
        for depth in range(1, 7):
            session.run(depth)
    assert all(ply == length for ply, length, _ in seen)
    assert any(passed for _, _, passed in seen)
