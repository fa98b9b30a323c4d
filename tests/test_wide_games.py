"""Games on u128 and u256: the same game on longer words has the same values and node counts; larger
boards are compared with naive search."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest

import prunus
from prunus.algorithms.enumerating import positions_by_ply
from prunus.algorithms.perft import count_lines
from prunus.games import MNK, make_game
from prunus.games.connect_four import ConnectFour, ConnectFour128, ConnectFour256
from prunus.games.mnk import MNK128, MNK256
from tests import naive_tablut
from tests.amount import amount, in_full
from tests.naive import minimax_value, perft

EXAMPLES = Path(__file__).parents[1] / "examples"
GOMOKU = EXAMPLES / "gomoku.py"
TABLUT = EXAMPLES / "tablut.py"


@in_full
def test_longer_words_change_neither_values_nor_nodes():
    """The engine with its proving search, which keeps States of more than 64 bits in its tables."""
    expected = prunus.solve(ConnectFour(5, 4), threads=1, compile=True)
    found = prunus.solve(ConnectFour128(5, 4), threads=1, compile=True)
    assert expected.proved and found.proved
    assert (found.value, found.statistics.nodes) == (expected.value, expected.statistics.nodes)


@pytest.mark.parametrize("words", [ConnectFour128, ConnectFour256])
def test_longer_words_both_ways(words):
    results = [
        prunus.analyze(cls(5, 4), algorithm="alphabeta", depth=6, compile=True)
        for cls in (ConnectFour, words)
    ]
    results.append(prunus.analyze(words(5, 4), algorithm="alphabeta", depth=6, compile=False))
    assert len({(found.value, found.statistics.nodes) for found in results}) == 1


@pytest.mark.parametrize(("width", "height"), [(9, 7), pytest.param(10, 6, marks=in_full)])
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


@pytest.mark.parametrize(("width", "height", "plies"), [(9, 7, 5), (10, 6, 5)])
def test_positions_of_larger_boards(width, height, plies):
    """The first plies, compared with columns of texts; nobody wins that early."""
    level, expected = {("",) * width}, []
    for _ in range(plies + 1):
        expected.append(len(level))
        level = {
            (*board[:i], board[i] + "XO"[sum(map(len, board)) % 2], *board[i + 1 :])
            for board in level
            for i in range(width)
            if len(board[i]) < height
        }
    found = positions_by_ply(ConnectFour(width, height), threads=2, compile=True)
    assert list(itertools.islice(found, plies + 1)) == expected


def test_gomoku():
    """The example: 240 bits, the same on both backends; an open four wins with the stone after
    next."""
    game = make_game(f"{GOMOKU}:Gomoku")
    assert [perft(game, game.initial(), depth) for depth in range(4)] == [1, 1, 8, 4 * 10 + 4 * 12]
    state = opened(game)
    results = [
        prunus.analyze(game, state, algorithm="alphabeta", depth=3, compile=compile)
        for compile in (True, False)
    ]
    assert results[0].value == 1
    assert (results[0].value, results[0].statistics.nodes) == (
        results[1].value,
        results[1].statistics.nodes,
    )


@in_full
@pytest.mark.parametrize("words", [MNK128, pytest.param(MNK256, marks=in_full)])
def test_longer_words_in_a_row(words):
    """The engine, which uses keys and mirror images, on 4 x 4; and a board that needs longer words,
    on both backends."""
    found = [prunus.solve(cls(4, 4, 3), compile=True) for cls in (MNK, words)]
    assert all(each.proved for each in found)
    assert len({(each.value, each.best, each.statistics.nodes) for each in found}) == 1
    game = MNK(*{MNK128: (8, 9, 4), MNK256: (15, 15, 5)}[words])
    assert isinstance(game, words)
    state = game.play("b2 h8 b3 g8 b4 f8".split())
    found = [
        prunus.analyze(game, state, algorithm="alphabeta", depth=3, compile=compile)
        for compile in (True, False)
    ]
    assert len({(each.value, each.statistics.nodes) for each in found}) == 1
    for image in (game.mirrored, game.upside_down, game.transposed)[: 3 if game.m == game.n else 2]:
        assert image(image(state.mine)) == state.mine != image(state.mine)


def opened(game):
    """Three open stones in the upper corner, in the bits beyond 128, against stones far away."""
    cells = [16 * row + column for row, column in ((12, 4), (12, 5), (12, 6))]
    mine = sum(1 << cell for cell in cells)
    return game.State(mine, 1 << 16 * 2 + 2 | 1 << 16 * 2 + 7 | 1 << 16 * 6 + 2)


def test_tablut_against_lists():
    """The example: random games, move by move, with all captures; the king wins most of them, his
    capturers some."""
    game, chance, ends = make_game(f"{TABLUT}:Tablut"), random.Random(27), []
    for _ in range(amount(2, 4)):
        state = game.initial()
        for ply in range(200):
            board, side = naive_tablut.read(game.format(state))
            assert game.is_terminal(state) == naive_tablut.over(board, side)
            if game.is_terminal(state):
                ends.append(state.king != 0)
                break
            actions = list(game.actions(state))
            if ply % amount(3, 1):
                state = game.result(state, chance.choice(actions))
                continue
            children = {game.format(game.result(state, action)) for action in actions}
            found = [
                naive_tablut.moved(board, side, move) for move in naive_tablut.moves(board, side)
            ]
            assert len(found) == len(actions)
            assert children == {
                naive_tablut.written(after, "D" if side == "A" else "A") for after in found
            }
            state = game.result(state, chance.choice(actions))
    assert set(ends) == {True, False}


@pytest.mark.parametrize(
    ("rows", "move", "is_taken"),
    [
        (
            "........./........./........./....A..../...AKA.../........./....A..../........./.........",
            "e7-e6",
            True,
        ),
        (
            "........./........./........./....A..../...AKA.../........./....D..../......A../.........",
            "g8-g7",
            False,
        ),
        (
            "........./........./........./........./........./...AK.A../....A..../........./.........",
            "g6-f6",
            True,
        ),
        (
            "........./........./........./........./........./...AK.A../........./........./.........",
            "g6-f6",
            False,
        ),
        (
            "........./........./........./........./........./........./..AK.A.../........./.........",
            "f7-e7",
            True,
        ),
        (
            "........./........./........./........./........./........./..A.A..../...K...../......... D",
            "d8-d7",
            False,
        ),
    ],
    ids=[
        "on the throne by four",
        "three are too few",
        "beside it by three",
        "two are too few",
        "elsewhere by two",
        "going between two",
    ],
)
def test_the_king(rows, move, is_taken):
    game = make_game(f"{TABLUT}:Tablut")
    assert (game.play([move], game.parse(rows)).king == 0) == is_taken


def test_tablut_both_ways():
    """Perft as the lists count it: 80, 4,400 and 353,200; searches, with draws by repetition."""
    game = make_game(f"{TABLUT}:Tablut")
    assert [count_lines(game, game.initial(), depth, compile=True) for depth in (1, 2, 3)] == [
        80,
        4400,
        353_200,
    ]
    assert [perft(game, game.initial(), depth) for depth in (1, 2)] == [80, 4400]
    boards = [naive_tablut.read(game.format(game.initial()))]
    for expected in (80, 4400):
        boards = [
            (naive_tablut.moved(board, side, move), "D" if side == "A" else "A")
            for board, side in boards
            for move in naive_tablut.moves(board, side)
        ]
        assert len(boards) == expected
    state = game.parse(
        "...AAA.../....A..../......D../A..K....A/A.D....AA/A.D.....A/....D..../....A..../...AAA... D"
    )
    for depth in (1, 2):
        found = [
            prunus.analyze(game, state, "alphabeta", depth, compile=compile)
            for compile in (True, False)
        ]
        assert len({(each.value, each.best, each.statistics.nodes) for each in found}) == 1
