"""Games on u128 and u256: the same game on longer words has the same values and costs the same nodes; larger boards against naive search."""

from __future__ import annotations

import random

import pytest

import prunus
from prunus.games.connect_four import ConnectFour, ConnectFour128, ConnectFour256
from tests.naive import minimax_value

WORDS = [ConnectFour128, ConnectFour256]


@pytest.mark.parametrize("words", WORDS)
def test_longer_words_change_neither_values_nor_nodes(words):
    """The engine with its proving search, which keeps States with more than 64 bits in its tables."""
    narrow, wide = ConnectFour(5, 4), words(5, 4)
    expected = prunus.solve(narrow, threads=1, compile=True)
    found = prunus.solve(wide, threads=1, compile=True)
    assert expected.proved and found.proved
    assert (found.value, found.best_move, found.statistics.nodes) == (expected.value, expected.best_move, expected.statistics.nodes)
    interpreted = prunus.analyze(wide, algorithm="alphabeta", depth=5, compile=False)
    compiled = prunus.analyze(wide, algorithm="alphabeta", depth=5, compile=True)
    assert (compiled.value, compiled.statistics.nodes) == (interpreted.value, interpreted.statistics.nodes)


@pytest.mark.parametrize(("width", "height"), [(9, 7), (10, 6)])
def test_endings_of_larger_boards(width, height):
    """Late positions, solved by the engine and by ten-line minimax."""
    game, chance, solved = ConnectFour(width, height), random.Random(width), 0
    assert isinstance(game, ConnectFour128)
    while solved < 6:
        state = game.initial()
        while not game.is_terminal(state) and game.plies_left(state) > 8:
            safe = [a for a in game.actions(state) if not game.is_terminal(game.result(state, a))]
            if not safe:
                break
            state = game.result(state, chance.choice(safe))
        if game.plies_left(state) == 8 and not game.is_terminal(state):
            found = prunus.solve(game, state, threads=1, compile=True)
            assert found.proved and found.value == minimax_value(game, state), game.format(state)
            solved += 1
