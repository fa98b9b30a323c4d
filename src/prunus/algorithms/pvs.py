"""Principal variation search, or NegaScout, with a transposition table (Marsland & Campbell 1982;
Reinefeld 1983).

The first action gets the whole window, every other one a null window that only asks whether it is
better. If one is better, but perhaps not good enough for a cut-off, it is searched again with the
remaining window.
"""

from __future__ import annotations

from typing import Protocol

from prunus.algorithms.leaves import horizon, terminal
from prunus.algorithms.line import drop_line, extend_line, note_root
from prunus.algorithms.memory import TableSearchMemory
from prunus.algorithms.remember import count_use, known_value, look_up, outcome, remember
from prunus.algorithms.repetition import (
    LOSS,
    ends_by_repetition,
    enter,
    expect_allowed,
    is_forbidden,
    is_free,
    leave,
    repeated_value,
)
from prunus.core.game import INFINITY, Game, S
from prunus.kernel.memory import Spec
from prunus.tables.stack import push_actions
from prunus.tables.transposition import NO_ACTION


def pvs(game: Game[S], state: S, depth: int, alpha: int, beta: int, memory: ResearchMemory) -> int:
    """The value v of a State if alpha < v < beta. A result <= alpha is an upper bound of v, a
    result >= beta a lower bound."""
    memory.nodes += 1
    if game.is_terminal(state):
        return terminal(game, state, depth, memory)
    if ends_by_repetition(game, state, memory):
        return repeated_value(game, state, memory)
    if depth == 0:
        return horizon(game, state, memory)
    entry = look_up(game, state, depth, memory)
    if depth != memory.root_depth and game.repetition_rule < LOSS:
        known = known_value(entry, depth, alpha, beta, memory)
        if known != INFINITY:
            count_use(entry, memory)
            return known
    memory.interior += 1
    estimates = memory.evaluated
    best = -INFINITY
    chosen = NO_ACTION
    base = push_actions(game, state, entry.action, memory)
    for i in range(base, memory.stack_top):
        action = memory.stack_action[i]
        child = game.result(state, action)
        if is_forbidden(game, state, child, memory):
            continue
        before = memory.evaluated
        low = max(alpha, best)
        # A null window asks the question; in the second search the answer is known to be at least
        # `value`.
        high = beta if i == base else low + 1
        value = child_value(game, state, child, depth, low, high, memory)
        if high <= value < beta:
            memory.researches += 1
            value = child_value(game, state, child, depth, value - 1, beta, memory)
        if value > best:
            best = value
            if value > alpha:
                chosen = action
                extend_line(memory, depth, action)
                note_root(memory, depth, action, value)
        if value >= beta:
            drop_line(memory, depth)
            memory.cutoffs += 1
            if i == base:
                memory.first_cutoffs += 1
            estimates = before
            break
    memory.stack_top = base
    best = expect_allowed(game, state, best, memory)
    if is_free(game, memory):
        remember(
            game,
            state,
            depth,
            outcome(depth, alpha, beta, best, chosen, memory.evaluated == estimates),
            memory,
        )
    return best


def child_value(
    game: Game[S], state: S, child: S, depth: int, alpha: int, beta: int, memory: ResearchMemory
) -> int:
    """The value of a child for the player to move in `state`, whose window this is."""
    enter(game, state, memory)
    if game.keeps_turn(state, child):
        value = pvs(game, child, depth - 1, alpha, beta, memory)
    else:
        value = -pvs(game, child, depth - 1, -beta, -alpha, memory)
    leave(game, memory)
    return value


def research_fields(depth: int, room: int) -> Spec:
    """The field of a Memory that counts what was searched twice."""
    return {"researches": "i64"}


class ResearchMemory(TableSearchMemory, Protocol):
    """The memory of PVS: `researches` counts what was searched twice."""

    researches: int
