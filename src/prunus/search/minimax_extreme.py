"""Minimax that stops at an extreme value: a node whose value cannot be improved needs no other action (Di Lena 2022, MINIMAX with
MINVAL and MAXVAL)."""

from __future__ import annotations

from typing import Any

from prunus.game import INFINITY, Game
from prunus.search.leaves import horizon, terminal
from prunus.search.line import extend_line, note_root, start_line


def minimax_extreme(game: Game, state: Any, depth: int, memory: Any) -> int:
    """The value of a State; the actions after one that reaches the upper limit of `game.bounds` are not visited."""
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
        value = minimax_extreme(game, child, depth - 1, memory)
        if not game.keeps_turn(state, child):
            value = -value
        if value > best:
            best = value
            extend_line(memory, depth, action)
        note_root(memory, depth, action, value)
        if memory.haste == 0 and value >= game.bounds(state)[1]:
            memory.cutoffs += 1
            memory.first_cutoffs += first
            break
        first = 0
    return best
