"""Evaluations, tactics and certainties written separately from a game's rules."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys

import pytest

import prunus
from prunus.core.game import OPTIONAL, Game
from prunus.core.knowledge.combining import PartError, sources
from prunus.games.evaluations import with_evaluation
from prunus.kernel.compiling.gametype import is_importable
from prunus.play.match import Match
from prunus.play.specs import player_of
from tests import naive
from tests.commands import prunus as prunus_command


class Heights(prunus.Evaluation):
    """Stones in the middle column, weighed."""

    name = "heights"

    def __init__(self, worth=2):
        self.worth = worth

    def evaluate(self, state):
        return self.worth * self.amount(state.mine) - self.amount(state.mine ^ state.mask)

    def amount(self, stones):
        return (stones & self.middle_column).bit_count()

    def prepare(self):
        self.middle_column = self.one * ((1 << self.height) - 1) << (
            self.width // 2 * (self.height + 1)
        )


class Halved(Heights):
    def evaluate(self, state):
        return super().evaluate(state) // 2


class OnTop(prunus.Evaluation):
    """Builds on what it replaces, which is nothing."""

    def evaluate(self, state):
        return super().evaluate(state) + 1


class Backwards(prunus.Tactics):
    def order(self, state, action):
        return -action


class Nothing(prunus.Certainties):
    pass


class Moves(prunus.Evaluation):
    def result(self, state, action):
        return state


class Widens(prunus.Evaluation):
    def __init__(self):
        self.width = 9


class WidensLater(prunus.Evaluation):
    def prepare(self):
        self.width = 9


class Needs(prunus.Evaluation):
    def __init__(self, more):
        self.more = more


GAME = prunus.games.ConnectFour(4, 4)


def values(game, depth):
    return [
        prunus.analyze(game, depth=depth, compile=compile, book=False).value
        for compile in (False, True)
    ]


def test_searches_take_the_part_on_both_backends():
    for part in (Heights(3), Halved, "textbook"):
        game = GAME.with_parts(evaluation=part)
        assert game.title() == "Connect Four" and game.State is GAME.State
        # The engine also looks up bounds, which only finished games reach.
        assert values(game, 3) == [naive.minimax_value(game, game.initial(), 3)] * 2
    assert GAME.with_parts(evaluation=Heights(3)).evaluate(GAME.parse("33")) == 3 - 1
    assert not type(GAME).has_evaluate


def test_a_part_takes_over_whole():
    othello = prunus.games.Othello()
    assert othello.has_features and othello.probcut_file() and othello.stages > 1
    plain = othello.with_parts(evaluation=prunus.Evaluation)
    assert (
        not plain.has_features
        and not plain.probcut_file()
        and plain.stages == 1
        and not plain.has_evaluate
    )
    assert plain.has_order and plain.has_secured
    on_top = othello.with_parts(evaluation=OnTop)
    assert on_top.evaluate(on_top.initial()) == 1
    assert {
        name for name in OPTIONAL if getattr(GAME.with_parts(certainties=Nothing), f"has_{name}")
    } == {"canonical", "order"}


def test_one_class_and_one_object_for_the_same_parts():
    part = Heights()
    game = GAME.with_parts(evaluation=part, tactics=Backwards)
    assert (
        game
        is GAME.with_parts(evaluation=part, tactics=Backwards)
        is GAME.with_parts(evaluation=part).with_parts(tactics=Backwards)
    )
    assert type(game) is type(
        prunus.games.ConnectFour(4, 4).with_parts(tactics=Backwards, evaluation=Heights(5))
    )
    assert (
        GAME.with_parts(evaluation=part).with_parts(evaluation=Halved).evaluate(GAME.parse("3"))
        == -1
    )
    assert GAME.with_parts() is GAME
    for twin in (pickle.loads(pickle.dumps(game)), copy.deepcopy(game)):
        assert type(twin) is type(game) and twin.attributes() == game.attributes()
    assert all(map(is_importable, (type(game), *sources(type(game)))))


def test_a_game_that_was_used_can_be_copied():
    othello = prunus.games.Othello()
    value = prunus.analyze(othello, depth=1).value
    for twin in (pickle.loads(pickle.dumps(othello)), copy.deepcopy(othello)):
        assert not [name for name in vars(twin) if name.startswith("_prunus")]
        assert prunus.analyze(twin, depth=1).value == value


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"evaluation": Moves}, "Moves defines 'result', which Connect Four has too"),
        ({"evaluation": Widens}, "Widens sets 'width'"),
        ({"evaluation": WidensLater}, "WidensLater.prepare sets 'width'"),
        ({"evaluation": Needs}, "pass an instance"),
        (
            {"evaluation": Backwards},
            "Backwards is no evaluation: derive a class from prunus.Evaluation",
        ),
        ({"tactics": Heights()}, "Heights is no tactics"),
        ({"evaluation": "patterns"}, "no evaluation 'patterns': it has textbook"),
    ],
)
def test_what_does_not_go_with_a_game_is_said(parts, message):
    with pytest.raises(PartError, match=message):
        GAME.with_parts(**parts)


def test_attributes_of_a_part_do_not_change_once_it_is_used():
    part = Heights()
    GAME.with_parts(evaluation=part)
    with pytest.raises(AttributeError, match="cannot change"):
        part.worth = 7


def test_another_process_finds_the_code(tmp_path):
    program = (
        "import prunus\nfrom tests.test_parts import GAME, Heights\n"
        "game = GAME.with_parts(evaluation=Heights(3))\n"
        "prunus.analyze(game, depth=3, compile=True, book=False)\n"
    )
    seen = []
    for _ in range(2):
        subprocess.run(
            [sys.executable, "-c", program],
            check=True,
            env={**os.environ, "PRUNUS_CACHE_DIR": str(tmp_path)},
        )
        seen.append([(path, path.stat().st_ino) for path in sorted(tmp_path.rglob("*.bin"))])
    assert seen[0] == seen[1] != []


def test_parts_stand_in_one_class_as_well():
    """Each kind of part defines something that a game's own class may define."""
    assert set(OPTIONAL) == {
        name.removeprefix("has_")
        for base in Game.__mro__
        for name in vars(base)
        if name.startswith("has_")
    }


APART = """
import prunus

class Corner(prunus.Evaluation):
    def __init__(self, worth=1):
        self.worth = worth

    def evaluate(self, state):
        return self.worth * (state.mine & 1)

class Other(prunus.Evaluation):
    pass
"""


def test_commands_take_an_evaluation_from_a_file(tmp_path):
    file = tmp_path / "apart.py"
    file.write_text(APART)
    game = with_evaluation(GAME, f"{file}:Corner:worth=3")
    assert game.evaluate(GAME.State(1, 1)) == 3
    assert with_evaluation(GAME, "") is GAME
    for text, message in ((str(file), "its evaluations: Corner, Other"), (f"{file}:X", "no eval")):
        with pytest.raises(prunus.GameError, match=message):
            with_evaluation(GAME, text)
    spec = "connect-four:width=4,height=4"
    done = prunus_command("analyze", spec, "", "--depth", "2", "--evaluation", f"{file}:Corner")
    assert "value" in done.stdout
    wrong = prunus_command("analyze", spec, "--evaluation", "none", status=2)
    assert "no evaluation 'none': it has textbook" in wrong.stderr


def test_players_of_a_match_have_evaluations_of_their_own(tmp_path):
    file = tmp_path / "apart.py"
    file.write_text(APART)
    player = player_of(f"engine,depth=2,evaluation={file}:Corner,backend=interpreted")
    other = player_of("engine,depth=2,evaluation=textbook,backend=interpreted")
    own = player_of("engine,depth=2,backend=interpreted")
    result = Match(GAME, (player, other), 1, opening=2).play()
    assert len(result.records) == 2 and not result.failures()
    own.begin(GAME, 0)
    assert type(player.game).__name__ == "ConnectFourWithCorner"
    assert type(other.game).__name__ == "ConnectFourWithConnectFourTextbook"
    assert own.game is GAME
