"""Matches: openings, sides, clocks, records, interruption, the command."""

from __future__ import annotations

import gc
import json
import os
import signal
import sqlite3
import sys
import threading
import time
from contextlib import closing, suppress

import pytest

from prunus import Game
from prunus.games import Chess, Nim, Othello, TicTacToe
from prunus.play import players, referee
from prunus.play.match import Match
from prunus.play.openings import openings
from prunus.play.players import (
    Choice,
    MatchError,
    Player,
    PlayerLimits,
    RandomPlayer,
    SearchPlayer,
    Turn,
)
from prunus.play.referee import Referee, usual_length
from prunus.play.specs import player_of
from tests.amount import in_full
from tests.commands import prunus, started


def perfect(**options):
    return SearchPlayer("alphabeta", PlayerLimits(depth=9), compile=False, **options)


def test_a_perfect_player_never_loses():
    result = Match(TicTacToe(), (perfect(), RandomPlayer(3)), 4, opening=2).play()
    score = result.score()
    # With one random ply each, the openings are drawn at best: a pair has at least one game that is
    # not lost.
    assert score.games == 8
    assert score.wins >= 6
    assert score.losses == 0
    assert score.score.mean > 0.8


def test_both_games_of_a_pair_begin_alike_with_the_sides_changed():
    result = Match(Othello(4), (RandomPlayer(1), RandomPlayer(2)), 5, opening=3, seed=9).play()
    for one, other in result.pairs():
        assert one.opening == other.opening
        assert len(one.opening) == 3
        assert (one.first_begins, other.first_begins) == (True, False)
    assert len({tuple(one.opening) for one, _ in result.pairs()}) == 5


def test_results_are_the_first_players():
    game = Othello(4)
    result = Match(game, (RandomPlayer(1), RandomPlayer(2)), 4, opening=0).play()
    for record in result.records:
        state = game.play(record.opening + record.moves)
        black = game.utility(state) * (-1 if state.white else 1)
        expected = black if record.first_begins else -black
        assert record.utility == expected
        assert record.score == 0.5 + 0.5 * ((expected > 0) - (expected < 0))


def test_openings_are_the_same_for_the_same_seed_and_do_not_end_games():
    game = TicTacToe()
    assert openings(game, 2, 6, 1)[:3] == openings(game, 2, 3, 1)
    assert openings(game, 2, 6, 1) != openings(game, 2, 6, 2)
    assert openings(game, 0, 2, 1) == [[], []]
    with pytest.raises(MatchError, match="shorter openings"):
        openings(game, 9, 1, 0)
    assert 5 <= usual_length(game) <= 9


class Scripted(Player):
    """Makes given moves, each after some seconds, and records what it is told."""

    def __init__(self, actions, seconds=0.0, limits=PlayerLimits()):
        self.actions, self.seconds, self.limits, self.name = actions, seconds, limits, "scripted"
        self.turns, self.seen = [], []

    def observe(self, state, action, seat):
        self.seen.append((action, seat))

    def choose(self, position, turn):
        self.turns.append(turn)
        time.sleep(self.seconds)
        return Choice(self.actions.pop(0))


class Hourglass:
    """A clock that goes on by what is slept, however busy the machine is."""

    def __init__(self):
        self.now = 0.0

    def perf_counter(self):
        return self.now

    def sleep(self, seconds):
        self.now += seconds


def test_the_referee_tells_moves_and_counts_time(monkeypatch):
    hourglass = Hourglass()
    for module in (referee, sys.modules[__name__]):
        monkeypatch.setattr(module, "time", hourglass)
    first, second = Scripted([0, 1, 2], 0.03, PlayerLimits(seconds=0.001)), Scripted([4, 5])
    record = Referee(TicTacToe(), (first, second), True, (1.0, None), 9).play(0, [])
    assert (record.score, record.utility, record.end) == (1.0, 1, "finished")
    assert first.seen == [(4, 1), (5, 1)]
    assert second.seen == [(0, 0), (1, 0), (2, 0)]
    assert first.turns[0] == Turn(1.0, 4.5)
    assert first.turns[2].left == pytest.approx(0.94)
    assert second.turns[0].left is None
    assert record.counts == (3, 2)
    assert record.seconds == pytest.approx((0.09, 0.0))
    assert (record.depth, record.searching) == ((None, None), (None, None))
    assert record.over == (0, 0)  # within the grace of 50 ms


def test_games_are_not_held_up_by_a_collection_of_all_that_was_loaded():
    """It examines half a million objects of the compiler, which takes longer than a fast move."""

    class Feeling(Scripted):
        def warm_up(self, game):
            self.loaded = [[] for _ in range(1000)]
            self.frozen = []

        def choose(self, position, turn):
            self.frozen.append(gc.get_freeze_count())
            return Choice(next(iter(TicTacToe().actions(position.state))))

    before = gc.get_freeze_count()
    players = Feeling([]), Feeling([])
    match = Match(TicTacToe(), players, 1, opening=0)
    match.play()
    assert all(min(player.frozen) > 2000 for player in players)
    assert gc.get_freeze_count() == before


def test_an_illegal_action_loses():
    record = Referee(TicTacToe(), (Scripted([0]), Scripted([0])), True).play(0, [])
    assert (record.score, record.end, record.failed) == (1.0, "illegal move", 1)


class Circle(Game):
    """Walks round a circle of three; whoever repeats a State loses."""

    from typing import NamedTuple

    class State(NamedTuple):
        at: int
        turn: bool

    repetition = "loss"

    def initial(self):
        return self.State(0, False)

    def actions(self, state):
        yield 1

    def result(self, state, action):
        return self.State((state.at + 1) % 3, not state.turn)

    def is_terminal(self, state):
        return False

    def utility(self, state):
        return 0


def test_a_repetition_ends_the_game_as_the_rules_say():
    record = Referee(Circle(), (RandomPlayer(), RandomPlayer()), True).play(0, [])
    assert len(record.moves) == 6
    assert (record.score, record.utility) == (1.0, 1)  # the sixth move was the second player's


def test_a_clock_is_kept():
    player = SearchPlayer("engine", PlayerLimits(clock=0.5), compile=False, threads=1)
    result = Match(Othello(4), (player, RandomPlayer(1)), 1, opening=2).play()
    assert result.usage(0)["seconds_a_game"] < 0.6
    assert result.usage(0)["depth"] > 1
    assert 0 < result.usage(0)["searching_a_move"] < result.usage(0)["seconds_a_move"]
    assert result.usage(1)["searching_a_move"] is None


def test_a_clock_is_not_saved_for_the_length_of_random_games():
    """Random chess goes on for hundreds of plies; that tells nothing of the moves that a player
    still has to make."""
    player = SearchPlayer("engine", PlayerLimits(clock=60.0), compile=False, threads=1)
    player.game = Chess()
    assert player._allotment(Turn(60.0, moves=170.0)).hard > 1.5
    player.game = TicTacToe()
    assert player._allotment(Turn(60.0, moves=170.0)).hard < 1


@in_full
def test_an_equal_clock_makes_the_sums_equal():
    class Slow(RandomPlayer):
        def choose(self, position, turn):
            time.sleep(0.03)
            return super().choose(position, turn)

    ratios = []
    while len(ratios) < 4 and not any(0.4 < ratio < 1.3 for ratio in ratios):  # a busy machine
        player = SearchPlayer("engine", PlayerLimits(equal=True), compile=False)
        played = Match(Othello(6), (player, Slow(1)), 2, opening=4)
        result = played.play()
        assert min(record.pair for record in result.records) == -1
        assert len(result.games()) == 4
        ratios.append(result.usage(0)["seconds_a_game"] / result.usage(1)["seconds_a_game"])
    assert any(0.4 < ratio < 1.3 for ratio in ratios), ratios


def rows(path, statement):
    with closing(sqlite3.connect(path)) as base, base:
        return base.execute(statement).fetchall()


def count(path):
    with suppress(sqlite3.OperationalError):
        return rows(path, "SELECT count(*) FROM games")[0][0]
    return 0


def test_a_record_is_continued(tmp_path):
    out = tmp_path / "games.db"

    def match(pairs, seed=0):
        return Match(
            TicTacToe(),
            (RandomPlayer(1), RandomPlayer(2)),
            pairs,
            1,
            seed,
            out,
            "tic-tac-toe",
            ("random", "random"),
        )

    def stop(result):
        if len(result.records) == 3:
            raise KeyboardInterrupt

    broken = match(4)
    with pytest.raises(KeyboardInterrupt):
        broken.play(stop)
    assert broken.result().score().games == 2  # the third game waits for the other of its pair
    seen = []
    result = match(4).play(lambda result: seen.append(len(result.records)))
    assert seen == [4, 5, 6, 7, 8]
    assert result.score().games == 8
    assert rows(out, "SELECT count(*), sum(first_begins) FROM games") == [(8, 4)]
    assert rows(out, "SELECT DISTINCT first, second FROM results") == [("random", "random")]
    assert match(4).play().records == result.records
    assert match(5).play().score().games == 10
    with pytest.raises(MatchError, match="seed is 0, not 1"):
        match(4, seed=1).play()
    out.write_text('{"a": 1}\n')
    with pytest.raises(MatchError, match="not the file of a match"):
        match(4).play()
    out.unlink()
    rows(out, "CREATE TABLE games (a)")
    with pytest.raises(MatchError, match="not a tournament's"):
        match(4).play()


SPECS = [
    ("engine", "no limit"),
    ("alphabta,depth=3", "alphabeta"),
    ("engine,dept=3", "did you mean depth"),
    ("engine,depth", "needs a value"),
    ("engine,depth=x", "is not a value for depth"),
    ("engine,depth=-1", "depth is -1"),
    ("engine,clock=0", "clock"),
    ("engine,seconds=1,backend=fast", "backend"),
    ("engine,depth=3,probcut=15,fit=nowhere.json", "nowhere.json"),
    ("alphabeta,seconds=1", "give a depth"),
    ("alphabeta,depth=3,quiescence=true", "no option"),
    ("random,depth=3", "no option"),
    ("gtp:", "needs a command"),
    ("gtp:gnugo,depth=3", None),
]


@pytest.mark.parametrize(("spec", "says"), SPECS, ids=[spec for spec, _ in SPECS])
def test_descriptions_of_players_that_are_wrong(spec, says):
    if says is None:  # what is not an option of the player's belongs to the command
        assert player_of(spec).command == "gnugo,depth=3"
        return
    with pytest.raises(ValueError, match=says):
        player_of(spec)


def test_descriptions_of_players():
    player = player_of(
        "engine, depth=3, seconds=0.5, threads=2, reductions=4, quiescence=true, name=Q",
        PlayerLimits(nodes=5),
    )
    assert (player.limits, player.threads, player.options) == (
        PlayerLimits(3, None, 0.5),
        2,
        {"reductions": 4, "quiescence": 1},
    )
    assert player.name == "Q"
    assert player_of("engine", PlayerLimits(nodes=5)).limits == PlayerLimits(nodes=5)
    assert player_of("engine,clock=equal").limits == PlayerLimits(equal=True)
    program = player_of("gtp:program -o a,b,timeout=3,seconds=1")
    assert (program.command, program.timeout, program.limits.seconds) == ("program -o a,b", 3, 1)
    assert player_of("random,seed=4").choose is not None


def matched(*words, status=0):
    return prunus("match", *words, status=status)


def test_the_command(tmp_path):
    words = [
        "tic-tac-toe",
        "--first",
        "alphabeta,depth=9,backend=interpreted",
        "--games",
        "4",
        "--opening",
        "2",
    ]
    text = matched(*words).stdout
    assert "2 random plies" in text
    assert "95 %" in text
    data = json.loads(matched(*words, "--json").stdout)
    assert (data["games"], data["losses"], data["failures"]) == (4, 0, [])
    assert data["score"]["mean"] >= 0.75


WRONG = [
    (["tic-tac-toe", "--first", "random", "--games", "3"], "even"),
    (["tic-tac-toe"], "no limit"),
    (["podium-nim", "--first", "random"], "3 players"),
    (["tic-tac-toe", "--first", "gtp:no-such-program"], "no such program"),
    (
        ["tic-tac-toe", "--first", "engine,clock=equal", "--second", "engine,clock=equal"],
        "each clock",
    ),
    (["tic-tac-toe", "--first", "random", "--out", "no/such/folder.jsonl"], "folder.jsonl"),
]


@pytest.mark.parametrize(("words", "says"), WRONG, ids=[says for _, says in WRONG])
def test_bad_input_gets_one_line(words, says):
    done = matched(*words, status=2)
    assert says in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_ctrl_c_prints_what_there_is_and_the_match_can_go_on(tmp_path):
    out = tmp_path / "games.db"
    player = "engine,seconds=0.02,backend=interpreted"
    words = [
        "othello:size=4",
        "--first",
        player,
        "--games",
        "400",
        "--opening",
        "2",
        "--out",
        str(out),
    ]
    with started("match", *words) as process:
        end = time.perf_counter() + 60
        while time.perf_counter() < end and count(out) < 3:
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        text, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "score" in text
    assert "the same command continues" in err
    kept = rows(out, "SELECT moves, score, first_seconds FROM games ORDER BY id")
    words[words.index("400")] = str(len(kept) // 2 * 2 + 4)
    matched(*words)
    after = rows(out, "SELECT moves, score, first_seconds FROM games ORDER BY id")
    assert (after[: len(kept)], len(after)) == (kept, len(kept) // 2 * 2 + 4)


def test_games_of_three_are_refused():
    class Three(Nim):
        players = 3

    with pytest.raises(MatchError, match="for two"):
        Match(Three(), (RandomPlayer(), RandomPlayer()), 1).play()


def test_ctrl_c_does_not_wait_for_a_search_that_waits_for_its_code(monkeypatch):
    ready = threading.Event()
    monkeypatch.setattr(players, "analyze", lambda *given, **named: ready.wait(60))
    monkeypatch.setattr(players, "PATIENCE", 0.05)
    player = player_of("engine,depth=3")
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        player.warm_up(TicTacToe())
    assert not ready.is_set()
    ready.set()
