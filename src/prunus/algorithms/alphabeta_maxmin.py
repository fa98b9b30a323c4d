"""Alpha-beta in the max/min form, fail-soft: F2 for MAX and its mirror image G2 for MIN (Knuth &
Moore 1975).

The window is MAX's throughout: alpha is what MAX, the player to move at the root, is sure of, beta
what MIN is sure to hold MAX to.
"""

from __future__ import annotations

from prunus.algorithms.leaves import expect_action, horizon, terminal
from prunus.algorithms.line import drop_line, extend_line, note_root
from prunus.algorithms.memory import SearchMemory
from prunus.core.game import INFINITY, Game, S


def max_value(
    game: Game[S], state: S, depth: int, alpha: int, beta: int, memory: SearchMemory
) -> int:
    """The value for MAX of a State in which MAX is to move; a bound if it is outside the window."""
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
            value = max_value(game, child, depth - 1, max(alpha, best), beta, memory)
        else:
            value = min_value(game, child, depth - 1, max(alpha, best), beta, memory)
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


def min_value(
    game: Game[S], state: S, depth: int, alpha: int, beta: int, memory: SearchMemory
) -> int:
    """The value for MAX of a State in which MIN is to move; a bound if it is outside the window."""
    memory.nodes += 1
    if game.is_terminal(state):
        return -terminal(game, state, depth, memory)
    if depth == 0:
        return -horizon(game, state, memory)
    memory.interior += 1
    best = INFINITY
    first = 1
    for action in game.actions(state):
        child = game.result(state, action)
        if game.keeps_turn(state, child):
            value = min_value(game, child, depth - 1, alpha, min(beta, best), memory)
        else:
            value = max_value(game, child, depth - 1, alpha, min(beta, best), memory)
        if value < best:
            best = value
            if value < beta:
                extend_line(memory, depth, action)
        if value <= alpha:
            drop_line(memory, depth)
            memory.cutoffs += 1
            memory.first_cutoffs += first
            break
        first = 0
    expect_action(state, -best, memory)
    return best
