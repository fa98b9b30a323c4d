"""Oracles: the shortest correct text of each thing, without any speed."""

from __future__ import annotations

from typing import Any

from prunus.game import INFINITY, Game


def minimax_value(game: Game, state: Any, depth: int | None = None) -> int:
    """The minimax value for the player to move, of the whole game or within `depth` plies."""
    if game.is_terminal(state):
        return game.utility(state)
    if depth == 0:
        return game.evaluate(state)
    best = -INFINITY
    for action in list(game.actions(state)):
        child = game.result(state, action)
        value = minimax_value(game, child, None if depth is None else depth - 1)
        best = max(best, value if game.keeps_turn(state, child) else -value)
    return best


def perft(game: Game, state: Any, depth: int) -> int:
    """The number of lines of exactly `depth` plies."""
    if depth == 0:
        return 1
    if game.is_terminal(state):
        return 0
    return sum(perft(game, game.result(state, action), depth - 1) for action in list(game.actions(state)))


def leaves(game: Game, state: Any) -> int:
    """The number of lines to the end of the game."""
    if game.is_terminal(state):
        return 1
    return sum(leaves(game, game.result(state, action)) for action in list(game.actions(state)))


def alphabeta(game: Game, state: Any, alpha: int, beta: int, seen: list[Any], deep: bool = True) -> int:
    """Fail-soft alpha-beta from left to right; `seen` collects every State visited. Without `deep` a node forgets its grandparents'
    bounds (F1 of Knuth & Moore 1975). For games whose turn the State tells or whose players alternate."""
    seen.append(state)
    if game.is_terminal(state):
        return game.utility(state)
    best = -INFINITY
    for action in list(game.actions(state)):
        child = game.result(state, action)
        low = max(alpha, best) if deep else best
        if game.keeps_turn(state, child):
            value = alphabeta(game, child, low, beta, seen, deep)
        else:
            value = -alphabeta(game, child, -beta if deep else -INFINITY, -low, seen, deep)
        best = max(best, value)
        if best >= beta:
            break
    return best
