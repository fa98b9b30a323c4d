"""Minimax that stops at an extreme value: a node whose value cannot be improved needs no further
actions (Di Lena 2022, MINIMAX with MINVAL and MAXVAL)."""

from __future__ import annotations

from typing import Protocol

from prunus.algorithms.leaves import expect_action, horizon, terminal
from prunus.algorithms.line import extend_line, note_root, start_line
from prunus.algorithms.memory import SearchMemory
from prunus.core.game import INFINITY, Game, S, furthest
from prunus.kernel.memory import Spec


def minimax_extreme(game: Game[S], state: S, depth: int, memory: ExtremeMemory) -> int:
    """The value of a State. Actions after one that cannot be surpassed are not visited: its value
    reaches the upper bound of `game.bounds` and, if there is a depth limit, `memory.highest`, the
    largest possible estimate."""
    memory.nodes += 1
    start_line(memory, depth)
    if game.is_terminal(state):
        return terminal(game, state, depth, memory)
    if depth == 0:
        return horizon(game, state, memory)
    memory.interior += 1
    best = -INFINITY
    first = 1
    for action in game.actions(state):
        child = game.result(state, action)
        value = minimax_extreme(game, child, depth - 1, memory)
        if not game.keeps_turn(state, child):
            value = -value
        if value > best:
            best = value
            extend_line(memory, depth, action)
        note_root(memory, depth, action, value)
        if memory.haste == 0 and value >= max(game.bounds(state)[1], memory.highest):
            memory.cutoffs += 1
            memory.first_cutoffs += first
            break
        first = 0
    expect_action(state, best, memory)
    return best


def highest_estimate(game: Game, to_the_end: bool) -> int:
    """A number that no estimate of a search exceeds, whoever is to move; -INFINITY if nothing is
    estimated. The bounds of a position do not hold for estimates, but those of the whole game do;
    without an evaluation estimates are 0."""
    if to_the_end:
        return -INFINITY
    return furthest(game) if game.has_evaluate else 0


def extreme_fields(depth: int, room: int) -> Spec:
    """The additional field of a Memory for `minimax_extreme`."""
    return {"highest": "i64"}


class ExtremeMemory(SearchMemory, Protocol):
    """The memory of this search: `highest` is the highest value that an estimate can have."""

    highest: int
