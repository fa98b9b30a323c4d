"""Random games with rules that know more than the moves: what searches to the end of the game use,
and what may mislead them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from prunus.core.bits import mix, u8, u32, u64
from prunus.core.game import Game
from prunus.core.rng import word_at
from prunus.games import RandomGame
from prunus.games.random_game import CHILD, ENDS_EARLY, KEEPS_TURN, TERMINAL, TURN
from prunus.tables.proofs import WORDS, ProofTable
from prunus.tables.transposition import TranspositionTable
from prunus.tables.words import HEADER

KNOWS, ORDER, TWIN = range(11, 14)
"""What the games below draw random words for, in addition to `RandomGame`'s."""


class Blank(RandomGame):
    """Knows only the limits of the whole game; unfinished positions have no estimate."""

    evaluate = Game.evaluate


class Knowing(Blank):
    """Rules that see a ply ahead in some positions, leave out actions that another one makes
    pointless, and know mirror images."""

    def draw(self, state: Any, purpose: int, action: int) -> u64:
        # Each node has a mirror image, numbered twice its number plus one, in which everything is
        # the same.
        word = word_at(self.seed, purpose)
        word = mix(word ^ (u64(state.level) << 32 | state.node >> 1))
        return word_at(word, action)

    def result(self, state: Any, action: int) -> Any:
        node = self.draw(state, CHILD, action) % self.width
        keeps = self.passes != 0 and self.draw(state, TURN, action) % KEEPS_TURN == 0
        twin = self.draw(state, TWIN, action) & 1
        return self.State(state.level + 1, state.turn if keeps else 1 - state.turn, 2 * node + twin)

    def canonical(self, state: Any) -> Any:
        return self.State(state.level, state.turn, state.node & 0xFFFFFFFE)

    def order(self, state: Any, action: int) -> int:
        return int(self.draw(state, ORDER, action) % 3)

    def plies_left(self, state: Any) -> int:
        return self.depth - state.level

    def bounds(self, state: Any) -> tuple[int, int]:
        known = self.draw(state, KNOWS, 0) % 4
        if known == 0 or state.level == 0 or self.is_terminal(state):
            return (-self.values, self.values)
        low, high = -self.values, -self.values
        for action in self.actions(state):
            child = self.result(state, action)
            if self.is_terminal(child):
                value = self.utility(child) if child.turn == state.turn else -self.utility(child)
                low, high = max(low, value), max(high, value)
            else:
                high = self.values
        if known == 1:
            low = -self.values
        if known == 2:
            high = self.values
        return (low, high)

    def worthwhile(self, state: Any) -> Iterator[int]:
        best = -self.values - 1
        chosen = -1
        for action in self.actions(state):
            child = self.result(state, action)
            if self.is_terminal(child):
                value = self.utility(child) if child.turn == state.turn else -self.utility(child)
                if value > best:
                    best = value
                    chosen = action
        for action in self.actions(state):
            if action == chosen or (
                best < self.values and not self.is_terminal(self.result(state, action))
            ):
                yield action


class Hashed(Knowing):
    """Keys that do not claim to be one-to-one; a few of them collide."""

    def key(self, state: Any) -> u64:
        return mix(u64(state.level) << 32 | u64(state.node // 8))


class Constant(Knowing):
    """All positions have the same key."""

    def key(self, state: Any) -> u64:
        return u64(7)


class Holding(Hashed):
    """States that record whether they end the game."""

    class State(NamedTuple):
        level: u8
        turn: u8
        node: u32
        over: bool

    def initial(self) -> Any:
        return self.State(0, 0, 0, self.depth == 0)

    def result(self, state: Any, action: int) -> Any:
        node = self.draw(state, CHILD, action) % self.width
        keeps = self.passes != 0 and self.draw(state, TURN, action) % KEEPS_TURN == 0
        twin = self.draw(state, TWIN, action) & 1
        child = self.State(
            state.level + 1, state.turn if keeps else 1 - state.turn, 2 * node + twin, False
        )
        over = child.level >= self.depth or self.draw(child, TERMINAL, 0) % ENDS_EARLY == 0
        return self.State(child.level, child.turn, child.node, over)

    def is_terminal(self, state: Any) -> bool:
        return state.over

    def canonical(self, state: Any) -> Any:
        return self.State(state.level, state.turn, state.node & 0xFFFFFFFE, state.over)


class Formed(Hashed):
    """Searches to the end use a form of State of their own."""

    def solving_game(self) -> Game:
        return Holding(
            int(self.seed), self.depth, self.width, self.branching, self.values, bool(self.passes)
        )

    def solving_state(self, state: Any) -> Any:
        return Holding.State(state.level, state.turn, state.node, self.is_terminal(state))


KINDS = [Blank, Knowing, Hashed, Constant]


def truth(game: Game, state: Any, known: dict[Any, int]) -> int:
    """The minimax value; `known` caches those found before."""
    if state not in known:
        if game.is_terminal(state):
            return int(game.utility(state))
        children = [game.result(state, action) for action in list(game.actions(state))]
        known[state] = max(
            truth(game, child, known) * (1 if game.keeps_turn(state, child) else -1)
            for child in children
        )
    return known[state]


def some_game(kind: type[RandomGame], seed: int) -> tuple[Any, Any, dict[Any, int]]:
    """A random game, its start, and the values of all its positions."""
    rng = random.Random(seed)
    game = kind(
        seed,
        rng.randint(3, 11),
        rng.choice([3, 6, 12]),
        rng.randint(1, 4),
        rng.choice([1, 3, 50]),
        rng.random() < 0.6,
    )
    game.freeze()
    known: dict[Any, int] = {}
    truth(game, game.initial(), known)
    return game, game.initial(), known


def with_entries(count: int, game: Game) -> ProofTable:
    """A table with `count` entries."""
    key = TranspositionTable(0, game, game.initial())
    size = 8 * WORDS + (8 if key.verified else 0)
    table = ProofTable(count * size / (1 << 20), game.initial(), key.exact_key, key.verified)
    assert len(table.words) == count * WORDS + HEADER
    return table
