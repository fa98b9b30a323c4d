"""Evaluations, tactics and certainties written separately from a game's rules."""

from __future__ import annotations

import copy
import json
import os
import pickle
import subprocess
import sys
from collections import Counter

import pytest

import prunus
from prunus.books.building import build_book
from prunus.books.work import Resources
from prunus.core.game import OPTIONAL, Game
from prunus.core.knowledge.combining import PartError, sources
from prunus.core.rules import Rules
from prunus.games.evaluations import with_evaluation
from prunus.kernel.compiling.gametype import is_importable
from prunus.play.match import Match
from prunus.play.specs import player_of
from prunus.tables.book import forget_books
from tests import naive
from tests.amount import in_full, thinned
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


class Misspelt(prunus.Evaluation):
    def evalute(self, state):
        return 1


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
    for part in thinned((Heights(3), Halved, "textbook"), 3):
        game = GAME.with_parts(evaluation=part)
        assert game.title() == "Connect Four" and game.State is GAME.State
        # The engine also looks up bounds, which only finished games reach.
        assert values(game, 3) == [naive.minimax_value(game, game.initial(), 3)] * 2
    assert GAME.with_parts(evaluation=Heights(3)).evaluate(GAME.parse("33")) == 3 - 1
    assert not type(GAME).has_evaluate


@in_full
def test_searches_to_the_end_keep_the_form_and_the_nodes_of_the_game():
    rules = prunus.games.ConnectFour(5, 5)
    at = rules.parse("33333")
    plain = prunus.solve(rules, at, compile=False, book=False)
    for part in thinned((Halved, Heights(5), "textbook"), 3):
        game = rules.with_parts(evaluation=part)
        assert game.solving_game() is rules.solving_game() is not rules
        assert game.solving_state(at) == rules.solving_state(at) != at
        found = prunus.solve(game, at, compile=False, book=False)
        assert (found.value, found.statistics.nodes) == (plain.value, plain.statistics.nodes)
        assert found.proved and found.game is game
        assert prunus.analyze(game, at, depth=2, compile=False).statistics.evaluated > 0
    backwards = rules.with_parts(tactics=Backwards, evaluation=Heights(5))
    form = backwards.solving_game()
    assert form.State is rules.solving_game().State and form.order(at, 3) == -3
    assert prunus.solve(backwards, at, compile=False).value == plain.value
    bare = rules.with_parts(certainties=Nothing, evaluation=Heights(5))
    assert bare.solving_game() is bare and bare.solving_state(at) == at


class Unaided(prunus.games.ConnectFour):
    """A class of its own, for which there is no form for searches to the end."""


class Judging(prunus.games.MNK):
    """An evaluation in the class of a game that does not tell its plies left."""

    def bounds(self, state):
        return (-9, 9)

    def utility(self, state):
        return 9 * super().utility(state)

    def evaluate(self, state):
        return state.mine.bit_count() % 2 + (state.mine & 3).bit_count()


class Unjudging(Judging):
    evaluate = Game.evaluate


@in_full
def test_searches_to_the_end_visit_the_same_nodes_with_and_without_an_evaluation():
    """An evaluation proves nothing: without a form for searches to the end it took many times the
    nodes."""
    rules = Unaided(5, 5)
    at = rules.parse("33333")
    plain = prunus.solve(rules, at, compile=False, book=False)
    for part in thinned((Halved, Heights(5), "textbook"), 3):
        game = rules.with_parts(evaluation=part)
        assert game.solving_game() is game
        found = prunus.solve(game, at, compile=False, book=False)
        assert (found.value, found.statistics.nodes) == (plain.value, plain.statistics.nodes)
        assert found.proved and found.game is game and found.evaluation is None
    judging, bare = (prunus.solve(kind(3, 4, 4), compile=False) for kind in (Judging, Unjudging))
    assert judging.value == bare.value and judging.proved and judging.depth is None
    assert judging.evaluation == "own"
    assert judging.statistics.nodes < 1.1 * bare.statistics.nodes
    assert prunus.analyze(Judging(3, 4, 4), depth=3, compile=False).statistics.evaluated > 0


class Poorer(prunus.games.ConnectFour):
    """Rules of its own, which the form for searches to the end does not know."""

    def utility(self, state):
        return -1

    def bounds(self, state):
        return (-1, 1)


def test_changed_rules_keep_no_form_whatever_parts_are_added():
    game = Poorer(4, 4).with_parts(evaluation=Heights(3))
    assert game.solving_game() is game


def test_the_book_of_the_rules_answers_for_their_combinations(monkeypatch, tmp_path):
    monkeypatch.setenv("PRUNUS_BOOKS", str(tmp_path))
    forget_books()
    build_book(prunus.games.ConnectFour(3, 3), 2, using=Resources(compile=False))
    game = prunus.games.ConnectFour(3, 3).with_parts(evaluation="textbook")
    assert prunus.solve(game).algorithm == "book"
    # Whoever chooses an evaluation for a search that ends before the game wants to see it at work.
    seen = prunus.analyze(game, depth=2)
    assert (seen.algorithm, seen.evaluation) == ("engine", "textbook")
    assert prunus.analyze(prunus.games.ConnectFour(3, 3), depth=2).algorithm == "book"
    forget_books()


@in_full
def test_a_result_says_which_evaluation_was_used():
    def shown(game, depth=2):
        found = prunus.analyze(game, depth=depth, compile=False)
        return found.evaluation, json.loads(found.to_json())["evaluation"], repr(found), str(found)

    othello = prunus.games.Othello(4)
    for game, name in (
        (GAME.with_parts(evaluation="textbook"), "textbook"),
        (GAME.with_parts(evaluation=Heights(3)), "Heights(worth=3)"),
        (GAME.with_parts(evaluation=Halved), "Halved"),
    ):
        kept, told, short, long = shown(game)
        assert kept == told == name
        assert f"evaluation {name}" in short and f"evaluation {name}" in long
    for game, name in ((othello, "own"), (GAME, None), (GAME.with_parts(tactics=Backwards), None)):
        kept, told, short, long = shown(game)
        assert kept == told == name
        assert "evaluation" not in short and "evaluation" not in long
    assert prunus.analyze(GAME, depth=2, evaluation="textbook").evaluation == "textbook"
    compared = prunus.compare(GAME, "23", 2, algorithms=["pvs"], evaluation="textbook")
    assert "evaluation textbook" in str(compared)
    assert compared.to_dict()["evaluation"] == compared.rows[0].found.evaluation == "textbook"


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
    } == {"canonical", "layer", "order"}


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
        ({"evaluation": Misspelt}, "none of its methods, .*: is 'evalute' meant to be 'evaluate'"),
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


@in_full
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


def test_no_name_belongs_to_two_parts():
    """A method of the rules would be taken for one of the evaluation's, and be replaced with it."""
    parts = (Rules, prunus.Evaluation, prunus.Tactics, prunus.Certainties)
    names = Counter(name for part in parts for name in vars(part) if not name.startswith("_"))
    assert len(names) > 50 and max(names.values()) == 1


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
