"""What a search learns of actions from its own cut-offs: killers, counter-moves, history.

Killers (Huberman 1968; Akl & Newborn 1977) are the actions that last cut off other nodes of the
same ply. The counter-move, or refutation (Uiterwijk 1992), is the one that last answered the
previous action well. History (Schaeffer 1983) adds up depth squared each time an action causes a
cut-off anywhere. Continuation history does so for an action after another one, made one or two
plies before. Each is a setting of the memory; one that is off is not even compiled.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from prunus.core.arrays import View
from prunus.core.bits import i64, u64
from prunus.core.game import Game, S
from prunus.core.knowledge.tactics import ASPECTS, CLASSES
from prunus.engine.frames import NO_CLASS, class_before, class_of, last_action
from prunus.engine.memory import EngineMemory
from prunus.kernel.columns import Column
from prunus.kernel.memory import Memory, Spec
from prunus.tables.transposition import NO_ACTION

KILLERS: Final = 2
SLOTS: Final = 4096
"""Entries of the history and of the counter-moves for each player; actions whose low bits agree
share one."""

KILLER: Final = 1 << 57
COUNTER: Final = 1 << 56
"""The scores of killers and counter-moves; what history gives is far less."""

MOST: Final = 1 << 27
"""The largest history count without `gravity`."""

GRAVITY: Final = 1 << 13
"""With `gravity`, history counts lie between -GRAVITY and GRAVITY."""
MOST_BONUS: Final = 1 << 10
"""The most that one cut-off changes a history count by with `gravity`."""

ASPECT_SLOTS: Final = 1 << 14
"""Counts for each aspect of positions; aspects whose hashes agree in their low bits share one."""

BEHIND: Final = 2
"""Continuation history looks one ply back, and two."""


def ordering_fields(plies: int) -> Spec:
    """The fields of a Memory that ordering needs for lines of `plies` plies."""
    return {
        "killer": ("i64", KILLERS * (plies + 2)),
        "counter": ("i64", 2 * SLOTS),
        "history_weight": ("i64", 2 * SLOTS),
        "continuation_weight": ("i16", 0),
        "correction_weight": ("i16", 0),
        "excluded": "i64",
    }


def learning_fields(continuation: bool, correction: bool) -> Spec:
    """The fields of a Memory that the options `continuation` and `correction` need."""
    sizes = {
        "continuation_weight": BEHIND * 2 * CLASSES * CLASSES if continuation else 0,
        "correction_weight": ASPECTS * ASPECT_SLOTS if correction else 0,
    }
    return {name: ("i16", size) for name, size in sizes.items() if size}


LASTING: Final = ("history_weight", "continuation_weight", "correction_weight")
"""The fields that a player may keep from move to move. The others belong to plies, which are other
plies a move later."""


def lasting_fields() -> dict[str, View]:
    """New arrays for these fields, in which nothing is learnt yet."""
    return {
        "history_weight": Column(np.zeros(2 * SLOTS, np.int64)),
        "continuation_weight": Column(np.zeros(BEHIND * 2 * CLASSES * CLASSES, np.int16)),
        "correction_weight": Column(np.zeros(ASPECTS * ASPECT_SLOTS, np.int16)),
    }


def clear_ordering(memory: Memory, lasting: bool = False) -> None:
    """Forget what earlier searches learnt, except what is `lasting` (called from Python)."""
    # What a search without an option never reads need not be cleared.
    for name, used in (("killer", memory.killers), ("counter", memory.counter_moves)):
        if used:
            getattr(memory, name).array[:] = NO_ACTION
    for name in () if lasting else LASTING:
        if name != "history_weight" or memory.history:
            getattr(memory, name).array[:] = 0
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


class Known(NamedTuple):
    """What all actions of a node are compared with: its killers and its counter-move (NO_ACTION for
    none), where the player's history begins, and where the continuation history of the actions one
    and two plies before begins (NO_CLASS for none)."""

    killer: int
    other: int
    counter: int
    history: int
    after: int
    later: int


def known_here(game: Game[S], state: S, memory: EngineMemory) -> Known:
    """What is known at the current node, before any of its actions is looked at."""
    ply, player = memory.ply, player_of(game, state, memory)
    killer = memory.killer[KILLERS * ply] if memory.killers else NO_ACTION
    other = memory.killer[KILLERS * ply + 1] if memory.killers else NO_ACTION
    counter, after, later = NO_ACTION, NO_CLASS, NO_CLASS
    if memory.counter_moves and ply > 0:
        counter = memory.counter[slot_of(player, last_action(memory))]
    if memory.continuation and game.has_action_class:
        after, later = row_of(player, 1, memory), row_of(player, 2, memory)
    return Known(killer, other, counter, slot_of(player, 0), after, later)


def learnt(game: Game[S], state: S, known: Known, action: int, memory: EngineMemory) -> int:
    """The score of an action by what the search itself has learnt: killers, counter-move,
    history."""
    if memory.killers:
        if action == known.killer:
            return KILLER + 1
        if action == known.other:
            return KILLER
    if memory.counter_moves and action == known.counter:
        return COUNTER
    score = memory.history_weight[known.history + slot_of(0, action)] if memory.history else 0
    if memory.continuation and game.has_action_class:
        kind = class_of(game, state, action)
        if known.after != NO_CLASS:
            score += memory.continuation_weight[known.after + kind]
        if known.later != NO_CLASS:
            score += memory.continuation_weight[known.later + kind]
    return score


def row_of(player: int, back: int, memory: EngineMemory) -> int:
    """Where the counts of actions after the one made `back` plies before begin; NO_CLASS if there
    is none."""
    before = class_before(back, memory)
    return before if before == NO_CLASS else pair_of(player, back, before, 0)


def pair_of(player: int, back: int, before: int, kind: int) -> int:
    """The slot of an action's class, `kind`, after one of another class, `before`, that was made
    `back` plies earlier."""
    return ((2 * (back - 1) + player) * CLASSES + before) * CLASSES + kind


def note_killer(player: int, action: int, memory: EngineMemory) -> None:
    """Make an action that has cut off the current node its first killer, and the counter-move of
    the action before it."""
    ply = memory.ply
    if memory.killers and action != memory.killer[KILLERS * ply]:
        memory.killer[KILLERS * ply + 1] = memory.killer[KILLERS * ply]
        memory.killer[KILLERS * ply] = action
    if memory.counter_moves and ply > 0:
        memory.counter[slot_of(player, last_action(memory))] = action


def bonus_of(depth: int, memory: EngineMemory) -> int:
    """The weight of a cut-off at a node searched to this depth."""
    return min(MOST_BONUS, 128 * depth) if memory.gravity else depth * depth


def add_up(player: int, action: int, bonus: int, memory: EngineMemory) -> None:
    """Add a bonus to the history count of an action, up to a limit."""
    slot = slot_of(player, action)
    memory.history_weight[slot] = min(MOST - 1, memory.history_weight[slot] + bonus)


def pull(
    game: Game[S], state: S, player: int, action: int, bonus: int, memory: EngineMemory
) -> None:
    """Change the history counts of an action by a bonus, the less the nearer a count already is to
    its limit: old cut-offs are forgotten as new ones come (history gravity)."""
    slot = slot_of(player, action)
    memory.history_weight[slot] = pulled(memory.history_weight[slot], bonus)
    if memory.continuation and game.has_action_class:
        kind = class_of(game, state, action)
        for back in range(1, BEHIND + 1):
            row = row_of(player, back, memory)
            if row != NO_CLASS:
                slot = row + kind
                weight = memory.continuation_weight[slot]
                memory.continuation_weight[slot] = pulled(weight, bonus)


def pulled(weight: int, bonus: int) -> int:
    """A count after a bonus."""
    return weight + bonus - weight * abs(bonus) // GRAVITY
