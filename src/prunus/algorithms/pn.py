"""Proof-number search (Allis, van der Meulen & van den Herik 1994): best first, with the whole tree
in memory.

The next node to be expanded is the most-proving one: from the root, always the child that the
player to move proves with the fewest leaves. If it turns out well, it takes the root nearer to yes,
if badly, nearer to no. After each expansion the numbers are corrected upwards, as far as they
change, and the next descent begins there.

Every node keeps bounds of its value beside its numbers, so that an answer says more than yes or no:
a proof is worth its least leaf. The tree serves the next question too. It is a tree even if the
game is none: a position that two lines reach is two nodes, so no proof leans on itself, none
depends on another line, and none counts twice. The price is memory, and work done again.
"""

from __future__ import annotations

from typing import Protocol

from prunus.algorithms.leaves import dead_end
from prunus.algorithms.line import note_root
from prunus.algorithms.memory import SearchMemory
from prunus.algorithms.proof_numbers import LEAST, MOST, NEVER, answered, leaf, next_goal, replies
from prunus.core.game import INFINITY, Game, S
from prunus.core.memory import Array, StateArray
from prunus.kernel.memory import Spec


def pn(game: Game[S], state: S, depth: int, memory: ProofTreeMemory) -> int:
    """The value of a State. Node 0 is the root; its bounds come from its children alone, so that
    one of them has the value."""
    plant(state, depth, memory)
    while memory.low[0] < memory.high[0]:
        ask(memory, next_goal(memory.low[0], memory.high[0]))
        node = 0
        while is_open(memory, 0):
            node = most_proving(memory, node)
            expand(game, node, memory)
            node = correct(memory, node, 0)
    return finish(memory, depth)


def plant(state: object, depth: int, memory: ProofTreeMemory) -> None:
    """Begin a tree with its root."""
    memory.stored = 0
    memory.nodes += 1
    store(memory, state, depth, 0, 0, True)
    memory.low[0] = LEAST
    memory.high[0] = MOST
    memory.replies[0] = 1


def finish(memory: ProofTreeMemory, depth: int) -> int:
    """The value of a root that is solved; its first action with that value becomes the line."""
    value = memory.low[0]
    first = memory.first[0]
    for child in range(first, first + memory.count[0]):
        if (memory.low[child] if memory.keeps[child] else -memory.high[child]) == value:
            note_root(memory, depth, memory.action[child], value)
            if memory.keeps_line:
                memory.line[depth * (depth - 1) // 2] = memory.action[child]
                memory.line_length[depth] = 1
            return value
    return value


def ask(memory: ProofTreeMemory, goal: int) -> None:
    """Give all nodes the numbers of a question about the root."""
    memory.goal[0] = goal
    for node in range(1, memory.stored):
        above = memory.goal[memory.parent[node]]
        memory.goal[node] = above if memory.keeps[node] else 1 - above
    for node in range(memory.stored - 1, -1, -1):  # children lie behind their parents
        number(memory, node)


def is_open(memory: ProofTreeMemory, node: int) -> bool:
    """Whether the question has no answer yet at this node."""
    return memory.proof[node] != 0 and memory.disproof[node] != 0


def most_proving(memory: ProofTreeMemory, node: int) -> int:
    """The leaf below a node that is to be expanded next."""
    while memory.count[node] > 0:
        first = memory.first[node]
        for child in range(first, first + memory.count[node]):
            yes = memory.proof[child] if memory.keeps[child] else memory.disproof[child]
            if yes == memory.proof[node]:
                node = child
                break
    return node


def expand(game: Game, node: int, memory: ProofTreeMemory) -> None:
    """Store the children of a leaf, with their bounds and numbers. Raises MemoryError if there is
    no room."""
    state = memory.node[node]
    left = memory.left[node] - 1
    first = memory.stored
    to_the_end = memory.to_the_end != 0
    memory.interior += 1
    for action in game.actions(state):
        child = game.result(state, action)
        keeps = game.keeps_turn(state, child)
        memory.nodes += 1
        below = store(memory, child, left, node, action, keeps)
        low, high = leaf(game, child, left, to_the_end, memory)
        memory.low[below] = low
        memory.high[below] = high
        memory.replies[below] = replies(game, child) if low < high else 0
        memory.goal[below] = memory.goal[node] if keeps else 1 - memory.goal[node]
        number(memory, below)
    if memory.stored == first:
        dead_end(state, memory)
    memory.first[node] = first
    memory.count[node] = memory.stored - first


def correct(memory: ProofTreeMemory, node: int, root: int) -> int:
    """Correct the numbers and bounds of a node and of those above it, as far as they change and not
    beyond `root`; the result is the highest that has changed, or `root`."""
    while True:
        proof, disproof = memory.proof[node], memory.disproof[node]
        low, high = memory.low[node], memory.high[node]
        number(memory, node)
        is_same = (
            memory.proof[node] == proof
            and memory.disproof[node] == disproof
            and memory.low[node] == low
            and memory.high[node] == high
        )
        if is_same or node == root:
            return node
        node = memory.parent[node]


def number(memory: ProofTreeMemory, node: int) -> None:
    """Set the numbers of a node, and with children its bounds: the least that one child proves, the
    most that all children together leave."""
    proof, disproof = NEVER, 0
    if memory.count[node] == 0:
        proof, disproof = 1, memory.replies[node]
    else:
        low, high = -INFINITY, -INFINITY
        first = memory.first[node]
        for child in range(first, first + memory.count[node]):
            if memory.keeps[child]:
                yes, no = memory.proof[child], memory.disproof[child]
                low = max(low, memory.low[child])
                high = max(high, memory.high[child])
            else:
                yes, no = memory.disproof[child], memory.proof[child]
                low = max(low, -memory.high[child])
                high = max(high, -memory.low[child])
            proof = min(proof, yes)
            disproof = min(NEVER - 1, disproof + no)
        memory.low[node] = max(low, memory.low[node])
        memory.high[node] = min(high, memory.high[node])
    memory.proof[node], memory.disproof[node] = answered(
        memory.low[node], memory.high[node], memory.goal[node], proof, disproof
    )


def store(
    memory: ProofTreeMemory, state: object, left: int, parent: int, action: int, keeps: bool
) -> int:
    """The number of a new node with `left` plies left. Raises MemoryError if there is no room."""
    node = memory.stored
    if node == len(memory.parent):
        raise MemoryError(
            "the tree of proof-number search has more nodes than the memory holds; give it more "
            "room, or use pn2, df-pn or the engine"
        )
    memory.node[node] = state
    memory.left[node] = left
    memory.parent[node] = parent
    memory.action[node] = action
    memory.keeps[node] = keeps
    memory.count[node] = 0
    memory.first[node] = 0
    memory.stored = node + 1
    return node


def proof_tree_fields(depth: int, room: int) -> Spec:
    """The fields of a Memory for a tree of at most `room` nodes."""
    return {
        "node": ("state", room),
        "left": ("i32", room),
        "parent": ("i32", room),
        "action": ("i64", room),
        "keeps": ("bool", room),
        "first": ("i32", room),
        "count": ("i32", room),
        "proof": ("i32", room),
        "disproof": ("i32", room),
        "replies": ("i32", room),
        "low": ("i64", room),
        "high": ("i64", room),
        "goal": ("i64", room),
        "stored": "i64",
    }


class ProofTreeMemory(SearchMemory, Protocol):
    """The memory of this search (`proof_tree_fields`): the tree, by number of the node. Siblings
    lie side by side from `first` on; `goal` is the question as the node's player sees it, `replies`
    the disproof number of a node without children."""

    node: StateArray
    left: Array[int]
    parent: Array[int]
    action: Array[int]
    keeps: Array[bool]
    first: Array[int]
    count: Array[int]
    proof: Array[int]
    disproof: Array[int]
    replies: Array[int]
    low: Array[int]
    high: Array[int]
    goal: Array[int]
    stored: int
