"""Programs that speak UCI, UGI or XBoard's protocol as players, well-behaved and not."""

from __future__ import annotations

import os
import shutil
import sys
import time
from pathlib import Path

import pytest

from prunus.core.position import Position
from prunus.games import Chess, Nim, TicTacToe
from prunus.play.match import Match
from prunus.play.players import MatchError, PlayerFailure, PlayerLimits, RandomPlayer, Turn
from prunus.play.program import environment
from prunus.play.specs import player_of
from prunus.play.turns import player_to_move, to_move_after
from prunus.play.ugi import UgiPlayer
from tests.amount import in_full

FAKE = f"{sys.executable} {Path(__file__).parent / 'fake_ugi.py'}"


def fake(fault="", limits=PlayerLimits(depth=3), **more):
    return UgiPlayer("ugi", f"{FAKE} {fault}", limits, **more)


def told(player):
    """The lines that the program has been told."""
    # The program writes where the file's position is, which must therefore not be moved.
    return os.pread(player.program.errors.fileno(), 1 << 20, 0).decode().splitlines()


def heard(player, start):
    """The last line that the program has read, once it begins in this way."""
    end = time.monotonic() + 20
    while not (lines := told(player)) or not lines[-1].startswith(start):
        assert time.monotonic() < end, lines
        time.sleep(0.01)
    return lines[-1]


def test_a_program_plays_and_is_told_everything():
    player = fake(options={"X": "3"})
    game = TicTacToe()
    player.warm_up(game)
    assert player.name == "Fake"
    player.begin(game, 1)
    state = game.initial()
    player.observe(state, 0, 0)
    choice = player.choose(Position(state).after(game, 0), Turn(3.5, 4, 0.1, 7, 2.25))
    assert (choice.depth, choice.value) == (2, 7)
    lines = told(player)
    assert "setoption name X value 3" in lines
    assert lines[-2:] == [
        "position startpos moves a1",
        "go p1time 2250 p2time 3500 p1inc 100 p2inc 100 movestogo 7 depth 3",
    ]
    player.close()


FAULTS = [
    ("dies", "died"),
    ("illegal", "illegal move"),
    ("empty", "illegal move"),
    ("silent", "no answer"),
]


@pytest.mark.parametrize(("fault", "end"), FAULTS)
def test_a_program_that_fails_loses_and_is_started_again(fault, end):
    player = fake(fault, timeout=0.5 if fault == "silent" else None)
    result = Match(TicTacToe(), (player, RandomPlayer(1)), 1, opening=1).play()
    assert [record.end for record in result.games()] == [end, end]
    assert all(record.failed == 0 for record in result.games())
    assert all(record.crashed == (end != "illegal move") for record in result.games())


def test_a_program_ponders():
    game = TicTacToe()
    player = fake(
        "ponders", PlayerLimits(clock=2, increment=0.5, moves=2), options={"Ponder": "true"}
    )
    player.ponders = True
    player.warm_up(game)
    player.begin(game, 0)
    position = Position(game.initial())

    def plays(turn, reply):
        """The program's move, and the reply to it."""
        nonlocal position
        choice = player.choose(position, turn)
        position = position.after(game, choice.action)
        action = game.action_named(position.state, reply)
        player.observe(position.state, action, 1)
        position = position.after(game, action)

    plays(Turn(2, 4, 0.5, 2, 2), "b1")  # as expected
    assert heard(player, "go ponder p1time 2").endswith("movestogo 1")
    plays(Turn(2, 4, 0.5, 1, 2), "c3")  # after `ponderhit` the program expects nothing more
    assert heard(player, "ponderhit") == "ponderhit"
    player.begin(game, 0)
    position = Position(game.initial())
    plays(Turn(2, 4, 0.5, 1, 2), "c3")  # not as expected
    last = heard(player, "go ponder")
    assert 3500 < int(last.split()[3]) <= 4500  # another period has begun
    assert last.endswith("movestogo 2")
    player.choose(position, Turn(2, 4, 0.5, 2, 2))
    assert "stop" in told(player)[-6:]
    heard(player, "go ponder")
    player.close()


def test_a_search_ponders():
    game = TicTacToe()
    player = player_of("engine,depth=4,ponder=true,backend=interpreted")
    player.begin(game, 0)
    position = Position(game.initial())
    hits = 0
    while not game.is_terminal(position.state):
        guess = player.guess
        choice = player.choose(position, Turn())
        plain = player_of("engine,depth=4,backend=interpreted")
        plain.begin(game, 0)
        assert choice.value == plain.choose(position, Turn()).value
        hits += guess is not None and guess.expected.state == position.state
        position = position.after(game, choice.action)
        if game.is_terminal(position.state):
            break
        expected = player.guess and player.guess.expected
        legal = [position.after(game, action) for action in game.actions(position.state)]
        is_hit = hits < 2 and expected and expected.state in [each.state for each in legal]
        position = expected if is_hit else legal[-1]
    assert hits == 2
    player.begin(game, 1)
    assert player.guess is None
    player.close()


def test_a_match_of_players_that_ponder():
    players = (
        player_of(f"ugi:{FAKE} ponders,depth=1,ponder=true"),
        player_of("engine,nodes=50,ponder=true,backend=interpreted"),
    )
    result = Match(TicTacToe(), players, 3, opening=2).play()
    assert not result.failures()
    for each in players:
        each.close()


def test_a_program_that_is_late_loses_by_its_clock():
    player = fake("slow", PlayerLimits(clock=0.2))
    record = Match(TicTacToe(), (player, RandomPlayer(1)), 1, opening=1).play().records[0]
    assert (record.end, record.failed) == ("time", 0)


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("uci:", "needs a command"),
        ("ugi:program", "has no limit"),
        ("uci:no-such-program,depth=3", "no such program"),
        (f"ugi:{FAKE} mute,depth=1,timeout=0.5", "no answer to 'ugi'"),
        ("xboard:", "needs a command"),
        ("uci:program,option.,depth=x", "not a value for depth"),
    ],
)
def test_what_is_wrong_with_a_program(spec, says):
    with pytest.raises(MatchError, match=says):
        Match(TicTacToe(), (player_of(spec), RandomPlayer()), 1).play()


def test_descriptions_of_programs():
    player = player_of("uci:engine -x 1,2,option.Skill Level=3,option.Hash=1,clock=10+0.1,name=E")
    assert player.command == "engine -x 1,2"
    assert player.options == {"Skill Level": "3", "Hash": "1"}
    assert (player.limits.clock, player.limits.increment, player.name) == (10, 0.1, "E")
    assert player_of("ugi:a b", PlayerLimits(nodes=5)).limits.nodes == 5


def test_who_is_to_move():
    chess = Chess()
    black = chess.parse("4k3/8/8/8/8/8/8/4K2R b - - 0 1")
    assert [to_move_after(chess, each, 0) for each in (chess.initial(), black)] == [0, 1]
    after = Position(black).after(chess, next(iter(chess.actions(black))))
    assert (player_to_move(chess, Position(black)), player_to_move(chess, after)) == (1, 0)
    odd = TicTacToe().parse("X../.../...")
    assert player_to_move(TicTacToe(), Position(odd)) == 1, "its stones say it"
    nim = Nim((1, 2))
    taken = Position(nim.initial()).after(nim, 1)
    assert (player_to_move(nim, Position(nim.initial())), player_to_move(nim, taken)) == (0, 1)


def needs(name):
    missing = shutil.which(name, path=environment()["PATH"]) is None
    return pytest.mark.skipif(missing, reason=f"{name} is missing")


@needs("stockfish")
@in_full
def test_a_game_between_a_program_for_chess_and_chance():
    player = player_of("uci:stockfish,option.Hash=1,nodes=200")
    result = Match(Chess(), (player, RandomPlayer(1)), 1, opening=4).play()
    assert not result.failures()
    assert result.score().losses == 0


@needs("phalanx")
@in_full
def test_a_program_that_speaks_xboards_protocol():
    pytest.importorskip("chess")
    player = player_of("xboard:phalanx,seconds=0.05")
    result = Match(Chess(), (player, RandomPlayer(1)), 1, opening=4).play()
    assert not result.failures()
    assert result.score().losses == 0
    with pytest.raises(MatchError, match="is not chess"):
        Match(TicTacToe(), (player_of("xboard:phalanx,seconds=1"), RandomPlayer()), 1).play()


@needs("fairymax")
@in_full
def test_a_program_that_takes_no_positions_plays_from_the_start():
    pytest.importorskip("chess")
    player = player_of("xboard:fairymax,seconds=0.05")
    result = Match(Chess(), (player, RandomPlayer(1)), 1, opening=4).play()
    assert not result.failures()
    assert result.score().losses == 0
    game = Chess()
    player.begin(game, 0, game.parse("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"))
    with pytest.raises(PlayerFailure, match="takes no positions"):
        player.choose(Position(game.parse("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")), Turn())
    player.close()


def test_a_failure_is_no_answer_for_ever():
    player = fake("dies")
    player.begin(TicTacToe(), 0)
    with pytest.raises(PlayerFailure, match="ended with status 3 at 'go depth 3'"):
        player.choose(Position(TicTacToe().initial()), Turn())
    player.begin(TicTacToe(), 0)
    assert player.program.is_alive
    player.close()
