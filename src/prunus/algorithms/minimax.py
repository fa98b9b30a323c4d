"""Minimax in the negamax form: one procedure for both players (Knuth & Moore 1975, F)."""

from __future__ import annotations

from prunus.algorithms.leaves import horizon, terminal
from prunus.algorithms.line import extend_line, note_root, start_line
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


def minimax(game: Game[S], state: S, depth: int, memory: PathSearchMemory) -> int:
    """The value of a State, visiting every position within `depth` plies: F(s) = max -F(child), or
    +F(child) if the player keeps the turn."""
    memory.nodes += 1
    start_line(memory, depth)
    if game.is_terminal(state):
        return terminal(game, state, depth, memory)
    if ends_by_repetition(game, state, memory):
        return repeated_value(game, state, memory)
    if depth == 0:
        return horizon(game, state, memory)
    memory.interior += 1
    best = -INFINITY
    for action in game.actions(state):
        child = game.result(state, action)
        if is_forbidden(game, state, child, memory):
            continue
        enter(game, state, memory)
        value = minimax(game, child, depth - 1, memory)
        leave(game, memory)
        if not game.keeps_turn(state, child):
            value = -value
        if value > best:
            best = value
            extend_line(memory, depth, action)
        note_root(memory, depth, action, value)
    return expect_allowed(game, state, best, memory)
