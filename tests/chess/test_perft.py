"""Perft of chess, compiled: published counts, and Chess960 and the interpreter against
python-chess."""

from __future__ import annotations

import pytest

from prunus.algorithms.perft import count_lines
from prunus.games import Chess
from tests import naive
from tests.amount import amount, in_full
from tests.chess.boards import boards, chess, fen_of
from tests.test_reference import FOLDER, needs_reference

SUITE = "chess/perftsuite.epd"


@pytest.mark.parametrize(
    ("fen", "counts"),
    # https://www.chessprogramming.org/Perft_Results, positions 1 to 6
    [
        ("", [20, 400, 8902, 197_281, 4_865_609]),
        (
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            [48, 2039, 97_862, 4_085_603],
        ),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", [14, 191, 2812, 43_238, 674_624, 11_030_083]),
        (
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            [6, 264, 9467, 422_333, 15_833_292],
        ),
        (
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            [44, 1486, 62_379, 2_103_487],
        ),
        (
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
            [46, 2079, 89_890, 3_894_594],
        ),
    ],
)
def test_published_counts(fen, counts):
    game = Chess()
    state = game.parse(fen)
    assert [
        count_lines(game, state, depth, compile=True) for depth in range(1, len(counts) + 1)
    ] == counts
    assert naive.perft(game, state, 2) == counts[1]


@in_full
def test_threads_and_interpreter_count_the_same():
    game = Chess()
    state = game.parse("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    depth = amount(3, 4)
    found = count_lines(game, state, depth, threads=2, compile=True)
    assert found == {3: 97_862, 4: 4_085_603}[depth]
    assert count_lines(game, state, 2, compile=False) == 2039


def test_perft_goes_on_after_draws():
    """A king against a king is a draw, but perft counts the moves that there would be."""
    game = Chess()
    state = game.parse("8/8/8/8/3k4/8/8/K7 w - - 99 1")
    assert game.is_terminal(state)
    assert count_lines(game, state, 3, compile=True) == count_lines(game, state, 3, compile=False)
    assert count_lines(game, state, 3, compile=True) == _perft(chess.Board(game.format(state)), 3)


@pytest.mark.parametrize("chess960", [False, True])
def test_random_positions(chess960):
    game = Chess(chess960=chess960)
    for seed in range(amount(4, 40)):
        for number, board in enumerate(boards(seed, chess960, 120)):
            if number % 20 == seed % 20:
                state = game.parse(fen_of(board))
                assert count_lines(game, state, 3, compile=True) == _perft(board, 3), board.fen()


def _perft(board, depth):
    if depth == 1:
        return board.legal_moves.count()
    count = 0
    for move in list(board.legal_moves):
        board.push(move)
        count += _perft(board, depth - 1)
        board.pop()
    return count


def suite():
    """The positions of the suite with the counts of each depth."""
    for line in (FOLDER / SUITE).read_text().splitlines():
        fen, *counts = line.split(";")
        yield fen.strip(), {int(part.split()[0][1:]): int(part.split()[1]) for part in counts}


def _expect_suite(depth):
    game = Chess()
    for fen, counts in suite():
        for each in range(1, depth + 1):
            assert count_lines(game, game.parse(fen), each, compile=True) == counts[each], (
                fen,
                each,
            )


@needs_reference
def test_perft_suite_to_depth_4():
    _expect_suite(4)


@needs_reference
@pytest.mark.reference
def test_perft_suite_to_depth_5():
    _expect_suite(5)
