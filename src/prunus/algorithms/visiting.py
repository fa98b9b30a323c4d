"""Minimax for games with cycles that leaves out the configurations being visited (Boldi 2002, games
with cycles).

A step back to a position of the current path is ignored, and so is a position all of whose
successors are ignored. What remains is a value *on this path*: it must never be cached, and it is
not always the value of the game. If one side can force the end of the game in its favour, the
root's value says so, though not always by how much; if neither can, endless play is a draw, which
this rule does not know.
"""

from __future__ import annotations

from typing import Protocol

from prunus.algorithms.leaves import dead_end, horizon, terminal
from prunus.algorithms.line import extend_line, note_root, start_line
from prunus.algorithms.memory import SearchMemory
from prunus.algorithms.repetition import PathMemory, earlier, path_fields, pop, push
from prunus.core.game import INFINITY, Game, S
from prunus.kernel.memory import Spec


def visiting(game: Game[S], state: S, depth: int, memory: VisitingMemory) -> int:
    """The value of a State over the lines that repeat no position, for the player to move;
    INFINITY, which the parent ignores, if every line repeats one. Path-dependent: below the root it
    holds for the path that led there. `memory.ignored` counts the steps left out; if there were
    any, the value is not a proof."""
    memory.nodes += 1
    start_line(memory, depth)
    if game.is_terminal(state):
        return terminal(game, state, depth, memory)
    if depth == 0:
        return horizon(game, state, memory)
    memory.interior += 1
    best = -INFINITY
    ignored = memory.ignored
    push(state, memory)
    for action in game.actions(state):
        child = game.result(state, action)
        if earlier(game, child, 0, memory.path_length, memory) >= 0:
            memory.ignored += 1
            continue
        value = visiting(game, child, depth - 1, memory)
        if value == INFINITY:
            continue
        if not game.keeps_turn(state, child):
            value = -value
        if value > best:
            best = value
            extend_line(memory, depth, action)
        note_root(memory, depth, action, value)
    pop(memory)
    if best == -INFINITY and memory.ignored == ignored:
        dead_end(state, memory)
    return INFINITY if best == -INFINITY else best


def visiting_fields(depth: int, room: int) -> Spec:
    """The additional fields of a Memory for `visiting`."""
    return {**path_fields(depth, room), "ignored": "i64"}


class VisitingMemory(SearchMemory, PathMemory, Protocol):
    """The memory of this search: `ignored` counts the steps left out."""

    ignored: int
