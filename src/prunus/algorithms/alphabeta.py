"""Alpha-beta in the negamax form, fail-soft (Knuth & Moore 1975, F2; fail-soft after Fishburn
1983)."""

from __future__ import annotations

from prunus.algorithms.leaves import horizon, terminal
from prunus.algorithms.line import drop_line, extend_line, note_root
from prunus.algorithms.memory import PathSearchMemory
from prunus.algorithms.repetition import (
    ends_by_repetition,
    enter,
    expect_allowed,
    is_forbidden,
    leave,
    repeated_value,
)
from prunus.core.game import INFINITY, Game, S


def alphabeta(
    game: Game[S], state: S, depth: int, alpha: int, beta: int, memory: PathSearchMemory
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
    memory.interior += 1
    best = -INFINITY
    first = 1
    for action in game.actions(state):
        child = game.result(state, action)
        if is_forbidden(game, state, child, memory):
            continue
        enter(game, state, memory)
        if game.keeps_turn(state, child):
            value = alphabeta(game, child, depth - 1, max(alpha, best), beta, memory)
        else:
            value = -alphabeta(game, child, depth - 1, -beta, -max(alpha, best), memory)
        leave(game, memory)
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
    return expect_allowed(game, state, best, memory)
