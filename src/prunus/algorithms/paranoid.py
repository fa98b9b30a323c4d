"""Paranoid search: the player to move at the root against all the others together (Sturtevant &
Korf 2000).

The game then has two sides, and alpha-beta's cut-offs, even deep ones, are sound. The value is what
the root's player is sure of, whatever the others do: never more than what he gets when they play
for themselves.
"""

from __future__ import annotations

from typing import Protocol

from prunus.algorithms.leaves import expect_action
from prunus.algorithms.line import drop_line, extend_line, note_root
from prunus.algorithms.memory import SearchMemory
from prunus.core.game import INFINITY, Game, S
from prunus.kernel.memory import Spec


def paranoid(
    game: Game[S], state: S, depth: int, alpha: int, beta: int, memory: ParanoidMemory
) -> int:
    """The payoff of the root's player, `memory.protagonist`, negated if another player is to move.
    As in alpha-beta it is exact inside the window, an upper bound at or below alpha, a lower bound
    at or above beta."""
    memory.nodes += 1
    if depth == memory.root_depth:
        memory.protagonist = game.to_move(state)
    if game.is_terminal(state) or depth == 0:
        return leaf_value(game, state, memory)
    memory.interior += 1
    best = -INFINITY
    first = 1
    for action in game.actions(state):
        child = game.result(state, action)
        if same_side(game, state, child, memory):
            value = paranoid(game, child, depth - 1, max(alpha, best), beta, memory)
        else:
            value = -paranoid(game, child, depth - 1, -beta, -max(alpha, best), memory)
        if value > best:
            best = value
            if value > alpha:
                extend_line(memory, depth, action)
                note_root(memory, depth, action, value)
        if value >= beta:
            drop_line(memory, depth)
            memory.cutoffs += 1
            memory.first_cutoffs += first
            break
        first = 0
    expect_action(state, best, memory)
    return best


def same_side(game: Game[S], state: S, child: S, memory: ParanoidMemory) -> bool:
    """Whether the root's player moves in both States or in neither."""
    return (game.to_move(state) == memory.protagonist) == (
        game.to_move(child) == memory.protagonist
    )


def leaf_value(game: Game[S], state: S, memory: ParanoidMemory) -> int:
    """The payoff of the root's player, or its estimate at the depth limit, seen from the side to
    move."""
    if game.is_terminal(state):
        payoffs = game.utilities(state)
    else:
        memory.evaluated += 1
        payoffs = game.estimates(state)
    value = payoffs[memory.protagonist]
    return value if game.to_move(state) == memory.protagonist else -value


def protagonist_fields(depth: int, room: int) -> Spec:
    """The additional fields of a Memory for paranoid search."""
    return {"protagonist": "i64"}


class ParanoidMemory(SearchMemory, Protocol):
    """The memory of this search: `protagonist` is the root's player."""

    protagonist: int
