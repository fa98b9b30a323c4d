"""Levels of difficulty: how many nodes a move may take, and how often it is drawn by lot.

The strength of the levels has been measured in chess, Othello and Connect Four by
`python -m benchmarks.levels`; a level means the same in every game. Nothing heavy is imported here:
an engine's greeting names the levels.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from prunus.core.errors import PrunusError
from prunus.core.game import Game
from prunus.core.position import Position


class LevelError(PrunusError, ValueError):
    """A level or rating that does not exist."""


@dataclass(frozen=True)
class Level:
    """What weakens a player: the nodes of a move, and the chance, in percent, that a move is drawn
    among all that are allowed."""

    nodes: int
    chance: float = 0.0

    def draws(self, game: Game, position: Position, rng: random.Random) -> int | None:
        """The action to make without a search; None: search. The position must have an action."""
        from prunus.algorithms.repetition import allowed_actions

        if rng.random() * 100 >= self.chance:
            return None
        return rng.choice(list(allowed_actions(game, position.path)))


LEVELS: Final = (
    Level(100, 60),
    Level(100, 40),
    Level(200, 25),
    Level(200, 12),
    Level(400, 4),
    Level(800),
    Level(3_000),
    Level(12_000),
    Level(50_000),
    Level(200_000),
)
"""The levels from 1 on."""

RATINGS: Final[Mapping[str, tuple[int, ...]]] = {
    "chess": (14, 311, 635, 970, 1335, 1617, 1947, 2256, 2468, 2738),
    "othello": (284, 566, 669, 875, 1113, 1240, 1440, 1635, 1833, 1964),
    "connect-four": (298, 355, 623, 695, 804, 894, 936, 1049, 1057, 1136),
}
"""The measured Elo of each level, by game. A player who draws every move by lot has 0; in chess
level 10 has what it scored against a program of known strength, so that `UCI_Elo` means there about
what it means elsewhere."""


def level_of(number: int) -> Level:
    """A level by its number. Raises LevelError."""
    if not 1 <= number <= len(LEVELS):
        raise LevelError(f"level {number}: the levels are 1 to {len(LEVELS)}")
    return LEVELS[number - 1]


def ratings_of(game: str) -> tuple[int, ...]:
    """The Elo of the levels in a game, as it is named on the command line; nothing if it has not
    been measured."""
    return RATINGS.get(game, ())


def level_with(game: str, rating: int) -> Level:
    """What gives a player about this Elo: between two levels, the means between theirs. Raises
    LevelError for a game without measured levels, or a rating beyond the levels."""
    ratings = ratings_of(game)
    if not ratings or not ratings[0] <= rating <= ratings[-1]:
        known = f"{ratings[0]} to {ratings[-1]}" if ratings else "not measured for this game"
        raise LevelError(f"a rating of {rating}: the levels' ratings are {known}")
    for number, (low, high) in enumerate(pairwise(ratings)):
        if rating <= high:
            part = (rating - low) / (high - low)
            return _between(LEVELS[number], LEVELS[number + 1], part)
    return LEVELS[-1]


def _between(low: Level, high: Level, part: float) -> Level:
    nodes = round(low.nodes ** (1 - part) * high.nodes**part)
    return replace(low, nodes=nodes, chance=low.chance + part * (high.chance - low.chance))
