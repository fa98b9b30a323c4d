"""How threads that answer one question by tests to the end of the game divide the work and learn of
each other's answers.

All threads walk the same tree and share the table of proofs; no work is handed out and no thread
waits. Near the root they take the same actions; farther down each puts off what another is
searching (after ABDADA, Weill 1996). An answer found by one of them is in the table: the others,
somewhere below that node, look for it whenever they return from a child, and leave.
"""

from __future__ import annotations

from typing import Final, Protocol

from prunus.core.memory import Array, StateArray, WordArray
from prunus.kernel.memory import Memory, Spec
from prunus.tables.busy import BusyMemory
from prunus.tables.proofs import ProofMemory, recall

TOGETHER: Final = 1 << 16
"""Threads take the same actions as long as the product of the numbers of children on the way from
the root is smaller than this, and part after that: what they find in a small part of the tree helps
at once in the next, and less work is begun that turns out to be superfluous."""

SHARED: Final = 20
"""Within this many plies of the root, threads announce what they are working on; searches farther
down end too soon for that."""

TOGETHER_FIELDS: Final[Spec] = {
    "ply": "i64",
    "path_state": ("state", SHARED),
    "path_key": ("u64", SHARED),
    "path_alpha": ("i64", SHARED),
    "path_choices": ("i64", SHARED),
    "overtaken": "i64",
    "overtaken_bound": "i64",
}
"""The fields of a Memory for the nodes between the root and the current node, by ply: what a thread
asks of them, the product of the numbers of children, and what another thread has answered."""


def begin_plies(memory: Memory) -> None:
    """Begin a search at its root (called from Python)."""
    memory.ply = 0


def descend(memory: TogetherMemory) -> None:
    """The search goes from a node to one of its children."""
    memory.ply += 1


def ascend(memory: TogetherMemory) -> None:
    """The search returns to the parent."""
    memory.ply -= 1


def begin_together(memory: TogetherMemory) -> None:
    """Prepare for a test: no part of it has been answered."""
    memory.overtaken = SHARED


def is_shared(memory: TogetherMemory) -> bool:
    """Whether several threads work on the node at `memory.ply`."""
    return len(memory.busy) != 0 and memory.ply < SHARED


def is_parting(memory: TogetherMemory) -> bool:
    """Whether the threads take different actions at the node at `memory.ply`."""
    return is_shared(memory) and memory.path_choices[memory.ply] >= TOGETHER


def note_path(state: object, key: int, alpha: int, children: int, memory: TogetherMemory) -> None:
    """Record what this thread asks of the node at `memory.ply`, and the number of paths down to its
    children."""
    ply = memory.ply
    memory.path_state[ply] = state
    memory.path_key[ply] = key
    memory.path_alpha[ply] = alpha
    before = memory.path_choices[ply - 1] if ply > 0 else 1
    memory.path_choices[ply] = min(before, TOGETHER) * max(1, children)


def is_overtaken(memory: TogetherMemory) -> bool:
    """Whether another thread has meanwhile answered what this one asks of the node at `memory.ply`
    or of one above it. If so, this thread must return to ply `memory.overtaken`, where
    `memory.overtaken_bound` is the answer; results below that ply mean nothing."""
    if memory.overtaken > memory.ply:
        memory.overtaken = SHARED
        for ply in range(memory.ply + 1):
            low, high = recall(memory.path_state[ply], memory.path_key[ply], memory)
            alpha = memory.path_alpha[ply]
            if low > alpha or high <= alpha:
                memory.overtaken = ply
                memory.overtaken_bound = low if low > alpha else high
                return True
    return memory.overtaken <= memory.ply


class TogetherMemory(BusyMemory, ProofMemory, Protocol):
    """The memory of one of the threads of a proving search (`TOGETHER_FIELDS`)."""

    ply: int
    path_state: StateArray
    path_key: WordArray
    path_alpha: Array[int]
    path_choices: Array[int]
    overtaken: int
    overtaken_bound: int
