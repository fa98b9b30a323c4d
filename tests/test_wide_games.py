"""Games on u128 and u256: the same game on longer words has the same values and costs the same nodes; larger boards against naive search."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import prunus
from prunus.games import MNK, make_game
from prunus.games.connect_four import ConnectFour, ConnectFour128, ConnectFour256
from prunus.games.mnk import MNK128, MNK256
from tests.naive import minimax_value, perft

GOMOKU = Path(__file__).parents[1] / "examples" / "gomoku.py"


def test_longer_words_change_neither_values_nor_nodes():
    """The engine with its proving search, which keeps States of more than 64 bits in its tables."""
    expected = prunus.solve(ConnectFour(5, 4), threads=1, compile=True)
    found = prunus.solve(ConnectFour128(5, 4), threads=1, compile=True)
    assert expected.proved and found.proved
    assert (found.value, found.statistics.nodes) == (expected.value, expected.statistics.nodes)


@pytest.mark.parametrize("words", [ConnectFour128, ConnectFour256])
def test_longer_words_both_ways(words):
    results = [prunus.analyze(cls(5, 4), algorithm="alphabeta", depth=6, compile=True) for cls in (ConnectFour, words)]
    results.append(prunus.analyze(words(5, 4), algorithm="alphabeta", depth=6, compile=False))
    assert len({(found.value, found.statistics.nodes) for found in results}) == 1


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


def test_gomoku():
    """The example: 240 bits, the same both ways; an open four wins with the next stone but one."""
    game = make_game(f"{GOMOKU}:Gomoku")
    assert [perft(game, game.initial(), depth) for depth in range(4)] == [1, 1, 8, 4 * 10 + 4 * 12]
    state = opened(game)
    results = [prunus.analyze(game, state, algorithm="alphabeta", depth=3, compile=compile) for compile in (True, False)]
    assert results[0].value == 1
    assert (results[0].value, results[0].statistics.nodes) == (results[1].value, results[1].statistics.nodes)


@pytest.mark.parametrize("words", [MNK128, MNK256])
def test_longer_words_in_a_row(words):
    """The engine, which uses keys and mirror images, on 4 x 4; a board that needs them, both ways."""
    found = [prunus.solve(cls(4, 4, 3), compile=True) for cls in (MNK, words)]
    assert all(each.proved for each in found)
    assert len({(each.value, each.best, each.statistics.nodes) for each in found}) == 1
    game = MNK(*{MNK128: (8, 9, 4), MNK256: (15, 15, 5)}[words])
    assert isinstance(game, words)
    state = game.play("b2 h8 b3 g8 b4 f8".split())
    found = [prunus.analyze(game, state, algorithm="alphabeta", depth=3, compile=compile) for compile in (True, False)]
    assert len({(each.value, each.statistics.nodes) for each in found}) == 1
    for image in (game.mirrored, game.upside_down, game.transposed)[: 3 if game.m == game.n else 2]:
        assert image(image(state.mine)) == state.mine != image(state.mine)


def opened(game):
    """Three open stones in the upper corner, where bits beyond 128 are, against stones far away."""
    cells = [16 * row + column for row, column in ((12, 4), (12, 5), (12, 6))]
    mine = sum(1 << cell for cell in cells)
    return game.State(mine, 1 << 16 * 2 + 2 | 1 << 16 * 2 + 7 | 1 << 16 * 6 + 2)
