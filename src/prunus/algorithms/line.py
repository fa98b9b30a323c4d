"""The principal variation and the values of root actions, kept during the search so that nothing is
searched again.

A node with `depth` plies left keeps its best line in row `depth` of a triangular array: row d
starts at d (d - 1) / 2 and holds d actions.

An algorithm that searches every node begins each row with `start_line`. Alpha-beta spares its
leaves that: a node whose value lies inside its window is always an improvement for its parent,
which takes the line and leaves the row empty; a node that is cut off drops its line; a node that
fails low has none. So a row is empty whenever a node begins.

The setting `keeps_line` of a memory is False if the caller wants only the value, as in a simulation
of a million trees: then none of this is compiled, and a node costs half as much.
"""

from __future__ import annotations

from typing import Protocol

from prunus.core.memory import Array


def start_line(memory: LineMemory, depth: int) -> None:
    """Begin a node: nothing is known of its line."""
    if not memory.keeps_line:
        return
    memory.line_length[depth] = 0


def extend_line(memory: LineMemory, depth: int, action: int) -> None:
    """Record the best action so far: the node's line is this action followed by its child's
    line."""
    if not memory.keeps_line:
        return
    row = depth * (depth - 1) // 2
    below = row - depth + 1
    length = memory.line_length[depth - 1]
    memory.line[row] = action
    for i in range(length):
        memory.line[row + 1 + i] = memory.line[below + i]
    memory.line_length[depth - 1] = 0
    memory.line_length[depth] = length + 1


def drop_line(memory: LineMemory, depth: int) -> None:
    """Clear the line of a node that is cut off: it means nothing."""
    if not memory.keeps_line:
        return
    memory.line_length[depth] = 0


def note_root(memory: LineMemory, depth: int, action: int, value: int) -> None:
    """Remember the value of a finished root action; at other nodes, do nothing. Algorithms with a
    window remember only the actions that improve on all before, because the others have only a
    bound."""
    if not memory.keeps_line:
        return
    if depth == memory.root_depth:
        count = memory.root_count
        memory.root_action[count] = action
        memory.root_value[count] = value
        memory.root_count = count + 1


class LineMemory(Protocol):
    """The part of every search's memory for its line and its root; `root_depth` is the number of
    plies that the memory has rows for, `reach` the depth of the search."""

    keeps_line: bool
    line: Array[int]
    line_length: Array[int]
    root_action: Array[int]
    root_value: Array[int]
    root_count: int
    root_depth: int
    reach: int
