"""SSS* with its OPEN list (Stockman 1979; Pearl 1984): best-first search for MAX's best strategy.

MAX is the player to move at the root; merits are his. A strategy of his names one action wherever
he moves and is worth the least of its leaves. An entry of OPEN represents a family of strategies:
the node to be handled next in them, LIVE (to be examined) or SOLVED (finished), and a merit, the
most that any of them is worth. The highest merit goes first, and among equals the leftmost node:
with that rule, and only with it, no leaf is evaluated that alpha-beta skips (Roizen & Pearl 1983).
"""

from __future__ import annotations

from typing import Final, Protocol

from prunus.algorithms.labelling import TreeMemory, read_line
from prunus.algorithms.leaves import dead_end, horizon, terminal
from prunus.algorithms.line import note_root
from prunus.core.game import INFINITY, Game, S
from prunus.core.memory import Array
from prunus.kernel.memory import Spec

LIVE: Final = 0
EXPANDED: Final = 1
"""Not on OPEN: its children are there in its place."""
SOLVED: Final = 2


def sss_stockman(game: Game[S], state: S, depth: int, memory: BestFirstMemory) -> int:
    """The value of a State. The tree is kept in memory: node 0 is the root, and siblings lie side
    by side from left to right."""
    memory.stored = 0
    memory.waiting = 0
    store(memory, state, depth, 0, 0, True)
    put(memory, 0, LIVE, INFINITY)
    while memory.status[0] != SOLVED:
        node = pop(memory)
        if is_purged(memory, node):
            continue
        if memory.status[node] == LIVE:
            examine(game, node, memory)
        else:
            hand_over(memory, node)
    if memory.choice[0] != 0:
        note_root(memory, depth, memory.action[memory.choice[0]], memory.merit[0])
    read_line(memory, depth)
    return memory.merit[0]


def examine(game: Game, node: int, memory: BestFirstMemory) -> None:
    """Handle a LIVE node: a leaf becomes SOLVED with at most its value; a MAX node puts all its
    children on OPEN, a MIN node the first one."""
    memory.nodes += 1
    state = memory.node[node]
    merit = memory.merit[node]
    is_max = memory.is_max[node]
    if game.is_terminal(state):
        value = terminal(game, state, memory.left[node], memory)
    elif memory.left[node] == 0:
        value = horizon(game, state, memory)
    else:
        memory.interior += 1
        memory.status[node] = EXPANDED
        first = memory.stored
        store_children(game, node, memory)
        if memory.stored == first:
            dead_end(state, memory)
        for child in range(first, memory.stored if is_max else first + 1):
            put(memory, child, LIVE, merit)
        memory.is_last[memory.stored - 1] = True
        return
    put(memory, node, SOLVED, min(merit, value if is_max else -value))


def hand_over(memory: BestFirstMemory, node: int) -> None:
    """Handle a SOLVED node: it solves a MAX parent, which purges the parent's other descendants;
    below a MIN parent the next sibling becomes LIVE, or the last sibling solves the parent."""
    parent = memory.parent[node]
    merit = memory.merit[node]
    if merit < memory.merit[parent]:
        # This is the latest decrease of the parent's merit. The root's line follows these
        # decreases: each of its nodes began above the root's value and ended at it, so that the
        # leaf is worth exactly that. Along nodes whose merit does not decrease, leaves may be worth
        # more.
        memory.merit[parent] = merit
        memory.choice[parent] = node
    if memory.is_max[parent] or memory.is_last[node]:
        put(memory, parent, SOLVED, merit)
    else:
        put(memory, node + 1, LIVE, merit)


def is_purged(memory: BestFirstMemory, node: int) -> bool:
    """Whether a node is still on OPEN although an ancestor is SOLVED."""
    while node != 0:
        node = memory.parent[node]
        if memory.status[node] == SOLVED:
            return True
    return False


def store_children(game: Game, node: int, memory: BestFirstMemory) -> None:
    """Store all children of a node."""
    state = memory.node[node]
    for action in game.actions(state):
        child = game.result(state, action)
        store(
            memory,
            child,
            memory.left[node] - 1,
            node,
            action,
            memory.is_max[node] == game.keeps_turn(state, child),
        )


def store(
    memory: BestFirstMemory, state: object, left: int, parent: int, action: int, is_max: bool
) -> None:
    """Store a node with `left` plies left. Raises MemoryError if there is no room."""
    node = memory.stored
    if node == len(memory.parent):
        raise MemoryError(
            "the tree of SSS* has more nodes than the memory holds; use alphabeta, or a smaller "
            "depth"
        )
    memory.node[node] = state
    memory.left[node] = left
    memory.parent[node] = parent
    memory.action[node] = action
    memory.is_max[node] = is_max
    memory.is_last[node] = False
    memory.choice[node] = 0
    memory.stored = node + 1


# OPEN is a binary heap of node numbers. A node is in it at most once, so it never holds more than
# the tree.


def put(memory: BestFirstMemory, node: int, status: int, merit: int) -> None:
    """Put a node on OPEN."""
    memory.merit[node] = merit
    memory.status[node] = status
    place = memory.waiting
    memory.waiting = place + 1
    while place > 0 and comes_before(memory, node, memory.heap[(place - 1) // 2]):
        memory.heap[place] = memory.heap[(place - 1) // 2]
        place = (place - 1) // 2
    memory.heap[place] = node


def pop(memory: BestFirstMemory) -> int:
    """Remove the first node from OPEN."""
    first = memory.heap[0]
    count = memory.waiting - 1
    memory.waiting = count
    moved = memory.heap[count]
    place = 0
    child = 1
    while child < count:
        if child + 1 < count and comes_before(memory, memory.heap[child + 1], memory.heap[child]):
            child += 1
        if comes_before(memory, moved, memory.heap[child]):
            break
        memory.heap[place] = memory.heap[child]
        place = child
        child = 2 * place + 1
    memory.heap[place] = moved
    return first


def comes_before(memory: BestFirstMemory, node: int, other: int) -> bool:
    """Whether a node has the higher merit or, at equal merit, is farther left: a depth-first walk
    comes to it first."""
    if memory.merit[node] != memory.merit[other]:
        return memory.merit[node] > memory.merit[other]
    above, beside = node, other
    while memory.left[above] < memory.left[beside]:
        above = memory.parent[above]
    while memory.left[beside] < memory.left[above]:
        beside = memory.parent[beside]
    if above == beside:  # one is the other's ancestor: SOLVED, and the other purged
        return memory.left[node] > memory.left[other]
    while memory.parent[above] != memory.parent[beside]:
        above = memory.parent[above]
        beside = memory.parent[beside]
    return above < beside


def best_first_fields(depth: int, room: int) -> Spec:
    """The fields of a Memory for a tree of at most `room` nodes and its OPEN list."""
    return {
        "node": ("state", room),
        "left": ("i32", room),
        "parent": ("i32", room),
        "action": ("i64", room),
        "merit": ("i64", room),
        "status": ("u8", room),
        "choice": ("i32", room),
        "is_max": ("bool", room),
        "is_last": ("bool", room),
        "heap": ("i32", room),
        "stored": "i64",
        "waiting": "i64",
    }


class BestFirstMemory(TreeMemory, Protocol):
    """The memory of SSS* (`best_first_fields`): the tree, and OPEN."""

    merit: Array[int]
    status: Array[int]
    is_max: Array[bool]
    is_last: Array[bool]
    heap: Array[int]
    stored: int
    waiting: int
