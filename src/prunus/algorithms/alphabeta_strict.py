"""Alpha-beta in the negamax form, fail-soft, that cuts off above beta only: after an equal value it
goes on (the other rule for ties; `alphabeta` has the usual one)."""

from __future__ import annotations

from prunus.algorithms.leaves import expect_action, horizon, terminal
from prunus.algorithms.line import drop_line, extend_line, note_root
from prunus.algorithms.memory import SearchMemory
from prunus.core.game import INFINITY, Game, S


def alphabeta_strict(
    game: Game[S], state: S, depth: int, alpha: int, beta: int, memory: SearchMemory
) -> int:
    """The value v of a State if alpha <= v <= beta: the ends belong to the window, which may be one
    number. A result < alpha is an upper bound of v, a result > beta a lower bound."""
    memory.nodes += 1
    if game.is_terminal(state):
        return terminal(game, state, depth, memory)
    if depth == 0:
        return horizon(game, state, memory)
    memory.interior += 1
    best = -INFINITY
    first = 1
    for action in game.actions(state):
        child = game.result(state, action)
        if game.keeps_turn(state, child):
            value = alphabeta_strict(game, child, depth - 1, max(alpha, best), beta, memory)
        else:
            value = -alphabeta_strict(game, child, depth - 1, -beta, -max(alpha, best), memory)
        if value > best:
            best = value
            if value > alpha:
                extend_line(memory, depth, action)
                note_root(memory, depth, action, value)
        if value > beta:
            drop_line(memory, depth)
            memory.cutoffs += 1
            memory.first_cutoffs += first
            break
        first = 0
    expect_action(state, best, memory)
    return best
