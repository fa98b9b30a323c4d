"""Depth-first proof-number search (Allis, van der Meulen & van den Herik 1994; Nagai 2002), with
the 1 + epsilon trick (Pawlewicz & Lew 2007).

A search asks one question: is the value at least `goal`? Each node has two numbers: `proof`, the
least leaves that must turn out well for the player to move to answer yes, and `disproof`, the least
to answer no. A node is left as soon as one of them reaches its threshold, that is as soon as the
most promising leaf lies elsewhere. A node that has not been expanded takes one good action to
answer yes, and all of them to answer no.

Every node has bounds of its value beside its numbers. So an answer says more than yes or no: a
proof is worth its least leaf, and the next question begins there.

A node is a State together with the plies left to the limit. So the graph has no circle even if the
game has: what is remembered of a node holds for every path to it, and no search runs in a circle.
A node reached by several lines counts several times in the sums; that misleads the choice of what
to search next, never an answer. Positions that symmetry makes equal are one node.
"""

from __future__ import annotations

from typing import Final, Protocol

from prunus.algorithms.leaves import dead_end
from prunus.algorithms.line import note_root
from prunus.algorithms.memory import SearchMemory
from prunus.algorithms.proof_numbers import LEAST, MOST, NEVER, answered, leaf, next_goal, replies
from prunus.core.bits import mix
from prunus.core.game import INFINITY, Game, S
from prunus.core.memory import Array, StateArray
from prunus.kernel.memory import Spec
from prunus.tables.words import home_of, spread

EPSILON: Final = 4
"""A child is left when its number exceeds the second best by one part in four, not at once."""


def df_pn(game: Game[S], state: S, depth: int, memory: ProofNumberMemory) -> int:
    """The value of a State. A question begins with the bounds that those before it have left; they
    come from the root's actions alone, so that one of them has the value."""
    low, high, best = LEAST, MOST, 0
    while low < high:
        goal = next_goal(low, high)
        root = begin_question(game, state, depth, goal, memory)
        memory.low[root], memory.high[root] = low, high
        memory.proof[root] = memory.disproof[root] = 1
        search(game, state, depth, goal, (NEVER, NEVER), memory)
        # If nothing exceeds the least value, all actions have it.
        if memory.low[root] > low or low == LEAST:
            best = surest(game, state, depth, goal, memory)
        low = memory.low[root]
        high = memory.high[root]
    note_root(memory, depth, best, low)
    if memory.keeps_line:
        memory.line[depth * (depth - 1) // 2] = best
        memory.line_length[depth] = 1
    return low


def complete_line(game: Game[S], state: S, memory: ProofNumberMemory) -> None:
    """Leave the line as it is: what comes after its first action is searched for again, because
    what a question remembers of a node says nothing of the node's value."""


def begin_question(
    game: Game[S], state: S, depth: int, goal: int, memory: ProofNumberMemory
) -> int:
    """Forget all nodes, and enter the root of a new question; the result is its slot."""
    memory.question += 1
    memory.stored = 0
    return enter(game, state, depth, goal, memory)


def surest(game: Game[S], state: S, depth: int, goal: int, memory: ProofNumberMemory) -> int:
    """The first action of the root with the largest lower bound."""
    best, most = 0, -INFINITY
    for action in game.actions(state):
        child = game.result(state, action)
        keeps = game.keeps_turn(state, child)
        slot = enter(game, child, depth - 1, goal if keeps else 1 - goal, memory)
        worth = memory.low[slot] if keeps else -memory.high[slot]
        if worth > most:
            best, most = action, worth
    return best


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
    memory.nodes += memory.expanded[slot]
    memory.interior += 1
    memory.expanded[slot] = True
    while True:
        chosen, second = look_below(game, state, depth, goal, slot, memory)
        if memory.proof[slot] >= limits[0] or memory.disproof[slot] >= limits[1]:
            return
        child = game.result(state, chosen)
        keeps = game.keeps_turn(state, child)
        below = enter(game, child, depth - 1, goal if keeps else 1 - goal, memory)
        no = memory.disproof[below] if keeps else memory.proof[below]
        yes_limit = min(limits[0], second + second // EPSILON + 1)
        no_limit = min(NEVER, limits[1] - memory.disproof[slot] + no)
        if keeps:
            search(game, child, depth - 1, goal, (yes_limit, no_limit), memory)
        else:
            search(game, child, depth - 1, 1 - goal, (no_limit, yes_limit), memory)


def look_below(
    game: Game[S], state: S, depth: int, goal: int, slot: int, memory: ProofNumberMemory
) -> tuple[int, int]:
    """Set a node's bounds and numbers from those of its children. The result is the action to the
    child with the least effort to answer yes, for the player to move, and the effort of the second
    best."""
    proof, second, disproof, chosen = NEVER, NEVER, 0, 0
    low = high = -INFINITY
    for action in game.actions(state):
        child = game.result(state, action)
        keeps = game.keeps_turn(state, child)
        below = enter(game, child, depth - 1, goal if keeps else 1 - goal, memory)
        if keeps:
            yes, no = memory.proof[below], memory.disproof[below]
            least, most = memory.low[below], memory.high[below]
        else:
            yes, no = memory.disproof[below], memory.proof[below]
            least, most = -memory.high[below], -memory.low[below]
        if yes < proof or high == -INFINITY:
            proof, second, chosen = yes, proof, action
        elif yes < second:
            second = yes
        disproof = min(NEVER - 1, disproof + no)
        low, high = max(low, least), max(high, most)
    if high == -INFINITY:
        dead_end(state, memory)
    low, high = max(low, memory.low[slot]), min(high, memory.high[slot])
    memory.low[slot], memory.high[slot] = low, high
    memory.proof[slot], memory.disproof[slot] = answered(low, high, goal, proof, disproof)
    return chosen, second


def enter(game: Game[S], state: S, depth: int, goal: int, memory: ProofNumberMemory) -> int:
    """The slot of a node; if it is new to this question, its bounds and numbers are those of a
    leaf. Raises MemoryError if there is no room."""
    room = len(memory.asked)
    state = home_of(game, state)
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
    memory.low[slot], memory.high[slot] = low, high
    against = replies(game, state) if low < goal <= high else 0
    memory.proof[slot], memory.disproof[slot] = answered(low, high, goal, 1, against)
    memory.expanded[slot] = False
    return slot


def proof_number_fields(depth: int, room: int) -> Spec:
    """The fields of a Memory for `room` positions."""
    return {
        "position": ("state", room),
        "plies": ("i32", room),
        "asked": ("i32", room),
        "proof": ("i32", room),
        "disproof": ("i32", room),
        "low": ("i64", room),
        "high": ("i64", room),
        "expanded": ("bool", room),
        "question": "i64",
        "stored": "i64",
    }


class ProofNumberMemory(SearchMemory, Protocol):
    """The memory of this search (`proof_number_fields`): the nodes of the question being asked;
    those of earlier ones count as empty."""

    position: StateArray
    plies: Array[int]
    asked: Array[int]
    proof: Array[int]
    disproof: Array[int]
    low: Array[int]
    high: Array[int]
    expanded: Array[bool]
    question: int
    stored: int
