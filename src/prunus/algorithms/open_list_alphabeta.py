"""Depth-first alpha-beta on an open list with labels, without recursion (the list L of source 001,
step 3 as corrected in the errata: the bounds come only from the labels of ancestors, MAX ancestors
for alpha and MIN ancestors for beta)."""

from __future__ import annotations

from prunus.algorithms.open_list_minimax import OpenMemory, hand_over, visit
from prunus.core.game import INFINITY, Game, S


def open_list_alphabeta(game: Game[S], state: S, depth: int, memory: OpenMemory) -> int:
    """The value of a State. Labels are for the player to move in the labelled node; an inner label
    rises as its children finish."""
    memory.open_state[0] = state
    memory.open_depth[0] = depth
    memory.open_labelled[0] = False
    top = 0
    while True:
        if memory.open_labelled[top]:
            if top == 0:
                return memory.open_label[0]
            parent = memory.open_parent[top]
            hand_over(memory, top)
            top -= 1
            if memory.open_label[parent] >= upper_bound(memory, parent):
                # The parent is worth too much to be reached: its other children leave the list
                # unvisited.
                memory.cutoffs += 1
                if top + 1 == memory.open_first[parent]:
                    memory.first_cutoffs += 1
                top = parent
        else:
            top = visit(game, top, memory)


def upper_bound(memory: OpenMemory, node: int) -> int:
    """The least value, for the player to move in `node`, to which some ancestor of the other player
    already limits it."""
    bound = INFINITY
    is_opponent = False
    while node != 0:
        if not memory.open_keeps[node]:
            is_opponent = not is_opponent
        node = memory.open_parent[node]
        if is_opponent:
            bound = min(bound, -memory.open_label[node])
    return bound
