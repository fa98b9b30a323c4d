"""Values at the depth limit: an evaluation, or a search until the position is quiet (Shannon 1950;
Slate & Atkin 1977)."""

from __future__ import annotations

from prunus.algorithms.leaves import scaled, terminal, unscaled
from prunus.algorithms.repetition import (
    ends_by_repetition,
    expect_allowed,
    is_forbidden,
    repeated_value,
)
from prunus.core.game import INFINITY, Game, S
from prunus.engine.frames import ascend, descend, value_here, value_there
from prunus.engine.memory import EngineMemory
from prunus.engine.picking import pick, push_noisy


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
    return value


def quiescence(game: Game[S], state: S, alpha: int, beta: int, memory: EngineMemory) -> int:
    """The value if only noisy actions are searched and the player to move may also make none of
    them ("stand pat").

    A player in check may not stand pat, and every action is searched. The noisy actions are the
    game's `noisy_actions`; in a game without these, the actions that change the evaluation by more
    than `memory.quiet` and those that end the game. The caller has counted the node itself.
    """
    stand = estimate(game, state, memory)
    checked = game.in_check(state) if game.has_in_check else False
    best = -INFINITY if checked else stand
    if best >= beta or memory.ply >= memory.root_depth - 1:
        return max(best, stand) if checked else best
    if game.has_noisy_actions:
        best = best_noisy(game, state, stand, checked, alpha, beta, memory)
    else:
        for action in game.actions(state):
            best = max(
                best, noisy_value(game, state, action, stand, max(alpha, best), beta, memory)
            )
            if best >= beta:
                break
        best = expect_allowed(game, state, best, memory)
    return best


def best_noisy(
    game: Game[S],
    state: S,
    stand: int,
    checked: bool,
    alpha: int,
    beta: int,
    memory: EngineMemory,
) -> int:
    """The value of the best of the game's noisy actions, or of standing pat with the value `stand`;
    in check (`checked`) of the best of all actions. An action that loses by exchange, or with the
    option `delta` one that wins too little for this window, is not searched."""
    best = -INFINITY if checked else stand
    base = push_noisy(game, state, checked, memory)
    i, end = base, memory.stack_top
    while i < end and best < beta:
        action = pick(i, memory)
        i += 1
        least = 0
        if memory.uses_delta:
            least = max(least, unscaled(max(alpha, best) - stand - memory.delta, memory))
        if checked or not game.has_wins_exchange or game.wins_exchange(state, action, least):
            value = noisy_value(game, state, action, stand, max(alpha, best), beta, memory)
            best = max(best, value)
    memory.stack_top = base
    return expect_allowed(game, state, best, memory)


def noisy_value(
    game: Game[S], state: S, action: int, stand: int, alpha: int, beta: int, memory: EngineMemory
) -> int:
    """The value of an action for the player who makes it; -INFINITY if it turns out to be quiet, or
    is forbidden."""
    child = game.result(state, action)
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
