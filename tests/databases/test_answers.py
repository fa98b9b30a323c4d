"""Databases that answer in place of a search: `analyze`, `solve`, players and the commands."""

from __future__ import annotations

import random
from typing import NamedTuple

import pytest

import prunus
from prunus import u8
from prunus.databases.backward import solve_positions
from prunus.databases.building import write
from prunus.databases.folder import Database
from prunus.databases.numbering import number_positions
from prunus.games import make_game
from prunus.play.advice.library import Library
from prunus.play.match import Match
from prunus.play.players import PlayerLimits, RandomPlayer, SearchPlayer
from tests.amount import amount, thinned
from tests.commands import prunus as command
from tests.databases import naive
from tests.databases.test_folder import OWN

MADE = {"game": "own", "start": "", "command": "prunus db build", "seconds": 0.0, "threads": 1}


def database_of(game, folder, **how):
    """The database of a game, solved without machine code."""
    positions = number_positions(game, compile=False)
    write(solve_positions(positions, compile=False, **how), folder, MADE)
    return Database(folder, game)


@pytest.fixture(scope="module")
def morris(tmp_path_factory):
    return database_of(make_game("three-mens-morris"), tmp_path_factory.mktemp("db") / "morris")


def test_every_position_is_answered_as_it_was_solved(morris):
    game = morris.game
    known = naive.outcomes(game, game.initial())
    for state, (value, plies) in thinned(list(known.items()), 7):
        found = prunus.analyze(game, state, book=morris)
        if game.is_terminal(state):
            assert found.algorithm != "database"
            continue
        assert (found.algorithm, found.value, found.proved) == ("database", value, True)
        assert found.distance == plies
        if value:
            assert len(found.pv) == plies
        for action in found.best_moves:
            assert game.is_terminal(game.result(state, action)) or (
                morris.value(game.result(state, action)) == -value
            )
        assert found.best == found.best_moves[0] == found.pv[0]


def test_all_moves(morris):
    game = morris.game
    found = prunus.solve(game, book=morris, all_moves=True)
    assert found.algorithm == "database"
    for move in found.moves:
        assert move.value == -morris.value(game.result(game.initial(), move.action))
    assert [move.value for move in found.moves].count(1) == len(found.best_moves)


def test_positions_with_a_past_are_searched(morris):
    game = morris.game
    first = game.initial()
    after = game.result(first, next(iter(game.actions(first))))
    past = prunus.Position(after, (first,))
    assert prunus.analyze(game, past, depth=1, book=morris).algorithm == "engine"


class Race(prunus.Game):
    """Take 1 to 3 from a heap; whoever takes the last wins `worth`. What counts plies ends the game
    after `longest` of them."""

    class State(NamedTuple):
        left: u8
        played: u8

    def __init__(self, worth=5, longest=200):
        self.worth, self.longest = worth, longest

    def initial(self):
        return self.State(10, 0)

    def actions(self, state):
        return range(1, min(3, state.left) + 1)

    def result(self, state, action):
        return self.State(state.left - action, state.played + 1)

    def is_terminal(self, state):
        return state.left == 0 or state.played >= self.longest

    def utility(self, state):
        return -self.worth if state.left == 0 else 0


class Timeless(Race):
    """The same; positions are one if only the count of plies differs."""

    def timeless(self, state):
        return state._replace(played=0)


@pytest.mark.parametrize("worth", [1, 5, 100])
def test_wins_are_worth_what_the_rules_say(worth, tmp_path):
    game = Race(worth)
    database = database_of(game, tmp_path / "race")
    for state in [Race.State(10, 0), Race.State(8, 2), Race.State(5, 2)]:
        found = prunus.solve(game, state, book=database)
        searched = prunus.solve(game, state, compile=False, book=False)
        assert found.algorithm == "database" and searched.algorithm == "engine"
        assert found.value == searched.value and abs(found.value) == worth
        assert set(found.best_moves) == set(
            prunus.solve(game, state, compile=False, all_moves=True, book=False).best_moves
        )


def test_what_the_database_leaves_out_is_not_proved(tmp_path):
    game = Timeless(longest=3)
    database = database_of(game, tmp_path / "timeless")
    found = prunus.analyze(game, depth=2, book=database)
    assert found.algorithm == "database" and not found.proved
    # The line ends after three plies in a draw, which is not where the win is.
    assert found.value > 0 and len(found.pv) == 3 and found.distance is None
    assert prunus.solve(game, book=database, compile=False).algorithm == "engine"


def test_values_of_other_rules_are_refused(morris, tmp_path):
    other = make_game("tic-tac-toe")
    with pytest.raises(prunus.SearchError, match="database given is of .*Morris.* not of"):
        prunus.analyze(other, book=morris)
    with pytest.raises(prunus.DatabaseError, match="is a database of"):
        prunus.Database(morris.folder, other)


def test_outcomes_of_a_game_of_scores_are_no_values(tmp_path):
    game = make_game("kalah:holes=2,counters=2")
    made = database_of(game, tmp_path / "kalah", outcomes=True)
    assert made.probe(game.initial()) is not None
    with pytest.raises(prunus.DatabaseError, match="without --outcomes"):
        prunus.solve(game, book=made)


def test_scores_of_random_positions_are_those_of_a_search(tmp_path):
    game = make_game("kalah:holes=2,counters=2")
    database, draw = database_of(game, tmp_path / "kalah"), random.Random(5)
    for _ in range(amount(20, 200)):
        state = game.initial()
        while not game.is_terminal(state) and draw.random() < 0.8:
            state = game.result(state, draw.choice(list(game.actions(state))))
        if not game.is_terminal(state):
            found = prunus.solve(game, state, book=database)
            assert found.algorithm == "database" and found.proved
            assert found.value == prunus.solve(game, state, compile=False, book=False).value


def test_a_player_wins_what_is_won(morris):
    perfect = SearchPlayer(
        limits=PlayerLimits(depth=1),
        compile=False,
        library=Library(database=str(morris.folder)),
        name="perfect",
    )
    done = Match(morris.game, (perfect, RandomPlayer(3)), pairs=amount(4, 12), opening=0).play()
    first = [game for game in done.games() if game.first_begins]
    assert len(first) == amount(4, 12) and all(game.score == 1 for game in first)
    assert all(len(game.moves) <= 9 for game in first)


def test_commands_answer_from_it(tmp_path):
    file, folder = tmp_path / "take.py", str(tmp_path / "take")
    file.write_text(OWN.format(most=3))
    spec = f"{file}:Take"
    command("db", "build", spec, "--out", folder)
    shown = command("solve", spec, "--database", folder)
    assert (
        "found   in a database, " in shown.stdout
        and "no search" in shown.stdout
        and shown.stderr == ""
    )
    assert "proved" in shown.stdout
    many = command("analyze", spec, "-", "--database", folder, stdin="moves 1\nmoves 2 1\n")
    assert many.stdout.count('"algorithm": "database"') == 2
    said = command("play", spec, "--second", "--database", folder, stdin="quit\n").stdout
    assert "my move: " in said
    lost = command("play", spec, "--database", folder, stdin="1\n1\n1\n1\n1\n1\n").stdout
    assert lost.endswith("I win.\n")
    assert (
        "never does" in command("play", spec, "--level", "3", "--database", folder, status=2).stderr
    )
    wrong = command("solve", "nim", "--database", folder, status=2).stderr
    assert "is a database of" in wrong
    missing = command("solve", spec, "--database", str(tmp_path / "no"), status=2).stderr
    assert "makes a database" in missing
    lines = command(
        "solve", spec, "-", "--database", "nowhere", stdin="moves 1\nmoves 2\n", status=2
    )
    assert lines.stdout.count("makes a database") == 2


def test_a_position_that_is_not_in_it_is_searched_and_that_is_said(tmp_path):
    folder = str(tmp_path / "db")
    command("db", "build", "connect-four:width=4,height=3", "12", "--out", folder)
    done = command("solve", "connect-four:width=4,height=3", "3", "--database", folder)
    assert "does not answer this; searched" in done.stderr and "proved" in done.stdout
