"""From a node to a child and back: one frame a ply.

A search keeps a frame for each node on the path from the root to the current one: the ply, the
State, the action that is being searched there, and what the value depends on
(`repetition.lowest_repeat`). Only `descend` and `ascend` change the ply, and everything that leads
to another node calls them: an action, a null move, a search that only orders or tests. A shallower
search of the same node (internal iterative deepening, ProbCut) stays in its frame.
"""

from __future__ import annotations

from typing import Final

from prunus.algorithms.leaves import scaled
from prunus.algorithms.remember import fetch_entry
from prunus.algorithms.repetition import enter, leave
from prunus.core.game import INFINITY, Game, S
from prunus.core.knowledge.tactics import CLASSES
from prunus.engine.memory import EngineMemory
from prunus.kernel.columns import row_view
from prunus.kernel.memory import Memory, Spec
from prunus.tables.transposition import NO_ACTION

NULL_ACTION: Final = NO_ACTION + 1
"""Stands for a pass that the rules do not know."""


ARRAYS: Final = (
    "path_action",
    "path_class",
    "static",
    "estimated",
    "quiet_run",
    "checked",
    "left_out",
    "without_pass",
    "expected",
    "stage",
)
"""What a frame holds: the action that is searched and its class; and about the node, as far as an
option asks for it, the evaluation that pruning goes by, the game's own, how many quiet actions in a
row have led to it, whether the player is in check, the action that is left out,
whether a null move is not to be tried, whether a cut-off is expected, and which of the actions are
on the stack (`picking.arrange`)."""

NO_CLASS: Final = -1
"""The class of an action that leads to the root, or of a null move."""


def frame_fields(plies: int) -> Spec:
    """The fields of a Memory that frames need for lines of `plies` plies."""
    return {"ply": "i64", **dict.fromkeys(ARRAYS, ("i64", plies + 2))}


def row_fields(row: object, plies: int) -> Spec:
    """The field of a Memory that holds the rows of the game's evaluation, which are made like this
    one, one for each ply."""
    return {"rows": row_view(plies + 2, row)}


def begin_frames(memory: Memory) -> None:
    """Put the memory at the root, for a search that begins (called from Python). `root_depth` says
    how many plies its lines may have; the arrays may have room for many more."""
    memory.ply, frames = 0, memory.root_depth + 2
    for name in ARRAYS:
        getattr(memory, name).array[:frames] = 0
    memory.path_action.array[:frames] = NO_ACTION
    memory.left_out.array[:frames] = NO_ACTION


def child_of(game: Game[S], state: S, action: int, memory: EngineMemory) -> S:
    """The State after an action. Where every node looks into the table, its entry is prefetched."""
    child = game.result(state, action)
    expect_look_up(game, child, memory)
    return child


def expect_look_up(game: Game[S], child: S, memory: EngineMemory) -> None:
    """Prefetch the table's entry for a child that the search will go to, where every node looks
    into the table."""
    if memory.quiescence_table:
        fetch_entry(game, child, memory)


def descend(game: Game[S], state: S, child: S, action: int, memory: EngineMemory) -> None:
    """Go from the current node, whose State this is, to the child that the action leads to."""
    memory.path_action[memory.ply] = action
    if memory.continuation and game.has_action_class:
        memory.path_class[memory.ply] = (
            NO_CLASS if action == NULL_ACTION else class_of(game, state, action)
        )
    memory.ply += 1
    if game.has_evaluate_row:
        memory.rows[memory.ply] = row_after(game, state, action, child, memory)
    if memory.uses_quiet_line:
        count_quiet(game, state, action, child, memory)
    enter(game, state, memory)


def count_quiet(game: Game[S], state: S, action: int, child: S, memory: EngineMemory) -> None:
    """Note how many quiet actions in a row have led to the current node, `child`: such as change
    the evaluation by no more than the option `quiet` and give no check. A null move begins anew."""
    ply = memory.ply
    memory.quiet_run[ply] = 0
    if game.is_terminal(child):
        return
    value = scaled(value_here(game, child, memory), memory)
    memory.estimated[ply] = value
    if action == NULL_ACTION or (game.has_in_check and game.in_check(child)):
        return
    change = (value if game.keeps_turn(state, child) else -value) - memory.estimated[ply - 1]
    if -memory.quiet <= change <= memory.quiet:
        memory.quiet_run[ply] = memory.quiet_run[ply - 1] + 1


def begin_row(game: Game[S], state: S, memory: EngineMemory) -> None:
    """Make what the root's frame holds of its evaluation; `descend` makes that of the others."""
    if memory.ply > 0:
        return
    if game.has_evaluate_row:
        memory.rows[0] = game.row(state)
    if memory.uses_quiet_line:
        memory.estimated[0] = scaled(value_here(game, state, memory), memory)


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


def class_of(game: Game[S], state: S, action: int) -> int:
    """The game's class of an action; its low bits, as with slots of actions."""
    return game.action_class(state, action) & (CLASSES - 1)


def class_before(plies: int, memory: EngineMemory) -> int:
    """The class of the action made this many plies before the current node; NO_CLASS above the
    root."""
    return memory.path_class[memory.ply - plies] if memory.ply >= plies else NO_CLASS


def is_improving(game: Game, memory: EngineMemory) -> bool:
    """Whether the evaluation is better for the player to move than when it was last on move; taken
    for granted where that is not known."""
    ply, now = memory.ply, memory.static[memory.ply]
    if now == -INFINITY:
        return False
    if not game.alternates or ply < 2:
        return True
    before = memory.static[ply - 2]
    if before == -INFINITY and ply >= 4:
        before = memory.static[ply - 4]
    return now > before
