"""Endings of chess: their numbers, against boards of python-chess; and their databases."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest

import chess
from prunus.databases.numbering import representative
from prunus.games import Chess
from prunus.games.chess.endings import ChessEnding
from prunus.tables.identity import identity
from tests.amount import amount


def boards(men, count, rng):
    """Random positions of an ending that python-chess takes to be legal, either side to move."""
    white, black = re.fullmatch("(K[QRBNP]*)(K[QRBNP]*)", men).groups()
    found = 0
    while found < count:
        board = chess.Board(None)
        squares = rng.sample(range(64), len(men))
        for square, piece in zip(squares, white + black.lower(), strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(piece))
        board.turn = rng.random() < 0.5
        if board.is_valid():
            found += 1
            yield board


def rank_of(game, board):
    return game.rank(representative(game, game.parse(board.fen())))


UNREACHABLE = chess.STATUS_IMPOSSIBLE_CHECK | chess.STATUS_TOO_MANY_CHECKERS
"""Checks that no move can have given: such positions have values, too."""

TURNS = (chess.flip_horizontal, chess.flip_vertical, chess.flip_diagonal, chess.flip_anti_diagonal)


@pytest.mark.parametrize("men", ["KQK", "KBNK", "KQKR", "KPPK", "KPKP", "KRPKR"])
def test_a_legal_position_has_one_number_up_to_symmetry(men):
    game, rng = ChessEnding(men), random.Random(men)
    seen = {}
    for board in boards(men, amount(60, 600), rng):
        number = rank_of(game, board)
        home = representative(game, game.parse(board.fen()))
        assert 0 <= number < game.rank_count() and game.is_position(number)
        assert game.unrank(number) == home
        assert seen.setdefault(number, home) == home
        turns = TURNS[:1] if "P" in men else TURNS
        images = [board.transform(turn) for turn in turns] + [board.mirror()]
        assert {rank_of(game, image) for image in images} == {number}


def turned(square, turn):
    file, rank = square % 8, square // 8
    file, rank = 7 - file if turn & 1 else file, 7 - rank if turn & 2 else rank
    return 8 * file + rank if turn & 4 else 8 * rank + file


def is_home(king, other, has_pawns):
    """Whether the kings are where symmetry brings them."""
    side = king // 8 - king % 8 or other // 8 - other % 8
    return king % 8 < 4 and (has_pawns or (king // 8 < 4 and side <= 0))


def counted(game, board):
    """The number of a position by the definition: the least of all its images."""
    men, kings = {}, [0, 0]
    for square, piece in board.piece_map().items():
        seen = square if board.turn else square ^ 56
        if piece.piece_type == chess.KING:
            kings[piece.color != board.turn] = seen
        else:
            men[seen] = piece.piece_type + (0 if piece.color == board.turn else 5)
    has_pawns = bool(board.pawns)
    images = [
        (*(turned(k, turn) for k in kings), sorted((men[s], turned(s, turn)) for s in men), turn)
        for turn in range(2 if has_pawns else 8)
    ]
    king, other, placed, turn = min(i for i in images if is_home(*i[:2], has_pawns))
    pairs = [
        (k, o)
        for k in range(64)
        for o in range(64)
        if is_home(k, o, has_pawns) and chess.square_distance(k, o) > 1
    ]
    number = pairs.index((king, other))
    for kind, square in placed:
        number = 48 * number + square - 8 if kind in (1, 6) else 64 * number + square
    theirs = [square for kind, square in placed if kind == 6]
    if any(kind == 1 for kind, _ in placed):
        number *= 1 + len(theirs)
    if board.ep_square is not None:
        taken = board.ep_square ^ (0 if board.turn else 56)
        number += 1 + theirs.index(turned(taken - 8, turn))
    mine, others = ("".join("PNBRQ"[k % 5 - 1] for k, _ in placed if k // 6 == of) for of in (0, 1))
    return number + next(s.start for s, balance in game.numbered() if balance == (mine, others))


def test_numbers_are_those_of_the_definition():
    """Also where both kings stand on a diagonal, so that the other men decide."""
    rng = random.Random(16)
    tied = passed = 0
    for men in ("KQKR", "KBNK", "KNKB", "KPPK", "KPKP", "KRRKR"):
        game = ChessEnding(men)
        for board in boards(men, amount(80, 800), rng):
            if "P" not in men and rng.random() < 0.7:
                for color in chess.COLORS:
                    home, there = board.king(color), 9 * rng.randrange(8)
                    if board.piece_at(there) is None:
                        board.set_piece_at(there, board.remove_piece_at(home))
                if not board.is_valid():
                    continue
            state = game.parse(board.fen())
            number = counted(game, board)
            assert game.rank(game.canonical(state)) == number, board.fen()
            tied += "P" not in men and all(s % 9 == 0 for s in map(board.king, chess.COLORS))
    game = ChessEnding("KPKP")
    for fen in ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "4k3/8/8/8/2pP4/8/8/K7 b - d3 0 1"):
        state = game.parse(fen)
        assert game.rank(game.canonical(state)) == counted(game, chess.Board(fen))
        passed += state.en_passant != 0
    assert tied > 20 and passed == 2


@pytest.mark.parametrize("men", ["KNK", "KRKB", "KPKP", "KPPKN"])
def test_numbers_that_are_no_positions_are_told(men):
    """A number is a position's if, and only if, its board is a legal one that leads back to it."""
    game, rng = ChessEnding(men), random.Random(men)
    found = [0, 0]
    for _ in range(amount(150, 2000)):
        number = rng.randrange(game.rank_count())
        state = game.unrank(number)
        leads_back = game.rank(state) == number and game.canonical(state) == state
        try:
            board = chess.Board(game.format(state))
            legal = board.status() & ~UNREACHABLE == chess.STATUS_VALID
        except ValueError:
            legal = False
        if state.en_passant:
            legal = legal and board.has_legal_en_passant()
        assert game.is_position(number) == (legal and leads_back), (number, game.format(state))
        found[legal and leads_back] += 1
    assert min(found) > 10


def test_two_men_on_one_square_are_no_position_whatever_their_number():
    """A pawn and a piece on a square look like another piece, and have its number; rarely, that is
    the one they came from."""
    game = ChessEnding("KPPK+KPKP")
    for number in (66_897_608, 72_475_208, 78_052_808):
        assert game.rank(game.unrank(number)) == number
        assert not game.is_position(number)


@pytest.mark.parametrize(
    ("men", "fens"),
    [
        ("KPK", ["8/4P3/8/8/8/2k5/8/4K3 w - - 0 1", "8/8/8/8/8/3k4/3P4/5K2 b - - 0 1"]),
        ("KPKP", ["8/P3k3/8/8/3p4/8/4K3/8 w - - 0 1", "8/4k3/8/8/3pK3/8/2P5/8 w - - 0 1"]),
        ("KPPKR", ["7r/6P1/8/8/2k5/8/5P2/4K3 w - - 0 1"]),
    ],
    ids=lambda item: item if isinstance(item, str) else "",
)
def test_actions_lead_to_positions_with_numbers(men, fens):
    game, rng = ChessEnding(men), random.Random(men)
    promoted = captured = passed = 0
    given = [chess.Board(fen) for fen in fens]
    for board in (*given, *boards(men, amount(25, 250), rng)):
        state = game.parse(board.fen())
        if game.is_terminal(state):
            continue
        for action in game.actions(state):
            child = game.result(state, action)
            home = representative(game, child)
            number = game.rank(home)
            assert game.is_position(number) and game.unrank(number) == home
            promoted += 1 <= action >> 12 <= 4
            captured += game.occupied(child).bit_count() < len(men)
            passed += child.en_passant != 0
    assert promoted and captured and (passed or men != "KPKP")


def test_a_pawn_that_may_be_taken_in_passing_makes_another_position():
    game = ChessEnding("KPKP")
    plain, passing = (
        game.parse(f"4k3/8/8/3pP3/8/8/8/4K3 w - {square} 0 1") for square in ("-", "d6")
    )
    ranks = [game.rank(game.canonical(state)) for state in (plain, passing)]
    assert ranks[0] != ranks[1] and all(map(game.is_position, ranks))
    assert game.canonical(passing).en_passant != 0
    # The pawn has not just made two steps if something stands where it came from.
    blocked = game.canonical(game.parse("8/3k4/8/3pP3/8/8/8/4K3 w - - 0 1"))
    wrong = blocked._replace(
        en_passant=passing.en_passant ^ (7 if blocked.pawns >> 36 & 1 == 0 else 0)
    )
    assert not game.is_position(game.rank(wrong))


@pytest.mark.parametrize("men", ["", "K", "QK", "KQ", "KQKX", "KQQKRR", "KQK+", "KKK"])
def test_what_is_no_ending_is_refused(men):
    with pytest.raises(ValueError, match="is not an ending"):
        ChessEnding(men)


def test_databases_of_other_men_are_told_apart():
    """Also where they have as many numbers, as a build that goes on would not notice."""
    games = [ChessEnding(men) for men in ("KQK", "KRK", "krk")]
    assert games[0].rank_count() == games[1].rank_count()
    assert identity(games[0]) != identity(games[1]) == identity(games[2])


def test_a_position_is_worth_what_it_is_in_chess():
    ending, whole = ChessEnding(), Chess()
    for name, value in vars(whole).items():
        assert np.array_equal(np.asarray(value), np.asarray(getattr(ending, name))), name
    state = ending.initial()
    assert ending.evaluate(state) == whole.evaluate(state)
