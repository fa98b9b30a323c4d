"""Oracles: the shortest correct code for each thing, without regard to speed."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from prunus.core.game import INFINITY, Game


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


def remembered_value(game: Game, state: Any, known: dict[Any, int]) -> int:
    """The same of the whole game, each State once; `known` keeps the values for the next call."""
    if state not in known:
        if game.is_terminal(state):
            known[state] = game.utility(state)
            return known[state]
        best = -INFINITY
        for action in list(game.actions(state)):
            child = game.result(state, action)
            value = remembered_value(game, child, known)
            best = max(best, value if game.keeps_turn(state, child) else -value)
        known[state] = best
    return known[state]


def times_on_board(game: Game, path: tuple[Any, ...]) -> int:
    """How often the last State of a path has occurred on it, this time included, with the same
    player to move."""
    movers = [0]
    for state, child in pairwise(path):
        movers.append(movers[-1] if game.keeps_turn(state, child) else 1 - movers[-1])
    return sum(
        state == path[-1] and mover == movers[-1] for state, mover in zip(path, movers, strict=True)
    )


def value_after(
    game: Game, path: tuple[Any, ...], depth: int | None = None, quiet: bool = False
) -> int:
    """The minimax value for the player to move after a path, whose last State is the position,
    under the game's rule of repetition. `quiet`: at the depth limit the player to move may stand
    pat or take a noisy action."""
    state = path[-1]
    if game.is_terminal(state):
        return game.utility(state)
    again = times_on_board(game, path) >= game.repetition_count
    if again and game.repetition == "draw":
        return 0
    if again and game.repetition == "loss":
        return -game.repetition_loss if game.keeps_turn(path[-2], state) else game.repetition_loss
    if depth == 0 and not quiet:
        return game.evaluate(state)
    at_limit = depth == 0
    values = [game.evaluate(state)] if at_limit else []
    for action in list(game.noisy_actions(state) if at_limit else game.actions(state)):
        child = game.result(state, action)
        if (
            game.repetition == "forbidden"
            and times_on_board(game, (*path, child)) >= game.repetition_count
        ):
            continue
        value = value_after(
            game, (*path, child), 0 if at_limit else None if depth is None else depth - 1, quiet
        )
        values.append(value if game.keeps_turn(state, child) else -value)
    return max(values, default=-game.repetition_loss)


def perft(game: Game, state: Any, depth: int) -> int:
    """The number of lines of exactly `depth` plies."""
    if depth == 0:
        return 1
    if game.is_terminal(state):
        return 0
    return sum(
        perft(game, game.result(state, action), depth - 1) for action in list(game.actions(state))
    )


def leaves(game: Game, state: Any) -> int:
    """The number of lines to the end of the game."""
    if game.is_terminal(state):
        return 1
    return sum(leaves(game, game.result(state, action)) for action in list(game.actions(state)))


def alphabeta(
    game: Game, state: Any, alpha: int, beta: int, seen: list[Any], deep: bool = True
) -> int:
    """Fail-soft alpha-beta from left to right; `seen` collects every State visited. Without `deep`,
    a node forgets its grandparents' bounds (F1 of Knuth & Moore 1975). For games whose State tells
    whose turn it is, or whose players alternate."""
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
