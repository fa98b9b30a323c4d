"""The order of actions: table move, noisy actions, killers, counter-move, the game's own order,
history (see `learning`).

If the game tells its quiet actions apart (`quiet_actions`), a node puts its actions on the stack in
stages: the table's action, the noisy ones, the quiet ones, each only when it is reached.
"""

from __future__ import annotations

from typing import Final

from prunus.algorithms.repetition import FORBIDDEN
from prunus.core.game import Game, S
from prunus.engine.learning import (
    KILLER,
    add_up,
    bonus_of,
    known_here,
    learnt,
    note_killer,
    player_of,
    pull,
)
from prunus.engine.memory import EngineMemory
from prunus.tables.busy import PUT_OFF
from prunus.tables.stack import push, push_actions, push_worthwhile
from prunus.tables.transposition import NO_ACTION

HINT: Final = 1 << 60
NOISY: Final = 1 << 58
ORDER: Final = 1 << 28
"""The weight of one unit of the game's own `order`, which may give -2**27 to 2**27."""

ALL, FIRST, LOUD = 0, 1, 2
"""What is on the stack of a node: all its actions, only the table's, or this and the noisy ones."""


def comes_in_stages(game: Game, memory: EngineMemory) -> bool:
    """Whether the current node puts its actions on the stack in stages: not where something looks
    at all of them first. The table's action must be known to be one of the State's: because the
    table tells positions apart, or because the game can say so."""
    return (
        (memory.verified or game.has_is_action)
        and game.has_noisy_actions
        and game.repetition_rule != FORBIDDEN
        and not (memory.uses_etc or memory.uses_beam or memory.uses_presearch)
        and memory.ply > 0
        and not (game.has_worthwhile and memory.to_the_end != 0 and memory.haste == 0)
    )


def arrange(game: Game[S], state: S, hint: int, memory: EngineMemory) -> int:
    """Put the actions of a State and their scores on the stack, or the first of them; return where
    they begin. At the root, leave out `memory.excluded`."""
    if game.has_quiet_actions and comes_in_stages(game, memory):
        base = memory.stack_top
        if hint == NO_ACTION or not (memory.verified or game.is_action(state, hint)):
            push_loud(game, state, hint, memory)
        else:
            memory.stage[memory.ply] = FIRST
            push(hint, NO_ACTION, base, memory)
            memory.stack_score[base] = HINT + (NOISY if game.is_noisy(state, hint) else 0)
        return base
    if game.has_worthwhile and memory.to_the_end != 0 and memory.haste == 0:
        base = push_worthwhile(game, state, hint, memory)
    else:
        base = push_actions(game, state, hint, memory)
    if memory.ply == 0 and memory.excluded != NO_ACTION:
        leave_out(memory.excluded, base, memory)
    if memory.uses_multi_cut and memory.left_out[memory.ply] != NO_ACTION:
        leave_out(memory.left_out[memory.ply], base, memory)
    score_from(game, state, hint, base, 0, memory)
    if game.has_noisy_actions:
        for noisy in game.noisy_actions(state):
            for i in range(base, memory.stack_top):
                if memory.stack_action[i] == noisy:
                    loses = (
                        game.has_wins_exchange
                        and noisy != hint
                        and not game.wins_exchange(state, noisy, 0)
                    )
                    memory.stack_score[i] += -NOISY if loses else NOISY
    return base


def score_from(
    game: Game[S], state: S, hint: int, base: int, more: int, memory: EngineMemory
) -> None:
    """Score the actions on the stack from `base` on, as long as they are not known to be noisy, and
    add `more` to each score."""
    known = known_here(game, state, memory)
    for i in range(base, memory.stack_top):
        action = memory.stack_action[i]
        if action == hint:
            memory.stack_score[i] = HINT + more
            continue
        score = game.order(state, action) * ORDER if game.has_order else 0
        if memory.killers or memory.counter_moves or memory.history:
            score += learnt(game, state, known, action, memory)
        memory.stack_score[i] = score + more


def history_in(score: int) -> int:
    """The history count in the score of a quiet action that is neither the hint nor a killer."""
    return (score + ORDER // 2) % ORDER - ORDER // 2


def push_loud(game: Game[S], state: S, hint: int, memory: EngineMemory) -> None:
    """Put the noisy actions of a State on the stack, except for `hint`, which was there first;
    those that lose by exchange are found when they are picked."""
    base = memory.stack_top
    for action in game.noisy_actions(state):
        push_other(action, hint, memory)
    score_from(game, state, hint, base, NOISY, memory)
    memory.stage[memory.ply] = LOUD


def push_quiet(game: Game[S], state: S, hint: int, memory: EngineMemory) -> None:
    """Put the quiet actions of a State on the stack, except for `hint`."""
    base = memory.stack_top
    for action in game.quiet_actions(state):
        push_other(action, hint, memory)
    score_from(game, state, hint, base, 0, memory)
    memory.stage[memory.ply] = ALL


def push_other(action: int, hint: int, memory: EngineMemory) -> None:
    """Push an action unless it is `hint` or is left out at the current node."""
    if action != hint and action != memory.left_out[memory.ply]:
        push(action, NO_ACTION, memory.stack_top, memory)


def has_next(game: Game[S], state: S, i: int, hint: int, memory: EngineMemory) -> bool:
    """Move the best of the actions from place `i` on to place `i`; False if none is left."""
    if not game.has_quiet_actions or not comes_in_stages(game, memory):
        if i < memory.stack_top:
            pick(i, memory)
            return True
        return False
    return has_next_in_stages(game, state, i, hint, memory)


def has_next_in_stages(game: Game[S], state: S, i: int, hint: int, memory: EngineMemory) -> bool:
    """The same where actions come in stages, which begin here."""
    ply = memory.ply
    while True:
        if i < memory.stack_top:
            pick(i, memory)
            score = memory.stack_score[i]
            if memory.stage[ply] == ALL or score > KILLER + 1:
                if (
                    not KILLER + 1 < score < HINT
                    or not game.has_wins_exchange
                    or game.wins_exchange(state, memory.stack_action[i], 0)
                ):
                    return True
                memory.stack_score[i] -= 2 * NOISY
                continue
        elif memory.stage[ply] == ALL:
            return False
        # What is on the stack was made before, or loses by exchange, or was put off.
        if memory.stage[ply] == FIRST:
            push_loud(game, state, hint, memory)
        else:
            push_quiet(game, state, hint, memory)


def is_quiet(game: Game[S], i: int, memory: EngineMemory) -> bool:
    """Whether the action that was picked for place `i` is not one of the noisy ones."""
    score = memory.stack_score[i]
    return not game.has_noisy_actions or -KILLER < score <= KILLER + 1 or score == HINT


def is_loser(i: int, memory: EngineMemory) -> bool:
    """Whether the action that was picked for place `i` is a noisy one that loses by exchange."""
    return PUT_OFF < memory.stack_score[i] <= -KILLER


def drop_quiet(game: Game[S], state: S, i: int, memory: EngineMemory) -> None:
    """Take the quiet actions from place `i` on that give no check off the stack. What loses by
    exchange or was put off stays: a quiet action is picked before these."""
    kept = i
    for j in range(i, memory.stack_top):
        action, score = memory.stack_action[j], memory.stack_score[j]
        if score <= -KILLER or game.gives_check(state, action):
            memory.stack_action[kept], memory.stack_score[kept] = action, score
            kept += 1
    memory.stack_top = kept


def leave_out(action: int, base: int, memory: EngineMemory) -> None:
    """Take an action off the stack."""
    kept = base
    for i in range(base, memory.stack_top):
        if memory.stack_action[i] != action:
            memory.stack_action[kept] = memory.stack_action[i]
            kept += 1
    memory.stack_top = kept


def pick(i: int, memory: EngineMemory) -> int:
    """The best of the actions from place `i` on, moved to place `i`; equal ones keep the game's
    order."""
    score, best = memory.stack_score[i], i
    # Loops so short run in vectors, or as one copy.
    for j in range(i + 1, memory.stack_top):
        score = max(score, memory.stack_score[j])
    while memory.stack_score[best] != score:
        best += 1
    action = memory.stack_action[best]
    if best > i:
        for j in range(best, i, -1):
            memory.stack_action[j] = memory.stack_action[j - 1]
        for j in range(best, i, -1):
            memory.stack_score[j] = memory.stack_score[j - 1]
        memory.stack_action[i] = action
        memory.stack_score[i] = score
    return action


def push_noisy(game: Game[S], state: S, every: bool, memory: EngineMemory) -> int:
    """Put the noisy actions of a State, or all of them (`every`), on the stack with the game's own
    order as scores; return where they begin."""
    base = memory.stack_top
    if every:
        push_actions(game, state, NO_ACTION, memory)
    else:
        for action in game.noisy_actions(state):
            push(action, NO_ACTION, base, memory)
    for i in range(base, memory.stack_top):
        memory.stack_score[i] = game.order(state, memory.stack_action[i]) if game.has_order else 0
    return base


def put_first(hint: int, base: int, memory: EngineMemory) -> None:
    """Let this action be the first of those from `base` on, if it is among them."""
    if hint != NO_ACTION:
        for i in range(base, memory.stack_top):
            if memory.stack_action[i] == hint:
                memory.stack_score[i] = HINT


def reward(game: Game[S], state: S, base: int, i: int, depth: int, memory: EngineMemory) -> None:
    """Learn from the action at place `i` of the stack, which has cut off this State's node. The
    node was searched `depth` plies deep; its actions begin at `base`. Noisy actions are ordered by
    what they are, so nothing is learnt of them."""
    action = memory.stack_action[i]
    if not is_quiet(game, i, memory):
        return
    player = player_of(game, state, memory)
    note_killer(player, action, memory)
    bonus = bonus_of(depth, memory)
    if memory.history and memory.gravity:
        pull(game, state, player, action, bonus, memory)
        for other in range(base, i):
            if is_quiet(game, other, memory):
                pull(game, state, player, memory.stack_action[other], -bonus, memory)
    elif memory.history:
        add_up(player, action, bonus, memory)
