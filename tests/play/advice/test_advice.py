"""Books and tables of endings: what they know, and what players do with it."""

from __future__ import annotations

import random
import struct
from pathlib import Path

import pytest

from prunus.core.position import Position
from prunus.games import Chess, ConnectFour, Othello
from prunus.play.adjudication import read_adjudication
from prunus.play.advice.advice import Advice, AdviceError
from prunus.play.advice.library import Library
from prunus.play.match import Match
from prunus.play.players import RandomPlayer, Turn
from prunus.play.protocols.settings import Settings
from prunus.play.referee import Manners
from prunus.play.specs import player_of
from tests.amount import amount
from tests.play.protocols.test_ugi import Heard

chess = pytest.importorskip("chess")
polyglot = pytest.importorskip("chess.polyglot")

TABLES = str(Path(__file__).parent / "tables")
GAME = Chess()


def entry(board, move, weight=1):
    """A line of a book in Polyglot's format (a castling king goes to its rook's square)."""
    target = move.to_square
    if board.is_castling(move):
        target = chess.square(7 if target > move.from_square else 0, target // 8)
    promotion = (move.promotion or 1) - 1
    word = target | move.from_square << 6 | promotion << 12
    return struct.pack(">QHHI", polyglot.zobrist_hash(board), word, weight, 0)


@pytest.fixture
def book(tmp_path):
    """A book: e4 (thrice as often as d4), e5, and a castling move."""
    start, castling = chess.Board(), chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    after = chess.Board()
    after.push_san("e4")
    lines = [entry(start, start.parse_san("e4"), 3), entry(start, start.parse_san("d4"))]
    lines += [entry(after, after.parse_san("e5")), entry(castling, castling.parse_san("O-O"))]
    path = tmp_path / "book.bin"
    path.write_bytes(b"".join(sorted(lines)))
    return str(path)


def asked(library, text, seed=0):
    """What a library knows of a position, and the names of the actions."""
    shelf = library.opened(GAME)
    state = GAME.parse(text)
    found = shelf.advise(Position(state), random.Random(seed))
    shelf.close()
    return found, [GAME.action_name(state, each) for each in found.actions] if found else []


def test_moves_of_a_book_are_drawn_by_their_weights(book):
    library = Library(book)
    drawn = [asked(library, "startpos", seed)[1][0] for seed in range(60)]
    assert set(drawn) == {"e4", "d4"}
    assert drawn.count("e4") > drawn.count("d4")
    assert asked(library, "e4")[1] == ["e5"]
    assert asked(library, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")[1] == ["O-O"]
    assert asked(library, "d4") == (None, [])


@pytest.mark.parametrize(
    ("game", "library", "says"),
    [
        (GAME, Library("nothing.bin"), "there is no nothing.bin"),
        (GAME, Library(__file__), "book"),
        (GAME, Library(syzygy="nowhere"), "there is no nowhere"),
        (GAME, Library(syzygy=str(Path(__file__).parent)), "there are none"),
        (Othello(), Library(syzygy=TABLES), "it is for chess"),
        (ConnectFour(), Library(__file__), "it is for chess"),
    ],
)
def test_what_is_no_book(game, library, says):
    with pytest.raises(AdviceError, match=says):
        library.opened(game).advise(Position(game.initial()), random.Random(1))


KNOWN = [
    ("8/8/8/8/8/4k3/8/3QK3 w - - 0 1", 1, True),
    ("8/8/8/8/8/4k3/8/3QK3 w - - 98 1", 0, False),  # the rule of fifty moves may come first
    ("8/8/8/3k4/8/8/4P3/4K3 b - - 0 1", 0, True),
    ("8/8/8/8/8/2k5/7r/K7 w - - 0 1", -1, True),
    ("8/4P3/8/8/k7/8/8/4K3 w - - 0 1", 1, True),
]


@pytest.mark.parametrize(("text", "result", "proved"), KNOWN)
def test_values_of_tables(text, result, proved):
    found, _ = asked(Library(syzygy=TABLES), text)
    assert (found.value, found.proved) == (30_000 * result, proved)


def test_what_tables_do_not_know():
    library = Library(syzygy=TABLES)
    assert asked(library, "startpos") == (None, [])
    assert asked(library, "8/8/8/4k3/8/7P/8/3NK3 w - - 0 1") == (None, [])  # no table for these men
    assert asked(library, "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1") == (None, [])  # castling


def test_a_position_that_came_twice_proves_no_win():
    state = GAME.parse("8/8/8/8/8/4k3/8/3QK3 w - - 0 1")
    shelf = Library(syzygy=TABLES).opened(GAME)
    position = Position(state)
    for name in ("Qd8", "Ke4", "Qd1", "Ke3"):
        position = position.after(GAME, GAME.action_named(position.state, name))
    found = shelf.advise(position, random.Random(1))
    assert found.value == 30_000
    assert not found.proved


def test_tables_win_every_won_ending():
    """Played out from random positions against an opponent who draws moves by lot or plays by the
    tables: each result is the one that was told at first."""
    shelf, rng = Library(syzygy=TABLES).opened(GAME), random.Random(7)
    for _ in range(amount(4, 20)):
        position = Position(GAME.parse(_ending(rng)))
        told = shelf.advise(position, rng)
        mover = 0
        while not (GAME.is_terminal(position.state) or _repeats(position)):
            found = shelf.advise(position, rng)
            legal = list(GAME.actions(position.state))
            actions = found.actions if mover == 0 or rng.random() < 0.5 else legal
            position = position.after(GAME, int(rng.choice(actions)))
            mover ^= 1
        value = GAME.utility(position.state) if GAME.is_terminal(position.state) else 0
        assert told.proved
        assert (value if mover == 0 else -value) >= told.value


def _ending(rng):
    """A random position with a queen, a rook or a pawn more, that is not over."""
    while True:
        board = chess.Board(None)
        squares = rng.sample(range(8, 56), 3)
        board.set_piece_at(squares[0], chess.Piece.from_symbol("K"))
        board.set_piece_at(squares[1], chess.Piece.from_symbol("k"))
        board.set_piece_at(squares[2], chess.Piece.from_symbol(rng.choice("QRP")))
        board.turn = rng.random() < 0.5
        if board.is_valid() and not board.is_game_over():
            return board.fen()


def _repeats(position):
    from prunus.algorithms.repetition import is_over

    return is_over(GAME, position.path)


def test_players_take_advice(book):
    player = player_of(f"engine,depth=1,backend=interpreted,book={book},syzygy={TABLES}")
    player.begin(GAME, 0)
    start = Position(GAME.initial())
    found = player.choose(start, Turn())
    assert GAME.action_name(start.state, found.action) in ("e4", "d4")
    won = Position(GAME.parse("8/8/8/8/8/4k3/8/3QK3 w - - 0 1"))
    assert (player.choose(won, Turn()).value, player.choose(won, Turn()).proved) == (30_000, True)
    drawn = Position(GAME.parse("8/8/8/3k4/8/8/4P3/4K3 b - - 0 1"))
    found = player.choose(drawn, Turn())
    assert (found.value, found.proved) == (0, True)
    assert found.action in player.shelf.advise(drawn, random.Random(1)).actions
    player.close()
    players = (player_of(f"engine,depth=1,backend=interpreted,book={book}"), RandomPlayer(1))
    manners = Manners(read_adjudication("length=90"))
    result = Match(GAME, players, 1, 70, manners=manners).play()
    assert not result.failures()


def test_the_protocol_takes_advice(book):
    server = Heard(Settings(compile=False))
    assert server.told("setoption name Book value x.bin", "isready") == ["readyok"]
    said = server.told("setoption name OwnBook value true", "isready")
    assert "there is no x.bin" in said[0]
    assert said[-1] == "readyok"
    said = server.told(
        f"setoption name Book value {book}", f"setoption name SyzygyPath value {TABLES}", "isready"
    )
    assert said == ["readyok"]
    assert server.told("position startpos", "go depth 1")[-1] in ("bestmove e2e4", "bestmove d2d4")
    said = server.told("position fen 8/8/8/8/8/4k3/8/3QK3 w - - 0 1", "go depth 1")
    assert "info string Syzygy: proved" in said
    said = server.told("position fen 8/8/8/3k4/8/8/4P3/4K3 b - - 0 1", "go depth 1")
    assert said[-2].split()[5:8] == ["score", "cp", "0"]
    server.told("setoption name Book value <empty>", "setoption name SyzygyPath value <empty>")
    assert len(server.told("position startpos", "go depth 1")) > 1


def test_installed_books_answer_in_protocols():
    server = Heard(Settings("connect-four", compile=False))
    server.told("setoption name OwnBook value true", "isready")
    said = server.told("position startpos moves 4 4", "go depth 1")
    assert said[0] == "info string book: proved"


class _Made:
    """A book that someone else has written."""

    def advise(self, game, position, rng):
        return Advice((), source="nothing")

    def close(self):
        raise OSError


def test_no_advice_is_no_answer():
    shelf = Library().opened(GAME)
    shelf.advisers.append(_Made())
    assert shelf.advise(Position(GAME.initial()), random.Random(1)) is None
    shelf.close()
