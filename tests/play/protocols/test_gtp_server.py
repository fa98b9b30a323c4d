"""The GTP program: its answers, and matches against it."""

from __future__ import annotations

import shutil
import sys

import pytest

from prunus.games import Othello
from prunus.play.match import Match
from prunus.play.players import RandomPlayer
from prunus.play.program import environment
from prunus.play.protocols.gtp import GtpServer
from prunus.play.protocols.settings import Settings
from prunus.play.specs import player_of
from tests.commands import prunus


class Heard(GtpServer):
    """A program that is told lines and whose answers are kept."""

    def __init__(self, game):
        super().__init__(Settings(game, compile=False), 0.02)
        self.said = []

    def say(self, *lines):
        self.said += lines

    def told(self, line):
        """The answer, which an empty line ends."""
        self.said.clear()
        try:
            self.handle(line)
        except Exception as error:
            self.complain(error)
        assert not self.said or self.said[-1] == ""
        return "\n".join(self.said[:-1])


def test_the_protocol():
    program = Heard("othello:size=6")
    assert program.told("7 protocol_version") == "=7 2"
    assert program.told("name") == "= Prunus"
    assert "genmove" in program.told("list_commands").split()
    assert program.told("known_command genmove # a comment") == "= true"
    assert program.told("known_command x") == "= false"
    assert program.told("boardsize 8") == "? unacceptable size"
    assert program.told("boardsize 6") == "="
    assert program.told("3 boardsize x") == "?3 boardsize not an integer"
    assert program.told("foo") == "? unknown command"
    assert program.told("# nothing") == ""
    assert program.told("play black a1") == "? illegal move"
    assert program.told("play green a1") == "? invalid color or coordinate"
    assert program.told("play white c2") == "? illegal move: it is the other color's turn"
    assert program.told("undo") == "? cannot undo"
    assert program.told("final_score").startswith("? cannot score")


def test_moves_and_times():
    program = Heard("othello:size=6")
    state = program.game.initial()
    names = {program.game.action_name(state, each) for each in program.game.actions(state)}
    name = sorted(names)[0]
    assert program.told(f"play BLACK {name.upper()}") == "="
    assert program.told("showboard").splitlines()[1] == program.game.format(program.position.state)
    assert program.told("undo") == "="
    assert program.told("time_settings 1 0 0") == "="
    assert program.told("time_left black 1 0") == "="
    assert program.told("genmove b")[2:] in names
    assert program.told("genmove b") == "? illegal move: it is the other color's turn"
    assert program.told("time_settings 0 1 5") == "="
    assert program.told("time_left w 1 5") == "="
    assert program.told("genmove w").startswith("= ")
    assert len(program.history) == 3
    assert program.told("time_settings 0 x 5") == "? syntax error"
    assert program.told("clear_board") == "="
    assert len(program.history) == 1


def test_a_whole_game_and_its_score():
    program = Heard("othello:size=4")
    colour, moves = 0, 0
    while program._legal() and moves < 30:
        moves += 1
        assert program.told(f"genmove {'bw'[program.seat()]}").startswith("= ")
        colour ^= 1
    value = program.game.utility(program.position.state)
    value = value if program.seat() == 0 else -value
    wanted = "0" if value == 0 else f"{'B' if value > 0 else 'W'}+{abs(value)}"
    assert program.told("final_score") == f"= {wanted}"
    assert program.told("genmove b") in ("= pass", "? illegal move: it is the other color's turn")


def test_a_match_against_it():
    command = f"{sys.executable} -m prunus gtp othello:size=6 --seconds 0.02 --backend interpreted"
    player = player_of(f"gtp:{command},name=served")
    result = Match(Othello(6), (player, RandomPlayer(3)), 2, opening=4).play()
    assert not result.failures()
    assert len(result.games()) == 4


@pytest.mark.skipif(
    shutil.which("gtp-rhino", path=environment()["PATH"]) is None, reason="gtp-rhino is missing"
)
def test_a_match_of_programs():
    command = f"{sys.executable} -m prunus gtp othello --seconds 0.01 --backend interpreted"
    players = (player_of(f"gtp:{command}"), player_of("gtp:gtp-rhino -b 0 -l 1"))
    result = Match(Othello(), players, 1, opening=4).play()
    assert not result.failures()
    assert result.names[0].startswith("Prunus")


def test_the_end_of_the_input_ends_a_long_search():
    done = prunus(
        "gtp", "othello", "--seconds", "500", "--backend", "interpreted", stdin="1 genmove b\n"
    )
    assert done.stdout.startswith("=1 ")


def test_three_players():
    done = prunus("gtp", "podium-nim", status=2)
    assert "3 players" in done.stderr


def test_main_time_and_byo_yomi():
    program = Heard("othello:size=4")
    program.told("time_settings 60 30 10")
    orders = program._orders(0)
    assert (orders.first, orders.byoyomi, orders.move) == (60_000, 3000, None)
    program.told("time_left black 5 0")
    assert (program._orders(0).first, program._orders(1).first) == (5000, 60_000)
    program.told("time_left black 12 4")  # in a period: twelve seconds for four stones
    assert program._orders(0).move == 3000
    program.told("time_settings 0 30 10")
    assert program._orders(1).move == 3000
    program.told("time_settings 0 1 0")  # no limit
    assert program._orders(0).move == 20
    for said in ("time_settings 1e400 1 1", "time_settings 1 nan 1", "time_settings 1 1 1e9"):
        assert program.told(said) == "? syntax error"
    assert program.told("time_left b inf 1") == "? syntax error"
