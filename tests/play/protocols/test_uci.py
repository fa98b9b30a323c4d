"""The UCI engine: driven by python-chess's engine module, and by hand."""

from __future__ import annotations

import sys
import time

import pytest

from prunus.play.protocols.settings import Settings
from prunus.play.protocols.thinking import Line
from prunus.play.protocols.uci import UciServer
from tests.amount import in_full
from tests.play.protocols.talking import talking

chess = pytest.importorskip("chess")
engine = pytest.importorskip("chess.engine")

COMMAND = [sys.executable, "-m", "prunus", "uci"]


@pytest.fixture(scope="module")
def client():
    """python-chess's client of one engine, whose code is compiled once for this file."""
    with engine.SimpleEngine.popen_uci(COMMAND, timeout=200) as made:
        made.ping()
        yield made


def test_the_greeting_needs_nothing_heavy():
    # Numba, NumPy and the game are loaded behind the greeting.
    code = (
        "import sys; import prunus.cli.start, prunus.play.protocols.serving, "
        "prunus.play.protocols.settings, prunus.play.protocols.uci; "
        "heavy = {'numba', 'numpy', 'typer', 'rich', 'prunus.run.driver'} & set(sys.modules); "
        "sys.exit(str(heavy) if heavy else 0)"
    )
    import subprocess

    subprocess.run([sys.executable, "-c", code], check=True)
    with talking("uci") as talk:
        talk.tell("uci")
        lines = talk.wait("uciok")
        assert "id author the Prunus contributors" in lines
        assert "option name UCI_Chess960 type check default false" in lines
        talk.tell("quit")  # while the code is still being loaded or compiled
        assert talk.ended() == 0


def test_games_are_played(client):
    board = chess.Board()
    limits = [
        engine.Limit(depth=2),
        engine.Limit(nodes=2000),
        engine.Limit(time=0.05),
        engine.Limit(white_clock=1, black_clock=1, white_inc=0.01, black_inc=0.01),
        engine.Limit(white_clock=5, black_clock=5, remaining_moves=3),
    ]
    for number in range(20):
        found = client.play(board, limits[number % len(limits)], game="a game")
        assert found.move in board.legal_moves
        board.push(found.move)
    assert len(board.move_stack) == 20


def test_what_an_engine_tells(client):
    board = chess.Board("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1")
    found = client.analyse(board, engine.Limit(depth=3))
    assert found["score"].white() == engine.Mate(1)
    assert found["pv"] == [chess.Move.from_uci("a1a8")]
    board = chess.Board("6k1/5ppp/8/8/8/8/r4PPP/6K1 w - - 0 1")
    lines = client.analyse(board, engine.Limit(depth=3), multipv=3)
    assert [line["multipv"] for line in lines] == [1, 2, 3]
    assert len({line["pv"][0] for line in lines}) == 3
    scores = [line["score"].relative.score(mate_score=100_000) for line in lines]
    assert scores == sorted(scores, reverse=True)


def test_only_some_moves_are_searched(client):
    board = chess.Board("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1")
    wanted = [chess.Move.from_uci("h2h3"), chess.Move.from_uci("a1a7")]
    found = client.play(board, engine.Limit(depth=3), root_moves=wanted)
    assert found.move in wanted


def test_analysis_is_stopped(client):
    with client.analysis(chess.Board()) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 3:
                break
    assert analysis.wait().move in chess.Board().legal_moves


def test_ponder_hits_and_misses(client):
    board, hits = chess.Board(), 0
    found = client.play(board, engine.Limit(time=0.05), ponder=True)
    for number in range(6):
        board.push(found.move)
        others = [move for move in board.legal_moves if move != found.ponder]
        expected = found.ponder in board.legal_moves if found.ponder else False
        if expected and (number % 2 == 0 or not others):
            board.push(found.ponder)
            hits += 1
        else:
            board.push(others[0])
        found = client.play(board, engine.Limit(time=0.05), ponder=True)
        assert found.move in board.legal_moves
    assert hits > 0


@in_full
def test_chess960(client):
    board = chess.Board.from_chess960_pos(518 - 100)
    found = client.play(board, engine.Limit(depth=2))
    assert found.move in board.legal_moves
    board = chess.Board("4k3/8/8/8/8/8/8/1RK2R2 w FB - 0 1", chess960=True)
    castle = chess.Move.from_uci("c1f1")
    assert castle in board.legal_moves
    found = client.play(board, engine.Limit(depth=2), root_moves=[castle])
    assert found.move == castle
    assert client.play(chess.Board(), engine.Limit(depth=1)).move in chess.Board().legal_moves


def test_perft_and_garbage():
    with talking("uci", "--backend", "interpreted") as talk:
        talk.tell("position startpos moves e2e4 e7e5", "go perft 2")
        lines = talk.wait("Nodes searched")
        assert lines[-1] == "Nodes searched: 835"
        assert "g1f3: 29" in lines
        talk.tell("joho debug on", "position fen 8/8/8/8 w", "position startpos moves e2e5", "go x")
        heard = talk.wait("info string error: move 1 (e2e5)")
        assert any("error" in line for line in heard[:-1])
        assert talk.wait("bestmove")[-1] == "bestmove 0000"  # what would it search?
        talk.tell("position fen k7/8/1Q6/8/8/8/8/K7 b - - 0 1", "go depth 2")
        assert talk.wait("bestmove")[-1] == "bestmove 0000"  # stalemate
        talk.tell("setoption name Nothing value 1", "isready")
        assert "there is no option 'Nothing'" in talk.wait("readyok")[0]


def test_the_engine_ends_while_it_thinks(client):
    # In the middle of a search, and without a word to it.
    with talking("uci") as talk:
        talk.tell("isready", "go infinite")
        talk.wait("info depth")
        began = time.perf_counter()
        talk.process.stdin.close()
        assert talk.ended() == 0
        assert time.perf_counter() - began < 30


def test_mates_are_counted_in_moves():
    server = UciServer(Settings())

    def score(value, distance):
        return server.score(Line(1, value, (1,), 5, 10, 0.1, distance=distance))

    assert score(30_000, 5) == "mate 3"
    assert score(-30_000, 4) == "mate -2"
    assert score(0, 3) == "cp 0"
    assert score(35, None) == "cp 35"
