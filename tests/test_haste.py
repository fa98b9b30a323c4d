"""The nearest win and the longest loss, where the table knows ends of the game beyond the limit."""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

import pytest

from prunus import Game, analyze, u16


class Divide(Game):
    """Two numbers; the player to move lowers the first by a divisor, or to its root, and the two
    change places. Whoever has a 1 has lost. Many lines of many lengths meet."""

    class State(NamedTuple):
        n: u16
        m: u16

    def __init__(self, n: int = 10, m: int = 8) -> None:
        self.n, self.m = n, m

    def initial(self):
        return self.State(self.n, self.m)

    def actions(self, state):
        found = {state.n - d for d in range(1, state.n) if state.n % d == 0}
        if state.n > 3:
            found.add(math.isqrt(state.n))
        return sorted(found)

    def result(self, state, action):
        return self.State(state.m, action)

    def is_terminal(self, state):
        return state.n <= 1

    def utility(self, state):
        return -1


@cache
def naive(game, state):
    """The value, and the plies to the end if the winner hurries and the loser delays."""
    if game.is_terminal(state):
        return -1, 0
    after = [naive(game, game.result(state, action)) for action in game.actions(state)]
    wins = [plies for value, plies in after if value == -1]
    return (1, 1 + min(wins)) if wins else (-1, 1 + max(plies for _, plies in after))


@pytest.mark.parametrize("algorithm", ["iterative-deepening", "aspiration", "mtdf", "engine"])
def test_an_end_beyond_the_limit_keeps_its_distance(algorithm):
    for n, m in ((7, 6), (8, 6), (10, 8)):
        game = Divide(n, m)
        found = analyze(game, algorithm=algorithm, depth=None, prefer_faster=True, compile=False)
        assert found.proved and (found.value, found.distance) == naive(game, game.initial())
