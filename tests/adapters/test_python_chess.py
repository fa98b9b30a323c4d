"""Boards of python-chess in Prunus."""

from __future__ import annotations

import copy
import pickle
import sys

import pytest

import prunus
from prunus.adapters import open_adapted
from prunus.games.errors import GameError
from tests import naive
from tests.adapters import needs
from tests.playing import walk

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
CASTLES = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
PROMOTIONS = "8/P1k5/8/8/8/8/5K1p/6B1 b - - 0 1"


def opened(spec="python-chess"):
    return open_adapted(spec)


def test_missing_library(monkeypatch):
    monkeypatch.setitem(sys.modules, "chess", None)
    for spec in ("python-chess", f"python-chess:{START}"):
        with pytest.raises(
            GameError, match=r"^python-chess is not installed: pip install 'prunus\[chess\]'$"
        ):
            opened(spec)


@needs("chess")
@pytest.mark.parametrize(
    ("fen", "counts"),
    # https://www.chessprogramming.org/Perft_Results, positions 1, 2 and 3
    [
        ("", [20, 400, 8902]),
        (CASTLES, [48, 2039]),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", [14, 191, 2812]),
    ],
)
def test_perft(fen, counts):
    game = opened(f"python-chess:{fen}")
    assert [
        naive.perft(game, game.initial(), depth) for depth in range(1, len(counts) + 1)
    ] == counts


@needs("chess")
def test_names_of_the_game():
    assert opened("python-chess").initial() == opened(f"python-chess:{START}").initial()
    assert (
        opened(f"python-chess:{PROMOTIONS}").format(opened(f"python-chess:{PROMOTIONS}").initial())
        == PROMOTIONS
    )


@needs("chess")
def test_mate_in_one():
    game = opened()
    state = game.parse("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
    found = prunus.analyze(game, state, depth=2, compile=False)
    assert (found.value, found.proved, found.line(), found.distance) == (10_000, True, ["Ra8#"], 1)
    mated = game.play(["Ra8#"], state)
    assert game.is_terminal(mated) and game.utility(mated) == -10_000 and game.in_check(mated)


@needs("chess")
@pytest.mark.parametrize(
    ("fen", "over", "why"),
    [
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", True, "stalemate"),
        ("7k/8/6K1/8/8/8/8/8 w - - 0 1", True, "insufficient material"),
        ("7k/8/6K1/8/8/8/8/R7 w - - 150 90", True, "75 moves"),
        ("7k/8/6K1/8/8/8/8/R7 w - - 149 90", False, "a move short of them"),
    ],
)
def test_draws(fen, over, why):
    game = opened()
    state = game.parse(fen)
    assert game.is_terminal(state) is over, why
    assert not over or game.utility(state) == 0
    assert over == state.position.board.is_game_over()


@needs("chess")
def test_material():
    game = opened()
    assert game.evaluate(game.initial()) == 0
    assert game.evaluate(game.parse("7k/8/6K1/8/8/8/p7/R7 w - - 0 1")) == 400
    assert game.evaluate(game.parse("7k/8/6K1/8/8/8/p7/R7 b - - 0 1")) == -400
    queens = game.initial()
    queens.position.board.set_board_fen("QQQQQQQ1/8/8/8/8/QQ6/k7/RRBBNN1K")
    assert game.evaluate(queens) == 9999


@needs("chess")
def test_noisy_actions_and_check():
    game = opened()
    state = game.parse("4k3/P7/8/3p4/4P3/8/8/4K2r w - - 0 1")
    names = {game.action_name(state, action) for action in game.noisy_actions(state)}
    assert names == set() and game.in_check(state)
    state = game.parse("4k3/P7/8/3p4/4P3/8/8/4K3 w - - 0 1")
    names = {game.action_name(state, action) for action in game.noisy_actions(state)}
    assert names == {"a8=Q+", "a8=R+", "a8=B", "a8=N", "exd5"} and not game.in_check(state)
    assert set(game.noisy_actions(state)) <= set(game.actions(state))


@needs("chess")
def test_actions_are_unique_and_captures_first():
    game = opened()
    for fen in (CASTLES, PROMOTIONS, START):
        state = game.parse(fen)
        actions = list(game.actions(state))
        assert len(set(actions)) == len(actions)
        assert {game.move(action) for action in actions} == set(state.position.board.legal_moves)
        captures = [state.position.board.is_capture(game.move(action)) for action in actions]
        assert captures == sorted(captures, reverse=True)


@needs("chess")
def test_check_finds_no_fault_and_texts_round_trip():
    game = opened("python-chess:k7/8/8/8/8/8/8/K6R w - - 147 100")
    report = prunus.check(game, games=2, compile=False)
    assert report.ok, str(report)
    game = opened()
    for state in walk(game, 4, 60)[::10]:
        assert game.parse(game.format(state)) == state


@needs("chess")
def test_positions_as_text():
    game = opened()
    wanted = game.parse("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2")
    for text in (
        "e4 e5",
        "e2e4 e7e5",
        "start moves e4 e5",
        f"{START} moves e2e4 e5",
        "moves e4, e5",
    ):
        assert game.parse(text) == wanted
    assert game.parse("") == game.parse("start") == game.initial()
    for text, said in [
        ("e5", "move 1 (e5) is illegal"),
        ("f3 e5 g4 Qh4 a3", "the game is already over"),
        ("8/8/8/8 w - - 0 1", "this is not a FEN"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "no white king"),
    ]:
        with pytest.raises(prunus.PositionError) as error:
            game.parse(text)
        assert said in str(error.value) and "\n" not in str(error.value)
    with pytest.raises(GameError, match="not a FEN"):
        opened("python-chess:nonsense")


@needs("chess")
def test_equality_and_keys():
    game = opened()
    one, other = game.parse("Nf3 Nf6 Nc3"), game.parse("Nc3 Nf6 Nf3")
    assert one == other and hash(one) == hash(other) and game.key(one) == game.key(other)
    assert game.initial() != game.parse("Nf3 Nf6 Ng1 Ng8")  # four plies nearer to the 75-move rule
    assert game.parse("e4") != game.parse("e3 e6 e4")
    assert one == copy.deepcopy(one) == pickle.loads(pickle.dumps(one))
    board = one.position.board.copy()
    for action in game.actions(one):
        game.result(one, action)
    assert one.position.board == board and not one.position.board.move_stack
