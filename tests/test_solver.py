"""Values found by tests to the end of the game, from a guess and without one, compared with plain
alpha-beta."""

from __future__ import annotations

import random
from typing import Any

import pytest

import prunus
from prunus.algorithms.leaves import LONGEST_LINE
from prunus.core.bits import u64
from prunus.engine.options import Options
from prunus.games import Othello
from prunus.games.othello import PASS
from prunus.run import solver as solving
from prunus.run.configuration import Configuration
from prunus.run.registry import algorithm_named
from prunus.run.session import Session
from prunus.run.solver import Solver
from prunus.run.task import Course, Root
from prunus.tables.transposition import TranspositionTable
from tests.amount import amount, in_full


def ending(game: Any, seed: int, empties: int) -> Any:
    """A State with `empties` empty squares, or the last one before it that is not terminal, from a
    random game."""
    chance, state = random.Random(seed), game.initial()
    while game.empties(state) > empties:
        following = game.result(state, chance.choice(list(game.actions(state))))
        if game.is_terminal(following):
            return state
        state = following
    return state


def solver(game: Any, state: Any) -> Solver:
    game.freeze()
    how = Configuration(algorithm_named("engine"), compile=True, options=Options())
    course = Course(table=TranspositionTable(1, game, state), to_the_end=True)
    return Solver(Session(game, Root(state), how, LONGEST_LINE, course))


def exact(game: Any, state: Any) -> int:
    """The value, by minimax."""
    if game.is_terminal(state):
        return int(game.utility(state))
    return max(-exact(game, game.result(state, action)) for action in game.actions(state))


@pytest.mark.parametrize("size", [6, pytest.param(8, marks=in_full)])
def test_values_are_those_of_alphabeta_whatever_the_guess(size: int) -> None:
    game = Othello(size, patterns=False)
    for seed in range(amount(2, 12)):
        state = ending(game, seed, 10)
        value = prunus.solve(game, state, "alphabeta", compile=True).value
        for guess in (0, value, value - 2, value + 7, -size * size, size * size):
            assert solver(game, state).value(state, -size * size, size * size, guess) == (
                value,
                value,
            )


def test_the_line_reaches_the_value() -> None:
    game = Othello(6)
    for seed in range(6):
        state = ending(game, seed, 9)
        tests = solver(game, state)
        value, _ = tests.value(state, -36, 36)
        sign = 1
        for action in tests.line(state, value):
            state, sign = game.result(state, action), -sign
        assert game.is_terminal(state) and sign * game.utility(state) == value


@pytest.mark.parametrize("size", [4, 6, 8])
def test_last_value_against_minimax(size: int) -> None:
    """Any discs on the board, so that passes and early ends are frequent."""
    game, chance = Othello(size), random.Random(size)
    passes = 0
    for _ in range(60):
        mine = chance.getrandbits(size * size) | (
            chance.getrandbits(size * size) if chance.random() < 0.3 else 0
        )
        empty = sum(
            1 << square for square in chance.sample(range(size * size), chance.randint(0, 4))
        )
        state = game.State(u64(mine & ~empty), u64(int(game.board) & ~mine & ~empty), False)
        value = exact(game, state)
        passes += not game.is_terminal(state) and list(game.actions(state)) == [PASS]
        for alpha in {value - 1, value, value + 5, value - 9}:
            found = game.last_value(state, alpha)
            assert value <= found <= alpha if value <= alpha else alpha < found <= value
    assert passes


@pytest.mark.parametrize("size", [4, 6, 8])
def test_what_the_last_disc_turns_over(size: int) -> None:
    game, chance = Othello(size), random.Random(size)
    for _ in range(300):
        square = chance.randrange(size * size)
        mine = u64(chance.getrandbits(size * size) & ~(1 << square))
        theirs = game.board & ~mine & ~(1 << square)
        assert game.turned_last(mine, square) == game.turned(mine, theirs, square).bit_count()


def test_worthwhile_actions_of_othello_are_all_of_them() -> None:
    game = Othello(8, patterns=False)
    for seed in range(20):
        state = ending(game, seed, 3 * seed % 60)
        while not game.is_terminal(state):
            found = list(game.worthwhile(state))
            assert sorted(found) == sorted(game.actions(state))
            state = game.result(state, found[-1])


@in_full
def test_four_by_four_by_tests_alone() -> None:
    game = Othello(4)
    state = game.initial()
    assert solver(game, state).value(state, -16, 16, 3) == (-10, -10)


@in_full
def test_the_engine_solves_endings_by_tests() -> None:
    game = Othello(6)
    state = ending(game, 3, 16)
    found = prunus.solve(game, state, compile=True)
    assert found.proved and found.value == prunus.solve(game, state, "pvs", compile=True).value
    assert found.statistics.nodes > 10_000


def test_deepening_begins_no_deeper_than_is_cheap(monkeypatch):
    assert [solving.first_depth(actions) for actions in (1, 2, 5, 7, 10, 11, 31, 32, 1000)] == [
        4,
        4,
        4,
        3,
        3,
        2,
        2,
        1,
        1,
    ]
    monkeypatch.setattr(solving, "CHEAP", 0)
    assert {solving.first_depth(actions) for actions in range(1, 50)} == {1}
