"""The engine: principal variation search with a table, ordering in stages, and options that are
compiled in or left out.

Exact unless a selective option is on (see `options.Options`). A node has a distance from the root
(`memory.ply`) and a depth left to search (`depth`); because of extensions and reductions, their sum
is not the same in every node.
"""

from __future__ import annotations

from typing import NamedTuple

from prunus.algorithms.leaves import dead_end, scaled, terminal
from prunus.algorithms.line import drop_line, extend_line, note_root
from prunus.algorithms.remember import count_use, known_value, look_up, outcome, remember
from prunus.algorithms.repetition import (
    FORBIDDEN,
    LOSS,
    ends_by_repetition,
    is_forbidden,
    is_free,
    look_anew,
    lost_by_repetition,
    repeated_value,
)
from prunus.core.game import INFINITY, Game, S
from prunus.engine.frames import NULL_ACTION, ascend, begin_row, descend, last_action, value_here
from prunus.engine.memory import EngineMemory
from prunus.engine.options import FIT_DEPTHS, FIT_PAIRS, FIT_STAGES
from prunus.engine.picking import arrange, pick, reward
from prunus.engine.pruning import beam_end, best_futile, probable_depth, reduction
from prunus.engine.quiescence import settle
from prunus.tables.busy import begin_work, is_put_off, release
from prunus.tables.transposition import LOWER, NO_ACTION, UPPER, Entry


def engine(game: Game[S], state: S, depth: int, alpha: int, beta: int, memory: EngineMemory) -> int:
    """The value v of a State if alpha < v < beta. A result <= alpha is an upper bound on v, a
    result >= beta a lower bound."""
    memory.nodes += 1
    left = memory.root_depth - memory.ply
    if game.is_terminal(state):
        return terminal(game, state, left, memory)
    if ends_by_repetition(game, state, memory):
        return repeated_value(game, state, memory)
    if depth <= 0 or left == 0:
        return settle(game, state, alpha, beta, memory)
    begin_row(game, state, memory)
    entry = look_up(game, state, left, memory)
    value = decided(game, state, entry, depth, alpha, beta, memory)
    if value != INFINITY:
        return value
    memory.interior += 1
    hint = entry.action
    if memory.uses_iid and hint == NO_ACTION and is_worth_a_hint(depth, alpha, beta, memory):
        engine(game, state, depth - 2, alpha, beta, memory)
        drop_line(memory, left)
        hint = look_up(game, state, left, memory).action
    base = arrange(game, state, hint, memory)
    if memory.uses_etc:
        value = settled_by_children(game, state, base, depth, left, beta, memory)
        if value != INFINITY:
            return value
    look_anew(game, memory)
    best = -INFINITY
    if game.repetition_rule == FORBIDDEN:
        best = leave_out_forbidden(game, state, base, memory)
    if memory.uses_presearch and memory.ply == 0 and depth > memory.presearch:
        presearch(game, state, base, depth, memory)
    estimates, chosen = memory.evaluated, NO_ACTION
    ceiling = highest(game, state, memory)
    stands_out = False
    if memory.uses_singular:
        stands_out = is_singular(game, state, entry, hint, depth, memory)
    i, end = base - 1, beam_end(base, memory)
    while i + 1 < end:
        i += 1
        action = pick(i, memory)
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
        deep = depth + 1 if stands_out and action == hint else depth
        step = Step(action, child, i - base)
        value = value_of(game, state, step, deep, max(alpha, best), beta, memory)
        if value > best:
            best = value
            if value > alpha:
                chosen = action
                extend_line(memory, left, action)
                note_root(memory, left, action, value)
        if value >= min(beta, ceiling):
            if value >= beta:
                drop_line(memory, left)
            note_cutoff(game, state, action, i - base, depth, memory)
            estimates = before
            break
    expect_some(state, best, memory)
    memory.stack_top = base
    found = outcome(depth, alpha, beta, best, chosen, memory.evaluated == estimates)
    if is_free(game, memory):
        remember(game, state, left, found, memory)
    return best


def is_worth_a_hint(depth: int, alpha: int, beta: int, memory: EngineMemory) -> bool:
    """Whether a node without a hint is searched less deeply first to find one (internal iterative
    deepening): one with a wide window, deep enough, below the root, in a search that estimates."""
    wide = beta > alpha + 1
    return wide and depth >= memory.iid and memory.ply > 0 and memory.to_the_end == 0


def expect_some(state: object, best: int, memory: EngineMemory) -> None:
    """Raise DeadEnd if no action was found, unless one was left out at the root."""
    if best == -INFINITY and (memory.ply > 0 or memory.excluded == NO_ACTION):
        dead_end(state, memory)


def note_cutoff(
    game: Game[S], state: S, action: int, number: int, depth: int, memory: EngineMemory
) -> None:
    """Count a cut-off by the action in place `number` of the order, and learn from it."""
    memory.cutoffs += 1
    if number == 0:
        memory.first_cutoffs += 1
    reward(game, state, action, depth, memory)


def highest(game: Game[S], state: S, memory: EngineMemory) -> int:
    """The most that a State can be worth by the game's `bounds`, in a search to the end."""
    if memory.bounds and game.has_bounds and memory.to_the_end != 0 and memory.haste == 0:
        return game.bounds(state)[1]
    return INFINITY


def leave_out_forbidden(game: Game[S], state: S, base: int, memory: EngineMemory) -> int:
    """Take the actions off the stack that the rules forbid because they repeat a position. Return
    the value of the node if no action is left, otherwise -INFINITY."""
    kept = base
    for i in range(base, memory.stack_top):
        if not is_forbidden(game, state, game.result(state, memory.stack_action[i]), memory):
            memory.stack_action[kept] = memory.stack_action[i]
            memory.stack_score[kept] = memory.stack_score[i]
            kept += 1
    none_left = base == kept < memory.stack_top
    memory.stack_top = kept
    return lost_by_repetition(game, memory) if none_left else -INFINITY


def child_value(
    game: Game[S], state: S, child: S, depth: int, alpha: int, beta: int, memory: EngineMemory
) -> int:
    """The value of a child for the player to move in its parent `state`, whose window this is. The
    child is already the current node."""
    if game.keeps_turn(state, child):
        return engine(game, child, depth, alpha, beta, memory)
    return -engine(game, child, depth, -beta, -alpha, memory)


class Step(NamedTuple):
    """An action, the State that it leads to, and its place in the order (0: the first)."""

    action: int
    child: object
    number: int


def value_of(
    game: Game, state: object, step: Step, depth: int, alpha: int, beta: int, memory: EngineMemory
) -> int:
    """The value of a step from `state`: the first gets the whole window, a later one a null window
    first."""
    action, child, number = step
    deep = (
        probable_depth(game, state, action, number, depth - 1, memory)
        if memory.uses_floyd
        else depth - 1
    )
    descend(game, state, child, action, memory)
    if number == 0:
        value = child_value(game, state, child, deep, alpha, beta, memory)
        ascend(game, memory)
        return value
    less = reduction(game, state, child, number, depth, memory) if memory.uses_reductions else 0
    mark = begin_work(game, child, depth, memory)
    value = child_value(game, state, child, deep - less, alpha, alpha + 1, memory)
    release(mark, memory)
    if less > 0:
        if value <= alpha:
            memory.evaluated += 1
        else:
            value = child_value(game, state, child, deep, alpha, alpha + 1, memory)
    if alpha < value < beta:
        memory.researches += 1
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
        return INFINITY
    if not memory.uses_floyd and game.repetition_rule < LOSS:
        value = known_value(entry, depth, alpha, beta, memory)
        if value != INFINITY:
            count_use(entry, memory)
            return value
    if memory.bounds and game.has_bounds and memory.to_the_end != 0 and memory.haste == 0:
        low, high = game.bounds(state)
        if low >= beta:
            return low
        if high <= alpha:
            return high
    if memory.uses_null_move and beta == alpha + 1 and depth > memory.null_move:
        value = value_of_pass(game, state, depth, beta, memory)
        if value >= beta:
            return value
    if (
        memory.uses_probcut
        and beta == alpha + 1
        and not (game.has_plies_left and game.plies_left(state) <= depth)
    ):
        # What a search to the end of the game would prove is no regression's business.
        return probable_cut(game, state, depth, beta, memory)
    return INFINITY


def settled_by_children(
    game: Game[S], state: S, base: int, depth: int, left: int, beta: int, memory: EngineMemory
) -> int:
    """Enhanced transposition cut-off (Plaat et al. 1996): the value, if the table holds a value of
    some child that is enough for a cut-off here; it is remembered, and the actions are taken off
    the stack. Otherwise INFINITY."""
    if depth < memory.etc or memory.ply == 0 or memory.uses_floyd or game.repetition_rule >= LOSS:
        return INFINITY
    for i in range(base, memory.stack_top):
        child = game.result(state, memory.stack_action[i])
        if not (game.is_terminal(child) or game.keeps_turn(state, child)):
            entry = look_up(game, child, left - 1, memory, 1)
            if entry.bound >= UPPER:
                # As if the child were searched with a window that only a cut-off here can satisfy.
                value = known_value(entry, depth - 1, -beta, -beta + 1, memory)
                if value != INFINITY and -value >= beta:
                    memory.cutoffs += 1
                    if entry.final == 0:
                        memory.evaluated += 1
                    memory.stack_top = base
                    remember(
                        game,
                        state,
                        left,
                        Entry(LOWER, depth, -value, memory.stack_action[i], entry.final, 0),
                        memory,
                    )
                    return -value
    return INFINITY


def value_of_pass(game: Game[S], state: S, depth: int, beta: int, memory: EngineMemory) -> int:
    """The null move (Beal 1989; Donninger 1993): the value of doing nothing for the player to move,
    searched shallower. If it is enough for a cut-off, so is the best action, except in zugzwang.
    -INFINITY if a pass must not be tried: in check, and after another pass."""
    if last_action(memory) == NULL_ACTION or (game.has_in_check and game.in_check(state)):
        return -INFINITY
    child = game.pass_turn(state)
    descend(game, state, child, NULL_ACTION, memory)
    value = -engine(game, child, depth - 1 - memory.null_move, -beta, -beta + 1, memory)
    ascend(game, memory)
    memory.evaluated += 1
    return value


def probable_cut(game: Game[S], state: S, depth: int, beta: int, memory: EngineMemory) -> int:
    """ProbCut (Buro 1995): the value of a cut-off that a shallow search makes probable enough,
    otherwise INFINITY. With several shallow depths, the least first, it is Multi-ProbCut (Buro
    1999). A shallow search is tried only if the evaluation already lies on the side of the bound
    where the search would have to end up.

    `memory.fit` holds four words for each shallow depth of each depth in each stage of the game:
    the shallow depth (0: no more of them), then a, b and sigma, in thousandths, of the regression
    deep = a shallow + b, whose error has the standard deviation sigma. b and sigma are on the scale
    of the search.
    """
    if abs(beta) > INFINITY >> 12 or depth >= FIT_DEPTHS:
        return INFINITY  # beta in thousandths would not fit
    stage = game.stage(state) if game.stages <= FIT_STAGES else 0
    first = 4 * FIT_PAIRS * (FIT_DEPTHS * stage + depth)
    if memory.fit[first] == 0:
        return INFINITY
    static = scaled(value_here(game, state, memory), memory)
    sign = 1 if static >= beta else -1
    for at in range(first, first + 4 * FIT_PAIRS, 4):
        if memory.fit[at] == 0:
            return INFINITY
        slack = memory.probcut * memory.fit[at + 3] // 10
        # From this shallow value up (below this value), the deep value is at least (less than) beta
        # with the wanted confidence.
        bound = (1000 * beta + sign * slack - memory.fit[at + 2]) // max(1, memory.fit[at + 1]) + (
            1 if sign == 1 else 0
        )
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
    """Order the root's actions by searches that are `memory.presearch` plies shallower."""
    for i in range(base, memory.stack_top):
        action = memory.stack_action[i]
        child = game.result(state, action)
        descend(game, state, child, action, memory)
        value = engine(game, child, depth - 1 - memory.presearch, -INFINITY, INFINITY, memory)
        ascend(game, memory)
        memory.stack_score[i] = value if game.keeps_turn(state, child) else -value
        drop_line(memory, memory.root_depth - 1)
