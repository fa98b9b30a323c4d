"""Evaluations, tactics and mates of chess, against python-chess and against one another."""

from __future__ import annotations

import itertools
import random

import pytest

import prunus
from prunus.games import Chess
from prunus.games.chess.evaluation import MOST, ChessMaterial
from prunus.games.chess.rules import WIN
from tests.amount import amount, in_full
from tests.chess.boards import boards, chess, fen_of

WORTH = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9, "k": 0}


def positions(count):
    """Boards from random games, every seventh."""
    games = (boards(seed, False, 200) for seed in itertools.count(100))
    return itertools.islice(
        (board for game in games for board in itertools.islice(game, 0, None, 7)), count
    )


def test_noisy_actions_are_captures_and_promotions():
    game = Chess()
    for board in positions(amount(60, 400)):
        state = game.parse(fen_of(board))
        noisy = {game.protocol_name(state, action) for action in game.noisy_actions(state)}
        assert noisy == {
            move.uci() for move in board.legal_moves if move.promotion or board.is_capture(move)
        }
        for action in game.actions(state):
            is_noisy = game.protocol_name(state, action) in noisy
            assert (game.order(state, action) > 0) == is_noisy


def test_likelihood_tells_winning_moves_from_sacrifices():
    """For Floyd's rule: taking back or winning material, an even exchange, a safe quiet move, and
    moves that lose a queen, quiet or not."""
    game = Chess()
    state = game.parse("4k3/8/3p4/r3n3/8/3N4/8/Q3K3 w - - 0 1")
    said = {
        game.protocol_name(state, action): game.likelihood(state, action)
        for action in game.actions(state)
    }
    assert said["a1a5"] > said["d3e5"] > said["e1d1"] > said["a1e5"] == said["a1a3"] > 0
    assert 1 > said["a1a5"]


def test_aspects_are_what_they_say():
    """The pawns alone decide the first aspect; the second of one player is the third of the
    other."""
    game = Chess()
    start = game.parse("startpos")
    parts = [[game.aspect(start, number) for number in range(game.aspects)]]
    for moves in ("Nf3", "Nf3 Nc6", "Nf3 Nc6 Ng1 Nb8", "e3 e6"):
        state = game.parse(moves)
        parts.append([game.aspect(state, number) for number in range(game.aspects)])
    begin, one, both, back, pawns = parts
    assert begin == back
    assert begin[0] == one[0] == both[0] != pawns[0]
    assert begin[1:] == pawns[1:]
    assert begin[1] == one[1]
    assert one[2] not in begin
    for board in positions(20):
        state = game.parse(fen_of(board))
        other = game.turned(state)
        # Seen from the other side: the same pieces are the opponent's, upside down.
        again = game.turned(other)._replace(en_passant=state.en_passant)
        assert [game.aspect(again, n) for n in (0, 1, 2)] == [
            game.aspect(state, n) for n in (0, 1, 2)
        ]


def test_pass_turn():
    game = Chess()
    for board in positions(40):
        state = game.parse(fen_of(board))
        if not board.is_check():
            after = board.copy()
            after.push(chess.Move.null())
            passed = game.pass_turn(state)
            assert game.format(passed).split()[:4] == fen_of(after).split()[:4]
            assert game.turned(passed) == state._replace(en_passant=0)


def test_evaluations_do_not_depend_on_colours():
    """A position and its reflection, with colours exchanged, are worth the same; every estimate
    lies between a loss and a win."""
    game = Chess()
    material = game.with_parts(evaluation="material")
    for board in positions(amount(60, 400)):
        for each, most in ((game, MOST), (material, 1000)):
            value = each.evaluate(each.parse(fen_of(board)))
            assert value == each.evaluate(each.parse(fen_of(board.mirror())))
            assert -WIN < -most <= value <= most < WIN


def test_balance_of_material():
    game = Chess().with_parts(evaluation=ChessMaterial)
    for board in positions(amount(60, 400)):
        sides = [0, 0]
        for piece in board.piece_map().values():
            sides[piece.color != board.turn] += WORTH[piece.symbol().lower()]
        mine, theirs = sides
        exact = 1000 * (mine - theirs) / (mine + theirs) if mine + theirs else 0
        assert game.evaluate(game.parse(fen_of(board))) == int(exact)
    assert game.evaluate(game.parse("8/8/8/4k3/8/8/8/4K3 w - - 0 1")) == 0


@pytest.mark.parametrize(
    ("better", "worse"),
    # Each pair differs in one feature.
    [
        ("4k3/8/8/8/8/8/P1P5/4K3 w", "4k3/8/8/8/8/2P5/2P5/4K3 w"),  # doubled
        ("4k3/7p/8/1P6/8/8/8/4K3 w", "4k3/1p6/8/1P6/8/8/8/4K3 w"),  # passed
        ("4k3/p7/8/8/8/8/7P/R3K3 w", "4k3/7p/8/8/8/8/P7/R3K3 w"),  # half-open file
        ("4k3/p7/8/3N4/8/8/P7/4K3 w", "4k3/p7/8/8/8/8/P7/N3K3 w"),  # in the centre
        ("4k3/8/8/8/8/8/8/2B1KB2 w", "4k3/8/8/8/8/8/8/1NB1K3 w"),  # two bishops
        (
            "3q1rk1/ppp2ppp/8/8/8/8/PPP2PPP/3QR1K1 w",
            "3q1rk1/ppp2ppp/8/8/8/8/PPP2PPP/3QK1R1 w",
        ),  # shelter
    ],
)
def test_features(better, worse):
    game = Chess()
    assert game.evaluate(game.parse(better)) > game.evaluate(game.parse(worse))


def random_ending(draw):
    """A legal board with a king each, and a rook, queen or knight for both sides together."""
    while True:
        board = chess.Board(None)
        squares = draw.sample(range(64), 5)
        pieces = ("K", "k", *draw.choices("QRNqrn", weights=(5, 5, 3, 1, 2, 2), k=3))
        for square, piece in zip(squares, pieces, strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(piece))
        if board.is_valid() and not board.is_game_over():
            return board


def mates(board, moves):
    """Whether the side to move can mate within so many of its moves."""
    for move in list(board.legal_moves):
        board.push(move)
        try:
            if board.is_checkmate():
                return True
            if (
                moves > 1
                and not board.is_game_over()
                and all(_answered(board, answer, moves - 1) for answer in list(board.legal_moves))
            ):
                return True
        finally:
            board.pop()
    return False


def _answered(board, answer, moves):
    board.push(answer)
    found = not board.is_game_over() and mates(board, moves)
    board.pop()
    return found


def test_mates_are_found_and_proved():
    """With three plies a search finds the mates in two that exist, proves them, and no others; a
    line that it gives ends with mate."""
    game, draw, found = Chess(), random.Random(3), [0, 0]
    for _ in range(amount(25, 150)):
        board = random_ending(draw)
        analysis = prunus.analyze(game, board.fen(), depth=3, compile=True)
        exists = mates(board, 2)
        assert (analysis.value == WIN) == exists
        assert analysis.value != WIN or analysis.proved
        found[exists] += 1
        if exists and len(analysis.pv) % 2:
            for action in analysis.pv:
                board.push_uci(game.protocol_name(game.parse(board.fen()), action))
            assert board.is_checkmate()
    assert min(found) > 3


TWO_ROOKS = ("6k1/5pp1/7p/3q4/8/8/5PPP/R5K1 w - - 0 1", "6k1/5pp1/7p/3q4/8/8/5PPP/3R2K1 w - - 0 1")
"""Two boards that differ only in the place of a rook: white has lost the one, and takes the queen
on the other."""

DOOMED = "8/6kp/6p1/5p2/4p3/1P6/b1P2KPP/R7 b - - 0 1"
"""Black's bishop cannot be saved. Pawns that give check put off its loss, and are lost, too."""


def material_search(fen, depth, **options):
    """The value and the best move of a search that counts material."""
    game = Chess().with_parts(evaluation="material")
    found = prunus.analyze(game, fen, depth=depth, options=options, compile=True)
    return found.value, game.action_name(game.parse(fen), found.best)


@in_full
def test_equal_material_is_settled_by_quiescence():
    game = Chess().with_parts(evaluation="material")
    lost, won = (game.evaluate(game.parse(fen)) for fen in TWO_ROOKS)
    assert lost == won == 1000 * (8 - 12) // (8 + 12)
    lost, won = (material_search(fen, 1, quiescence=True) for fen in TWO_ROOKS)
    assert lost[0] < 0 < won[0] and won[1] == "Rxd5"


@in_full
def test_horizon():
    """Beyond the horizon of two plies the bishop seems to be saved; five plies and captures see
    that it is not."""
    assert material_search(DOOMED, 2, quiescence=True) == (-200, "e3+")
    assert material_search(DOOMED, 5, quiescence=True) == (-333, "Bxb3")
