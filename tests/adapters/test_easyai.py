"""easyAI's games in Prunus: the same rules, and the user's objects left unchanged."""

from __future__ import annotations

import copy
import pickle
import random
import sys

import numpy as np
import pytest

import prunus
from prunus.adapters import open_adapted
from prunus.adapters.content import content
from prunus.games import make_game
from prunus.games.errors import GameError
from prunus.games.nim import nim_value
from tests.adapters import needs
from tests.playing import walk

RULES = '''
from easyAI import TwoPlayerGame


class Race(TwoPlayerGame):
    """Add 1, 2 or, with another turn, 3; who reaches the goal wins. Its methods remember things and give away their own list."""

    moves = [("add", 1), ["add", 2], ("add", 3)]

    def __init__(self, players=None, goal=None, worth=100):
        self.players, self.current_player = players, 1
        self.goal, self.worth, self.sum, self.asked = goal or 7, worth, 0, 0

    def possible_moves(self):
        self.asked += 1
        return self.moves

    def make_move(self, move):
        self.sum += move[1]
        if move[1] == 3:
            self.switch_player()

    def is_over(self):
        self.winner = self.sum >= self.goal
        return self.winner

    def scoring(self):
        return -self.worth if self.winner else 0


class Silent(TwoPlayerGame):
    def __init__(self, players):
        self.players, self.current_player = players, 1

    def possible_moves(self):
        return []

    def make_move(self, move):
        pass

    def is_over(self):
        return True


class Other:
    pass
'''


@pytest.fixture
def rules(tmp_path):
    path = tmp_path / "race.py"
    path.write_text(RULES)
    return str(path)


def opened(spec):
    return open_adapted(f"easyai:{spec}")


def race_value(total, goal):
    """The value of Race for the player to move."""
    if total >= goal:
        return -100
    # After a 3 the same player moves again, even at the end: the turn is switched twice.
    return max(
        -race_value(total + 1, goal), -race_value(total + 2, goal), race_value(total + 3, goal)
    )


def test_missing_library(monkeypatch):
    monkeypatch.setitem(sys.modules, "easyAI", None)
    with pytest.raises(
        GameError, match=r"^easyAI is not installed: pip install 'prunus\[peers\]'$"
    ):
        opened("TicTacToe")


@needs("easyAI")
def test_tic_tac_toe_agrees_move_by_move():
    there, here, chance = opened("TicTacToe"), make_game("tic-tac-toe"), random.Random(1)
    for _ in range(100):
        a, b = there.initial(), here.initial()
        while not there.is_terminal(a):
            names = {there.action_name(a, action): action for action in there.actions(a)}
            cells = {str(action // 4 * 3 + action % 4 + 1): action for action in here.actions(b)}
            assert not here.is_terminal(b) and names.keys() == cells.keys()
            name = chance.choice(sorted(names))
            a, b = there.result(a, names[name]), here.result(b, cells[name])
        assert here.is_terminal(b) and there.utility(a) == 100 * here.utility(b)


@needs("easyAI")
def test_connect_four_agrees():
    there, here, chance = opened("ConnectFour"), make_game("connect-four"), random.Random(2)
    for _ in range(10):
        a, b = there.initial(), here.initial()
        while not there.is_terminal(a):
            names = {there.action_name(a, action): action for action in there.actions(a)}
            assert sorted(map(int, names)) == sorted(here.actions(b))
            name = chance.choice(sorted(names))
            a, b = there.result(a, names[name]), here.result(b, int(name))
        assert here.is_terminal(b) and (there.utility(a) < 0) == (here.utility(b) < 0)
    for text in ("", "4433", "1122"):
        a = there.parse(" ".join(str(int(column) - 1) for column in text))
        theirs = prunus.analyze(there, a, depth=2, compile=False).value
        assert (theirs > 0) == (
            prunus.analyze(here, here.parse(text), depth=2, compile=False).value > 0
        )


@needs("easyAI")
def test_solved():
    start = opened("TicTacToe")
    found = prunus.solve(start, start.parse("1 5 9"), compile=False)
    assert (found.value, found.proved) == (0, True)
    assert prunus.solve(start, start.parse("1 2"), compile=False).value == 100
    for piles in ((1, 2, 3), (2, 2), (1, 1, 1), (3, 1)):
        found = prunus.solve(opened(f"Nim:piles={'-'.join(map(str, piles))}"), compile=False)
        assert found.proved and found.value == 100 * nim_value(piles, misere=True)


@needs("easyAI")
@pytest.mark.parametrize(
    "name",
    [
        "TicTacToe",
        "ConnectFour",
        "Knights",
        "GameOfBones",
        "Nim",
        "Cram",
        "ThreeMusketeers",
        "AweleTactical",
    ],
)
def test_every_example_plays(name):
    game = opened(name)
    if name in ("TicTacToe", "GameOfBones", "Nim"):
        report = prunus.check(game, games=2, compile=False)
        assert report.ok, str(report)
    for state in walk(game, 1, 30)[::6]:
        assert game.parse(game.format(state)) == state
        names = (
            []
            if game.is_terminal(state)
            else [game.action_name(state, action) for action in game.actions(state)]
        )
        assert len(set(names)) == len(names) and not any(name.split() != [name] for name in names)


@needs("easyAI")
def test_values_agree_with_easyai():
    """easyAI's Negamax, whose values are larger the sooner they come, gives the same sign."""
    from easyAI import AI_Player, Negamax
    from easyAI.games import Knights

    theirs = Negamax(4)
    for size in ((4, 4), (5, 4)):
        user = Knights([AI_Player(theirs), AI_Player(theirs)], size)
        game = prunus_game(user)
        found = prunus.analyze(game, depth=4, compile=False, all_moves=True)
        best = theirs(user)
        assert (theirs.alpha > 0) - (theirs.alpha < 0) == (found.value > 0) - (found.value < 0)
        assert best in [game.action_name(found.state, action) for action in found.best_moves]


def prunus_game(user, **options):
    from prunus.adapters.easyai import EasyAIGame

    return EasyAIGame(user, **options)


@needs("easyAI")
def test_the_users_object_is_left_alone(rules):
    from easyAI import AI_Player, Human_Player, Negamax, TranspositionTable
    from easyAI.games import Knights

    table = TranspositionTable()
    user = Knights([Human_Player(), AI_Player(Negamax(2, tt=table))], (4, 4))
    before, players = content(user), user.players
    positions = [player.pos for player in players]
    game = prunus_game(user)
    prunus.analyze(game, depth=4, compile=False)
    walk(game, 1)
    assert (
        content(user) == before
        and user.players is players
        and [player.pos for player in players] == positions
    )
    assert all(a is b for a, b in zip([player.pos for player in players], positions, strict=True))
    assert (
        user.players[1].AI_algo.tt is table
        and game.initial().position.played.players[1].AI_algo is None
    )


@needs("easyAI")
def test_a_list_of_moves_given_away_stays_as_it_is(rules):
    game = opened(f"{rules}:Race:goal=5")
    own = game.initial().position.played.moves
    prunus.analyze(game, depth=4, compile=False)
    assert own == [("add", 1), ["add", 2], ("add", 3)]
    assert [
        game.action_name(game.initial(), action) for action in game.actions(game.initial())
    ] == ["('add',1)", "['add',2]", "('add',3)"]


@needs("easyAI")
@pytest.mark.parametrize("goal", [1, 2, 3, 5, 8, 9])
def test_extra_turns_and_memories(rules, goal):
    game = opened(f"{rules}:Race:goal={goal}")
    assert prunus.solve(game, compile=False).value == race_value(0, goal)
    assert prunus.check(game, games=5, compile=False).ok
    state = game.initial()
    kept = game.result(state, 2)
    assert game.keeps_turn(state, kept) and not game.keeps_turn(state, game.result(state, 0))


@needs("easyAI")
def test_scale(rules):
    game = opened(f"{rules}:Race:goal=1,scale=10")
    assert prunus.solve(game, compile=False).value == 1000
    from easyAI import Human_Player

    user = type(game.initial().position.played)([Human_Player(), Human_Player()], goal=2, worth=0.5)
    with pytest.raises(ValueError, match="scale=1000"):
        prunus.solve(prunus_game(user), compile=False)
    assert prunus.solve(prunus_game(user, scale=2), compile=False).value == 1
    assert (
        prunus.solve(
            prunus_game(user, scoring=lambda g: -3 if g.is_over() else 0), compile=False
        ).value
        == 3
    )


@needs("easyAI")
def test_equality_and_keys():
    game = opened("TicTacToe")
    one, other = game.parse("1 2 3"), game.parse("3 2 1")
    assert one == other and hash(one) == hash(other) and game.key(one) == game.key(other)
    assert one != game.parse("1 3 2") and game.key(one) != game.key(game.parse("1 3 2"))
    assert one == copy.deepcopy(one) == pickle.loads(pickle.dumps(one))
    nim = opened("Nim")
    assert nim.initial().position.entries
    assert nim.parse("1,1 2,1") == nim.parse("2,1 1,1") != nim.parse("1,1 1,1")


@needs("easyAI")
def test_errors(rules):
    for spec, said in [
        ("Tictactoe", "did you mean TicTacToe"),
        ("missing.py:X", "there is no such file"),
        (f"{rules}", "which class?"),
        (f"{rules}:Racer", "did you mean Race"),
        (f"{rules}:Other", "Other does not derive from easyAI.TwoPlayerGame"),
        (f"{rules}:Silent", "has no method scoring()"),
        (f"{rules}:Race:colour=3", "no option 'colour'"),
        (f"{rules}:Race:scale=0", "1 or more"),
    ]:
        with pytest.raises(GameError) as error:
            opened(spec)
        assert said in str(error.value) and "\n" not in str(error.value)
    with pytest.raises(GameError, match="not a game of easyAI"):
        prunus_game(object())


class Thing:
    def __init__(self, **attributes):
        self.__dict__.update(attributes)


class Slotted:
    __slots__ = ("a", "b")


def test_content_tells_what_is_inside():
    same = [
        ({"a": 1, "b": {1, 2}}, {"b": {2, 1}, "a": 1}),
        (Thing(x=[1, (2,)]), copy.deepcopy(Thing(x=[1, (2,)]))),
        (np.arange(6).reshape(2, 3), np.arange(6).reshape(2, 3)),
        (random.Random(1), random.Random(1)),
        (len, len),
    ]
    for a, b in same:
        assert content(a) == content(b)
    different = [
        (Thing(x=1), Thing(x=2)),
        (Thing(x=1), Thing(y=1)),
        ([1, 2], [2, 1]),
        ([1, 2], (1, 2)),
        (np.arange(6), np.arange(6).reshape(2, 3)),
        (["a, b"], ["a", "b"]),
        (random.Random(1), random.Random(2)),
        (1, True),
    ]
    for a, b in different:
        assert content(a) != content(b)


def test_content_of_slots_and_circles():
    one, other = Slotted(), Slotted()
    one.a = other.a = 1
    assert content(one) == content(other)
    other.b = 2
    assert content(one) != content(other)
    circle = Thing()
    circle.self = circle
    assert content(circle) == content(copy.deepcopy(circle))
