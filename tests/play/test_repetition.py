"""The moves played count in matches, at the board with a person and on the command line."""

from __future__ import annotations

import json

import pytest

from prunus import Position
from prunus.core.position import read_position
from prunus.play.person import Computer, Table
from prunus.play.players import PlayerLimits, RandomPlayer, SearchPlayer
from prunus.play.referee import Referee
from tests.commands import prunus
from tests.play import loops

DRAWING, FORBIDDING = f"{loops.__file__}:Drawing", f"{loops.__file__}:Forbidding"


class Forgetful(SearchPlayer):
    """Sees only the board."""

    def choose(self, position, turn):
        return super().choose(Position(position.state), turn)


@pytest.mark.parametrize(
    ("kind", "otherwise"), [(loops.Drawing, 0.5), (loops.Losing, 0.0), (loops.Forbidding, 0.0)]
)
@pytest.mark.parametrize("algorithm", ["engine", "alphabeta"])
def test_a_search_in_a_match_avoids_the_repetition_of_what_was_played(kind, otherwise, algorithm):
    def score(player):
        return Referee(
            kind(), (player(algorithm, PlayerLimits(depth=8), compile=False), RandomPlayer()), True
        ).play(0, [0, 0])

    record = score(SearchPlayer)
    assert (record.score, record.end, record.moves[0]) == (1.0, "finished", "1")
    forgotten = score(Forgetful)
    assert (forgotten.score, forgotten.moves[:1]) == (otherwise, ["0"])


def at_the_board(game, text, lines, person_first=False, algorithm="engine"):
    """The output of a game from a position with a person who types these lines and then leaves."""
    said, typed = [], iter(lines)

    def ask(_):
        try:
            return next(typed)
        except StopIteration:
            raise EOFError from None

    Table(
        game,
        text,
        Computer(depth=8, compile=False, seed=1, algorithm=algorithm),
        ask=ask,
        say=said.append,
    ).run(person_first)
    return said


@pytest.mark.parametrize("kind", [loops.Drawing, loops.Losing, loops.Forbidding])
def test_the_computer_knows_what_came_before_the_board(kind):
    said = at_the_board(kind(), "moves 0 0", ["0", "0"])
    assert [line for line in said if line.startswith("my move")] == [
        "my move: 1",
        "my move: 0",
        "my move: 0",
    ]
    assert said[-1] == "I win."
    assert "my move: 1" in at_the_board(kind(), "moves 0 0", [], algorithm="alphabeta")
    assert "my move: 0" in at_the_board(kind(), kind.State(2, 0), [], algorithm="alphabeta")


def test_a_person_is_held_to_the_rule_and_undo_takes_the_past_back_too():
    draw = at_the_board(loops.Drawing(), "moves 0 0", ["0"], person_first=True)
    assert draw[-1] == "A draw."
    assert at_the_board(loops.Losing(), "moves 0 0", ["0"], person_first=True)[-1] == "I win."
    held = at_the_board(
        loops.Forbidding(), "moves 0 0", ["0", "1", "undo", "0", "hint", "quit"], person_first=True
    )
    assert [line for line in held if line.startswith(("moves", "my", "hint"))] == [
        "moves: 1",
        "my move: 0",
        "moves: 1",
        "hint: 1",
    ]


def test_the_command_plays_from_a_text_with_moves():
    done = prunus(
        "play", DRAWING, "start moves 0 0", "--second", "--backend", "interpreted", stdin="0\n0\n"
    )
    assert done.stdout.split("my move: ")[1][0] == "1"
    assert done.stdout.endswith("I win.\n")


@pytest.mark.parametrize("words", [("analyze", "--depth", "8"), ("solve",)])
def test_texts_with_moves_on_the_command_line(words):
    """`start` and an empty text are the same."""
    command, *limits = words
    for text in ("moves 0 0", "start moves 0, 0"):
        found = json.loads(
            prunus(
                command, DRAWING, text, *limits, "--all-moves", "--backend", "interpreted", "--json"
            ).stdout
        )
        assert (found["value"], found["best"], found["proved"]) == (1, "1", True)
        assert [move["value"] for move in found["moves"]] == [0, 1]
        assert found["past"] == ["at=0, turn=0", "at=1, turn=1"]


def test_the_other_commands_take_texts_with_moves():
    trace = prunus("trace", DRAWING, "moves 0 0", "--depth", "8").stdout
    assert "= 0 (repetition)" in trace
    compared = json.loads(
        prunus(
            "compare", DRAWING, "moves 0 0", "--depth", "2", "--backend", "interpreted", "--json"
        ).stdout
    )
    assert compared["agree"] is True
    assert all(
        len(each["past"]) == 2 for each in compared["algorithms"] if each.get("value") is not None
    )
    done = prunus("analyze", DRAWING, "moves 0 7", status=2)
    assert "move 2" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    lines = prunus(
        "analyze",
        DRAWING,
        "-",
        "--depth",
        "8",
        "--json",
        "--backend",
        "interpreted",
        stdin="moves 0 0\nmoves 0\n",
    ).stdout
    assert [
        (each["position"], len(each["past"])) for each in map(json.loads, lines.splitlines())
    ] == [("moves 0 0", 2), ("moves 0", 1)]


def test_a_past_that_a_text_tells_is_that_of_the_moves():
    game = loops.Drawing()
    assert read_position(game, "0 0").past == (game.State(0, 0), game.State(1, 1))
