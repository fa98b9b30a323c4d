"""Minimax that remembers the positions it has finished, so that a position reached by two lines is
searched only once."""

from __future__ import annotations

from typing import Protocol

from prunus.algorithms.leaves import expect_action, horizon, terminal
from prunus.algorithms.line import extend_line, note_root, start_line
from prunus.algorithms.memory import SearchMemory
from prunus.core.game import INFINITY, Game, S
from prunus.tables.cache import CacheMemory, find, keep, longest_known_line


def cached_minimax(game: Game[S], state: S, depth: int, memory: CachedMemory) -> int:
    """The value of a State. A remembered value is used only for the identical State, compared field
    by field, and only if a search of this depth would have found it: it has the same depth, or
    rests on finished games alone and this depth is no smaller."""
    memory.nodes += 1
    start_line(memory, depth)
    if game.is_terminal(state):
        return terminal(game, state, depth, memory)
    if depth == 0:
        return horizon(game, state, memory)
    slot = find(game, state, depth, memory)
    if slot >= 0 and depth != memory.root_depth:
        memory.table_hits += 1
        if memory.cache_limited[slot]:
            memory.evaluated += 1
        if memory.cache_action[slot] >= 0:
            memory.line[depth * (depth - 1) // 2] = memory.cache_action[slot]
            memory.line_length[depth] = 1
        return memory.cache_value[slot]
    memory.interior += 1
    evaluated = memory.evaluated
    best = -INFINITY
    chosen = -1
    for action in game.actions(state):
        child = game.result(state, action)
        value = cached_minimax(game, child, depth - 1, memory)
        if not game.keeps_turn(state, child):
            value = -value
        if value > best:
            best = value
            chosen = action
            extend_line(memory, depth, action)
        note_root(memory, depth, action, value)
    expect_action(state, best, memory)
    keep(game, state, depth, best, chosen, memory.evaluated > evaluated, memory)
    return best


def complete_line(game: Game[S], state: S, memory: CachedMemory) -> None:
    """Lengthen the root's line, which ends where a remembered value was used, by the remembered
    actions."""
    depth = memory.root_depth
    row = depth * (depth - 1) // 2
    length = memory.line_length[depth]
    for i in range(length):
        state = game.result(state, memory.line[row + i])
    for action in longest_known_line(game, state, depth - length, memory):
        memory.line[row + length] = action
        length += 1
    memory.line_length[depth] = length


class CachedMemory(SearchMemory, CacheMemory, Protocol):
    """The memory of this search."""
