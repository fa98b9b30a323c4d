"""The size of games, compared with naive counts and published ones."""

from __future__ import annotations

import math
import random

import pytest

from prunus.games import (
    AnyUniformTree,
    ConnectFour,
    EvenWins,
    ExplicitTree,
    Nim,
    RandomGame,
    ThreeMensMorris,
    TicTacToe,
)
from prunus.theory import complexity
from prunus.theory.complexity import (
    count_games,
    count_positions,
    engine_games,
    positions_held,
    random_games,
)
from prunus.theory.sizes import leaves_of_objects, nodes_of_objects
from tests import naive
from tests.amount import in_full


@in_full
def test_tic_tac_toe():
    """Published: 255,168 games, 549,946 nodes, 5,478 positions; 765 up to symmetry."""
    game = TicTacToe()
    assert count_games(game, compile=True) == (255_168, 549_946)
    assert (
        count_positions(game, compile=False)
        == count_positions(game, threads=2, compile=True)
        == 5_478
    )
    assert count_positions(game, symmetric=True) == 765
    assert 255_168 <= leaves_of_objects(9) and 549_946 <= nodes_of_objects(9) == math.floor(
        math.e * math.factorial(9)
    )


@pytest.mark.parametrize(
    "game",
    [
        Nim((1, 2, 2)),
        EvenWins(7),
        ConnectFour(3, 2),
        RandomGame(3),
        ExplicitTree.from_nested([[1, 2], 3]),
    ],
)
def test_games_are_counted_as_by_hand(game):
    games, nodes = count_games(game, compile=False)
    assert games == naive.leaves(game, game.initial())
    assert nodes == sum(naive.perft(game, game.initial(), depth) for depth in range(20))


def test_positions_of_nim():
    """Every combination of remaining piles can be reached."""
    assert count_positions(Nim((1, 2, 2)), compile=False) == 2 * 3 * 3
    with pytest.raises(ValueError, match=r"more than 10 positions"):
        count_positions(Nim((1, 2, 2)), 10, compile=False)


def drawn(game, number, seed):
    """A random game as `playouts` draws it, step by step: from a stream of xoshiro256**, without
    bias."""
    words = naive_xoshiro(seed ^ naive_mix(number))
    state, plies, choices = game.initial(), 0, 0
    while not game.is_terminal(state):
        actions = list(game.actions(state))
        n = len(actions)
        place, rest = divmod(next(words) * n, 1 << 64)
        while rest < (1 << 64) % n:
            place, rest = divmod(next(words) * n, 1 << 64)
        state = game.result(state, actions[place])
        plies, choices = plies + 1, choices + len(actions)
    return plies, choices


def naive_xoshiro(seed):
    """Its words, computed with lists, from a seed by SplitMix64."""
    s, mask = [naive_mix(seed + (i + 1) * 0x9E3779B97F4A7C15) for i in range(4)], (1 << 64) - 1
    while True:
        x = s[1] * 5 & mask
        yield (x << 7 | x >> 57) * 9 & mask
        t = s[1] << 17 & mask
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = (s[3] << 45 | s[3] >> 19) & mask


def naive_mix(x):
    x &= (1 << 64) - 1
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 % (1 << 64)
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB % (1 << 64)
    return x ^ (x >> 31)


def test_random_games():
    game = TicTacToe()
    found = random_games(game, 200, 5, compile=True)
    assert found == random_games(game, 200, 5, compile=False)
    assert list(zip(found.plies, found.choices, strict=True)) == [
        drawn(game, number, 5) for number in range(200)
    ]
    assert all(5 <= plies <= 9 for plies in found.plies)
    many = random_games(game, 20_000, 1, compile=True)
    mean = sum(many.plies) / 20_000
    deviation = math.sqrt(sum((plies - mean) ** 2 for plies in many.plies)) / 20_000
    assert abs(mean - exact_length(game, game.initial())) < 4 * deviation


def exact_length(game, state, known=None):
    """The expected number of plies of a random game."""
    known = {} if known is None else known
    if game.is_terminal(state):
        return 0.0
    if state not in known:
        children = [game.result(state, action) for action in game.actions(state)]
        known[state] = 1 + sum(exact_length(game, child, known) for child in children) / len(
            children
        )
    return known[state]


def test_games_on_uniform_trees_branch_uniformly():
    found = random_games(AnyUniformTree(4, 3), 10, 0, compile=False)
    assert found.plies == (3,) * 10
    assert found.branching == (4.0,) * 10


def test_games_that_cannot_be_played(monkeypatch):
    with pytest.raises(ValueError, match="-1 games"):
        random_games(TicTacToe(), -1, 0)
    monkeypatch.setattr(complexity, "LONGEST_RANDOM_GAME", 7)
    with pytest.raises(ValueError, match="random games have not ended after 7 plies"):
        random_games(ThreeMensMorris(), 20, 0, compile=False)


@in_full
def test_engine_games():
    game = TicTacToe()
    found = engine_games(game, 6, 9, 3, opening=0, compile=False)
    assert found.plies == (9,) * 6, "a perfect game is a draw and fills the board"
    assert found.choices == (45,) * 6
    again = engine_games(game, 6, 2, 3, opening=2, compile=False)
    assert again == engine_games(game, 6, 2, 3, opening=2, compile=False)


@pytest.mark.parametrize(("d", "h"), [(1, 3), (2, 5), (3, 4)])
def test_positions_held(d, h):
    found = positions_held(AnyUniformTree(d, h), h, compile=False)
    assert found == (complexity.Held(h + 1, d * h + 1, sum(d**level for level in range(h + 1))))


def test_positions_held_on_an_uneven_tree():
    """The open list holds the path and the successors beside it; the path goes to the deepest
    leaf."""
    rng = random.Random(2)

    def tree(depth):
        return (
            rng.randrange(9)
            if depth == 0 or rng.random() < 0.2
            else [tree(depth - 1) for _ in range(rng.randrange(1, 4))]
        )

    nested = [tree(4) for _ in range(3)]
    game = ExplicitTree.from_nested(nested)

    def sizes(node):
        children = node if isinstance(node, list) else []
        below = [sizes(child) for child in children]
        nodes, deepest = (
            1 + sum(n for n, _, _ in below),
            1 + max((deep for _, deep, _ in below), default=0),
        )
        # While the i-th successor is searched, it and those after it are on the list; finished ones
        # have left it.
        held = 1 + max(
            (len(children) - i - 1 + most for i, (_, _, most) in enumerate(below)), default=0
        )
        return nodes, deepest, held

    nodes, deepest, held = sizes(nested)
    assert positions_held(game, 6, compile=False) == complexity.Held(deepest, held, nodes)


def test_nothing_to_hold():
    with pytest.raises(ValueError, match="at least 1"):
        positions_held(TicTacToe(), 0)
