"""The worst trees for an algorithm that may toss coins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from prunus.core.bits import GOLDEN, Runtime, i64, mix, u8, u64
from prunus.core.game import Game
from prunus.core.rng import word_at

PLACES = 0xFEDCBA9876543210
"""The numbers 0 to 15, four bits each."""


class ReluctantTree(Game):
    """A uniform tree of wins and losses that gives away as little as it can (Saks & Wigderson
    1986): in a won position exactly one action wins, at a place drawn from `seed`; in a lost
    position every action loses. Values are 1 and -1 for the player to move; `won` says whether the
    root is won.

    The actions come in a random order, drawn anew for every node, so `alphabeta` here is randomised
    alpha-beta on one and the same tree; `tree(n)` tosses other coins. 1 <= degree <= 16, 0 <=
    height <= 255, otherwise ValueError. All parameters are data.
    """

    class State(NamedTuple):
        level: u8
        wins: bool
        node: u64
        coins: u64

    degree: Runtime[i64]
    height: Runtime[i64]
    seed: Runtime[u64]
    coins: Runtime[u64]
    won: Runtime[i64]

    def __init__(
        self, degree: int = 2, height: int = 6, seed: int = 0, coins: int = 0, won: bool = False
    ) -> None:
        if not 1 <= degree <= 16:
            raise ValueError(f"degree must be 1 to 16, not {degree}")
        if not 0 <= height <= 255:
            raise ValueError(f"height must be 0 to 255, not {height}")
        self.degree, self.height = degree, height
        self.seed, self.coins, self.won = u64(seed), u64(coins), int(won)

    def initial(self) -> State:
        return self.tree(0)

    def tree(self, number: int) -> State:
        """The root of the tree with other coins."""
        return self.State(0, self.won != 0, word_at(self.seed, 1), word_at(self.coins, number + 1))

    def actions(self, state: State) -> Iterator[int]:
        places, word = u64(PLACES), mix(state.node ^ state.coins)
        for left in range(self.degree, 0, -1):
            # Fisher and Yates: draw one of the remaining places; the last of them takes its
            # position.
            word = word_at(word, 1)
            drawn = i64(((word >> 32) * left) >> 32)
            last = (places >> 4 * (left - 1)) & 15
            place = (places >> 4 * drawn) & 15
            places = places ^ ((place ^ last) << 4 * drawn)
            yield i64(place)

    def result(self, state: State, action: int) -> State:
        node = word_at(state.node, action + 1)
        return self.State(
            state.level + 1, not state.wins or action != self.winning(state.node), node, state.coins
        )

    def winning(self, node: u64) -> int:
        """The one action that wins, if the position is won."""
        return i64(((mix(node ^ u64(GOLDEN)) >> 32) * self.degree) >> 32)

    def is_terminal(self, state: State) -> bool:
        return state.level >= self.height

    def utility(self, state: State) -> int:
        return 1 if state.wins else -1

    def __repr__(self) -> str:
        drawn = f"seed={int(self.seed)}, coins={int(self.coins)}, won={bool(self.won)}"
        return f"ReluctantTree(degree={self.degree}, height={self.height}, {drawn})"
