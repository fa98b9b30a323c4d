"""Alpha-beta in the negamax form, fail-hard: results never leave the window (Knuth & Moore 1975,
F2, cut at beta)."""

from __future__ import annotations

from prunus.algorithms.leaves import dead_end, horizon, terminal
from prunus.algorithms.line import drop_line, extend_line, note_root
from prunus.algorithms.memory import SearchMemory
from prunus.core.game import Game, S


def alphabeta_hard(
    game: Game[S], state: S, depth: int, alpha: int, beta: int, memory: SearchMemory
) -> int:
    """The value v of a State, clipped to the window: alpha if v <= alpha, beta if v >= beta,
    otherwise v."""
    memory.nodes += 1
    if game.is_terminal(state):
        return min(max(terminal(game, state, depth, memory), alpha), beta)
    if depth == 0:
        return min(max(horizon(game, state, memory), alpha), beta)
    memory.interior += 1
    first = 1
    for action in game.actions(state):
        child = game.result(state, action)
        if game.keeps_turn(state, child):
            value = alphabeta_hard(game, child, depth - 1, alpha, beta, memory)
        else:
            value = -alphabeta_hard(game, child, depth - 1, -beta, -alpha, memory)
        if value > alpha:
            alpha = value
            extend_line(memory, depth, action)
            note_root(memory, depth, action, value)
        if alpha >= beta:
            drop_line(memory, depth)
            memory.cutoffs += 1
            memory.first_cutoffs += first
            return beta
        first = 0
    if first == 1:
        dead_end(state, memory)
    return alpha
