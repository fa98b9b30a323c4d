"""Depth-first proof-number search (Allis, van der Meulen & van den Herik 1994; Nagai 2002), with
the 1 + epsilon trick (Pawlewicz & Lew 2007).

A search asks one question: is the value at least `goal`? Each node has two numbers: `proof`, the
least leaves that must turn out well for the player to move to answer yes, and `disproof`, the least
to answer no. A node is left as soon as one of them reaches its threshold, that is as soon as the
most promising leaf lies elsewhere. Questions about an integer are halved until the value is known;
in games of two values one or two are enough.

A node is a State together with the plies left to the limit. So the graph has no circle even if the
game has: what is remembered of a node holds for every path to it, and no search runs in a circle.
A node reached by several lines counts several times in the sums; that misleads the choice of what
to search next, never an answer.
"""

from __future__ import annotations

from typing import Final, Protocol

from prunus.algorithms.leaves import dead_end
from prunus.algorithms.line import note_root
from prunus.algorithms.memory import SearchMemory
from prunus.algorithms.proof_numbers import NEVER, leaf
from prunus.core.bits import mix
from prunus.core.game import INFINITY, Game, S
from prunus.core.memory import Array, StateArray
from prunus.kernel.memory import Spec
from prunus.tables.words import spread

EPSILON: Final = 4
"""A child is left when its number exceeds the second best by one part in four, not at once."""


def df_pn(game: Game[S], state: S, depth: int, memory: ProofNumberMemory) -> int:
    """The value of a State. Questions begin at 0 and double their distance until one is answered
    yes and one no."""
    low, high = -INFINITY, INFINITY
    goal, step, asks = 0, 1, True
    while asks:
        if is_at_least(game, state, depth, goal, memory):
            low = goal
        else:
            high = goal
        if low == -INFINITY:
            goal = max(1 - INFINITY, high - step)
            step = 2 * min(INFINITY // 2, step)
        elif high == INFINITY:
            goal = min(INFINITY - 1, low + step)
            step = 2 * min(INFINITY // 2, step)
        else:
            goal = (low + high) // 2
        # The first question was 0, so that the limits are never more than 63 bits apart.
        asks = high - low > 1
    note_root(memory, depth, memory.answer, low)
    if memory.keeps_line:
        memory.line[depth * (depth - 1) // 2] = memory.answer
        memory.line_length[depth] = 1
    return low


def complete_line(game: Game[S], state: S, memory: ProofNumberMemory) -> None:
    """Leave the line as it is: what comes after its first action is searched for again, because
    what a question remembers of a node says nothing of the node's value."""


def is_at_least(game: Game[S], state: S, depth: int, goal: int, memory: ProofNumberMemory) -> bool:
    """Whether the value is at least `goal` for the player to move; if so, an action that gives as
    much is put into `memory.answer`."""
    memory.question += 1
    memory.stored = 0
    root = enter(game, state, depth, goal, memory)
    if memory.disproof[root] != 0:
        search(game, state, depth, goal, (NEVER, NEVER), memory)
    if memory.proof[root] != 0:
        return False
    for action in game.actions(state):
        child = game.result(state, action)
        keeps = game.keeps_turn(state, child)
        slot = enter(game, child, depth - 1, goal if keeps else 1 - goal, memory)
        if (memory.proof[slot] if keeps else memory.disproof[slot]) == 0:
            memory.answer = action
            return True
    return True


def search(
    game: Game[S],
    state: S,
    depth: int,
    goal: int,
    limits: tuple[int, int],
    memory: ProofNumberMemory,
) -> None:
    """Search below a node, whose `proof` and `disproof` are below these limits, until one of them
    reaches its own."""
    slot = enter(game, state, depth, goal, memory)
    if memory.proof[slot] == 1 and memory.disproof[slot] == 1:
        memory.interior += 1
    while True:
        # The best child has the least effort to answer yes, for the player to move here.
        proof, second, disproof, chosen, count = NEVER, NEVER, 0, 0, 0
        for action in game.actions(state):
            child = game.result(state, action)
            keeps = game.keeps_turn(state, child)
            below = enter(game, child, depth - 1, goal if keeps else 1 - goal, memory)
            yes = memory.proof[below] if keeps else memory.disproof[below]
            no = memory.disproof[below] if keeps else memory.proof[below]
            if count == 0 or yes < proof:
                second = proof
                proof, chosen = yes, action
            elif yes < second:
                second = yes
            disproof = min(NEVER - 1, disproof + no)
            count += 1
        if count == 0:
            dead_end(state, memory)
        if proof == 0:
            disproof = NEVER
        memory.proof[slot] = proof
        memory.disproof[slot] = disproof
        if proof >= limits[0] or disproof >= limits[1]:
            return
        child = game.result(state, chosen)
        keeps = game.keeps_turn(state, child)
        below = enter(game, child, depth - 1, goal if keeps else 1 - goal, memory)
        no = memory.disproof[below] if keeps else memory.proof[below]
        yes_limit = min(limits[0], second + second // EPSILON + 1)
        no_limit = min(NEVER, limits[1] - disproof + no)
        if keeps:
            search(game, child, depth - 1, goal, (yes_limit, no_limit), memory)
        else:
            search(game, child, depth - 1, 1 - goal, (no_limit, yes_limit), memory)


def enter(game: Game[S], state: S, depth: int, goal: int, memory: ProofNumberMemory) -> int:
    """The slot of a node; if it is new to this question, its numbers are those of a leaf. Raises
    MemoryError if there is no room."""
    room = len(memory.asked)
    slot = spread(mix(game.key(state)) + depth, room)
    while memory.asked[slot] == memory.question:
        if memory.plies[slot] == depth and memory.position[slot] == state:
            return slot
        slot = slot + 1 if slot + 1 < room else 0
    memory.stored += 1
    if memory.stored + memory.stored // 8 >= room:
        raise MemoryError(
            "the search by proof numbers has met more positions than the memory holds; give it "
            "more room, or use the engine"
        )
    memory.nodes += 1
    memory.asked[slot] = memory.question
    memory.plies[slot] = depth
    memory.position[slot] = state
    low, high = leaf(game, state, depth, memory.to_the_end != 0, memory)
    memory.proof[slot] = 0 if low >= goal else NEVER if high < goal else 1
    memory.disproof[slot] = 0 if high < goal else NEVER if low >= goal else 1
    return slot


def proof_number_fields(depth: int, room: int) -> Spec:
    """The fields of a Memory for `room` positions."""
    return {
        "position": ("state", room),
        "plies": ("i32", room),
        "asked": ("i32", room),
        "proof": ("i32", room),
        "disproof": ("i32", room),
        "question": "i64",
        "stored": "i64",
        "answer": "i64",
    }


class ProofNumberMemory(SearchMemory, Protocol):
    """The memory of this search (`proof_number_fields`): the nodes of the question being asked, and
    the action that answered the last one with yes."""

    position: StateArray
    plies: Array[int]
    asked: Array[int]
    proof: Array[int]
    disproof: Array[int]
    question: int
    stored: int
    answer: int
