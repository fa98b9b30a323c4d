"""The studio's server: what it answers, and what it refuses."""

from __future__ import annotations

import json
import re
import time

import pytest
from starlette.websockets import WebSocketDisconnect

import prunus
from prunus.games import Kalah
from prunus.games.catalogue import GAMES, make_game, open_position
from prunus.studio import maxima
from prunus.studio.app import STATIC
from prunus.studio.offer import Offer, served
from tests.naive import minimax_value
from tests.studio.serving import HOST, ORIGIN, ask, client, place, socket

KAYLES = """
import prunus
from typing import NamedTuple

class Kayles(prunus.Game):
    class State(NamedTuple):
        pins: prunus.u64
    def initial(self): return self.State((1 << 5) - 1)
    def actions(self, state):
        for pin in range(5):
            for blow in (1, 3):
                if (state.pins >> pin) & blow == blow:
                    yield 4 * pin + blow
    def result(self, state, action):
        return self.State(state.pins & ~((action % 4) << (action // 4)))
    def is_terminal(self, state): return state.pins == 0
    def utility(self, state): return -1
"""


@pytest.fixture(scope="module")
def browser():
    with client() as opened:
        yield opened


def test_the_page_and_what_it_offers(browser):
    assert "Prunus" in browser.get("/").text
    offer = browser.get("/api/offer").json()
    names = {game["name"] for game in offer["games"]}
    assert names == GAMES.keys() - {"tree"}
    assert offer["figures"]["000-figure-2"] == [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
    options = {(game["name"], each["name"]) for game in offer["games"] for each in game["options"]}
    assert ("othello", "weights") not in options
    assert ("figure", "name") in options
    source = browser.get("/api/source/alphabeta").json()
    assert "def alphabeta" in source["files"][source["first"]]
    assert browser.get("/api/source/mtdf").json()["files"].keys() == {
        "mtdf.py",
        "alphabeta_table.py",
    }
    assert browser.get("/api/source/nonsense").status_code == 422


@pytest.mark.parametrize("name", sorted(GAMES.keys() - {"tree"}))
def test_every_game_has_a_board_and_places(browser, name):
    """In the start and in the example, the board has a place for each action; where the board is
    drawn, no two actions look the same."""
    for text in ("", GAMES[name].example):
        told = browser.post("/api/position", json=place(name, text)).json()
        game, position = open_position(name, text)
        assert told["title"] == game.title()
        actions = [] if game.is_terminal(position.state) else game.actions(position.state)
        names = [game.action_name(position.state, action) for action in actions]
        assert [action["name"] for action in told["actions"]] == names
        if told["board"]["kind"] != "text" and game.alternates:
            cells = [(*each["places"], each["name"][-2:]) for each in told["actions"]]
            assert len(set(cells)) == len(cells)
        if told["board"]["kind"] == "grid":
            board = told["board"]
            assert len(board["cells"]) == board["rows"] * board["columns"]
            assert all(
                0 <= cell < len(board["cells"])
                for each in told["actions"]
                for cell in each["places"]
            )


def test_moves_lead_to_the_end(browser):
    told = browser.post("/api/position", json=place("connect-four", "", "1212121")).json()
    assert (told["over"], told["winner"], told["actions"]) == (True, 0, [])
    assert told["last"] == [14]  # the third row from the top, where the fourth stone lies
    told = browser.post("/api/position", json=place("chess", "", ["f3", "e5", "g4", "Qh4#"])).json()
    assert (told["over"], told["winner"]) == (True, 1)
    drawn = ["b2", "a1", "c1", "a3", "a2", "c2", "b1", "b3", "c3"]
    told = browser.post("/api/position", json=place("tic-tac-toe", "", drawn)).json()
    assert (told["over"], told["winner"]) == (True, None)


@pytest.mark.parametrize(
    ("game", "text", "mover"),
    [
        ("connect-four", "445", 1),
        ("tic-tac-toe", "X.O/.X./...", 1),
        ("chess", "e4", 1),
        ("kalah", "4,4,0,5,5,5:1 4,4,4,4,4,4:0 A", 0),
        (
            "breakthrough",
            "XXXXXXXX/XX.XXXXX/..X...../......../......../......../OOOOOOOO/OOOOOOOO O",
            1,
        ),
    ],
)
def test_who_is_to_move(browser, game, text, mover):
    assert browser.post("/api/position", json=place(game, text)).json()["mover"] == mover


def test_a_move_that_keeps_the_turn(browser):
    told = browser.post("/api/position", json=place("kalah", "", ["3"])).json()
    assert told["mover"] == Kalah().to_move(Kalah().play(["3"])) == 0
    assert told["board"]["stores"] == [1, 0]


def test_what_was_done_last_and_by_whom(browser):
    """Also how large the piles were at first: the board stays as large as it was."""
    told = browser.post("/api/position", json=place("nim", "3,5", ["2:4", "1:1"])).json()
    assert (told["last"], told["by"], told["tallest"]) == ([1, 1], 1, 5)
    told = browser.post("/api/position", json=place("kalah", "", ["3", "1"])).json()
    assert (told["last"], told["by"]) == ([0], 0), "the first move has ended in the store"
    assert "by" not in browser.post("/api/position", json=place("kalah")).json()


def test_the_computer_makes_a_legal_move(browser):
    with socket(browser) as opened:
        at = place("tic-tac-toe", "XX./OO./...")
        answers = ask(opened, do="move", place=at, level=10)
        assert answers[-1]["event"] == "done"
        assert answers[-1]["action"] == "c1", "three in a row"


def test_an_analysis_comes_iteration_by_iteration(browser):
    with socket(browser) as opened:
        at = place("tic-tac-toe", "X.O/.X./...")
        answers = ask(opened, do="analyse", place=at)
        told = [answer for answer in answers if answer["event"] == "iteration"]
        assert [each["depth"] for each in told] == sorted(each["depth"] for each in told)
        game, position = open_position("tic-tac-toe", "X.O/.X./...")
        assert answers[-1]["value"] == minimax_value(game, position.state)
        assert answers[-1]["proved"]


def test_values_of_all_actions(browser):
    with socket(browser) as opened:
        found = ask(opened, do="values", place=place("nim", "1,2,2"), seconds=5.0)[-1]
    game, position = open_position("nim", "1,2,2")
    wanted = {
        game.action_name(position.state, action): -minimax_value(
            game, game.result(position.state, action)
        )
        for action in game.actions(position.state)
    }
    assert {move["action"]: move["value"] for move in found["moves"]} == wanted


def test_values_come_from_the_book_where_there_is_one(browser):
    """Connect Four's first moves: the published values, proved."""
    with socket(browser) as opened:
        found = ask(opened, do="values", place=place("connect-four"))[-1]
    assert (found["algorithm"], found["proved"]) == ("book", True)
    signs = {move["action"]: (move["value"] > 0) - (move["value"] < 0) for move in found["moves"]}
    assert signs == {"1": -1, "2": -1, "3": 0, "4": 1, "5": 0, "6": -1, "7": -1}


def test_the_book_is_known_beside_the_search(browser):
    assert browser.post("/api/known", json=place("nim", "1,2,2")).json() == []
    (found,) = browser.post("/api/known", json=place("connect-four", "", ["4"])).json()
    assert (found["name"], found["scored"], found["value"]["value"] < 0) == ("", True, True)


def test_a_watched_search(browser):
    with socket(browser) as opened:
        found = ask(opened, do="watch", tree=[[3, 12, 8], [2, 4, 6], [14, 5, 2]])[-1]
    assert (found["value"], found["leaves"], found["fewest"]) == (3, 7, 5)
    cut = [event for event in found["events"] if event["event"] == "cut"]
    assert [found["nodes"][event["node"]]["pruned"] for event in cut] == [["2", "3"]]
    with socket(browser) as opened:
        found = ask(opened, do="watch", place=place("nim", "1,2"), algorithm="mtdf", depth=6)[-1]
    assert found["value"] == prunus.solve(make_game("nim"), "1,2", compile=False).value


def test_a_game_of_the_users_own(tmp_path):
    file = tmp_path / "kayles.py"
    file.write_text(KAYLES)
    with client(served=served([f"{file}:Kayles"])) as browser:
        assert browser.get("/api/offer").json()["games"][0]["name"] == "Kayles"
        told = browser.post("/api/position", json=place("Kayles", "", ["1"])).json()
        assert told["board"] == {"kind": "text", "text": "pins=30"}
        assert told["mover"] == 1
        with socket(browser) as opened:
            assert ask(opened, do="move", place=place("Kayles"), level=3)[-1]["action"]


HOSTILE = [
    ("tree", "/etc/passwd"),
    ("tree:file=/etc/passwd", ""),
    ("othello:weights=/etc/passwd", ""),
    ("chess:weights=hand", ""),
    ("/tmp/x.py:Game", ""),
    ("x.py", ""),
    ("openspiel:chess", ""),
    ("nim:piles=99999999", ""),
    ("nim:piles=" + "1-" * 50 + "1", ""),
    ("uniform:degree=100000", ""),
    ("connect-four:width=99999999", ""),
    ("nim", "999999999999,5"),
    ("nim", "300,300"),
    ("chess", "8/8/8/8/8/8/8/8 w - - 0 1"),
    ("connect-four", "8"),
    ("tic-tac-toe", "\x00"),
    ("figure:name=../../etc", ""),
    ("", ""),
    ("x" * 200, ""),
    ("connect-four", "1" * 5000),
]


@pytest.mark.parametrize(("game", "text"), HOSTILE)
def test_hostile_positions_are_refused_in_words(browser, game, text):
    began = time.perf_counter()
    answer = browser.post("/api/position", json=place(game, text))
    assert answer.status_code == 422
    assert "Traceback" not in answer.text
    assert "root:" not in answer.text
    assert time.perf_counter() - began < 5


def test_a_file_is_never_opened(browser, monkeypatch):
    """No request opens a file that its text names."""
    opened = []
    from pathlib import Path

    real = Path.read_text
    monkeypatch.setattr(Path, "read_text", lambda self, *a, **k: opened.append(self) or real(self))
    for game, text in HOSTILE:
        browser.post("/api/position", json=place(game, text))
    assert opened == []
    for path in ("/static/../app.py", "/static/%2e%2e/app.py", "/static//etc/passwd"):
        assert browser.get(path).status_code == 404


MESSAGES = [
    "",
    "[]",
    "null",
    "{}",
    "[" * 10_000,
    '{"id": 1}',
    '{"id": 1, "do": "eval", "code": "1"}',
    '{"id": -1, "do": "stop"}',
    '{"id": 1, "do": "watch"}',
    '{"id": 1, "do": "watch", "tree": []}',
    '{"id": 1, "do": "watch", "tree": [true]}',
    '{"id": 1, "do": "watch", "tree": ["1"]}',
    '{"id": 1, "do": "watch", "tree": [1e400]}',
    '{"id": 1, "do": "watch", "tree": [1], "algorithm": "__import__"}',
    '{"id": 1, "do": "watch", "tree": [1], "depth": 1000}',
    '{"id": 1, "do": "watch", "tree": [99999999999999999999]}',
    json.dumps({"id": 1, "do": "watch", "tree": [[1] * 3000]}),
    '{"id": 1, "do": "watch", "tree": ' + "[" * 60 + "1" + "]" * 60 + "}",
    '{"id": 1, "do": "watch", "place": {"game": "connect-four"}}',
    '{"id": 1, "do": "analyse", "place": {"game": "nim"}, "seconds": 1e9}',
    '{"id": 1, "do": "analyse", "place": {"game": "nim"}, "algorithm": "minimax"}',
    '{"id": 1, "do": "analyse", "place": {"game": "nim", "position": "0,0"}, "depth": "3"}',
    '{"id": 1, "do": "move", "place": {"game": "nim"}, "level": 11}',
    '{"id": 1, "do": "move", "place": {"game": "podium-nim"}, "level": 1}',
    '{"id": 1, "do": "move", "place": {"game": "nim"}, "level": 1, "path": "/etc"}',
]


def test_bad_messages_are_answered_and_the_socket_lives(browser):
    with socket(browser) as opened:
        for message in MESSAGES:
            opened.send_text(message)
            answer = opened.receive_json()
            while answer["event"] in ("started", "progress"):
                answer = opened.receive_json()
            assert answer["event"] == "error", (message[:80], answer)
            assert answer["text"]
            if message.startswith('{"id": 1'):
                assert answer["id"] == 1, "whoever sent it would wait"
        opened.send_bytes(b"\xff\xfe")
        assert opened.receive_json()["event"] == "error"
        assert ask(opened, do="watch", tree=[1, 2])[-1]["value"] == 2


def refusal(browser, headers):
    """The code with which a WebSocket with these headers is closed."""
    with pytest.raises(WebSocketDisconnect) as refused:
        with browser.websocket_connect("/ws", headers=headers):
            pass
    return refused.value.code


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example"},
        {"host": "127.0.0.1:1"},
        {"host": f"{HOST}.evil.example"},
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:1"},
        {"origin": "https://127.0.0.1:8472"},
    ],
)
def test_other_hosts_and_origins_are_refused(browser, headers):
    for path in ("/", "/api/offer", "/static/index.html"):
        assert browser.get(path, headers=headers).status_code in (403, 421)
    assert browser.post("/api/position", json=place("nim"), headers=headers).status_code in (
        403,
        421,
    )
    assert refusal(browser, {"origin": ORIGIN, "host": HOST, **headers}) == 4403


def test_a_websocket_needs_an_origin(browser):
    assert refusal(browser, {"host": HOST}) == 4403


def test_large_bodies_and_other_methods_are_refused(browser):
    large = "x" * (maxima.MESSAGE + 1)
    assert browser.post("/api/position", content=large).status_code == 413

    def pieces():
        for _ in range(20):
            yield b"x" * 10_000

    assert browser.post("/api/position", content=pieces()).status_code == 413
    assert browser.delete("/api/position").status_code == 405
    assert browser.put("/static/index.html", content="x").status_code == 405


def test_the_page_asks_nothing_of_other_hosts(browser):
    policy = browser.get("/").headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy


def test_every_game_is_told_in_italian():
    """All that the catalogue says of the games offered, with the same numbers and boards."""
    text = (STATIC / "js/words/games.js").read_text()
    said = dict(re.findall(r'"([^"]+)": "([^"]+)"', text))
    wanted = {
        each
        for game in Offer().listed()
        for each in (game["notation"], *(option["help"] for option in game["options"]))
    }
    assert set(said) == wanted
    for english, italian in said.items():
        there, here = (re.findall(r"\d+|[#/+|<=]", each) for each in (english, italian))
        assert sorted(here) == sorted(there), english
