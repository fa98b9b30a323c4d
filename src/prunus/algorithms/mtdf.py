"""MTD(f), SSS* and DUAL*: the value of a game found by null-window searches alone, with a table
that saves them from doing anything twice.

All three are one loop with different first guesses (Plaat, Schaeffer, Pijls & de Bruin 1996):
MTD(f) starts with a good guess, SSS* with +infinity, so that every search lowers an upper bound,
DUAL* with -infinity, so that every search raises a lower bound.
"""

from __future__ import annotations

from typing import Protocol

from prunus.algorithms.alphabeta_table import alphabeta_table
from prunus.algorithms.memory import TableSearchMemory
from prunus.core.game import INFINITY, Game, S
from prunus.kernel.memory import Spec


def mtdf(game: Game[S], state: S, depth: int, memory: GuessMemory) -> int:
    """The value of a State, starting from the guess in `memory.guess`."""
    return converge(game, state, depth, memory.guess, memory)


def sss(game: Game[S], state: S, depth: int, memory: GuessMemory) -> int:
    """The value of a State by SSS*: every search asks whether the value is at least the best that
    is still possible."""
    return converge(game, state, depth, INFINITY, memory)


def dual(game: Game[S], state: S, depth: int, memory: GuessMemory) -> int:
    """The value of a State by DUAL*: every search asks whether the value is more than what is
    already certain."""
    return converge(game, state, depth, -INFINITY, memory)


def converge(game: Game[S], state: S, depth: int, guess: int, memory: GuessMemory) -> int:
    """Narrow the bounds of the value, search by search, until they meet.

    The root's best action comes from the last search that did not fail low: its value is then a
    lower bound that turns out to be exact.
    """
    lower = -INFINITY
    upper = INFINITY
    value = guess
    while lower < upper:
        beta = value + 1 if value == lower else value
        memory.passes += 1
        value = alphabeta_table(game, state, depth, beta - 1, beta, memory)
        if value < beta:
            upper = value
        else:
            lower = value
            memory.root_action[0] = memory.root_action[memory.root_count - 1]
            memory.root_value[0] = value
            memory.root_count = 1
    # Searches of several depths may share the table, so that a later search may know better than
    # the one that gave the action.
    memory.root_value[0] = value
    return value


def guess_fields(depth: int, room: int) -> Spec:
    """The fields of a Memory for the first guess and the number of searches."""
    return {"guess": "i64", "passes": "i64"}


class GuessMemory(TableSearchMemory, Protocol):
    """The memory of these searches: the first guess, and the number of searches."""

    guess: int
    passes: int
