"""Alpha-beta with a transposition table, fail-soft (Greenblatt, Eastlake & Crocker 1967; as
AlphaBetaWithMemory in Plaat et al. 1996).

Iterative deepening, aspiration windows, MTD(f), SSS* and DUAL* call it: after the first search of a
position the table knows a bound of its value and the action that gave it.
"""

from __future__ import annotations

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
from prunus.tables.stack import push_actions
from prunus.tables.transposition import NO_ACTION


def alphabeta_table(
    game: Game[S], state: S, depth: int, alpha: int, beta: int, memory: TableSearchMemory
) -> int:
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
        enter(game, state, memory)
        if game.keeps_turn(state, child):
            value = alphabeta_table(game, child, depth - 1, max(alpha, best), beta, memory)
        else:
            value = -alphabeta_table(game, child, depth - 1, -beta, -max(alpha, best), memory)
        leave(game, memory)
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
