"""What the evaluation of a node decides before any of its actions is searched."""

from __future__ import annotations

from prunus.algorithms.leaves import scaled
from prunus.core.game import INFINITY, Game, S
from prunus.engine.correction import corrected
from prunus.engine.frames import is_improving, value_here
from prunus.engine.memory import EngineMemory
from prunus.engine.pruning import NEAR, is_decisive
from prunus.engine.quiescence import settle
from prunus.tables.transposition import EXACT, LOWER, UPPER, Entry


def note_static(game: Game[S], state: S, memory: EngineMemory) -> None:
    """Note the current node's evaluation in its frame, if an option asks for it: -INFINITY in
    check."""
    if (
        memory.uses_far_futility
        or memory.uses_reverse_futility
        or memory.uses_razoring
        or memory.uses_null_move
        or memory.improving
        or memory.correction
    ):
        memory.static[memory.ply] = (
            -INFINITY
            if memory.checked[memory.ply] != 0
            else corrected(game, state, scaled(value_here(game, state, memory), memory), memory)
        )


def better_static(entry: Entry, memory: EngineMemory) -> int:
    """The current node's evaluation, or what the table knows of its value if that is more exact and
    the option `reuse` is on."""
    static = memory.static[memory.ply]
    if not memory.reuse or entry.bound == 0:
        return static
    if (
        entry.bound == EXACT
        or (entry.bound == LOWER and entry.value > static)
        or (entry.bound == UPPER and entry.value < static)
    ):
        return entry.value
    return static


def decided_by_static(
    game: Game[S], state: S, entry: Entry, depth: int, alpha: int, beta: int, memory: EngineMemory
) -> int:
    """The value of a node near the limit, with a null window, whose evaluation is so far from the
    window that it decides (reverse futility), or lets quiescence decide (razoring); otherwise
    INFINITY. The player to move is not in check."""
    if not (memory.uses_reverse_futility or memory.uses_razoring):
        return INFINITY
    if beta != alpha + 1 or depth > NEAR or is_decisive(game, state, beta, memory):
        return INFINITY
    static = better_static(entry, memory)
    if memory.uses_reverse_futility and not is_decisive(game, state, static, memory):
        plies = depth - 1 if memory.improving and is_improving(game, memory) else depth
        if static - memory.reverse_futility * plies >= beta:
            memory.evaluated += 1
            return static
    if memory.uses_razoring and depth <= 3 and static + memory.razoring * depth <= alpha:
        value = settle(game, state, alpha, beta, memory)
        if value <= alpha:
            return value
    return INFINITY
