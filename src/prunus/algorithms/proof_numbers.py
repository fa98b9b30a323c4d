"""What the searches by proof numbers share: leaves, bounds and numbers, and which question is next.

Each of them asks one question at a time: is the value at least `goal`? A node has two numbers:
`proof`, the least leaves that must turn out well for the player to move to answer yes, and
`disproof`, the least to answer no. A number is 0 once the answer is known, and NEVER once it is
ruled out.
"""

from __future__ import annotations

from typing import Final

from prunus.algorithms.leaves import LeafMemory, horizon, terminal
from prunus.core.game import INFINITY, Game, S

NEVER: Final = 1 << 30
"""The number of an answer that is ruled out; sums stay below it."""

LEAST: Final = 1 - INFINITY
MOST: Final = INFINITY - 1
"""The bounds of a value of which nothing is known."""


def next_goal(low: int, high: int) -> int:
    """The next question about a value that is known to lie between `low` and `high`, which differ.
    The first one is 0; then its distance doubles until there is a limit on both sides, and then the
    limits are halved. In games of two values one question is enough if the game has bounds, and
    two otherwise."""
    if low == LEAST and high == MOST:
        return 0
    if low == LEAST:
        return max(LEAST + 1, 2 * high if high < 0 else high - 1)
    if high == MOST:
        return min(MOST, 2 * low if low > 0 else low + 1)
    # The limits are at most 63 bits apart, because one of them was found by a question at 0.
    return low + (high - low + 1) // 2


def replies(game: Game[S], state: S) -> int:
    """The disproof number of a node that has not been expanded: each of its actions has to fail. It
    is never 0, because bounds alone answer a question."""
    return max(1, game.action_count(state))


def answered(low: int, high: int, goal: int, proof: int, disproof: int) -> tuple[int, int]:
    """The numbers of a node with these bounds: `proof` and `disproof`, unless the bounds answer the
    question."""
    if low >= goal:
        return 0, NEVER
    if high < goal:
        return NEVER, 0
    return proof, disproof


def leaf(
    game: Game[S], state: S, depth: int, to_the_end: bool, memory: LeafMemory
) -> tuple[int, int]:
    """Bounds of a node's value before it is searched: twice its value at a leaf."""
    if game.is_terminal(state):
        value = terminal(game, state, depth, memory)
        return value, value
    if depth == 0:
        value = horizon(game, state, memory)
        return value, value
    if game.has_bounds and to_the_end and memory.haste == 0:
        low, high = game.bounds(state)
        return max(low, LEAST), min(high, MOST)
    return LEAST, MOST
