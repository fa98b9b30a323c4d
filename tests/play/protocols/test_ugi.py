"""The UGI engine: conversations in this process and with a process of its own."""

from __future__ import annotations

import random
import signal
import threading
import time

import pytest

from prunus.games import ConnectFour, Othello
from prunus.games.random_game import RandomGame
from prunus.play.match import Match
from prunus.play.players import RandomPlayer
from prunus.play.protocols import thinking
from prunus.play.protocols.settings import SettingError, Settings
from prunus.play.protocols.ugi import UgiServer
from prunus.play.specs import player_of
from prunus.run.limits import Limit, Stop
from tests.amount import amount
from tests.commands import prunus
from tests.play.protocols.talking import talking

TICTACTOE = ("ugi", "tic-tac-toe", "--backend", "interpreted")


class Heard(UgiServer):
    """A server that is told lines and whose lines are kept."""

    def __init__(self, settings):
        super().__init__(settings)
        self.said = []

    def say(self, *lines):
        self.said += lines

    def told(self, *lines):
        """What it says to these lines, up to the end of a search that they began."""
        before = len(self.said)
        for line in lines:
            try:
                self.handle(line)
            except Exception as error:
                self.complain(error)
        if self.search is not None:
            self.search.join()
        return self.said[before:]


def server(game="connect-four:width=5,height=4", **more):
    return Heard(Settings(game, compile=False, **more))


def test_the_greeting_and_the_end():
    with talking(*TICTACTOE) as talk:
        talk.tell("ugi")
        lines = talk.wait("ugiok")
        assert lines[0].startswith("id name Prunus")
        assert any(line.startswith("option name Hash type spin default 64") for line in lines)
        talk.tell("isready")
        talk.wait("readyok")
        talk.tell("quit")
        assert talk.ended() == 0


@pytest.mark.parametrize("end", ["quit", None])
def test_the_end_comes_at_once_in_the_middle_of_a_search(end):
    with talking("ugi", "othello", "--backend", "interpreted") as talk:
        talk.tell("isready", "position startpos", "go infinite")
        talk.wait("info depth")
        began = time.perf_counter()
        if end is None:
            talk.process.stdin.close()
        else:
            talk.tell(end)
        assert talk.ended() == 0
        assert time.perf_counter() - began < 30  # it would search for hours


@pytest.mark.parametrize("work", ["loading", "compiling"])
def test_the_end_does_not_wait_for_what_takes_long(work, monkeypatch):
    game, going = server(), threading.Event()
    if work == "loading":
        monkeypatch.setattr(game.settings, "brain", going.wait)
    else:
        game.told("isready", "setoption name quiescence value true")
        monkeypatch.setattr(game.brain, "warm_up", going.wait)
    waiting = threading.Thread(target=game.told, args=("isready",), daemon=True)
    waiting.start()
    waiting.join(0.2)
    assert waiting.is_alive()
    game.ending.set()  # as `quit` and the end of the input do
    waiting.join(30)
    assert not waiting.is_alive()
    going.set()


def test_queries_follow_the_game():
    game = server()
    assert game.told("query p1turn", "query gameover", "query result") == [
        "response true",
        "response false",
        "response none",
    ]
    game.told("position startpos moves 1 2")
    assert game.told("query p1turn") == ["response true"]
    game.told("position startpos moves 1 2 1 2 1 2")
    game.told("position startpos moves 1 2 1 2 1 2 1")
    assert game.told("query gameover", "query p1turn", "query result") == [
        "response true",
        "response false",
        "response p1win",
    ]
    assert game.told("go depth 3") == ["bestmove 0000"]
    game.told("position startpos moves 3 1 2 1 2 1 3 1")
    assert game.told("query result") == ["response p2win"]
    game.told("position fen ...../...../...../..X..")
    assert game.told("query p1turn") == ["response false"], "its stones say it"
    assert game.told("query x")[0].startswith("info string unknown query")


def test_results_are_the_rules_own():
    rng = random.Random(3)
    for name, rules in (("othello:size=4", Othello(4)), ("random-game:seed=5", RandomGame(5))):
        game = server(name)
        for _ in range(3):
            state, names, turn = rules.initial(), [], 0
            while not rules.is_terminal(state):
                action = rng.choice(list(rules.actions(state)))
                names.append(rules.protocol_name(state, action))
                child = rules.result(state, action)
                turn ^= not rules.keeps_turn(state, child)
                state = child
                game.told(f"position startpos moves {' '.join(names)}")
            value = rules.utility(state) * (-1 if turn else 1)
            wanted = "p1win" if value > 0 else "p2win" if value < 0 else "draw"
            assert game.told("query gameover", "query result")[1] == f"response {wanted}"


def test_searches_and_their_limits():
    game = server()
    lines = game.told("position startpos moves 1 2 1 2 1", "go depth 3")
    assert lines[-1] == "bestmove 1"  # the only move that does not lose at once
    assert any(line.startswith("info depth 3 multipv 1 score cp") for line in lines)
    assert game.told("go nodes 50")[-1].startswith("bestmove ")
    assert game.told("go movetime 30")[-1].startswith("bestmove ")
    assert game.told("go p1time 300 p2time 300 p1inc 10 p2inc 10")[-1].startswith("bestmove ")
    assert game.told("go depth 2 searchmoves 3 5")[-1] in ("bestmove 3", "bestmove 5")
    assert game.told("position startpos", "go perft 2")[-2] == "Nodes searched: 25"
    game.told("setoption name MultiPV value 3")
    ranks = [line.split()[4] for line in game.told("go depth 2") if line.startswith("info depth 2")]
    assert ranks == ["1", "2", "3"]


def test_several_lines_have_the_values_of_their_moves():
    game, rules = server(), ConnectFour(5, 4)
    game.told("setoption name MultiPV value 5")
    game.told("position startpos moves 3 3 2")
    lines = [line.split() for line in game.told("go depth 4") if line.startswith("info depth 4")]
    state = rules.play(["3", "3", "2"])
    import prunus as package

    found = package.analyze(
        rules, state, depth=4, all_moves=True, compile=False, prefer_faster=True
    )
    values = {rules.action_name(state, move.action): move.value for move in found.moves}
    told = {words[words.index("pv") + 1]: int(words[words.index("cp") + 1]) for words in lines}
    assert told == values
    assert list(told.values()) == sorted(told.values(), reverse=True)


def test_a_search_without_an_end_tells_all_it_finds(monkeypatch):
    """It may be asked at any time, by `ponderhit` too, for what it has found."""
    monkeypatch.setattr(thinking, "SILENCE", 600.0)
    game = server("tic-tac-toe")
    assert len([line for line in game.told("go depth 3") if line.startswith("info depth")]) == 1
    for words in ("go infinite", "go ponder depth 3"):
        before = len(game.said)
        game.handle(words)
        while not any(line.startswith("info depth 3") for line in game.said[before:]):
            time.sleep(0.01)
        game.told("stop")
        depths = [line.split()[2] for line in game.said[before:] if line.startswith("info depth")]
        assert depths[:3] == ["1", "2", "3"]


def test_pondering():
    game = server("othello:size=6")
    game.told("setoption name Ponder value true", "position startpos")
    game.handle("go ponder p1time 1000 p2time 1000")
    search = game.search
    time.sleep(0.2)
    assert search.is_running()
    assert not [line for line in game.said if line.startswith("bestmove")]
    game.handle("ponderhit")
    search.join(60)
    assert not search.is_running()
    assert game.said[-1].startswith("bestmove ")
    assert " ponder " in game.said[-1]
    game.handle("go ponder p1time 1000 p2time 1000")
    game.handle("stop")
    game.search.join(60)
    assert game.said[-1].startswith("bestmove ")
    # A search that is over while pondering keeps its answer to itself until the hit.
    game.told("position startpos")
    game.handle("go ponder depth 1")
    time.sleep(0.3)
    assert game.search.is_running()
    game.handle("ponderhit")
    game.search.join(60)
    assert not game.search.is_running()


def test_another_command_ends_a_search():
    game = server("othello:size=6")
    game.handle("go infinite")
    game.handle("position startpos")
    assert game.said[-1].startswith("bestmove ")
    game.handle("go infinite")
    game.handle("uginewgame")
    game.handle("ugi")
    assert sum(line.startswith("bestmove") for line in game.said) == 2


def test_a_position_that_goes_on_is_not_read_again():
    game = server()
    game.told("position startpos moves 1 2")
    first = game.position
    read = []
    real = game.game.action_named
    object.__setattr__(
        game.game, "action_named", lambda *given: read.append(given[1]) or real(*given)
    )
    game.told("position startpos moves 1 2 3")
    assert (read, game.position.path[:3]) == (["3"], first.path)
    game.told("position startpos moves 2")
    assert read == ["3", "2"]
    game.told("position startpos moves 2 9")
    assert game.said[-1].startswith("info string error: move 2 (9) is illegal")
    assert game.told("go depth 1")[0] == "bestmove 0000"
    game.told("position startpos moves 2 3")
    assert len(game.position.path) == 3


def test_settings():
    settings = Settings("connect-four", options={"reductions": 3, "quiescence": True})
    assert "name reductions type spin default 3 min 0 max 1000000" in list(settings.described())
    settings.set("hash", "16")
    settings.set("Reductions", "5")
    settings.set("beam", "3")
    settings.set("QUIESCENCE", "false")
    assert settings.options == {"reductions": 5, "quiescence": False, "beam": 3}
    assert (settings.megabytes, settings.options["reductions"]) == (16, 5)
    for name, value in (
        ("Hash", "0"),
        ("Hash", "x"),
        ("Ponder", "maybe"),
        ("Threads", "9" * 30),
        ("UCI_Chess960", "true"),
        ("beam", "-1"),
        ("beam", "x"),
        ("quiescence", "3"),
        ("fit", "file"),
        ("Level", "11"),
        ("", ""),
    ):
        with pytest.raises(SettingError):
            settings.set(name, value)


def test_the_engines_options_are_offered_and_set():
    game = server()
    offered = game.told("ugi")
    assert "option name null_move type spin default 0 min 0 max 1000000" in offered
    assert "option name history type check default false" in offered
    # An option that does not suit the game is named once, and nothing is changed.
    said = game.told("setoption name null_move value 3", "setoption name beam value 2", "isready")
    assert "null move needs pass_turn" in said[0]
    assert said[-1] == "readyok"
    assert game.settings.options == {}
    assert game.told("setoption name beam value 2", "isready") == ["readyok"]
    assert game.brain.options.beam == 2
    assert game.told("go depth 2")[-1].startswith("bestmove ")


def test_several_lines_are_told_whole():
    game = server("othello:size=4")
    game.told("setoption name MultiPV value 3")
    said = [line.split() for line in game.told("go depth 4") if " depth 4 " in line]
    assert [line[line.index("multipv") + 1] for line in said] == ["1", "2", "3"]
    for line in said:
        state = game.game.initial()
        names = line[line.index("pv") + 1 :]
        assert len(names) == 4
        for name in names:
            state = game.game.result(state, game.game.action_named(state, name))


def test_levels_weaken():
    game = server()
    game.told("setoption name Level value 6", "isready")
    nodes = [int(line.split()[9]) for line in game.told("go depth 20") if line.startswith("info")]
    assert 0 < max(nodes) <= 800 + 10
    game.told("setoption name Level value 1", "isready")
    game.brain.random.seed(1)
    drawn = sum(
        not [line for line in game.told("go depth 20") if line.startswith("info d")]
        for _ in range(30)
    )
    assert 8 < drawn < 28  # the chance is 60 %
    assert all(game.told("go depth 9")[-1].split()[1] in "12345" for _ in range(5))
    game.told("setoption name Level value 0", "isready")
    assert max(int(line.split()[9]) for line in game.told("go depth 9")[:-1]) > 810


def test_options_change_without_compiling():
    settings = Settings("connect-four:width=5,height=4", options={"reductions": 3})
    brain = settings.brain()
    brain.warm_up()
    from prunus.core.position import Position

    def spent():
        found = list(brain.steps(Position(brain.game.initial()), Limit(6), Stop()))
        assert all(each.backend == "compiled" for each in found)
        return sum(each.statistics.compile_seconds for each in found)

    spent()
    for name, value in (("reductions", "5"), ("hash", "8"), ("threads", "2"), ("multipv", "2")):
        settings.set(name, value)
        settings.apply(brain)
        assert spent() < 0.5  # compiling takes seconds
    assert brain.options.reductions == 5
    assert brain.memory().megabytes == 8


WORDS = [
    *("ugi", "isready", "uginewgame", "setoption", "name", "value", "Hash", "MultiPV", "position"),
    *("startpos", "fen", "moves", "go", "depth", "1", "2", "nodes", "5", "stop", "ponderhit"),
    *("query", "gameover", "result", "p1turn", "d", "debug", "-1", "99999999999999999999", "\x00"),
    *(
        "é",
        "ponder",
        "infinite",
        "searchmoves",
        "movetime",
        "mate",
        "perft",
        "p1time",
        "1e400",
        "{",
    ),
]


def test_garbage_is_survived():
    rng = random.Random(amount(1, 2))
    game = server("connect-four:width=4,height=4", megabytes=1)
    for _ in range(amount(1500, 20_000)):
        line = " ".join(rng.choice(WORDS) for _ in range(rng.randint(1, 7)))
        if not line.split() or "Hash" in line:
            continue
        try:
            game.handle(line)
        except Exception as error:
            game.complain(error)
        if game.search is not None and game.search.is_running():
            game.search.stop()
    game.told("stop", "uginewgame", "position startpos", "setoption name MultiPV value 1")
    assert game.told("go depth 2")[-1].startswith("bestmove ")


def test_garbage_on_standard_input_is_survived():
    with talking(*TICTACTOE) as talk:
        talk.process.stdin.buffer.write(
            b"\xff\xfe\n\n   \n" + b"x" * 100_000 + b"\nposition\nisready\n"
        )
        talk.process.stdin.buffer.flush()
        talk.wait("readyok")
        talk.tell("go depth 1")
        talk.wait("bestmove")


def test_a_game_that_does_not_exist():
    done = prunus("ugi", "nosuch", status=2)
    assert done.stderr.startswith("prunus: there is no game 'nosuch'")
    done = prunus("ugi", "tic-tac-toe", "--options", "bem=3", status=2)
    assert "did you mean beam" in done.stderr


# Programs as players.


def test_an_engine_plays_a_match():
    import sys

    command = f"{sys.executable} -m prunus {' '.join(TICTACTOE)}"
    player = player_of(f"ugi:{command},depth=9,option.Hash=1,name=served")
    from prunus.games import TicTacToe

    result = Match(TicTacToe(), (player, RandomPlayer(3)), 2, opening=1).play()
    assert not result.failures()
    assert result.score().losses == 0
    assert result.names[0] == "served"
    assert result.usage(0)["depth"] > 1


@pytest.mark.parametrize("signal_sent", [signal.SIGINT, signal.SIGTERM])
def test_signals_end_an_engine(signal_sent):
    with talking(*TICTACTOE) as talk:
        talk.tell("isready")
        talk.wait("readyok")
        talk.process.send_signal(signal_sent)
        assert talk.ended() != 0
