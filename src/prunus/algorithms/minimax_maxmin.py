"""Minimax in the max/min form: MAX, the player to move at the root, and MIN each have a procedure
(Knuth & Moore 1975, F and G)."""

from __future__ import annotations

from prunus.algorithms.leaves import expect_action, horizon, terminal
from prunus.algorithms.line import extend_line, note_root, start_line
from prunus.algorithms.memory import SearchMemory
from prunus.core.game import INFINITY, Game, S


def max_value(game: Game[S], state: S, depth: int, memory: SearchMemory) -> int:
    """The value for MAX of a State in which MAX is to move."""
    memory.nodes += 1
    start_line(memory, depth)
    if game.is_terminal(state):
        return terminal(game, state, depth, memory)
    if depth == 0:
        return horizon(game, state, memory)
    memory.interior += 1
    best = -INFINITY
    for action in game.actions(state):
        child = game.result(state, action)
        if game.keeps_turn(state, child):
            value = max_value(game, child, depth - 1, memory)
        else:
            value = min_value(game, child, depth - 1, memory)
        if value > best:
            best = value
            extend_line(memory, depth, action)
        note_root(memory, depth, action, value)
    expect_action(state, best, memory)
    return best


def min_value(game: Game[S], state: S, depth: int, memory: SearchMemory) -> int:
    """The value for MAX of a State in which MIN is to move."""
    memory.nodes += 1
    start_line(memory, depth)
    if game.is_terminal(state):
        return -terminal(game, state, depth, memory)
    if depth == 0:
        return -horizon(game, state, memory)
    memory.interior += 1
    best = INFINITY
    for action in game.actions(state):
        child = game.result(state, action)
        if game.keeps_turn(state, child):
            value = min_value(game, child, depth - 1, memory)
        else:
            value = max_value(game, child, depth - 1, memory)
        if value < best:
            best = value
            extend_line(memory, depth, action)
    expect_action(state, -best, memory)
    return best
