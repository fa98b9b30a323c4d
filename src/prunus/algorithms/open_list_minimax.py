"""Depth-first minimax on an open list with labels, without recursion (the list L of source 001).

The list is a stack whose top is the first node of L. A node is met twice: unlabelled, when it gets
a value or its children are put on top, and labelled, when its label is passed to its parent and it
leaves the list.
"""

from __future__ import annotations

from typing import Protocol

from prunus.algorithms.leaves import dead_end, horizon, terminal
from prunus.algorithms.line import extend_line, note_root, start_line
from prunus.algorithms.memory import SearchMemory
from prunus.core.game import INFINITY, Game, S
from prunus.core.memory import Array, StateArray
from prunus.kernel.memory import Spec


def open_list_minimax(game: Game[S], state: S, depth: int, memory: OpenMemory) -> int:
    """The value of a State. Labels are for the player to move in the labelled node."""
    memory.open_state[0] = state
    memory.open_depth[0] = depth
    memory.open_labelled[0] = False
    top = 0
    while True:
        if memory.open_labelled[top]:
            if top == 0:
                return memory.open_label[0]
            hand_over(memory, top)
            top -= 1
        else:
            top = visit(game, top, memory)


def visit(game: Game, node: int, memory: OpenMemory) -> int:
    """Label the unlabelled node, which is on top, or put its children above it; return the new
    top."""
    memory.nodes += 1
    state = memory.open_state[node]
    depth = memory.open_depth[node]
    start_line(memory, depth)
    memory.open_labelled[node] = True
    if game.is_terminal(state):
        memory.open_label[node] = terminal(game, state, depth, memory)
        return node
    if depth == 0:
        memory.open_label[node] = horizon(game, state, memory)
        return node
    memory.interior += 1
    memory.open_label[node] = -INFINITY
    return put_children(game, state, node, memory)


def put_children(game: Game[S], state: S, parent: int, memory: OpenMemory) -> int:
    """Put the children of a node on the list, the first one on top; return the new top."""
    count = 0
    for _ in game.actions(state):
        count += 1
    if count == 0:
        dead_end(state, memory)
    if parent + count >= len(memory.open_depth):
        raise MemoryError("the open list is longer than the memory holds; use minimax")
    place = parent + count
    memory.open_first[parent] = place
    for action in game.actions(state):
        child = game.result(state, action)
        memory.open_state[place] = child
        memory.open_depth[place] = memory.open_depth[parent] - 1
        memory.open_parent[place] = parent
        memory.open_action[place] = action
        memory.open_keeps[place] = game.keeps_turn(state, child)
        memory.open_labelled[place] = False
        place -= 1
    return parent + count


def hand_over(memory: OpenMemory, node: int) -> None:
    """Improve the parent's label by that of a finished node."""
    parent = memory.open_parent[node]
    depth = memory.open_depth[parent]
    value = memory.open_label[node] if memory.open_keeps[node] else -memory.open_label[node]
    if value > memory.open_label[parent]:
        memory.open_label[parent] = value
        extend_line(memory, depth, memory.open_action[node])
    note_root(memory, depth, memory.open_action[node], value)


def open_fields(depth: int, room: int) -> Spec:
    """The fields of a Memory for an open list of at most `room` nodes."""
    return {
        "open_state": ("state", room),
        "open_depth": ("i32", room),
        "open_parent": ("i32", room),
        "open_first": ("i32", room),
        "open_action": ("i64", room),
        "open_label": ("i64", room),
        "open_keeps": ("bool", room),
        "open_labelled": ("bool", room),
    }


class OpenMemory(SearchMemory, Protocol):
    """The memory of a search on an open list (`open_fields`), by place on the list."""

    open_state: StateArray
    open_depth: Array[int]
    open_parent: Array[int]
    open_first: Array[int]
    open_action: Array[int]
    open_label: Array[int]
    open_keeps: Array[bool]
    open_labelled: Array[bool]
