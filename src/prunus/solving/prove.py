"""Null windows to the end of the game: they solve games, and endings, that deepening does not
finish cheaply.

A test asks whether a value is more than `alpha`, and is answered by finished games and the game's
own `bounds` alone. There is no depth, no estimate and nothing selective, so that every answer is a
proof, which the table of proofs keeps. All children of a node are made and looked at before any is
searched: first at what the rules tell of each without a search, then at what the table knows (the
enhanced transposition cut-off of Plaat et al. 1996), whose cache lines have been prefetched in
between. If a player has only one worthwhile action, it is played at once, and the position after it
is looked at instead.
"""

from __future__ import annotations

from typing import Protocol

from prunus.algorithms.leaves import LONGEST_LINE, expect_action
from prunus.core.bits import i64, u64
from prunus.core.game import INFINITY, Game, S
from prunus.core.memory import Array
from prunus.kernel.memory import Spec
from prunus.solving.children import (
    CHILDREN,
    LAST_PLIES,
    PLACES,
    ChildrenMemory,
    ask_table,
    expand,
    followed,
    from_rules,
    pick_child,
    rank,
)
from prunus.solving.together import (
    TOGETHER_FIELDS,
    ascend,
    begin_together,
    descend,
    is_overtaken,
    is_shared,
    note_path,
)
from prunus.tables.busy import claim, mark_of_key, release
from prunus.tables.proofs import HIGHEST, LOWEST, Interval, keep, recall
from prunus.tables.transposition import NO_ACTION
from prunus.tables.words import home_of


def prove_fields(depth: int, room: int) -> Spec:
    """The fields of a Memory that `prove` needs in addition to those of the table of proofs."""
    return {
        "child_state": ("state", CHILDREN),
        "child_key": ("u64", CHILDREN),
        "child_sign": ("i64", CHILDREN),
        "child_score": ("i64", CHILDREN),
        "stack_top": "i64",
        **TOGETHER_FIELDS,
        "tracing": "i64",
        "pv": ("i64", LONGEST_LINE),
        "pv_length": "i64",
    }


def answer(game: Game[S], state: S, alpha: int, memory: ProvingMemory) -> int:
    """A test by `prove_root` or, if `memory.tracing` is set, the line of a State whose value is
    `alpha`."""
    if memory.tracing != 0:
        return trace_line(game, state, alpha, memory)
    return prove_root(game, state, alpha, memory)


def prove_root(game: Game[S], state: S, alpha: int, memory: ProvingMemory) -> int:
    """Whether the value of a State that is not terminal is more than `alpha`: a result <= alpha is
    an upper bound of the value, a greater one a lower bound."""
    low, high = from_rules(game, state)
    if low > alpha:
        return low
    if high <= alpha:
        return high
    home = home_of(game, state)
    key = game.key(home)
    low, high = recall(home, key, memory)
    if low > alpha:
        return low
    if high <= alpha:
        return high
    begin_together(memory)
    return prove(game, home, key, alpha, memory)


def can_be_proved(game: Game) -> bool:
    """Whether tests can prove the values of a game: their bounds are known and fit an entry of the
    table, and the game has no rule of repetitions."""
    low, high = game.bounds(game.initial())
    return LOWEST < low <= high < HIGHEST and game.repetition_rule == 0


def prove(game: Game[S], state: S, key: int, alpha: int, memory: ProvingMemory) -> int:
    """The same for a State, with its key, that neither the rules nor the table decide without a
    search."""
    if game.has_plies_left and game.plies_left(state) <= LAST_PLIES:
        if game.has_last_value and game.plies_left(state) <= game.last_plies:
            return game.last_value(state, alpha)
        return finish(game, state, alpha, memory)
    if game.has_secured:
        low, high = game.secured(state, alpha)
        if low > alpha:
            return low
        if high <= alpha:
            return high
    memory.nodes += 1
    memory.interior += 1
    before = memory.nodes
    base = memory.stack_top
    best = expand(game, state, alpha, memory)
    if best <= alpha:
        best = max(best, ask_table(game, state, base, alpha, memory))
    if best <= alpha and game.has_evaluate:
        for i in range(base, memory.stack_top):
            rank(game, state, i, base, memory)
    first = True
    shared = is_shared(memory)
    if shared:
        note_path(state, key, alpha, memory.stack_top - base, memory)
    while best <= alpha and memory.stack_top > base:
        top = pick_child(base, first, memory)
        child = memory.child_state[top]
        child_key = memory.child_key[top]
        mark = claim(mark_of_key(child_key), memory) if shared else u64(0)
        descend(memory)
        if memory.child_sign[top] > 0:
            value = prove(game, child, child_key, alpha, memory)
        else:
            value = -prove(game, child, child_key, -alpha - 1, memory)
        ascend(memory)
        release(mark, memory)
        if shared and is_overtaken(memory):
            memory.stack_top = base
            return memory.overtaken_bound
        if value > alpha:
            memory.cutoffs += 1
            if first:
                memory.first_cutoffs += 1
        best = max(best, value)
        first = False
    expect_action(state, best, memory)
    memory.stack_top = base
    effort = i64(u64(memory.nodes - before + 1).bit_length())
    if best > alpha:
        keep(state, key, best, HIGHEST, effort, memory)
    else:
        keep(state, key, LOWEST, best, effort, memory)
    return best


def finish(game: Game[S], state: S, alpha: int, memory: ProvingMemory) -> int:
    """The same for the last plies of a game, where a table and an order cost more than they
    save."""
    if game.has_secured:
        low, high = game.secured(state, alpha)
        if low > alpha:
            return low
        if high <= alpha:
            return high
    memory.nodes += 1
    memory.interior += 1
    best = -INFINITY
    for action in game.worthwhile(state):
        child = game.result(state, action)
        keeps = game.keeps_turn(state, child)
        found = from_rules_and_end(game, child, alpha if keeps else -alpha - 1)
        low = found.low if keeps else -found.high
        high = found.high if keeps else -found.low
        if low > alpha:
            return low
        if high > alpha:
            high = (
                finish(game, child, alpha, memory)
                if keeps
                else -finish(game, child, -alpha - 1, memory)
            )
            if high > alpha:
                return high
        best = max(best, high)
    expect_action(state, best, memory)
    return best


def from_rules_and_end(game: Game[S], state: S, alpha: int) -> Interval:
    """`from_rules`, or, if the game can see to its end, bounds that tell whether the value is more
    than `alpha`."""
    if game.has_last_value and game.plies_left(state) <= game.last_plies:
        value = game.last_value(state, alpha)
        return Interval(value, INFINITY) if value > alpha else Interval(-INFINITY, value)
    return from_rules(game, state)


def trace_line(game: Game[S], state: S, value: int, memory: ProvingMemory) -> int:
    """Put a line of best actions from a State of known value to the end of the game into
    `memory.pv`; return its length."""
    while not game.is_terminal(state) and memory.pv_length < len(memory.pv):
        action = best_action(game, state, value, memory)
        if action == NO_ACTION:
            break
        memory.pv[memory.pv_length] = action
        memory.pv_length += 1
        child = game.result(state, action)
        if not game.keeps_turn(state, child):
            value = -value
        state = child
    return memory.pv_length


def best_action(game: Game[S], state: S, value: int, memory: ProvingMemory) -> int:
    """An action worth `value`: one that is already known to be, otherwise the first in the order of
    promise that proves to be."""
    for action in game.worthwhile(state):
        if is_known_worth(game, state, action, value, memory):
            return action
    last = INFINITY
    while True:
        chosen = NO_ACTION
        best = -INFINITY
        for place, action in enumerate(game.worthwhile(state)):
            score = (game.order(state, action) * PLACES if game.has_order else 0) - place
            if best < score < last:
                best = score
                chosen = action
        if chosen == NO_ACTION or is_worth(game, state, chosen, value, memory):
            return chosen
        last = best


def is_known_worth(game: Game[S], state: S, action: int, value: int, memory: ProvingMemory) -> bool:
    """Whether the rules and the table of proofs tell, without a search, that an action is worth
    `value` or more."""
    child, sign, low, high = followed(game, state, action, value - 1, memory)
    if low < value <= high:
        home = home_of(game, child)
        found = recall(home, game.key(home), memory)
        low = found.low if sign > 0 else -found.high
    return low >= value


def is_worth(game: Game[S], state: S, action: int, value: int, memory: ProvingMemory) -> bool:
    """Whether an action is worth `value` or more, by a test to the end."""
    child = game.result(state, action)
    if game.keeps_turn(state, child):
        return prove_root(game, child, value - 1, memory) >= value
    return prove_root(game, child, -value, memory) <= -value


class ProvingMemory(ChildrenMemory, Protocol):
    """The memory of a proving search: `tracing` is 1 if a line is wanted, which goes to `pv`."""

    tracing: int
    pv: Array[int]
    pv_length: int
