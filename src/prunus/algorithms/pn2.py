"""Proof-number search in two levels, PN^2 (Allis 1994; Breuker 1998).

A leaf of the tree is not just expanded: a second proof-number search of bounded size looks at it.
Then only its children stay, with the numbers and bounds that the second tree found; the rest is
forgotten. So the same memory reaches much further, for the price of work done again.

The second tree may have as many nodes as the first, times a fraction that grows with the first tree
(Breuker's): as long as memory is ample, nothing is gained by forgetting.
"""

from __future__ import annotations

import math
from typing import Final

from prunus.algorithms.pn import (
    ProofTreeMemory,
    ask,
    correct,
    expand,
    finish,
    is_open,
    most_proving,
    plant,
)
from prunus.algorithms.proof_numbers import next_goal
from prunus.core.game import Game, S

HALFWAY: Final = 4
"""The fraction is a half when the first tree fills one part in four of the memory."""

STEEPNESS: Final = 16
"""How sharply the fraction grows: one part in sixteen of the memory multiplies its odds by e."""


def pn2(game: Game[S], state: S, depth: int, memory: ProofTreeMemory) -> int:
    """The value of a State, as `pn` finds it."""
    plant(state, depth, memory)
    while memory.low[0] < memory.high[0]:
        ask(memory, next_goal(memory.low[0], memory.high[0]))
        node = 0
        while is_open(memory, 0):
            node = most_proving(memory, node)
            look_closer(game, node, memory)
            # The node itself is correct already; the root is its own parent.
            node = correct(memory, memory.parent[node], 0)
    return finish(memory, depth)


def look_closer(game: Game, root: int, memory: ProofTreeMemory) -> None:
    """Expand a leaf and search below it until its question is answered or the second tree has its
    size; then forget all but the leaf's children."""
    limit = memory.stored + second_size(memory.stored, len(memory.parent))
    expand(game, root, memory)
    kept = memory.stored
    node = correct(memory, root, root)
    while is_open(memory, root) and memory.stored < limit:
        node = most_proving(memory, node)
        expand(game, node, memory)
        node = correct(memory, node, root)
    memory.stored = kept
    for child in range(memory.first[root], kept):
        memory.count[child] = 0


def second_size(first: int, room: int) -> int:
    """How many nodes a second tree may have beside a first one of this size, in a memory of `room`
    nodes, of which an eighth stays free for the last expansion."""
    fraction = 1.0 / (1.0 + math.exp((room / HALFWAY - first) / (room / STEEPNESS)))
    return max(1, min(int(first * fraction), room - first - room // 8))
