"""From a node to a child and back: one frame a ply.

A search keeps a frame for each node on the path from the root to the current one: the ply, the
State, the action that is being searched there, and what the value depends on
(`repetition.lowest_repeat`). Only `descend` and `ascend` change the ply, and everything that leads
to another node calls them: an action, a null move, a search that only orders or tests. A shallower
search of the same node (internal iterative deepening, ProbCut) stays in its frame.
"""

from __future__ import annotations

from typing import Final

from prunus.algorithms.repetition import enter, leave
from prunus.core.game import Game, S
from prunus.engine.memory import EngineMemory
from prunus.kernel.columns import row_view
from prunus.kernel.memory import Memory, Spec
from prunus.tables.transposition import NO_ACTION

NULL_ACTION: Final = NO_ACTION + 1
"""Stands for a pass that the rules do not know."""


ARRAYS: Final = ("path_action", "static", "checked")
"""What a frame holds: the action that is searched, the evaluation, whether the player is in check
(the last two only as far as an option asks for them)."""


def frame_fields(plies: int) -> Spec:
    """The fields of a Memory that frames need for lines of `plies` plies."""
    return {"ply": "i64", **dict.fromkeys(ARRAYS, ("i64", plies + 2))}


def row_fields(game: Game, plies: int) -> Spec:
    """The field of a Memory that holds the rows of the game's evaluation, one for each ply; no
    field if the evaluation has no rows."""
    return {"rows": row_view(plies + 2, game.row(game.initial()))} if game.has_evaluate_row else {}


def begin_frames(memory: Memory) -> None:
    """Put the memory at the root, for a search that begins (called from Python)."""
    memory.ply = 0
    memory.path_action.array[:] = NO_ACTION
    memory.checked.array[:] = 0


def descend(game: Game[S], state: S, child: S, action: int, memory: EngineMemory) -> None:
    """Go from the current node, whose State this is, to the child that the action leads to."""
    memory.path_action[memory.ply] = action
    memory.ply += 1
    if game.has_evaluate_row:
        memory.rows[memory.ply] = row_after(game, state, action, child, memory)
    enter(game, state, memory)


def begin_row(game: Game[S], state: S, memory: EngineMemory) -> None:
    """Make the row of the root's frame; `descend` makes those of the other frames."""
    if game.has_evaluate_row and memory.ply == 0:
        memory.rows[0] = game.row(state)


def row_after(game: Game[S], state: S, action: int, child: S, memory: EngineMemory) -> object:
    """The row of a child, made from the row of the frame above it. The rules know no null move, and
    `next_row` knows none either: after one, the row is made anew."""
    above = memory.rows[memory.ply - 1]
    return game.row(child) if action == NULL_ACTION else game.next_row(above, state, action, child)


def value_here(game: Game[S], state: S, memory: EngineMemory) -> int:
    """The evaluation of the current node's State."""
    if game.has_evaluate_row:
        return game.evaluate_row(state, memory.rows[memory.ply])
    return game.evaluate(state)


def value_there(game: Game[S], state: S, action: int, child: S, memory: EngineMemory) -> int:
    """The evaluation of a child of the current node, for the player to move there."""
    if game.has_evaluate_row:
        row = game.next_row(memory.rows[memory.ply], state, action, child)
        return game.evaluate_row(child, row)
    return game.evaluate(child)


def ascend(game: Game, memory: EngineMemory) -> None:
    """Come back from a child to its parent."""
    leave(game, memory)
    memory.ply -= 1


def last_action(memory: EngineMemory) -> int:
    """The action that led to the current node, which is not the root."""
    return memory.path_action[memory.ply - 1]
