"""The selective techniques that need no search of their own: beam, futility, late move reductions,
Floyd's probability depth."""

from __future__ import annotations

import math
from typing import Final

from prunus.algorithms.leaves import scaled
from prunus.algorithms.repetition import child_ends_by_repetition
from prunus.core.game import INFINITY, Game, S
from prunus.engine.frames import value_there
from prunus.engine.memory import EngineMemory

UNIT: Final = 1000
"""The unit of negative logarithms of probabilities, which are added up in thousandths."""

RANK_COST: Final = (242, 2540, 3300, 3350, 3510, 4270, 4340, 4830)
"""How improbable the action in each place of the order is, for a game without `likelihood`: 78.5 %
for the first, then 7.9 %, 3.7 %, 3.5 %, 3.0 %, 1.4 %, 1.3 %, 0.8 %, and the same for every later
one. Fitted to Othello (`fitting.fit_likelihood`, 300 random positions each at depths 4 and 5, seed
0) and smoothed so that no place is likelier than the one before; `prunus fit likelihood GAME` shows
the figures of another game."""


def beam_end(base: int, memory: EngineMemory) -> int:
    """The place on the stack where the actions to search end: after all of them, or after as many
    as the option `beam` allows (Lowerre 1976; Shannon's type B)."""
    if memory.uses_beam and memory.ply > 0 and memory.stack_top - base > memory.beam:
        memory.evaluated += 1
        return base + memory.beam
    return memory.stack_top


def best_futile(game: Game[S], state: S, action: int, child: S, memory: EngineMemory) -> int:
    """The most that an action at the last ply can be hoped to gain (Schaeffer 1986): the evaluation
    after it plus the option `futility`; INFINITY, so that the action is searched, if the game ends
    with it (by a repetition, too) or if either player is in check."""
    if game.is_terminal(child) or child_ends_by_repetition(game, state, child, memory):
        return INFINITY
    if game.has_in_check and (game.in_check(state) or game.in_check(child)):
        return INFINITY
    memory.evaluated += 1
    value = scaled(value_there(game, state, action, child, memory), memory)
    return (value if game.keeps_turn(state, child) else -value) + memory.futility


def reduction(
    game: Game[S], state: S, child: S, number: int, depth: int, memory: EngineMemory
) -> int:
    """The number of plies by which the action in place `number` is at first searched shallower
    (late move reductions, Romstad 2006)."""
    if number < memory.reductions or depth < 3 or game.is_terminal(child):
        return 0
    if game.has_in_check and (game.in_check(state) or game.in_check(child)):
        return 0
    return 1 if number < 2 * memory.reductions or depth < 5 else 2


def probable_depth(
    game: Game[S], state: S, action: int, number: int, depth: int, memory: EngineMemory
) -> int:
    """The depth to which Floyd's rule follows an action: `depth` while the product of the
    probabilities of the actions on the line is at least 1 in `memory.floyd`, 0 after that. A forced
    action counts as certain."""
    ply = memory.ply
    if ply == 0:
        memory.budget[0] = int(UNIT * math.log(float(memory.floyd)))
    cost = 0
    if number > 0 or not is_forced(game, state):
        if game.has_likelihood:
            cost = int(-UNIT * math.log(max(1e-9, float(game.likelihood(state, action)))))
        else:
            cost = RANK_COST[min(number, len(RANK_COST) - 1)]
    memory.budget[ply + 1] = memory.budget[ply] - cost
    return depth if memory.budget[ply + 1] > 0 else 0


def is_forced(game: Game[S], state: S) -> bool:
    """Whether a State has at most one action."""
    count = 0
    for _ in game.actions(state):
        count += 1  # noqa: SIM113 - the compiler stops a generator that is left early; it does not know enumerate's
        if count > 1:
            return False
    return True
