"""What a node of the engine asks about itself, and what it notes, without a search of its own."""

from __future__ import annotations

from typing import NamedTuple

from prunus.algorithms.leaves import dead_end
from prunus.algorithms.line import extend_line, note_root
from prunus.algorithms.repetition import FORBIDDEN, is_forbidden, lost_by_repetition
from prunus.core.game import INFINITY, Game, S
from prunus.engine.memory import EngineMemory
from prunus.engine.picking import reward
from prunus.tables.transposition import NO_ACTION


class Step(NamedTuple):
    """An action, the State that it leads to, its place in the order (0: the first), and the number
    of plies by which it is at first searched shallower."""

    action: int
    child: object
    number: int
    less: int


class Plan(NamedTuple):
    """A node's value if it need not be expanded (otherwise INFINITY), the depth left, the action to
    try first, and by how many plies that one is searched deeper."""

    value: int
    depth: int
    hint: int
    plies: int


class Extension(NamedTuple):
    """By how many plies the table's action is searched deeper, or a value that decides the node
    (INFINITY: none does)."""

    plies: int
    value: int


def is_worth_a_hint(depth: int, alpha: int, beta: int, memory: EngineMemory) -> bool:
    """Whether a node without a hint is searched less deeply first to find one (internal iterative
    deepening): one with a wide window, deep enough, below the root, in a search that estimates."""
    wide = beta > alpha + 1
    return wide and depth >= memory.iid and memory.ply > 0 and memory.to_the_end == 0


def expect_some(state: object, best: int, memory: EngineMemory) -> None:
    """Raise DeadEnd if no action was found, unless one was left out at the root."""
    if best == -INFINITY and (memory.ply > 0 or memory.excluded == NO_ACTION):
        dead_end(state, memory)


def note_better(left: int, action: int, value: int, memory: EngineMemory) -> None:
    """Note that an action of the current node, `left` plies before the search's limit, is better
    than those before it and within the window."""
    extend_line(memory, left, action)
    note_root(memory, left, action, value)


def note_cutoff(
    game: Game[S], state: S, base: int, i: int, depth: int, memory: EngineMemory
) -> None:
    """Count a cut-off by the action in place `i` of the stack, where those of the node begin at
    `base`, and learn from it."""
    memory.cutoffs += 1
    if i == base:
        memory.first_cutoffs += 1
    reward(game, state, base, i, depth, memory)


def highest(game: Game[S], state: S, memory: EngineMemory) -> int:
    """The most that a State can be worth by the game's `bounds`, in a search to the end."""
    if memory.bounds and game.has_bounds and memory.to_the_end != 0 and memory.haste == 0:
        return game.bounds(state)[1]
    return INFINITY


def leave_out_forbidden(game: Game[S], state: S, base: int, memory: EngineMemory) -> int:
    """Take the actions off the stack that the rules forbid because they repeat a position. Return
    the value of the node if no action is left, otherwise -INFINITY."""
    if game.repetition_rule != FORBIDDEN:
        return -INFINITY
    kept = base
    for i in range(base, memory.stack_top):
        if not is_forbidden(game, state, game.result(state, memory.stack_action[i]), memory):
            memory.stack_action[kept] = memory.stack_action[i]
            memory.stack_score[kept] = memory.stack_score[i]
            kept += 1
    none_left = base == kept < memory.stack_top
    memory.stack_top = kept
    return lost_by_repetition(game, memory) if none_left else -INFINITY


def expect(cut: int, memory: EngineMemory) -> None:
    """Note whether a cut-off is expected at the current node (1 or 0), if an option asks for it."""
    if memory.uses_reductions:
        memory.expected[memory.ply] = cut


def depth_here(game: Game[S], state: S, depth: int, memory: EngineMemory) -> int:
    """The depth left at the current node: a ply more than `depth` if the player to move is in check
    and the option `check_extension` is on, none at the end of a line as quiet as the option
    `quiet_line` says. Notes in its frame whether he is in check, if an option asks for it."""
    if game.has_in_check and (
        memory.check_extension
        or memory.uses_null_move
        or memory.uses_reductions
        or memory.uses_late_pruning
        or memory.uses_exchanges
        or memory.improving
        or memory.uses_far_futility
        or memory.uses_reverse_futility
        or memory.uses_razoring
    ):
        checked = game.in_check(state)
        memory.checked[memory.ply] = 1 if checked else 0
        if memory.check_extension and checked:
            return max(depth, 0) + 1
    if memory.uses_quiet_line and memory.quiet_run[memory.ply] >= memory.quiet_line:
        return 0
    return depth
