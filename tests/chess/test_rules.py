"""The rules of chess and its texts against python-chess, position by position."""

from __future__ import annotations

import random

import pytest

from prunus.core.rules import PositionError
from prunus.games import Chess
from prunus.games.chess.rules import WIN
from tests.amount import amount
from tests.chess.boards import boards, chess, fen_of

POSITIONS = amount(600, 4_000)


@pytest.mark.parametrize("claims", [True, False])
@pytest.mark.parametrize("chess960", [False, True])
def test_random_games(chess960, claims):
    """Legal moves, their number, results, names, FENs, checks, ends of the game."""
    game, seen, seed = Chess(chess960=chess960, claims=claims), 0, 0
    game.freeze()
    while seen < POSITIONS // 4:
        seed += 1
        state, names = None, {}
        for board in boards(seed, chess960):
            state = (
                game.result(state, names[board.peek().uci()])
                if board.move_stack
                else game.parse(fen_of(board))
            )
            seen += 1
            assert game.format(state) == fen_of(board)
            assert game.parse(fen_of(board)) == state
            actions = list(game.actions(state))
            names = {game.protocol_name(state, action): action for action in actions}
            moves = {board.uci(move): move for move in board.legal_moves}
            assert names.keys() == moves.keys() and len(actions) == len(names)
            names |= {moves[name].uci(): action for name, action in names.items()}
            assert game.action_count(state) == len(actions)
            assert game.in_check(state) == board.is_check()
            _expect_end(game, state, board, claims)
            if seen % 5 == 0 and not game.is_terminal(state):
                _expect_names(game, state, board, names)


def _expect_end(game, state, board, claims):
    quiet = board.halfmove_clock >= (100 if claims else 150)
    over = quiet or board.is_insufficient_material() or not any(board.legal_moves)
    assert game.is_terminal(state) == over
    if over:
        assert game.utility(state) == (-WIN if board.is_checkmate() else 0)


def _expect_names(game, state, board, names):
    for move in board.legal_moves:
        action = names[board.uci(move)]
        assert game.action_name(state, action) == board.san(move)
        assert game.action_named(state, board.san(move)) == action
        assert game.action_named(state, board.uci(move)) == action
        if board.piece_type_at(move.from_square) not in (chess.PAWN, chess.KING):
            assert game.action_named(state, board.lan(move).replace("-", "")) == action


def test_insufficient_material():
    game = Chess()
    for pieces in ("", "Nc1", "Bc1", "Nc1 Nb1", "Nc1 nc8", "Bc1 be5", "Bd3 be5", "Bd3 bc8 bg8 Bf1"):
        fen = _with_kings(pieces)
        assert game.is_terminal(game.parse(fen)) == chess.Board(fen).is_insufficient_material(), fen
    for pieces in ("Pc2", "qc8", "rc8", "Bd3 bc8 nb8", "Qc1", "Bd3 be5 bc8"):
        fen = _with_kings(pieces)
        assert (
            not game.is_terminal(game.parse(fen))
            and not chess.Board(fen).is_insufficient_material()
        )


def _with_kings(pieces):
    """The FEN of a board with kings on h4 and a4 and some pieces, such as Bc1."""
    board = chess.Board(None)
    for text in ("Kh4", "ka4", *pieces.split()):
        board.set_piece_at(chess.parse_square(text[1:]), chess.Piece.from_symbol(text[0]))
    return board.fen()


def test_mate_ends_the_game_before_the_fiftieth_move_does():
    game = Chess()
    state = game.parse("6k1/5ppp/8/8/8/8/8/R5K1 w - - 99 80 moves Ra8#")
    assert state.quiet == 100
    assert game.is_terminal(state) and game.utility(state) == -WIN
    state = game.parse("6k1/5pp1/8/8/8/8/8/R5K1 w - - 99 80 moves Ra8+")
    assert game.is_terminal(state) and game.utility(state) == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "is not a FEN"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w", "8 ranks, not 7"),
        ("rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w", r"rank 6 \('9'\)"),
        ("rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w", "rank 7"),
        ("8/8/8/8/8/8/8/K7 w", "one king, not 0"),
        ("k6P/8/8/8/8/8/8/K7 w", "a pawn cannot stand"),
        ("k6R/8/8/8/8/8/8/K7 w", "black is in check"),
        ("k7/8/8/8/8/8/8/K7 w K", "castling right 'K'"),
        ("k7/8/8/8/8/8/8/4K2R w Q", "castling right 'Q'"),
        ("k7/8/8/8/8/8/8/4K2R w - e3", "en passant square is - or on rank 6"),
        ("k7/8/8/8/8/8/8/4K2R w - e6", "no pawn has just"),
        ("k7/8/8/8/8/8/8/4K2R w - - x 1", "are not the plies"),
        ("e4 e5 Ke3", r"move 3 \(Ke3\) is illegal"),
        ("Nf3 d5 Nd4 e5 Nc3 e4 Nb5", r"move 7 \(Nb5\) is ambiguous; it may be Ncb5 Ndb5"),
        ("f3 e5 g4 Qh4# a3", r"move 5 \(a3\): the game is already over"),
    ],
)
def test_errors_of_texts(text, words):
    with pytest.raises(ValueError, match=words):
        Chess().parse(text)


def test_texts_with_moves():
    game = Chess()
    after = game.parse("1. e4 e5 2. Nf3 Nc6 3.Bb5 a6 1/2-1/2")
    assert game.parse("startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6") == after
    assert game.parse("e4,e5,Ngf3,Nc6,Bf1b5!,a6?!") == after
    start = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    assert game.parse(f"fen {start} moves O-O 0-0-0") == game.parse(f"{start} moves e1g1 e8c8")


def test_castling_rights_of_chess960_as_letters():
    game = Chess(chess960=True)
    for fen in (
        "1r2k1r1/8/8/8/8/8/8/1RR1K3 w Bg - 0 1",
        "1r2k1r1/8/8/8/8/8/8/1RR1K3 w Qk - 0 1",
        "1r2k1r1/8/8/8/8/8/8/1RR1K3 b Cb - 0 1",
    ):
        board = chess.Board(fen, chess960=True)
        assert game.format(game.parse(fen)) == fen_of(board)


TEXTS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1",
    "k7/7P/8/8/8/8/8/K7 w - - 0 1 moves h8=Q+ Ka7",
    "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0",
)


@pytest.mark.parametrize("chess960", [False, True])
def test_mutilated_texts(chess960):
    """Characters are inserted, replaced and left out: a text is a position, or the error is a
    PositionError."""
    game, draw, read = Chess(chess960=chess960), random.Random(1), 0
    for _ in range(amount(200, 2_000)):
        text = list(draw.choice(TEXTS))
        for _ in range(draw.randrange(1, 4)):
            place = draw.randrange(len(text))
            text[place : place + draw.randrange(2)] = draw.choice(["", *"aeh1238KQRkq/- w=+x#é\n"])
        try:
            state = game.parse("".join(text))
        except PositionError:
            continue
        read += 1
        assert game.parse(game.format(state)) == state
    assert read > 5
