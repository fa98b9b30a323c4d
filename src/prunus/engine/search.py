"""The engine: principal variation search with a table, ordering in stages, and options that are
compiled in or left out.

Exact unless a selective option is on (see `options.Options`). A node has a distance from the root
(`memory.ply`) and a depth left to search (`depth`); because of extensions and reductions, their sum
is not the same in every node.
"""

from __future__ import annotations

from typing import Final

from prunus.algorithms.leaves import scaled, terminal
from prunus.algorithms.line import drop_line
from prunus.algorithms.remember import count_use, known_value, look_up, outcome, remember
from prunus.algorithms.repetition import (
    LOSS,
    ends_by_repetition,
    is_forbidden,
    is_free,
    look_anew,
    repeated_value,
)
from prunus.core.game import INFINITY, Game, S
from prunus.engine.correction import learn_error
from prunus.engine.frames import (
    NULL_ACTION,
    ascend,
    begin_row,
    descend,
    expect_look_up,
    last_action,
    value_here,
)
from prunus.engine.lookahead import settled_by_children
from prunus.engine.memory import EngineMemory
from prunus.engine.nodes import (
    Extension,
    Plan,
    Step,
    depth_here,
    expect,
    expect_some,
    highest,
    is_worth_a_hint,
    leave_out_forbidden,
    note_better,
    note_cutoff,
)
from prunus.engine.options import FIT_DEPTHS, FIT_PAIRS
from prunus.engine.picking import arrange, has_next
from prunus.engine.pruning import (
    SKIP,
    Late,
    beam_end,
    best_futile,
    first_fit,
    is_decisive,
    less_depth,
    passes_over,
    probable_bound,
    probable_depth,
)
from prunus.engine.quiescence import settle
from prunus.engine.static import better_static, decided_by_static, note_static
from prunus.tables.busy import begin_work, is_put_off, release
from prunus.tables.transposition import NO_ACTION, UPPER, Entry

SINGULAR: Final = 7
"""The fewest plies left at which the table's action may be extended."""


def engine(game: Game[S], state: S, depth: int, alpha: int, beta: int, memory: EngineMemory) -> int:
    """The value v of a State if alpha < v < beta. A result <= alpha is an upper bound on v, a
    result >= beta a lower bound."""
    memory.nodes += 1
    left = memory.root_depth - memory.ply
    if game.is_terminal(state):
        return terminal(game, state, left, memory)
    if ends_by_repetition(game, state, memory):
        return repeated_value(game, state, memory)
    depth = depth_here(game, state, depth, memory)
    if depth <= 0 or left == 0:
        return settle(game, state, alpha, beta, memory)
    begin_row(game, state, memory)
    entry = look_up(game, state, left, memory)
    value, depth, hint, plies = planned(game, state, entry, depth, alpha, beta, memory)
    if value != INFINITY:
        return value
    memory.interior += 1
    base = arrange(game, state, hint, memory)
    if memory.uses_etc:
        value = settled_by_children(game, state, base, depth, left, beta, memory)
        if value != INFINITY:
            return value
    look_anew(game, memory)
    best = leave_out_forbidden(game, state, base, memory)
    presearch(game, state, base, depth, memory)
    estimates, chosen = memory.evaluated, NO_ACTION
    ceiling = highest(game, state, memory)
    if memory.uses_singular and is_singular(game, state, entry, hint, depth, memory):
        plies = 1
    i, end = base - 1, beam_end(base, memory)
    while (not memory.uses_beam or i + 1 < end) and has_next(game, state, i + 1, hint, memory):
        i += 1
        late = Late(i, i - base, depth, max(alpha, best), beta > alpha + 1)
        if i > base and passes_over(game, state, late, memory):
            continue
        action = memory.stack_action[i]
        before = memory.evaluated
        child = game.result(state, action)
        if len(memory.busy) != 0 and i > base and is_put_off(game, child, i, depth, memory):
            i -= 1
            continue
        if memory.uses_futility and depth == 1 and i > base:
            hope = best_futile(game, state, action, child, memory)
            if hope <= max(alpha, best):
                best = max(best, hope)
                continue
        less = less_depth(game, state, child, late, memory) if i > base else 0
        if less == SKIP:
            continue
        deep = depth + plies if action == hint else depth
        step = Step(action, child, i - base, less)
        value = value_of(game, state, step, deep, max(alpha, best), beta, memory)
        if value > best:
            best = value
            if value > alpha:
                chosen = action
                note_better(left, action, value, memory)
        if value >= min(beta, ceiling):
            if value >= beta:
                drop_line(memory, left)
            note_cutoff(game, state, base, i, depth, memory)
            estimates = before
            break
    memory.stack_top = base
    if memory.uses_multi_cut and memory.left_out[memory.ply] != NO_ACTION:
        return alpha if best == -INFINITY else best
    expect_some(state, best, memory)
    learn_error(game, state, depth, best, chosen, beta, memory)
    if is_free(game, memory) or memory.twofold:
        found = outcome(depth, alpha, beta, best, chosen, memory.evaluated == estimates)
        remember(game, state, left, found, memory)
    return best


def planned(
    game: Game[S], state: S, entry: Entry, depth: int, alpha: int, beta: int, memory: EngineMemory
) -> Plan:
    """How the current node is to be searched, or its value if it need not be."""
    if memory.uses_multi_cut and memory.left_out[memory.ply] != NO_ACTION:
        return Plan(INFINITY, depth, NO_ACTION, 0)
    value = decided(game, state, entry, depth, alpha, beta, memory)
    if value != INFINITY:
        return Plan(value, depth, NO_ACTION, 0)
    hint, plies = hint_of(game, state, entry, depth, alpha, beta, memory), 0
    if memory.uses_multi_cut:
        plies, value = extension_of(game, state, entry, hint, depth, beta, memory)
    if memory.uses_iir and hint == NO_ACTION and depth >= memory.iir:
        depth -= 1
    return Plan(value, depth, hint, plies)


def hint_of(
    game: Game[S], state: S, entry: Entry, depth: int, alpha: int, beta: int, memory: EngineMemory
) -> int:
    """The table's action or, with the option `iid`, the action that a search two plies shallower
    finds best (internal iterative deepening)."""
    if entry.action != NO_ACTION or not memory.uses_iid:
        return entry.action
    if not is_worth_a_hint(depth, alpha, beta, memory):
        return NO_ACTION
    left = memory.root_depth - memory.ply
    engine(game, state, depth - 2, alpha, beta, memory)
    drop_line(memory, left)
    return look_up(game, state, left, memory).action


def child_value(
    game: Game[S], state: S, child: S, depth: int, alpha: int, beta: int, memory: EngineMemory
) -> int:
    """The value of a child, now the current node, for the player to move in its parent `state`."""
    if game.keeps_turn(state, child):
        return engine(game, child, depth, alpha, beta, memory)
    return -engine(game, child, depth, -beta, -alpha, memory)


def value_of(
    game: Game, state: object, step: Step, depth: int, alpha: int, beta: int, memory: EngineMemory
) -> int:
    """The value of a step from `state`: the first gets the whole window, a later one a null window
    first."""
    action, child, number, less = step
    expect_look_up(game, child, memory)
    deep = (
        probable_depth(game, state, action, number, depth - 1, memory)
        if memory.uses_floyd
        else depth - 1
    )
    expected = memory.expected[memory.ply] if memory.uses_reductions else 0
    descend(game, state, child, action, memory)
    if number == 0:
        expect(0 if beta > alpha + 1 else 1 - expected, memory)
        value = child_value(game, state, child, deep, alpha, beta, memory)
        ascend(game, memory)
        return value
    expect(1 if less > 0 or beta > alpha + 1 else 1 - expected, memory)
    mark = begin_work(game, child, depth, memory)
    value = child_value(game, state, child, deep - less, alpha, alpha + 1, memory)
    release(mark, memory)
    if less > 0:
        if value <= alpha:
            memory.evaluated += 1
        else:
            expect(1 - expected, memory)
            value = child_value(game, state, child, deep, alpha, alpha + 1, memory)
    if alpha < value < beta:
        memory.researches += 1
        expect(0, memory)
        value = child_value(game, state, child, deep, value - 1, beta, memory)
    ascend(game, memory)
    return value


def decided(
    game: Game[S], state: S, entry: Entry, depth: int, alpha: int, beta: int, memory: EngineMemory
) -> int:
    """The value of a node that need not be expanded because the table, the game's own bounds or a
    selective cut decide it; otherwise INFINITY. The root is always expanded, because an action is
    wanted."""
    if memory.ply == 0:
        note_static(game, state, memory)
        return INFINITY
    if not memory.uses_floyd and game.repetition_rule < LOSS:
        serves = memory.reuse and entry.depth > depth
        value = known_value(entry, entry.depth if serves else depth, alpha, beta, memory)
        if value != INFINITY:
            count_use(entry, memory)
            return value
    note_static(game, state, memory)
    if memory.bounds and game.has_bounds and memory.to_the_end != 0 and memory.haste == 0:
        low, high = game.bounds(state)
        if low >= beta:
            return low
        if high <= alpha:
            return high
    if memory.checked[memory.ply] == 0:
        value = decided_by_static(game, state, entry, depth, alpha, beta, memory)
        if value != INFINITY:
            return value
        if memory.uses_null_move and beta == alpha + 1 and depth > memory.null_move:
            static = better_static(entry, memory)
            value = value_of_pass(game, state, depth, static, beta, memory)
            if value >= beta:
                return beta if is_decisive(game, state, value, memory) else value
    if (
        memory.uses_probcut
        and beta == alpha + 1
        and not (game.has_plies_left and game.plies_left(state) <= depth)
    ):
        # What a search to the end of the game would prove is no regression's business.
        return probable_cut(game, state, depth, beta, memory)
    return INFINITY


def value_of_pass(
    game: Game[S], state: S, depth: int, static: int, beta: int, memory: EngineMemory
) -> int:
    """The null move (Beal 1989; Donninger 1993): the value of doing nothing for the player to move,
    searched shallower, the more so the deeper the search and the better the evaluation, `static`.
    If it is enough for a cut-off, so is the best action, except in zugzwang; from `null_verify`
    plies on, a search of that depth without the null move must agree. -INFINITY if a pass must not
    be tried: after another pass, in zugzwang, and where the evaluation falls short already. The
    player to move is not in check."""
    ply = memory.ply
    if last_action(memory) == NULL_ACTION or memory.without_pass[ply] != 0:
        return -INFINITY
    if (game.has_evaluate and static < beta) or (game.has_zugzwang and game.zugzwang(state)):
        return -INFINITY
    shallow = depth - 1 - memory.null_move - depth // 4
    if memory.improving and memory.uses_reverse_futility:
        shallow -= min(2, (static - beta) // (2 * memory.reverse_futility))
    child = game.pass_turn(state)
    descend(game, state, child, NULL_ACTION, memory)
    expect(1 - memory.expected[ply], memory)
    value = -engine(game, child, shallow, -beta, -beta + 1, memory)
    ascend(game, memory)
    memory.evaluated += 1
    if memory.uses_null_verify and value >= beta and depth >= memory.null_verify:
        memory.without_pass[ply] = 1
        value = engine(game, state, shallow, beta - 1, beta, memory)
        memory.without_pass[ply] = 0
    return value


def extension_of(
    game: Game[S], state: S, entry: Entry, hint: int, depth: int, beta: int, memory: EngineMemory
) -> Extension:
    """Singular extension as in Stockfish: the table's action is searched deeper if a search half as
    deep, which leaves it out, finds all others worse than the table's value by the option
    `multi_cut` for each ply. If they are so good that even their value less this margin is enough
    for a cut-off, several actions cut off here (multi-cut, Bjornsson & Marsland 1999), and that is
    enough."""
    ply = memory.ply
    if (
        hint == NO_ACTION
        or ply == 0
        or depth < SINGULAR
        or ply >= 2 * memory.reach
        or entry.bound in (0, UPPER)
        or entry.depth < depth - 3
        or is_decisive(game, state, entry.value, memory)
    ):
        return Extension(0, INFINITY)
    target = entry.value - memory.multi_cut * depth
    expected = memory.expected[ply]
    memory.left_out[ply] = hint
    value = engine(game, state, (depth - 1) // 2, target - 1, target, memory)
    memory.left_out[ply] = NO_ACTION
    expect(expected, memory)
    drop_line(memory, memory.root_depth - ply)
    memory.evaluated += 1
    if value < target:
        return Extension(1, INFINITY)
    if target >= beta:
        return Extension(0, target)
    return Extension(-1 if entry.value >= beta else 0, INFINITY)


def probable_cut(game: Game[S], state: S, depth: int, beta: int, memory: EngineMemory) -> int:
    """ProbCut (Buro 1995): the value of a cut-off that a shallow search makes probable enough,
    otherwise INFINITY. With several shallow depths, the least first, it is Multi-ProbCut (Buro
    1999). A shallow search is tried only if the evaluation already lies on the side of the bound
    where the search would have to end up."""
    if abs(beta) > INFINITY >> 12 or depth >= FIT_DEPTHS:
        return INFINITY  # beta in thousandths would not fit
    first = first_fit(game, state, depth)
    if memory.fit[first] == 0:
        return INFINITY
    static = scaled(value_here(game, state, memory), memory)
    sign = 1 if static >= beta else -1
    for at in range(first, first + 4 * FIT_PAIRS, 4):
        if memory.fit[at] == 0:
            return INFINITY
        bound = probable_bound(at, beta, sign, memory)
        # If the evaluation is not beyond the bound, the shallow search rarely is, and its work
        # would be wasted.
        if (static >= bound) != (sign == 1):
            continue
        value = engine(game, state, memory.fit[at], bound - 1, bound, memory)
        if (sign == 1 and value >= bound) or (sign == -1 and value < bound):
            memory.evaluated += 1
            return beta if sign == 1 else beta - 1
    return INFINITY


def is_singular(
    game: Game[S], state: S, entry: Entry, hint: int, depth: int, memory: EngineMemory
) -> bool:
    """Whether the table's action stands out (Anantharaman, Campbell & Hsu 1990): every other one,
    searched half as deep, is worse than the table's value by more than the option `singular`."""
    if (
        hint == NO_ACTION
        or entry.bound in (0, UPPER)
        or depth < 4
        or entry.depth < depth - 3
        or memory.ply == 0
    ):
        return False
    target = entry.value - memory.singular
    shallow = (depth - 1) // 2
    alone = True
    for action in game.actions(state):
        if action != hint and alone:
            child = game.result(state, action)
            if is_forbidden(game, state, child, memory):
                continue
            descend(game, state, child, action, memory)
            if game.keeps_turn(state, child):
                alone = engine(game, child, shallow, target - 1, target, memory) < target
            else:
                alone = -engine(game, child, shallow, -target, -target + 1, memory) < target
            ascend(game, memory)
    memory.evaluated += 1
    return alone


def presearch(game: Game[S], state: S, base: int, depth: int, memory: EngineMemory) -> None:
    """Order the root's actions by searches `memory.presearch` plies shallower, if it is on."""
    if not memory.uses_presearch or memory.ply > 0 or depth <= memory.presearch:
        return
    for i in range(base, memory.stack_top):
        action = memory.stack_action[i]
        child = game.result(state, action)
        descend(game, state, child, action, memory)
        value = engine(game, child, depth - 1 - memory.presearch, -INFINITY, INFINITY, memory)
        ascend(game, memory)
        memory.stack_score[i] = value if game.keeps_turn(state, child) else -value
        drop_line(memory, memory.root_depth - 1)
