"""Correction history: what searches have found out about the errors of the evaluation.

Positions that share an aspect (`Tactics.aspect`), such as the places of all pawns, are often
misjudged alike. For each aspect a count says how far the values that searches found there lay above
the evaluation; the evaluation of further positions with this aspect is corrected by it.
"""

from __future__ import annotations

from typing import Final

from prunus.algorithms.leaves import scaled, unscaled
from prunus.core.bits import i64, u64
from prunus.core.game import INFINITY, Game, S
from prunus.engine.learning import ASPECT_SLOTS
from prunus.engine.memory import EngineMemory
from prunus.engine.pruning import is_decisive
from prunus.tables.transposition import NO_ACTION

LIMIT: Final = 1024
"""Counts lie between -LIMIT and LIMIT."""

MOST_CHANGE: Final = LIMIT // 4
"""The most that one search changes a count by."""

UNIT: Final = 12
"""So much in the counts of a position, added up, corrects its evaluation by 1."""


def place_of(game: Game[S], state: S, number: int) -> int:
    """The place of the count of an aspect of a State."""
    return number * ASPECT_SLOTS + i64(u64(game.aspect(state, number)) & (ASPECT_SLOTS - 1))


def corrected(game: Game[S], state: S, value: int, memory: EngineMemory) -> int:
    """The evaluation of a State, on the scale of the search, with the correction that the option
    `correction` makes; it stays within the game's bounds."""
    if not (memory.correction and game.has_aspect):
        return value
    total = 0
    for number in range(game.aspects):
        total += memory.correction_weight[place_of(game, state, number)]
    value += scaled(total // UNIT, memory)
    if game.has_bounds:
        low, high = game.bounds(state)
        value = max(scaled(low + 1, memory), min(scaled(high - 1, memory), value))
    return value


def learn_error(
    game: Game[S], state: S, depth: int, best: int, action: int, beta: int, memory: EngineMemory
) -> None:
    """Learn the error of the evaluation in the current node's frame from the value `best` that a
    search has found there, by `action`; if that is NO_ACTION, the value is an upper bound.

    Nothing is learnt at the root, where an action may have been left out; in check; of noisy
    actions, whose gain no evaluation should foresee; of a bound that the evaluation satisfies
    already; and of finished games."""
    if not (memory.correction and game.has_aspect) or memory.ply == 0:
        return
    static = memory.static[memory.ply]
    if static == -INFINITY or is_decisive(game, state, best, memory):
        return
    if (best >= beta and best <= static) or (action == NO_ACTION and best >= static):
        return
    if action != NO_ACTION and game.has_noisy_actions and game.is_noisy(state, action):
        return
    change = unscaled(best - static, memory) * depth // 8
    change = max(-MOST_CHANGE, min(MOST_CHANGE, change))
    for number in range(game.aspects):
        place = place_of(game, state, number)
        count = memory.correction_weight[place]
        memory.correction_weight[place] = count + change - count * abs(change) // LIMIT
