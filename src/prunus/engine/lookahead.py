"""What the table knows of a node's children before any of them is searched."""

from __future__ import annotations

from prunus.algorithms.remember import known_value, look_up, remember
from prunus.algorithms.repetition import LOSS
from prunus.core.game import INFINITY, Game, S
from prunus.engine.memory import EngineMemory
from prunus.tables.transposition import LOWER, UPPER, Entry


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
