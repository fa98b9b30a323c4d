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

from typing import Any, Final

from prunus.algorithms.leaves import LONGEST_LINE, expect_action
from prunus.core.bits import i64, u64
from prunus.core.game import INFINITY, Game
from prunus.kernel.memory import Spec
from prunus.solving.together import (
    TOGETHER_FIELDS,
    ascend,
    begin_together,
    descend,
    is_overtaken,
    is_parting,
    is_shared,
    note_path,
)
from prunus.tables.busy import claim, mark_of_key, release, someone_at
from prunus.tables.proofs import HIGHEST, LOWEST, Interval, fetch, home_of, keep, recall
from prunus.tables.transposition import NO_ACTION

CHILDREN: Final = 1 << 15
"""The most children on one line of play; only the used part of the arrays is ever touched."""

LAST_PLIES: Final = 8
"""Positions with at most this many plies left are searched without the table."""

LOOKED_AHEAD: Final = 11
"""With at least this many plies left, children are also ranked by the evaluation, not only by
`order`."""

DEEPER: Final = 3
"""For every DEEPER further plies, the evaluation looks one ply further ahead."""

NEAR: Final = 32
"""With more plies left it does not look ahead: without a table that would take more than it saves,
and would never end in long games."""

ESTIMATE: Final = 3
"""The weight of a unit of an evaluation, in units of `order`."""

PLACES: Final = 1 << 10
"""The weight of a unit of `order` relative to an action's place, which decides between equal
ones."""


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


def answer(game: Game, state: Any, alpha: int, memory: Any) -> int:
    """A test by `prove_root` or, if `memory.tracing` is set, the line of a State whose value is
    `alpha`."""
    if memory.tracing != 0:
        return trace_line(game, state, alpha, memory)
    return prove_root(game, state, alpha, memory)


def prove_root(game: Game, state: Any, alpha: int, memory: Any) -> int:
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


def prove(game: Game, state: Any, key: u64, alpha: int, memory: Any) -> int:
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


def finish(game: Game, state: Any, alpha: int, memory: Any) -> int:
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


def from_rules_and_end(game: Game, state: Any, alpha: int) -> Interval:
    """`from_rules`, or, if the game can see to its end, limits that tell whether the value is more
    than `alpha`."""
    if game.has_last_value and game.plies_left(state) <= game.last_plies:
        value = game.last_value(state, alpha)
        return Interval(value, INFINITY) if value > alpha else Interval(-INFINITY, value)
    return from_rules(game, state)


def from_rules(game: Game, state: Any) -> Interval:
    """What the rules tell of a State's value without a search."""
    if game.is_terminal(state):
        value = game.utility(state)
        return Interval(value, value)
    if game.has_bounds:
        low, high = game.bounds(state)
        return Interval(low, high)
    return Interval(-INFINITY, INFINITY)


def expand(game: Game, state: Any, alpha: int, memory: Any) -> int:
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


def rank(game: Game, state: Any, i: int, base: int, memory: Any) -> None:
    """Replace the action of child `i` on the stack by a score; the children begin at `base`. An
    only child needs none."""
    if memory.stack_top > base + 1:
        score = promise(
            game, state, memory.child_score[i], memory.child_state[i], memory.child_sign[i], memory
        )
        memory.child_score[i] = score * PLACES + base - i


def promise(game: Game, state: Any, action: int, child: Any, sign: int, memory: Any) -> int:
    """How promising an action that leads to the State `child` looks; `sign` is 1 if the same player
    moves there, otherwise -1."""
    score = game.order(state, action) if game.has_order else 0
    if game.has_evaluate and game.has_plies_left:
        left = game.plies_left(state)
        if left >= LOOKED_AHEAD:
            depth = (left - LOOKED_AHEAD) // DEEPER if left <= NEAR else 0
            # The window is in variables, because a recursive function that is also called with
            # constants is compiled twice and not cached.
            low, high = from_rules(game, child)
            score += sign * ESTIMATE * estimate(game, child, depth, low, high, memory)
    return score


def estimate(game: Game, state: Any, depth: int, alpha: int, beta: int, memory: Any) -> int:
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
    game: Game, state: Any, action: int, alpha: int, memory: Any
) -> tuple[Any, int, int, int]:
    """The State that an action leads to once all forced actions after it have been played; 1 if the
    same player moves there, otherwise -1; and the limits of its value for the player who acts
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


def only_action(game: Game, state: Any) -> int:
    """The one worthwhile action of a State; NO_ACTION if there are more."""
    only = NO_ACTION
    for action in game.worthwhile(state):
        if only != NO_ACTION:
            return NO_ACTION
        only = action
    return only


def ask_table(game: Game, state: Any, base: int, alpha: int, memory: Any) -> int:
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


def pick_child(base: int, first: bool, memory: Any) -> int:
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


def move_child(source: int, place: int, memory: Any) -> None:
    """Copy a child on the stack to another place."""
    memory.child_state[place] = memory.child_state[source]
    memory.child_key[place] = memory.child_key[source]
    memory.child_sign[place] = memory.child_sign[source]
    memory.child_score[place] = memory.child_score[source]


def trace_line(game: Game, state: Any, value: int, memory: Any) -> int:
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


def best_action(game: Game, state: Any, value: int, memory: Any) -> int:
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


def is_known_worth(game: Game, state: Any, action: int, value: int, memory: Any) -> bool:
    """Whether the rules and the table of proofs tell, without a search, that an action is worth
    `value` or more."""
    child, sign, low, high = followed(game, state, action, value - 1, memory)
    if low < value <= high:
        home = home_of(game, child)
        found = recall(home, game.key(home), memory)
        low = found.low if sign > 0 else -found.high
    return low >= value


def is_worth(game: Game, state: Any, action: int, value: int, memory: Any) -> bool:
    """Whether an action is worth `value` or more, by a test to the end."""
    child = game.result(state, action)
    if game.keeps_turn(state, child):
        return prove_root(game, child, value - 1, memory) >= value
    return prove_root(game, child, -value, memory) <= -value
