"""Minimax by labelling: expand the whole tree, then label every node whose children are labelled,
from the leaves up.

The whole tree is in memory at once, which distinguishes it from the depth-first forms; it is here
for teaching.
"""

from __future__ import annotations

from typing import Protocol

from prunus.algorithms.leaves import dead_end, horizon, terminal
from prunus.algorithms.line import note_root
from prunus.algorithms.memory import SearchMemory
from prunus.core.game import INFINITY, Game, S
from prunus.core.memory import Array, StateArray
from prunus.kernel.memory import Spec


def labelling(game: Game[S], state: S, depth: int, memory: LabelMemory) -> int:
    """The value of a State. Node 0 is the root; a node's children come after it, so that labels are
    set in reverse order."""
    count = expand(game, state, depth, memory)
    for node in range(count - 1, 0, -1):
        hand_over(memory, node)
    for node in range(1, count):
        if memory.parent[node] == 0:
            note_root(
                memory,
                depth,
                memory.action[node],
                memory.label[node] if memory.keeps[node] else -memory.label[node],
            )
    read_line(memory, depth)
    return memory.label[0]


def expand(game: Game[S], state: S, depth: int, memory: LabelMemory) -> int:
    """Store the tree level by level and label its leaves; return the number of nodes."""
    memory.node[0] = state
    memory.left[0] = depth
    count = 1
    current = 0
    while current < count:
        count = visit(game, current, count, memory)
        current += 1
    return count


def visit(game: Game, node: int, count: int, memory: LabelMemory) -> int:
    """Label a leaf, or lay down the children of another node behind the nodes that there are;
    returns how many there are then."""
    memory.nodes += 1
    state = memory.node[node]
    left = memory.left[node]
    memory.choice[node] = 0
    if game.is_terminal(state):
        memory.label[node] = terminal(game, state, left, memory)
        return count
    if left == 0:
        memory.label[node] = horizon(game, state, memory)
        return count
    memory.interior += 1
    memory.label[node] = -INFINITY
    before = count
    for action in game.actions(state):
        if count == len(memory.parent):
            raise MemoryError(
                "the tree has more nodes than the memory holds; use minimax, or a smaller depth"
            )
        child = game.result(state, action)
        memory.node[count] = child
        memory.left[count] = left - 1
        memory.parent[count] = node
        memory.action[count] = action
        memory.keeps[count] = game.keeps_turn(state, child)
        count += 1
    if count == before:
        dead_end(state, memory)
    return count


def hand_over(memory: LabelMemory, node: int) -> None:
    """Improve the parent's label by a labelled node's."""
    parent = memory.parent[node]
    value = memory.label[node] if memory.keeps[node] else -memory.label[node]
    # Children come up in reverse: an equal label of an earlier sibling replaces that of a later
    # one.
    if value >= memory.label[parent]:
        memory.label[parent] = value
        memory.choice[parent] = node


def read_line(memory: TreeMemory, depth: int) -> None:
    """Copy the choices from the root down into the root's line."""
    row = depth * (depth - 1) // 2
    length = 0
    node = memory.choice[0]
    while node != 0:
        memory.line[row + length] = memory.action[node]
        length += 1
        node = memory.choice[node]
    memory.line_length[depth] = length


def tree_fields(depth: int, room: int) -> Spec:
    """The fields of a Memory that holds a tree of at most `room` nodes."""
    return {
        "node": ("state", room),
        "left": ("i32", room),
        "parent": ("i32", room),
        "action": ("i64", room),
        "label": ("i64", room),
        "choice": ("i32", room),
        "keeps": ("bool", room),
    }


class TreeMemory(SearchMemory, Protocol):
    """The memory of a search that holds the whole tree, by number of the node."""

    node: StateArray
    left: Array[int]
    parent: Array[int]
    action: Array[int]
    choice: Array[int]


class LabelMemory(TreeMemory, Protocol):
    """The same with labels (`tree_fields`)."""

    label: Array[int]
    keeps: Array[bool]
