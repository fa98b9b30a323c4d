"""The children of a position in a proving search: their order, and what is known of them without
searching them."""

from __future__ import annotations

from typing import Final, Protocol

from prunus.algorithms.leaves import LONGEST_LINE, LeafMemory, expect_action
from prunus.core.game import INFINITY, Game, S
from prunus.core.memory import Array, Counters, StateArray, WordArray
from prunus.solving.together import TogetherMemory, is_parting
from prunus.tables.busy import mark_of_key, someone_at
from prunus.tables.proofs import Interval, fetch, recall
from prunus.tables.transposition import NO_ACTION
from prunus.tables.words import home_of

CHILDREN: Final = 1 << 15
"""The most children on one line of play; only the used part of the arrays is ever touched."""

LAST_PLIES: Final = 8
"""Positions with at most this many plies left are searched without the table."""

LOOKED_AHEAD: Final = 11
"""With at least this many plies left, children are also ranked by the evaluation, not only by
`order`."""

STRIDE: Final = 3
"""For every STRIDE further plies, the evaluation looks one ply further ahead."""

NEAR: Final = 32
"""With more plies left it does not look ahead: without a table that would take more than it saves,
and would never end in long games."""

ESTIMATE: Final = 3
"""The weight of a unit of an evaluation, in units of `order`."""

PLACES: Final = 1 << 10
"""The weight of a unit of `order` relative to an action's place, which decides between equal
ones."""


def from_rules(game: Game[S], state: S) -> Interval:
    """The bounds of a State's value that the rules give without a search."""
    if game.is_terminal(state):
        value = game.utility(state)
        return Interval(value, value)
    if game.has_bounds:
        low, high = game.bounds(state)
        return Interval(low, high)
    return Interval(-INFINITY, INFINITY)


def expand(game: Game[S], state: S, alpha: int, memory: ChildrenMemory) -> int:
    """Put on the stack those children of a State that the rules do not decide. The result is more
    than `alpha` if one of the other children suffices; otherwise it is the most that they can be
    worth (-INFINITY if there are none)."""
    base = memory.stack_top
    best = -INFINITY
    for action in game.worthwhile(state):
        child, sign, low, high = followed(game, state, action, alpha, memory)
        if low > alpha:
            memory.stack_top = base
            return low
        if high <= alpha:
            best = max(best, high)
            continue
        top = memory.stack_top
        if top >= len(memory.child_key):
            raise MemoryError(
                "the positions beside one line of play are more than a search to the end can hold"
            )
        home = home_of(game, child)
        key = game.key(home)
        fetch(key, memory)
        memory.child_state[top] = home
        memory.child_key[top] = key
        memory.child_sign[top] = sign
        memory.child_score[top] = action
        memory.stack_top = top + 1
    return best


def rank(game: Game[S], state: S, i: int, base: int, memory: ChildrenMemory) -> None:
    """Replace the action of child `i` on the stack by a score; the children begin at `base`. An
    only child needs none."""
    if memory.stack_top > base + 1:
        score = promise(
            game, state, memory.child_score[i], memory.child_state[i], memory.child_sign[i], memory
        )
        memory.child_score[i] = score * PLACES + base - i


def promise(
    game: Game[S], state: S, action: int, child: S, sign: int, memory: ChildrenMemory
) -> int:
    """How promising an action that leads to the State `child` looks; `sign` is 1 if the same player
    moves there, otherwise -1."""
    score = game.order(state, action) if game.has_order else 0
    if game.has_evaluate and game.has_plies_left:
        left = game.plies_left(state)
        if left >= LOOKED_AHEAD:
            depth = (left - LOOKED_AHEAD) // STRIDE if left <= NEAR else 0
            # The window is in variables, because a recursive function that is also called with
            # constants is compiled twice and not cached.
            low, high = from_rules(game, child)
            score += sign * ESTIMATE * estimate(game, child, depth, low, high, memory)
    return score


def estimate(
    game: Game[S], state: S, depth: int, alpha: int, beta: int, memory: ChildrenMemory
) -> int:
    """The value of a State, estimated by a search to a small depth."""
    memory.nodes += 1
    if game.is_terminal(state):
        return game.utility(state)
    if depth <= 0:
        return game.evaluate(state)
    best = -INFINITY
    for action in game.worthwhile(state):
        child = game.result(state, action)
        if game.keeps_turn(state, child):
            value = estimate(game, child, depth - 1, alpha, beta, memory)
        else:
            value = -estimate(game, child, depth - 1, -beta, -alpha, memory)
        best = max(best, value)
        alpha = max(alpha, best)
        if best >= beta:
            break
    expect_action(state, best, memory)
    return best


def followed(
    game: Game[S], state: S, action: int, alpha: int, memory: ChildrenMemory
) -> tuple[S, int, int, int]:
    """The State that an action leads to once all forced actions after it have been played; 1 if the
    same player moves there, otherwise -1; and the bounds of its value for the player who acts
    first. It stops early if they decide the test."""
    sign = 1
    plies = memory.ply
    while True:
        child = game.result(state, action)
        if not game.keeps_turn(state, child):
            sign = -sign
        plies += 1
        found = from_rules(game, child)
        low = found.low if sign > 0 else -found.high
        high = found.high if sign > 0 else -found.low
        if low > alpha or high <= alpha:
            return child, sign, low, high
        if plies > LONGEST_LINE:
            memory.evaluated += 1
            return child, sign, -INFINITY, alpha
        action = only_action(game, child)
        if action == NO_ACTION:
            return child, sign, low, high
        state = child


def only_action(game: Game[S], state: S) -> int:
    """The one worthwhile action of a State; NO_ACTION if there are more."""
    only = NO_ACTION
    for action in game.worthwhile(state):
        if only != NO_ACTION:
            return NO_ACTION
        only = action
    return only


def ask_table(game: Game[S], state: S, base: int, alpha: int, memory: ChildrenMemory) -> int:
    """Remove from the stack the children that the table of proofs decides; the result is as in
    `expand`. In games without an evaluation each child is ranked at once, while the next one's
    cache line arrives; an evaluation costs too much before all children have been looked up."""
    best = -INFINITY
    i = base
    while i < memory.stack_top:
        sign = memory.child_sign[i]
        found = recall(memory.child_state[i], memory.child_key[i], memory)
        low = found.low if sign > 0 else -found.high
        high = found.high if sign > 0 else -found.low
        if low > alpha:
            memory.nodes += 1
            memory.table_hits += 1
            return low
        if high <= alpha:
            best = max(best, high)
            memory.stack_top -= 1
            move_child(memory.stack_top, i, memory)
        else:
            if not game.has_evaluate:
                rank(game, state, i, base, memory)
            i += 1
    return best


def pick_child(base: int, first: bool, memory: ChildrenMemory) -> int:
    """Move the most promising child to the top of the stack and take it off; return its place, just
    above the stack. If threads part here, a child that another thread is searching is put off,
    unless all are."""
    last = memory.stack_top - 1
    best = base
    for i in range(base + 1, last + 1):
        if memory.child_score[i] > memory.child_score[best]:
            best = i
    if not first and is_parting(memory) and someone_at(mark_of_key(memory.child_key[best]), memory):
        for i in range(base, last + 1):
            if not someone_at(mark_of_key(memory.child_key[i]), memory):
                best = i
                break
    if best != last:
        state, key, sign, score = (
            memory.child_state[best],
            memory.child_key[best],
            memory.child_sign[best],
            memory.child_score[best],
        )
        move_child(last, best, memory)
        memory.child_state[last], memory.child_key[last] = state, key
        memory.child_sign[last], memory.child_score[last] = sign, score
    memory.stack_top = last
    return last


def move_child(source: int, place: int, memory: ChildrenMemory) -> None:
    """Copy a child on the stack to another place."""
    memory.child_state[place] = memory.child_state[source]
    memory.child_key[place] = memory.child_key[source]
    memory.child_sign[place] = memory.child_sign[source]
    memory.child_score[place] = memory.child_score[source]


class ChildrenMemory(Counters, LeafMemory, TogetherMemory, Protocol):
    """The memory of a proving search, with a stack of the children on the path (`prove_fields`)."""

    child_state: StateArray
    child_key: WordArray
    child_sign: Array[int]
    child_score: Array[int]
    stack_top: int
