"""Polyglot books from games, read by python-chess and compared with counts by it alone."""

from __future__ import annotations

import random
from collections import Counter, defaultdict

import pytest

from prunus.games import Chess, Othello
from prunus.play.advice import polyglot_making
from prunus.play.advice.advice import AdviceError
from prunus.play.advice.polyglot_making import make_polyglot
from prunus.play.openings import Opening
from prunus.play.players import MatchError
from prunus.play.recorded import Recorded, read_games
from prunus.play.referee import Record
from prunus.play.tournament.schedule import Played, Slot
from prunus.play.tournament.store import Store
from tests.amount import amount
from tests.commands import prunus

chess = pytest.importorskip("chess")
pgn = pytest.importorskip("chess.pgn")
polyglot = pytest.importorskip("chess.polyglot")

GAME = Chess()
# White castles both ways and promotes, Black castles and takes en passant.
SHORT = (
    "1. e4 e5 2. Nf3 Nf6 3. Bc4 Be7 4. O-O O-O 5. a4 b5 6. axb5 a6 7. bxa6 Bxa6 8. Bxa6 Nxa6 "
    "9. c4 c6 10. c5 d5 11. cxd6 Nc7 12. dxe7 Nce8 13. exd8=N *"
)
LONG = "1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7 5. O-O-O O-O-O 1/2-1/2"


def games(count):
    """Random games as a PGN, and what python-chess counts in them."""
    draw, texts = random.Random(11), [SHORT, LONG, SHORT.replace("*", "0-1")]
    for _ in range(count):
        board = chess.Board()
        while len(board.move_stack) < draw.randint(1, 40) and not board.is_game_over():
            board.push(draw.choice(list(board.legal_moves)))
        game = pgn.Game.from_board(board)
        game.headers["Result"] = draw.choice(["1-0", "0-1", "1/2-1/2", "*"])
        texts.append(str(game))
    return "\n\n".join(texts) + "\n"


def counted(text, plies):
    """Points and number of the moves in each position, by the keys."""
    import io

    points, played = defaultdict(Counter), defaultdict(Counter)
    file = io.StringIO(text)
    while (game := pgn.read_game(file)) is not None:
        board, result = game.board(), game.headers["Result"]
        for move in list(game.mainline_moves())[:plies]:
            key = polyglot.zobrist_hash(board)
            won = {"1-0": board.turn, "0-1": not board.turn}.get(result)
            points[key][move] += 1 if won is None else 2 * won
            played[key][move] += 1
            board.push(move)
    return points, played


@pytest.mark.parametrize(("plies", "at_least"), [(None, 1), (6, 1), (None, 2)])
def test_a_book_has_the_points_of_the_games(plies, at_least, tmp_path):
    text = games(amount(30, 300))
    (tmp_path / "games.pgn").write_text(text)
    points, played = counted(text, plies)
    wanted = {
        (key, move): made
        for key, moves in points.items()
        for move, made in moves.items()
        if made and played[key][move] >= at_least
    }
    path = tmp_path / "book.bin"
    read = read_games(GAME, tmp_path / "games.pgn", plies)
    made = make_polyglot(GAME, read, path, at_least)
    assert made.moves == len(wanted) and made.positions == len({key for key, _ in wanted})
    found, boards = {}, {}
    for game in read:
        board = chess.Board()
        for state in [GAME.initial()]:
            for action in game.moves.actions:
                boards[polyglot.zobrist_hash(board)] = board.copy(stack=False)
                board.push_san(GAME.action_name(state, action))
                state = GAME.result(state, action)  # noqa: PLW2901
    with polyglot.open_reader(path) as reader:
        keys = [entry.key for entry in reader]
        assert keys == sorted(keys)
        for key, board in boards.items():
            weights = [entry.weight for entry in reader.find_all(board)]
            assert weights == sorted(weights, reverse=True)
            found |= {(key, entry.move): entry.weight for entry in reader.find_all(board)}
    assert found == wanted
    assert not list(tmp_path.glob("*.part"))


def test_the_games_of_a_match(tmp_path):
    """Whoever begins: the first player, or the second; the game begins after an opening."""
    blank = {"utility": None, "seconds": (0.0, 0.0), "slowest": (0.0, 0.0), "counts": (1, 1)}
    blank |= {"over": (0, 0), "depth": (None, None), "searching": (None, None)}
    store = Store(tmp_path / "match.sqlite", {"game": "chess"}, ["a", "b"])
    for number, begins in enumerate((True, False)):
        record = Record(number, begins, ["e4", "e5"], ["Nf3", "Nc6"], 1.0, **blank)
        store.add(Played(Slot(number, 0, 1, begins), record))
    store.close()
    found = read_games(GAME, tmp_path / "match.sqlite", 3)
    assert [game.score for game in found] == [1.0, 0.0]
    assert all(len(game.moves.actions) == 3 for game in found)


def test_weights_fit_into_their_bits(tmp_path, monkeypatch):
    monkeypatch.setattr(polyglot_making, "LARGEST", 4)
    (tmp_path / "games.txt").write_text("moves e4\n" * 8 + "moves d4\n" * 4 + "moves c4\n")
    make_polyglot(GAME, read_games(GAME, tmp_path / "games.txt"), tmp_path / "book.bin")
    with polyglot.open_reader(tmp_path / "book.bin") as reader:
        found = {entry.move.uci(): entry.weight for entry in reader.find_all(chess.Board())}
    assert found == {"e2e4": 4, "d2d4": 2, "c2c4": 1}


def test_what_cannot_be_a_book_is_said(tmp_path):
    lost = [Recorded(Opening((GAME.action_named(GAME.initial(), "e4"),)), 0.0)]
    with pytest.raises(AdviceError, match="made a point"):
        make_polyglot(GAME, lost, tmp_path / "book.bin")
    with pytest.raises(AdviceError, match="it is for chess, not for Othello"):
        make_polyglot(Othello(), lost, tmp_path / "book.bin")
    assert not list(tmp_path.iterdir())
    (tmp_path / "bad.pgn").write_text("1. e4 e5 2. Ke3 *\n")
    with pytest.raises(MatchError, match="game 1"):
        read_games(GAME, tmp_path / "bad.pgn")
    (tmp_path / "none.txt").write_text("# nothing\n")
    with pytest.raises(MatchError, match="there is no game"):
        read_games(GAME, tmp_path / "none.txt")


def test_the_command(tmp_path):
    (tmp_path / "games.pgn").write_text(games(3))
    words = ("book", "build", "chess", "--from-games", tmp_path / "games.pgn")
    said = prunus(*words, "--plies", 10, "--out", tmp_path / "book.bin").stdout
    assert "moves in" in said and "of 6 games" in said
    assert (tmp_path / "book.bin").stat().st_size % 16 == 0
    assert "--out FILE.bin" in prunus(*words, status=2).stderr
    assert "--from-games goes with" in prunus(*words, "--by-cost", 5, status=2).stderr
