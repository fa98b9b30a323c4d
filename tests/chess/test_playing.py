"""Chess as it is played: exchanges, and the options that the game recommends to players."""

from __future__ import annotations

import random

import pytest

import prunus
import prunus.games.chess.features as of
from prunus.core.knowledge.evaluation import WEIGHT_UNIT
from prunus.engine.options import Options
from prunus.games import Chess
from prunus.games.chess.tactics import EXCHANGED
from prunus.games.recommended import PAWN
from prunus.play.specs import player_of
from tests.amount import in_full, thinned
from tests.chess.boards import boards, chess, fen_of

GAME, CHESS960 = Chess(), Chess(chess960=True)


def gain(board, move):
    """What a capture or promotion wins if both sides capture on its square, each with its least
    piece, as long as that pays; pins are overlooked."""
    board = board.copy(stack=False)
    passing = board.is_en_passant(move)
    taken = chess.PAWN if passing else board.piece_type_at(move.to_square)
    moved = board.piece_type_at(move.from_square)
    won = worth(taken) if taken else 0
    if passing:
        board.remove_piece_at(move.to_square + (-8 if board.turn else 8))
    if move.promotion:
        won += worth(move.promotion) - worth(chess.PAWN)
        moved = move.promotion
    board.remove_piece_at(move.from_square)
    return won - answer(board, move.to_square, moved, not board.turn)


def answer(board, square, standing, side):
    """The most that a side wins by going on to capture on a square, where this piece stands."""
    takers = board.attackers(side, square)
    if not takers:
        return 0
    source = min(takers, key=board.piece_type_at)
    piece = board.piece_type_at(source)
    board.remove_piece_at(source)
    return max(0, worth(standing) - answer(board, square, piece, not side))


def worth(piece):
    return EXCHANGED[piece - 1]


def test_exchanges_are_settled_as_by_trying_them():
    draw, seen = random.Random(5), set()
    for seed in range(12):
        for board in boards(seed, chess960=False, plies=120):
            captures = [m for m in board.legal_moves if board.is_capture(m) or m.promotion]
            if not captures or draw.random() < 0.5:
                continue
            # The piece that captures last must not stand in the way of those behind it.
            state = GAME.parse(fen_of(board))
            names = {GAME.action_name(state, a): a for a in GAME.noisy_actions(state)}
            for move in captures:
                won, action = gain(board, move), names[board.san(move)]
                for least in (won - 1, won, won + 1, 0, 1, -100, 100):
                    wins = GAME.wins_exchange(state, action, least)
                    assert wins == (won >= least), (fen_of(board), move, won, least)
                seen.add(won)
    assert len(seen) > 12
    assert min(seen) < 0 < max(seen)


def test_checks_are_seen_before_the_move_is_made():
    seen = {True: 0, False: 0}
    for seed in range(6):
        for board in boards(seed, chess960=seed % 2 == 1, plies=120):
            game = CHESS960 if board.chess960 else GAME
            state = game.parse(fen_of(board))
            for action in game.actions(state):
                checks = game.gives_check(state, action)
                assert checks == game.in_check(game.result(state, action)), (fen_of(board), action)
                seen[checks] += 1
    assert min(seen.values()) > 100


@pytest.mark.parametrize(
    ("fen", "zugzwang"),
    [
        ("8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1", False),
        ("8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk b - - 0 1", False),
        ("1q1k4/2Rr4/8/2Q3K1/8/8/8/8 w - - 0 1", False),
        ("7k/5K2/5P1p/3p4/6P1/3p4/8/8 w - - 0 1", True),
    ],
)
def test_no_null_move_with_pawns_alone(fen, zugzwang):
    assert GAME.zugzwang(GAME.parse(fen)) == zugzwang


def test_players_take_the_recommended_options():
    usual = Options.for_play(GAME)
    assert usual.values().items() >= GAME.playing_options.items()
    assert usual.is_selective()
    assert not Options.of(GAME).is_selective()
    own = Options.for_play(GAME, {"null_move": 0, "beam": 5})
    assert (own.null_move, own.beam, own.reductions) == (0, 5, usual.reductions)
    assert Options.for_play(GAME, own) is own
    margins = Options.for_play(GAME.with_parts(evaluation="material"))
    assert (margins.reverse_futility, margins.delta, margins.late_pruning) == (
        0,
        0,
        usual.late_pruning,
    )


def test_margins_are_on_the_scale_of_the_evaluation():
    pawn = of.unpacked(GAME.weights)[:, of.MATERIAL] / WEIGHT_UNIT
    assert min(pawn) <= PAWN <= max(pawn)


def test_a_player_mates_and_a_search_for_a_value_proves_it():
    fen = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4"
    options = Options.for_play(GAME)
    found = prunus.analyze(GAME, fen, depth=3, options=options, compile=False, book=False)
    assert (found.line(), found.value, found.proved) == (["Qxf7#"], 30_000, False)
    exact = prunus.analyze(GAME, fen, depth=1, compile=False, book=False)
    assert exact.proved
    player = player_of("engine,nodes=20000")
    player.begin(GAME, 0)
    assert player._options == options


@in_full
def test_a_player_finds_a_mate_in_three_with_all_that_is_pruned():
    options = Options.for_play(GAME)
    mates = (
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", "Ra6+"),
        ("1r3r1k/5Bpp/8/8/P2qQ3/5R2/1b4PP/5K2 w - - 0 1", "Qxh7+"),
    )
    for fen, best in thinned(mates, 2):
        found = prunus.analyze(
            GAME, fen, depth=6, options=options, prefer_faster=True, compile=True, book=False
        )
        assert GAME.action_name(GAME.parse(fen), found.best) == best, fen
        assert found.value == 30_000
        assert not found.proved
