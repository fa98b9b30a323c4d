"""Values at the depth limit: an evaluation, or a search until the position is quiet (Shannon 1950;
Slate & Atkin 1977)."""

from __future__ import annotations

from typing import NamedTuple

from prunus.algorithms.leaves import scaled, terminal, unscaled
from prunus.algorithms.remember import count_use, known_value, look_up, outcome, remember
from prunus.algorithms.repetition import (
    ends_by_repetition,
    expect_allowed,
    is_forbidden,
    is_free,
    repeated_value,
)
from prunus.core.game import INFINITY, Game, S
from prunus.engine.correction import corrected
from prunus.engine.frames import ascend, child_of, descend, value_here, value_there
from prunus.engine.memory import EngineMemory
from prunus.engine.picking import pick, push_noisy, put_first
from prunus.tables.transposition import LOWER, NO_ACTION, UPPER, Entry


def settle(game: Game[S], state: S, alpha: int, beta: int, memory: EngineMemory) -> int:
    """The value of a State at the depth limit that is not terminal."""
    if memory.quiescence and memory.ply < memory.root_depth:
        return quiescence(game, state, alpha, beta, memory)
    return estimate(game, state, memory)


def estimate(game: Game[S], state: S, memory: EngineMemory) -> int:
    """The game's evaluation; its second evaluation if the first puts the player to move behind by
    more than the option `behind`."""
    memory.evaluated += 1
    value = scaled(value_here(game, state, memory), memory)
    if memory.uses_behind and game.has_evaluate_behind and value < -memory.behind:
        return scaled(game.evaluate_behind(state), memory)
    return corrected(game, state, value, memory)


def quiescence(game: Game[S], state: S, alpha: int, beta: int, memory: EngineMemory) -> int:
    """The value if only noisy actions are searched and the player to move may also make none of
    them ("stand pat").

    A player in check may not stand pat, and every action is searched. The noisy actions are the
    game's `noisy_actions`; in a game without these, the actions that change the evaluation by more
    than `memory.quiet` and those that end the game. The caller has counted the node itself.
    """
    entry = entry_beyond(game, state, memory)
    if memory.quiescence_table:
        value = known_value(entry, entry.depth, alpha, beta, memory)
        if value != INFINITY:
            count_use(entry, memory)
            return value
    checked = game.in_check(state) if game.has_in_check else False
    at_end = memory.ply >= memory.root_depth - 1
    # In check nothing rests on the evaluation, because every action is searched.
    stand = 0 if checked and not at_end else estimate(game, state, memory)
    best = -INFINITY if checked else better(stand, entry, memory)
    if best >= beta or at_end:
        return max(best, stand) if checked else best
    if game.has_noisy_actions:
        best, chosen = best_noisy(game, state, best, stand, entry.action, (alpha, beta), memory)
        if memory.quiescence_table and (is_free(game, memory) or memory.twofold):
            found = outcome(0, alpha, beta, best, chosen, False)
            remember(game, state, memory.root_depth - memory.ply, found, memory)
    else:
        for action in game.actions(state):
            best = max(
                best, noisy_value(game, state, action, stand, max(alpha, best), beta, memory)
            )
            if best >= beta:
                break
        best = expect_allowed(game, state, best, memory)
    return best


def entry_beyond(game: Game[S], state: S, memory: EngineMemory) -> Entry:
    """The table's entry for the current node, with the option `quiescence_table`."""
    if memory.quiescence_table:
        return look_up(game, state, memory.root_depth - memory.ply, memory)
    return Entry(0, 0, 0, NO_ACTION, 0, 0)


def better(stand: int, entry: Entry, memory: EngineMemory) -> int:
    """The value of standing pat, or a bound in the table that is nearer to the true value."""
    if memory.quiescence_table and (
        (entry.bound == LOWER and entry.value > stand)
        or (entry.bound == UPPER and entry.value < stand)
    ):
        return entry.value
    return stand


class Best(NamedTuple):
    """The value of the best action, and the action; NO_ACTION for standing pat."""

    value: int
    action: int


def best_noisy(
    game: Game[S],
    state: S,
    least: int,
    stand: int,
    hint: int,
    window: tuple[int, int],
    memory: EngineMemory,
) -> Best:
    """The best of the game's noisy actions, or standing pat with the value `least`; in check of all
    actions (`least` is then -INFINITY). An action that loses by exchange, or with the option
    `delta` one that wins too little over the evaluation `stand` for this window, is not searched.
    The action `hint` is searched first."""
    (alpha, beta), best, chosen = window, least, NO_ACTION
    checked = least == -INFINITY
    base = push_noisy(game, state, checked, memory)
    put_first(hint, base, memory)
    i, end = base, memory.stack_top
    while i < end and best < beta:
        action = pick(i, memory)
        i += 1
        least = 0
        if memory.uses_delta:
            least = max(least, unscaled(max(alpha, best) - stand - memory.delta, memory))
        if checked or not game.has_wins_exchange or game.wins_exchange(state, action, least):
            value = noisy_value(game, state, action, stand, max(alpha, best), beta, memory)
            if value > best:
                best, chosen = value, action
        elif least > 0:
            # It may win something, though not enough: no bound below the window is sure.
            best = max(best, min(alpha, beta - 1))
    memory.stack_top = base
    return Best(expect_allowed(game, state, best, memory), chosen)


def noisy_value(
    game: Game[S], state: S, action: int, stand: int, alpha: int, beta: int, memory: EngineMemory
) -> int:
    """The value of an action for the player who makes it; -INFINITY if it turns out to be quiet, or
    is forbidden."""
    child = child_of(game, state, action, memory)
    if is_forbidden(game, state, child, memory):
        return -INFINITY
    keeps = game.keeps_turn(state, child)
    if not (
        game.has_noisy_actions
        or game.is_terminal(child)
        or (game.has_in_check and game.in_check(state))
    ):
        after = scaled(value_there(game, state, action, child, memory), memory)
        change = (after if keeps else -after) - stand
        if -memory.quiet <= change <= memory.quiet:
            return -INFINITY
    descend(game, state, child, action, memory)
    value = (
        noisy_node(game, child, alpha, beta, memory)
        if keeps
        else -noisy_node(game, child, -beta, -alpha, memory)
    )
    ascend(game, memory)
    return value


def noisy_node(game: Game[S], state: S, alpha: int, beta: int, memory: EngineMemory) -> int:
    """The value of a State beyond the depth limit."""
    memory.nodes += 1
    if game.is_terminal(state):
        return terminal(game, state, memory.root_depth - memory.ply, memory)
    if ends_by_repetition(game, state, memory):
        return repeated_value(game, state, memory)
    return quiescence(game, state, alpha, beta, memory)
