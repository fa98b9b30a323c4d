"""Players that err, and one who sets traps for them."""

from __future__ import annotations

import pytest

from prunus.core.position import Position
from prunus.games import ExplicitTree, TicTacToe
from prunus.games.connect_four import ConnectFour
from prunus.games.kalah import Kalah
from prunus.play.fallible import Lookahead, Model, TrapPlayer, model_of
from prunus.play.match import Match
from prunus.play.players import MatchError, Turn
from prunus.play.specs import player_of
from prunus.run.driver import analyze

SMALL = ConnectFour(width=4, height=4)
GAMES = [TicTacToe(), SMALL, Kalah(holes=3, counters=2)]


def naive(game, state, depth, model, ours):
    """The expected value for us, written as plainly as possible: we take the maximum, the opponent
    each action with its probability. Signs by who is to move."""
    sign = 1 if ours else -1
    if game.is_terminal(state):
        return sign * game.utility(state)
    if depth == 0:
        return sign * game.evaluate(state)
    found = []
    for action in game.actions(state):
        child = game.result(state, action)
        mover = ours if game.keeps_turn(state, child) else not ours
        found.append(naive(game, child, depth - 1, model, mover))
    if ours:
        return max(found)
    chances = [model.p / len(found)] * len(found)
    if model.plies == 0:
        chances[found.index(min(found))] += 1 - model.p
    else:
        looks = []
        for action in game.actions(state):
            child = game.result(state, action)
            mover = game.keeps_turn(state, child)
            looks.append(naive_minimax(game, child, model.plies - 1, mover))
        best = [number for number, look in enumerate(looks) if look == max(looks)]
        for number in best:
            chances[number] += (1 - model.p) / len(best)
    return sum(chance * value for chance, value in zip(chances, found, strict=True))


def naive_minimax(game, state, depth, ours):
    if game.is_terminal(state) or depth == 0:
        value = game.utility(state) if game.is_terminal(state) else game.evaluate(state)
        return value if ours else -value
    found = []
    for action in game.actions(state):
        child = game.result(state, action)
        mover = ours if game.keeps_turn(state, child) else not ours
        found.append(naive_minimax(game, child, depth - 1, mover))
    return max(found) if ours else min(found)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: type(game).__name__)
@pytest.mark.parametrize(
    "model", [Model(0, 1.0), Model(0, 0.3), Model(1, 0.0), Model(1, 0.5), Model(2, 0.25)]
)
def test_expected_values_are_those_of_the_definition(game, model):
    ahead, state = Lookahead(game, model), game.initial()
    for _ in range(4):
        for ours in (True, False):
            value = ahead.expected(state, 4, ours) * (1 if ours else -1)
            assert value == pytest.approx(naive(game, state, 4, model, ours))
        state = game.result(state, next(iter(game.actions(state))))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: type(game).__name__)
def test_against_a_perfect_opponent_the_expectation_is_minimax(game):
    ahead = Lookahead(game, Model())
    for depth in (1, 2, 4):
        exact = analyze(game, None, "minimax", depth, compile=False, book=False).value
        assert ahead.expected(game.initial(), depth, ours=True) == exact
        assert ahead.worst(game.initial(), depth) == exact


TREE = ExplicitTree.from_nested([[0, 0], [0, 8], [-1, 90]])
"""Three moves: even, even with a reply that loses 8, and one that costs 1 or wins 90."""


@pytest.mark.parametrize(("risk", "move"), [(0, 1), (1, 2)])
def test_a_trap_costs_at_most_the_risk(risk, move):
    player = TrapPlayer(Model(0, 0.5), depth=2, risk=risk)
    player.begin(TREE, 0)
    chosen = player.choose(Position(TREE.initial()), Turn())
    assert chosen.action == move
    assert not chosen.proved
    assert analyze(TREE, None, "minimax", 2, compile=False).best == 0


def test_players_are_described_in_words():
    trap = player_of("trap,opponent=random,p=0.2,depth=3,risk=2")
    assert (trap.model, trap.depth, trap.risk) == (Model(0, 0.2), 3, 2)
    assert player_of("fallible,opponent=shallow,plies=3,p=0.1").model == Model(3, 0.1)
    assert player_of("fallible").model == model_of("random") == Model(0, 1.0)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("trap,opponent=clever", "the opponents are random, greedy, shallow, not 'clever'"),
        ("trap,p=1.5", "p is 1.5; it is a probability"),
        ("fallible,plies=2", "only opponent=shallow has plies"),
        ("trap,depth=0", "depth is at least 1"),
        ("trap,risk=-1", "risk is 0 or more"),
        ("fallible,risk=1", "risk"),
    ],
)
def test_what_is_wrong_is_said(spec, words):
    with pytest.raises(MatchError, match=words):
        player_of(spec)


def test_traps_beat_a_player_who_falls_into_them():
    players = player_of("trap,opponent=random,p=1,depth=9"), player_of("random,seed=3")
    score = Match(TicTacToe(), players, pairs=15, opening=1).play().score()
    assert score.losses == 0 and score.score.mean > 0.8
