"""OpenSpiel's games in Prunus compared with Prunus's own, and Prunus's games in OpenSpiel's
algorithms."""

from __future__ import annotations

import copy
import pickle
import random
import sys

import pytest

import prunus
from prunus.adapters import open_adapted
from prunus.games import make_game
from prunus.games.errors import GameError
from prunus.games.nim import nim_value
from tests import naive
from tests.adapters import needs
from tests.amount import amount
from tests.playing import walk

SUITABLE = [
    "breakthrough(rows=6,columns=6)",
    "chess",
    "clobber",
    "dots_and_boxes",
    "go(board_size=3)",
    "hex(board_size=3)",
    "mancala",
    "misere(game=tic_tac_toe())",
    "nim",
    "nine_mens_morris",
    "othello",
    "oware",
    "pentago",
    "ultimate_tic_tac_toe",
    "python_tic_tac_toe",
]
LONG = ("chess", "nine_mens_morris", "oware", "ultimate_tic_tac_toe", "go(board_size=3)")


def opened(spec):
    return open_adapted(f"openspiel:{spec}")


def sign(value):
    return (value > 0) - (value < 0)


def test_other_names_are_not_adapted():
    assert open_adapted("connect-four") is None
    assert open_adapted("openspiele:x") is None
    assert open_adapted("games.py:Chess") is None


def test_the_kernel_is_not_asked():
    from prunus.adapters.easyai import EasyAIGame
    from prunus.adapters.openspiel import OpenSpielGame
    from prunus.adapters.python_chess import ChessBoardGame

    assert all(cls.interpreted_only for cls in (OpenSpielGame, EasyAIGame, ChessBoardGame))


def test_missing_library(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(
        GameError, match=r"^OpenSpiel is not installed: pip install 'prunus\[peers\]'$"
    ):
        opened("tic_tac_toe")


def cell(action):
    """Prunus's action for a cell of OpenSpiel's tic-tac-toe: its rows are one bit longer."""
    return action // 3 * 4 + action % 3


@needs("pyspiel")
@pytest.mark.parametrize(
    ("theirs", "ours", "same"),
    [("tic_tac_toe", "tic-tac-toe", cell), ("connect_four", "connect-four", int)],
)
def test_random_games_agree_move_by_move(theirs, ours, same):
    there, here, chance = opened(theirs), make_game(ours), random.Random(1)
    for number in range(200):
        a, b = there.initial(), here.initial()
        while not there.is_terminal(a):
            assert not here.is_terminal(b)
            assert (
                there.to_move(a) == len(there.format(a).split("moves:")[1].split()) % 2
                if number < 5
                else True
            )
            actions = list(there.actions(a))
            assert sorted(map(same, actions)) == sorted(here.actions(b))
            action = chance.choice(actions)
            child = there.result(a, action)
            assert not there.keeps_turn(a, child)
            a, b = child, here.result(b, same(action))
        assert here.is_terminal(b)
        assert there.utility(a) == sign(here.utility(b))


@needs("pyspiel")
@pytest.mark.parametrize(
    ("theirs", "ours"), [("othello", "othello"), ("connect_four", "connect-four")]
)
def test_random_games_agree(theirs, ours):
    """Without the adapter and with compiled rules: the same actions (in Othello a pass has number
    64 in both), the same winner."""
    import pyspiel

    from prunus.checking.survey import _memory, survey
    from prunus.kernel.backends import prepare

    there, here, chance = pyspiel.load_game(theirs), make_game(ours), random.Random(6)
    seen = _memory(here.initial())
    look, _ = prepare(survey, {"game": here, "state": here.initial(), "memory": seen}, compile=True)
    for _ in range(amount(300, 2000)):
        a, b = there.new_initial_state(), here.initial()
        while not a.is_terminal():
            legal = a.legal_actions()
            actions = [seen.actions[i] for i in range(look(here, b, seen))]
            assert seen.terminal == 0 and sorted(actions) == legal
            player, action = a.current_player(), chance.choice(legal)
            a.apply_action(action)
            b = seen.children[actions.index(action)]
        assert look(here, b, seen) == 0 and seen.terminal == 1
        assert a.returns()[1 - player] == sign(seen.value)


@needs("pyspiel")
def test_othello_boards_agree():
    """The texts of 20 random games, square by square, and whose turn it is."""
    import pyspiel

    there, here, chance = pyspiel.load_game("othello"), make_game("othello"), random.Random(7)
    for _ in range(20):
        a, b = there.new_initial_state(), here.initial()
        while not a.is_terminal():
            rows = [line[2:17].replace(" ", "") for line in str(a).upper().splitlines()[2:10]]
            assert here.format(b) == f"{'/'.join(rows)} {'XO'[a.current_player()]}"
            action = chance.choice(a.legal_actions())
            a.apply_action(action)
            b = here.result(b, action)


@needs("pyspiel")
@pytest.mark.parametrize(
    ("theirs", "ours", "same"),
    [("tic_tac_toe", "tic-tac-toe", cell), ("connect_four", "connect-four", int)],
)
@pytest.mark.parametrize("algorithm", ["alphabeta", "minimax-extreme"])
def test_search_values_agree(theirs, ours, same, algorithm):
    there, here, chance = opened(theirs), make_game(ours), random.Random(2)
    for _ in range(4):
        a, b = there.initial(), here.initial()
        for _ in range(chance.randrange(8)):
            if not there.is_terminal(a):
                action = chance.choice(list(there.actions(a)))
                a, b = there.result(a, action), here.result(b, same(action))
        found = prunus.analyze(there, a, algorithm, depth=4, compile=False)
        assert found.value == sign(prunus.analyze(here, b, algorithm, depth=4, compile=False).value)


@needs("pyspiel")
@pytest.mark.parametrize("spec", [spec for spec in SUITABLE if spec not in LONG])
def test_check_finds_no_fault(spec):
    report = prunus.check(opened(spec), games=2, compile=False)
    assert report.ok, str(report)


@needs("pyspiel")
@pytest.mark.parametrize("spec", SUITABLE)
def test_texts_round_trip(spec):
    game = opened(spec)
    assert game.parse("") == game.parse("start") == game.initial()
    for state in walk(game, 3, 40)[::4]:
        assert game.parse(game.format(state)) == state
        names = [
            game.action_name(state, action)
            for action in ([] if game.is_terminal(state) else game.actions(state))
        ]
        assert len(set(names)) == len(names) and not any(name.split() != [name] for name in names)
    with pytest.raises(prunus.PositionError):
        game.parse("nonsense")


@needs("pyspiel")
@pytest.mark.parametrize("spec", ["dots_and_boxes", "mancala", "oware", "nine_mens_morris"])
def test_values_agree_with_openspiel_where_turns_are_kept(spec):
    import pyspiel
    from open_spiel.python.algorithms.minimax import alpha_beta_search

    spiel, game, chance = pyspiel.load_game(spec), opened(spec), random.Random(4)
    kept = 0
    for _ in range(6):
        state = game.initial()
        for _ in range(chance.randrange(4, 11)):
            child = game.result(state, chance.choice(list(game.actions(state))))
            kept += game.keeps_turn(state, child)
            state = child
        value, _ = alpha_beta_search(
            spiel, state=state.position.spiel, maximum_depth=3, value_function=lambda s: 0.0
        )
        assert prunus.analyze(game, state, depth=3, compile=False).value == value
    assert kept or spec in ("oware", "nine_mens_morris")


@needs("pyspiel")
def test_solved():
    assert prunus.solve(opened("tic_tac_toe"), compile=False).value == 0
    for piles in ((1, 2, 3), (2, 2), (1, 1, 1), (3, 1)):
        found = prunus.solve(opened(f"nim(pile_sizes={';'.join(map(str, piles))})"), compile=False)
        assert found.proved and found.value == nim_value(piles, misere=True)


@needs("pyspiel")
def test_equal_texts_go_on_equally():
    """For games that the adapter distinguishes by their texts: positions with the same text have
    the same actions, results and outcomes."""
    from prunus.adapters.openspiel import BY_TEXT

    small = {
        "breakthrough": "(rows=4,columns=3)",
        "clobber": "(rows=3,columns=3)",
        "mnk": "(m=3,n=3,k=3)",
        "hex": "(board_size=3)",
    }
    small |= {"pentago": "", "y": "(board_size=3)"}
    for name in sorted(BY_TEXT):
        game, seen, chance = opened(name + small.get(name, "")), {}, random.Random(5)
        for _ in range(25):
            state = game.initial()
            while not game.is_terminal(state):
                actions = list(game.actions(state))
                facts = (tuple(actions), *(game.result(state, action) for action in actions[:4]))
                assert seen.setdefault(state, facts) == facts
                state = game.result(state, chance.choice(actions[:2]))
            assert seen.setdefault(state, (game.utility(state),)) == (game.utility(state),)


@needs("pyspiel")
def test_equality_and_keys():
    game = opened("connect_four")
    one, other = game.parse("x0 o1 x2"), game.parse("x2 o1 x0")
    assert one == other and hash(one) == hash(other) and game.key(one) == game.key(other)
    assert one != game.parse("x0 o2 x1") and game.key(one) != game.key(game.parse("x0 o2 x1"))
    assert (
        game.key(one)
        == 0 + game.key(copy.deepcopy(one))
        == game.key(pickle.loads(pickle.dumps(one)))
    )
    by_moves = opened("go(board_size=3)")
    assert by_moves.parse("Ba1 Wb1 Bc1 Wc2") != by_moves.parse("Bc1 Wb1 Ba1 Wc2")
    assert by_moves.parse("Ba1 Wb1") == by_moves.parse("Ba1 Wb1")


@needs("pyspiel")
def test_results_leave_their_state_alone():
    game = opened("breakthrough")
    state = game.initial()
    before = str(state.position.spiel)
    for action in game.actions(state):
        game.result(state, action)
    assert str(state.position.spiel) == before and state.position.spiel.history() == []


@needs("pyspiel")
@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("tictactoe", "did you mean tic_tac_toe"),
        ("kuhn_poker", "it has chance, its information is not perfect"),
        ("backgammon", "it has chance"),
        ("matrix_rps", "move at the same time"),
        ("2048", "1 player at most"),
        ("chinese_checkers(players=3)", "for 3 players, not two"),
        ("breakthrough(rows=6", "closing bracket"),
        ("breakthrough(row=6)", "no parameter 'row'; did you mean rows"),
        ("breakthrough(rows=six)", "rows"),
    ],
)
def test_errors(spec, said):
    with pytest.raises(GameError) as error:
        opened(spec)
    assert said in str(error.value) and "\n" not in str(error.value)


@needs("pyspiel")
@pytest.mark.parametrize(
    "spec",
    [
        "random-game:seed=7",
        "nim:piles=1-2-3",
        "nim:piles=2-2,misere=true",
        "connect-four:width=3,height=3",
    ],
)
def test_openspiel_solves_games_of_prunus(spec):
    from open_spiel.python.algorithms.minimax import alpha_beta_search

    from prunus.adapters.to_openspiel import to_openspiel

    game = make_game(spec)
    value, action = alpha_beta_search(
        to_openspiel(game), state=to_openspiel(game).new_initial_state()
    )
    found = prunus.solve(game, compile=False, all_moves=True)
    assert value == found.value and action in found.best_moves


@needs("pyspiel")
def test_openspiel_solves_tic_tac_toe_of_prunus():
    from open_spiel.python.algorithms.minimax import alpha_beta_search

    from prunus.adapters.to_openspiel import to_openspiel

    game, spiel = make_game("tic-tac-toe"), to_openspiel(make_game("tic-tac-toe"))
    for names in ("b2 a1 c1", "a1 b1 c1", "b2 b1"):
        state = spiel.new_initial_state()
        for name in names.split():
            state.apply_action(state.string_to_action(name))
        value, _ = alpha_beta_search(spiel, state=state)
        assert value == prunus.solve(game, game.play(names.split()), compile=False).value


@needs("pyspiel")
def test_openspiel_searches_connect_four_of_prunus():
    from open_spiel.python.algorithms.minimax import alpha_beta_search

    from prunus.adapters.to_openspiel import to_openspiel

    game = make_game("connect-four")
    for text in ("", "4433", "444", "1223334"):
        state = to_openspiel(game).new_initial_state()
        for column in text:
            state.apply_action(int(column) - 1)
        value, _ = alpha_beta_search(
            state.get_game(), state=state, maximum_depth=4, value_function=lambda s: 0
        )
        assert value == prunus.analyze(game, game.parse(text), depth=4, compile=False).value


@needs("pyspiel")
@pytest.mark.parametrize("seed", range(5))
def test_openspiel_searches_games_with_passes(seed):
    from open_spiel.python.algorithms.minimax import alpha_beta_search

    from prunus.adapters.to_openspiel import to_openspiel

    game = make_game(f"random-game:seed={seed},passes=true")
    value, _ = alpha_beta_search(to_openspiel(game))
    assert value == naive.minimax_value(game, game.initial())


@needs("pyspiel")
def test_there_and_back_again():
    """A game of Prunus passed to OpenSpiel and taken back has the same values."""
    from prunus.adapters.openspiel import OpenSpielGame
    from prunus.adapters.to_openspiel import to_openspiel

    game = make_game("nim:piles=1-2-3")
    back = OpenSpielGame(to_openspiel(game))
    assert prunus.solve(back, compile=False).value == prunus.solve(game, compile=False).value
    assert back.play(["1:1", "3:2"]).position.spiel.history() == [1, 514]


@needs("pyspiel")
def test_too_large_an_action_is_said():
    from prunus.adapters.to_openspiel import to_openspiel

    state = to_openspiel(make_game("nim"), actions=256).new_initial_state()
    with pytest.raises(ValueError, match="outside 0 ... 255"):
        state.legal_actions()
