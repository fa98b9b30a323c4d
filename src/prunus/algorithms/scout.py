"""SCOUT (Pearl 1980): a test without values decides which actions are worth evaluating.

`scout` (Pearl's EVAL) evaluates the first action. Of every other one `reaches` (TEST) asks whether
it is better than the best so far, and only those that are get evaluated. A test can stop a node at
the first action that decides it; what it finds out is forgotten, so an action that passes is
searched twice. PVS is this idea with a window around the evaluations, too.
"""

from __future__ import annotations

from typing import Protocol

from prunus.algorithms.leaves import expect_action, horizon, terminal
from prunus.algorithms.line import extend_line, note_root, start_line
from prunus.algorithms.memory import SearchMemory
from prunus.core.game import INFINITY, Game, S


def scout(game: Game[S], state: S, depth: int, memory: ScoutMemory) -> int:
    """The value of a State."""
    memory.nodes += 1
    start_line(memory, depth)
    if game.is_terminal(state):
        return terminal(game, state, depth, memory)
    if depth == 0:
        return horizon(game, state, memory)
    memory.interior += 1
    best = -INFINITY
    for action in game.actions(state):
        child = game.result(state, action)
        same = game.keeps_turn(state, child)
        if best > -INFINITY:
            if same:
                bound = reaches(game, child, depth - 1, best, best + 1, memory)
            else:
                bound = -reaches(game, child, depth - 1, -best - 1, -best, memory)
            if bound <= best:
                continue
            memory.researches += 1
        value = scout(game, child, depth - 1, memory)
        best = value if same else -value
        extend_line(memory, depth, action)
        note_root(memory, depth, action, best)
    expect_action(state, best, memory)
    return best


def reaches(game: Game[S], state: S, depth: int, alpha: int, beta: int, memory: ScoutMemory) -> int:
    """Whether the value of a State is at least beta, which is alpha + 1: a result >= beta is a
    lower bound of it, a result <= alpha an upper bound."""
    memory.nodes += 1
    if game.is_terminal(state):
        return terminal(game, state, depth, memory)
    if depth == 0:
        return horizon(game, state, memory)
    memory.interior += 1
    best = -INFINITY
    first = 1
    for action in game.actions(state):
        child = game.result(state, action)
        if game.keeps_turn(state, child):
            value = reaches(game, child, depth - 1, alpha, beta, memory)
        else:
            value = -reaches(game, child, depth - 1, -beta, -alpha, memory)
        best = max(best, value)
        if best >= beta:
            memory.cutoffs += 1
            memory.first_cutoffs += first
            break
        first = 0
    expect_action(state, best, memory)
    return best


class ScoutMemory(SearchMemory, Protocol):
    """The memory of SCOUT: `researches` counts the actions that were searched twice."""

    researches: int
