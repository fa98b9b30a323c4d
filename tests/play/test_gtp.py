"""The GTP client against a small program that misbehaves in every way."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from prunus.core.position import Position
from prunus.games import Othello, TicTacToe
from prunus.play.gtp import GtpPlayer, GtpProgram
from prunus.play.match import FAILURES, Match
from prunus.play.players import MatchError, PlayerFailure, PlayerLimits, RandomPlayer, Turn

FAKE = f"{sys.executable} {Path(__file__).with_name('fake_gtp.py')}"


def match(fault="", pairs=1, **options):
    return Match(
        TicTacToe(), (RandomPlayer(1), GtpPlayer(f"{FAKE} {fault}", **options)), pairs, opening=1
    )


def test_whole_games():
    played = match(pairs=3)
    result = played.play()
    assert result.names == ("random", "Fake 1")
    assert len(result.games()) == 6
    assert not result.failures()
    assert {record.end for record in result.records} == {"finished"}
    assert not played.players[1].program.is_alive


FAULTS = [
    ("dies", "died", "status 3 at 'genmove"),
    ("babbles", "protocol", "neither with = nor"),
    ("refuses", "error answer", "? cannot"),
    ("illegal", "illegal move", "'Z9' in"),
    ("resigns", "resigned", "resigned"),
]


@pytest.mark.parametrize(("fault", "end", "note"), FAULTS, ids=[fault for fault, _, _ in FAULTS])
def test_a_failure_loses_the_game_and_is_explained(fault, end, note):
    result = match(fault).play()
    assert [record.end for record in result.games()] == [end, end]
    assert all(note in record.note for record in result.games())
    assert {(record.score, record.utility, record.failed) for record in result.games()} == {
        (1.0, None, 1)
    }
    assert result.score().utility is None


def test_the_last_words_of_a_program_are_quoted():
    assert "out of luck" in match("dies").play().games()[0].note


def test_no_answer():
    began = time.perf_counter()
    result = match("silent", timeout=0.5).play()
    assert [record.end for record in result.games()] == ["no answer"] * 2
    assert time.perf_counter() - began < 20


def test_a_program_that_only_fails_ends_the_match():
    played = match("illegal", pairs=10)
    with pytest.raises(MatchError, match=f"failed in {FAILURES} games in a row.*illegal move"):
        played.play()
    assert len(played.records) == FAILURES


def test_overstepped_time_is_counted():
    result = match("slow", limits=PlayerLimits(seconds=0.01)).play()
    used = result.usage(1)
    assert used["overstepped"] == sum(record.counts[1] for record in result.games()) > 0
    assert used["seconds_a_move"] > 0.2


def test_time_settings_are_told():
    player = GtpPlayer(FAKE, PlayerLimits(clock=7))
    player.begin(TicTacToe(), 0)
    player.choose(Position(TicTacToe().initial()), Turn(left=5.5))
    assert "time_settings 7 0 0 time_left black 5 0" in player.program._last_words()
    player.close()


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("no-such-program", "no such program"),
        (f"{FAKE} ignorant", "does not know the command genmove"),
        ("'", "quotation"),
    ],
)
def test_programs_that_cannot_play(command, says):
    with pytest.raises(MatchError, match=f"(?i){says}"):
        Match(TicTacToe(), (RandomPlayer(), GtpPlayer(command)), 1).play()


def test_a_board_that_the_program_refuses():
    with pytest.raises(MatchError, match="boardsize 6"):
        GtpPlayer(FAKE).warm_up(Othello(6))


def test_a_dead_program_answers_no_more():
    program = GtpProgram(FAKE)
    program.process.kill()
    with pytest.raises(PlayerFailure, match="SIGKILL"):
        program.ask("name", 5)
    program.close()
