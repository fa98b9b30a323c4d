"""Branch and bound: minimax with one bound, and so without deep cut-offs (Knuth & Moore 1975,
F1)."""

from __future__ import annotations

from prunus.algorithms.leaves import expect_action, horizon, terminal
from prunus.algorithms.line import extend_line, note_root, start_line
from prunus.algorithms.memory import SearchMemory
from prunus.core.game import INFINITY, Game, S


def branch_and_bound(game: Game[S], state: S, depth: int, bound: int, memory: SearchMemory) -> int:
    """The value of a State if it is below `bound`; otherwise some number that is at least
    `bound`."""
    memory.nodes += 1
    start_line(memory, depth)
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
            value = branch_and_bound(game, child, depth - 1, bound, memory)
        else:
            value = -branch_and_bound(game, child, depth - 1, -best, memory)
        if value > best:
            best = value
            extend_line(memory, depth, action)
            note_root(memory, depth, action, value)
        if best >= bound:
            memory.cutoffs += 1
            memory.first_cutoffs += first
            break
        first = 0
    expect_action(state, best, memory)
    return best
