"""Bounds on the size of games: the most leaves and positions that a game tree can have (lecture
slides on decision algorithms, Di Lena)."""

from __future__ import annotations

import math


def leaves_of_turns(moves: int, turns: int) -> int:
    """The leaves of a game of `turns` turns with `moves` moves in each: m^n. Raises ValueError for
    negative numbers."""
    _counts(moves=moves, turns=turns)
    return int(moves**turns)


def nodes_of_turns(moves: int, turns: int) -> int:
    """The positions of a game of `turns` turns with `moves` moves in each: 1 + m + ... + m^n =
    (m^(n+1) - 1)/(m - 1). Raises ValueError for negative numbers."""
    _counts(moves=moves, turns=turns)
    return turns + 1 if moves == 1 else (moves ** (turns + 1) - 1) // (moves - 1)


def leaves_of_objects(objects: int) -> int:
    """The leaves of a game in which each turn uses up one of `objects` objects (the squares of a
    board): n!. Raises ValueError for a negative number."""
    _counts(objects=objects)
    return math.factorial(objects)


def nodes_of_objects(objects: int) -> int:
    """The positions of a game in which each turn uses up one of `objects` objects: the sum of n!/k!
    for k = 0 ... n, which is e n! rounded down (for n >= 1). Raises ValueError for a negative
    number."""
    _counts(objects=objects)
    return sum(math.perm(objects, used) for used in range(objects + 1))


def nodes_of_a_first_move_win(moves: int, turns: int) -> int:
    """The positions that alpha-beta visits, within the window of the extreme values, if one
    player's first moves win against everything: 1 + 1 + m + m + m^2 + ..., which for an odd number
    of turns n is 2 (m^(floor(n/2)+1) - 1)/(m - 1). Raises ValueError for negative numbers."""
    _counts(moves=moves, turns=turns)
    return sum(moves ** (level // 2) for level in range(turns + 1))


def _counts(**numbers: int) -> None:
    for name, number in numbers.items():
        if number < 0:
            raise ValueError(f"{name} must be at least 0, not {number}")
