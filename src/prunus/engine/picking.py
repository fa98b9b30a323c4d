"""The order of actions: table move, noisy actions, killers, counter-move, the game's own order,
history.

Killers (Huberman 1968; Akl & Newborn 1977) are the actions that last cut off other nodes of the
same ply. The counter-move, or refutation (Uiterwijk 1992), is the one that last answered the
previous action well. History (Schaeffer 1983) adds up depth squared each time an action causes a
cut-off anywhere. Each stage is a setting of the memory; one that is off is not even compiled.
"""

from __future__ import annotations

from typing import Final

from prunus.core.bits import i64, u64
from prunus.core.game import Game, S
from prunus.engine.frames import last_action
from prunus.engine.memory import EngineMemory
from prunus.kernel.memory import Memory, Spec
from prunus.tables.stack import push, push_actions, push_worthwhile
from prunus.tables.transposition import NO_ACTION

KILLERS: Final = 2
SLOTS: Final = 4096
"""Entries of the history and of the counter-moves for each player; actions whose low bits agree
share one."""

HINT: Final = 1 << 60
NOISY: Final = 1 << 58
KILLER: Final = 1 << 57
COUNTER: Final = 1 << 56
ORDER: Final = 1 << 28
"""The weight of one unit of the game's own `order`, which may give -2**27 to 2**27."""
MOST: Final = 1 << 27
"""The largest history count."""


GRAVITY: Final = 1 << 14
"""With `gravity`, history counts lie between -GRAVITY and GRAVITY."""
MOST_BONUS: Final = 1 << 10
"""The most that one cut-off changes a history count by with `gravity`."""


def ordering_fields(plies: int) -> Spec:
    """The fields of a Memory that ordering needs for lines of `plies` plies."""
    return {
        "killer": ("i64", KILLERS * (plies + 2)),
        "counter": ("i64", 2 * SLOTS),
        "history_weight": ("i64", 2 * SLOTS),
        "excluded": "i64",
    }


def clear_ordering(memory: Memory) -> None:
    """Forget what earlier searches learnt (called from Python)."""
    for name in ("killer", "counter"):
        getattr(memory, name).array[:] = NO_ACTION
    memory.history_weight.array[:] = 0
    memory.excluded = NO_ACTION


def player_of(game: Game[S], state: S, memory: EngineMemory) -> int:
    """Which of the two players, 0 or 1, is to move at the current node. If the players alternate,
    the parity of the ply tells them apart, and the States need not say who is to move."""
    if game.alternates:
        return memory.ply & 1
    return int(game.to_move(state))


def slot_of(player: int, action: int) -> int:
    """The slot of an action for the player to move."""
    return player * SLOTS + i64(u64(action) & (SLOTS - 1))


def arrange(game: Game[S], state: S, hint: int, memory: EngineMemory) -> int:
    """Put the actions of a State and their scores on the stack; return where they begin. At the
    root, leave out `memory.excluded`."""
    if game.has_worthwhile and memory.to_the_end != 0 and memory.haste == 0:
        base = push_worthwhile(game, state, hint, memory)
    else:
        base = push_actions(game, state, hint, memory)
    if memory.ply == 0 and memory.excluded != NO_ACTION:
        leave_out(memory.excluded, base, memory)
    player = player_of(game, state, memory)
    for i in range(base, memory.stack_top):
        action = memory.stack_action[i]
        score = game.order(state, action) * ORDER if game.has_order else 0
        if action == hint:
            score = HINT
        elif memory.killers or memory.counter_moves or memory.history:
            score += learnt(player, action, memory)
        memory.stack_score[i] = score
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


def is_quiet(game: Game[S], i: int, memory: EngineMemory) -> bool:
    """Whether the action that was picked for place `i` is not one of the noisy ones."""
    score = memory.stack_score[i]
    return not game.has_noisy_actions or -KILLER < score <= KILLER + 1 or score == HINT


def leave_out(action: int, base: int, memory: EngineMemory) -> None:
    """Take an action off the stack."""
    kept = base
    for i in range(base, memory.stack_top):
        if memory.stack_action[i] != action:
            memory.stack_action[kept] = memory.stack_action[i]
            kept += 1
    memory.stack_top = kept


def learnt(player: int, action: int, memory: EngineMemory) -> int:
    """The score of an action by what the search itself has learnt: killers, counter-move,
    history."""
    ply = memory.ply
    if memory.killers:
        if action == memory.killer[KILLERS * ply]:
            return KILLER + 1
        if action == memory.killer[KILLERS * ply + 1]:
            return KILLER
    if (
        memory.counter_moves
        and ply > 0
        and action == memory.counter[slot_of(player, last_action(memory))]
    ):
        return COUNTER
    return memory.history_weight[slot_of(player, action)] if memory.history else 0


def pick(i: int, memory: EngineMemory) -> int:
    """The best of the actions from place `i` on, moved to place `i`; equal ones keep the game's
    order."""
    best = i
    for j in range(i + 1, memory.stack_top):
        if memory.stack_score[j] > memory.stack_score[best]:
            best = j
    action = memory.stack_action[best]
    score = memory.stack_score[best]
    for j in range(best, i, -1):
        memory.stack_action[j] = memory.stack_action[j - 1]
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


def reward(game: Game[S], state: S, base: int, i: int, depth: int, memory: EngineMemory) -> None:
    """Learn from the action at place `i` of the stack, which has cut off this State's node. The
    node was searched `depth` plies deep; its actions begin at `base`. Noisy actions are ordered by
    what they are, so nothing is learnt of them."""
    action = memory.stack_action[i]
    if not is_quiet(game, i, memory):
        return
    player = player_of(game, state, memory)
    ply = memory.ply
    if memory.killers and action != memory.killer[KILLERS * ply]:
        memory.killer[KILLERS * ply + 1] = memory.killer[KILLERS * ply]
        memory.killer[KILLERS * ply] = action
    if memory.counter_moves and ply > 0:
        memory.counter[slot_of(player, last_action(memory))] = action
    if memory.history and memory.gravity:
        bonus = min(MOST_BONUS, depth * depth)
        pull(slot_of(player, action), bonus, memory)
        for other in range(base, i):
            if is_quiet(game, other, memory):
                pull(slot_of(player, memory.stack_action[other]), -bonus, memory)
    elif memory.history:
        slot = slot_of(player, action)
        memory.history_weight[slot] = min(MOST - 1, memory.history_weight[slot] + depth * depth)


def pull(slot: int, bonus: int, memory: EngineMemory) -> None:
    """Change a history count by a bonus, the less the nearer the count already is to its limit: old
    cut-offs are forgotten as new ones come (history gravity)."""
    weight = memory.history_weight[slot]
    memory.history_weight[slot] = weight + bonus - weight * abs(bonus) // GRAVITY
