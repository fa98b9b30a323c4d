"""Repetitions and the fifty moves in searches: what is played before the position counts, and
tables share positions that differ in their clocks only where this is right."""

from __future__ import annotations

import itertools
import random

import pytest

import prunus
from prunus.algorithms.enumerating import positions_by_ply
from prunus.algorithms.repetition import came_again, is_over
from prunus.core.position import read_position
from prunus.games import Chess
from prunus.games.chess.rules import WIN
from prunus.tables.transposition import TranspositionTable
from tests.amount import amount, in_full, thinned
from tests.chess.boards import chess, fen_of
from tests.naive import minimax_value

SHUFFLE = "Nf3 Nf6 Ng1 Ng8"


def test_third_time():
    game = Chess()
    position = read_position(game, f"{SHUFFLE} {SHUFFLE}")
    assert is_over(game, position.path) and len(position.past) == 8
    position = read_position(game, f"{SHUFFLE} Nf3 Nf6 Ng1")
    assert not is_over(game, position.path)
    assert came_again(game, position.path, game.play(["Ng8"], position.state))


def test_fifth_time_without_claims():
    game = Chess(claims=False)
    assert not is_over(game, read_position(game, f"{SHUFFLE} {SHUFFLE} {SHUFFLE}").path)
    assert is_over(game, read_position(game, " ".join([SHUFFLE] * 4)).path)


def test_en_passant_makes_another_position_only_where_it_is_legal():
    game = Chess()
    start = "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1 moves e4"
    assert game.parse(start).en_passant
    pinned = "8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1 moves e4"
    assert not game.parse(pinned).en_passant
    assert game.format(game.parse(pinned)) == fen_of(
        chess.Board("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1")
    )


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("seed", range(amount(3, 12)))
def test_repetitions_of_random_games(seed, compiled):
    """A game of kings and rooks repeats itself; python-chess says when for the third time."""
    game = Chess()
    board = chess.Board("4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1")
    position = read_position(game, board.fen())
    draw = random.Random(seed)
    for _ in range(60):
        assert is_over(game, position.path) == (board.is_repetition(3) or board.is_game_over())
        if is_over(game, position.path):
            break
        moves = list(board.legal_moves)
        if len(board.move_stack) >= 4 and draw.random() < 0.7:
            back = board.move_stack[-2]
            moves = [m for m in moves if m == chess.Move(back.to_square, back.from_square)] or moves
        move = draw.choice(moves)
        position = position.after(game, game.action_named(position.state, move.uci()))
        board.push(move)
    found = prunus.analyze(game, position, algorithm="engine", depth=1, compile=compiled)
    assert abs(found.value) <= WIN


@in_full
def test_a_third_time_is_a_draw_for_a_search():
    """Black's king back in the corner brings the first position about for the third time; a search
    that knows only the position sees black lost."""
    game = Chess()
    played = "7k/8/8/8/8/8/6Q1/K7 w - - 0 1 moves Qg3 Kh7 Qg2 Kh8 Qg3 Kh7 Qg2"
    for compiled in (False, True):
        with_past = prunus.analyze(game, played, depth=1, compile=compiled)
        without = prunus.analyze(game, game.parse(played), depth=1, compile=compiled)
        assert with_past.value == 0 > without.value


@pytest.mark.parametrize(
    ("clock", "value", "proved"),
    # A mate in two: black's third ply is the last that the clock allows at 97.
    [(0, WIN, True), (97, WIN, True), (98, 0, False)],
)
def test_fifty_moves_cut_a_mate_short(clock, value, proved):
    game = Chess()
    fen = f"7k/8/5K2/8/8/8/8/1R6 w - - {clock} 80"
    game.freeze()
    state = game.parse(fen)
    for algorithm in thinned(("engine", "pvs", "alphabeta", "mtdf"), 4):
        found = prunus.analyze(game, state, algorithm=algorithm, depth=3, compile=True)
        if clock == 98:
            assert found.value < WIN
        else:
            assert (found.value, found.proved) == (value, proved)


@pytest.mark.parametrize("algorithm", ["engine", pytest.param("mtdf", marks=in_full)])
def test_tables_keep_clocks_apart_near_the_limit(algorithm):
    """One table serves the same board with many clocks, near the limit and far from it; each
    search finds what minimax without a table finds."""
    game = Chess()
    game.freeze()
    table = TranspositionTable(1, game, game.initial())
    for clock in (0, 99, 50, 98, 97, 96, 0, 95):
        state = game.parse(f"7k/8/5K2/8/8/8/8/1R6 w - - {clock} 80")
        for depth in (3, 1, 2):
            found = prunus.analyze(
                game, state, algorithm=algorithm, depth=depth, table=table, compile=True
            )
            assert found.value == minimax_value(game, state, depth), (clock, depth)


def test_positions_are_counted_without_their_clocks():
    game, board = Chess(), chess.Board()
    level, known, counts = {board.epd(): board}, {board.epd()}, [1]
    for _ in range(2):
        following = {}
        for each in level.values():
            for move in each.legal_moves:
                after = each.copy(stack=False)
                after.push(move)
                following[after.epd()] = after
        level = {epd: after for epd, after in following.items() if epd not in known}
        known |= level.keys()
        counts.append(len(level))
    # After three plies: https://oeis.org/A083276
    counts.append(5362)
    found = itertools.islice(positions_by_ply(game, compile=True), len(counts))
    assert list(found) == counts
