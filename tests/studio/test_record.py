"""Games as texts: what is saved is read again; what is no game is refused in words."""

from __future__ import annotations

import io
import json
import random

import chess.pgn
import pytest

from prunus.algorithms.repetition import allowed_actions, is_over
from prunus.core.position import read_position
from prunus.games.catalogue import GAMES, make_game
from prunus.studio import maxima
from prunus.studio.messages import Move
from prunus.studio.work import patience
from tests.amount import amount, thinned
from tests.studio.serving import client

PLAYED = sorted(GAMES.keys() - {"tree"})


@pytest.fixture(scope="module")
def browser():
    with client() as opened:
        yield opened


def random_moves(game, text, count, seed):
    """The names of random moves from a position."""
    draw, position, names = random.Random(seed), read_position(game, text), []
    while len(names) < count and not is_over(game, position.path):
        action = draw.choice(list(allowed_actions(game, position.path)))
        names.append(game.action_name(position.state, action))
        position = position.after(game, action)
    return names


def saved(browser, form="json", **record):
    answer = browser.post("/api/write", json={"record": record, "form": form})
    assert answer.status_code == 200, answer.text
    return answer.json()


def read(browser, text):
    return browser.post("/api/read", json={"text": text})


@pytest.mark.parametrize("name", thinned(PLAYED, 3))
def test_a_game_is_saved_and_read_again(browser, name):
    for text in ("", GAMES[name].example):
        moves = random_moves(make_game(name), text, 12, 1)
        record = {"game": name, "position": text, "moves": moves, "who": "second", "level": 7}
        written = saved(browser, **record)
        assert written["name"] == f"{name}.json"
        found = read(browser, "\ufeff\n" + written["text"]).json()
        assert {key: found[key] for key in record} == record


@pytest.mark.parametrize("seed", range(amount(3, 30)))
def test_chess_goes_through_pgn(browser, seed):
    moves = random_moves(make_game("chess"), "", 60, seed)
    text = saved(browser, "pgn", game="chess", moves=moves, who="first", level=3)["text"]
    found = chess.pgn.read_game(io.StringIO(text))
    assert [found.headers[side] for side in ("White", "Black")] == ["Person", "Prunus, level 3"]
    assert len(list(found.mainline_moves())) == len(moves)
    assert not found.errors
    again = read(browser, text).json()
    assert (again["game"], again["position"], again["moves"]) == ("chess", "", moves)


def test_pgn_of_other_starts_and_results(browser):
    fen = "8/P7/8/8/8/8/k7/2K5 w - - 0 1"
    text = saved(browser, "pgn", game="chess", position=fen, moves=["a8=N"])["text"]
    again = read(browser, text).json()
    assert (again["position"], again["moves"]) == (fen, ["a8=N"])
    mate = saved(browser, "pgn", game="chess", moves=["f3", "e5", "g4", "Qh4#"])["text"]
    assert '[Result "0-1"]' in mate
    assert mate.rstrip().endswith("2. g4 Qh4# 0-1")
    fischer = "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w HFhf - 0 1"
    tags = f'[Variant "Chess960"]\n[SetUp "1"]\n[FEN "{fischer}"]\n\n1. e4 e5 *\n'
    again = read(browser, tags).json()
    assert (again["game"], again["moves"]) == ("chess:chess960=true", ["e4", "e5"])
    answer = browser.post("/api/write", json={"record": {"game": "nim"}, "form": "pgn"})
    assert answer.status_code == 422
    assert "PGN is for chess" in answer.json()["error"]


CLOCK = {"minutes": 5, "increment": 3, "left": [12.5, 300], "flag": None}


def test_clocks_are_kept(browser):
    moves = ["e4", "e5"]
    text = saved(browser, game="chess", moves=moves, clock=CLOCK)["text"]
    assert read(browser, text).json()["clock"] == CLOCK
    text = saved(browser, "pgn", game="chess", moves=moves, clock=CLOCK)["text"]
    assert '[TimeControl "300+3"]' in text
    assert '[Result "*"]' in text
    fallen = saved(browser, "pgn", game="chess", moves=moves, clock={**CLOCK, "flag": 0})["text"]
    assert '[Termination "time forfeit"]' in fallen
    assert fallen.rstrip().endswith("1. e4 e5 0-1")


def test_a_move_on_a_clock_takes_a_part_of_its_time():
    def longest(**clock):
        asked = {"id": 1, "do": "move", "place": {"game": "nim"}, "level": 10, **clock}
        return patience(Move.model_validate(asked))

    free = longest()
    assert longest(clock={"left": 3600.0}) == free
    for left in (0.0, 0.05, 1.0, 10.0, 60.0):
        allowed = longest(clock={"left": left})
        assert 0 < allowed <= max(0.001, 0.4 * left)
        assert allowed <= longest(clock={"left": left, "increment": 2.0}) <= max(0.001, left)


def record(**fields):
    return json.dumps({"prunus": "game", "game": "nim", **fields})


BAD = [
    "",
    "hello",
    "{",
    "{}",
    "{" * 5_000,
    "[" * 5_000,
    record(game="x.py:Game"),
    record(game="tree:file=/etc/passwd"),
    record(game="chess:weights=/etc/passwd"),
    record(moves=["9:9"]),
    record(moves=["1:1"] * (maxima.MOVES + 1)),
    record(moves=["1:1" * 20]),
    record(moves=[1]),
    record(position="1" * (maxima.POSITION + 1)),
    record(level=11),
    record(level="5"),
    record(who="nobody"),
    record(file="/etc/passwd"),
    record(clock={**CLOCK, "minutes": 0}),
    record(clock={**CLOCK, "minutes": 1e9}),
    record(clock={**CLOCK, "increment": -1}),
    record(clock={**CLOCK, "left": [1.0]}),
    record(clock={**CLOCK, "left": [1.0, float("nan")]}),
    record(clock={**CLOCK, "left": [1.0, float("inf")]}),
    record(clock={**CLOCK, "flag": 2}),
    record(prunus="other"),
    "1. e4 e5 2. Ke4 *",
    "1. e4 (1. d4 (1. c4 *",
    '[Variant "Atomic"]\n\n1. e4 e5 *',
    '[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n*',
    '[FEN "nonsense"]\n\n1. e4 *',
    "1. e4 -- 2. d4 *",
    " ".join(f"{number}. Nf3 Nf6 {number + 1}. Ng1 Ng8" for number in range(1, 400, 2)),
    "(" * 20_000,
    "[Event " * 4_000,
]


@pytest.mark.parametrize("number", range(len(BAD)))
def test_what_is_no_game_is_refused_in_words(browser, number):
    answer = read(browser, BAD[number])
    assert answer.status_code == 422
    assert "Traceback" not in answer.text
    assert len(answer.json()["error"]) > 10


def test_a_text_that_is_too_long_is_refused(browser):
    assert read(browser, "1. e4 " + " " * maxima.TEXT).status_code == 422
    assert read(browser, "1. e4 " + " " * maxima.MESSAGE).status_code == 413
