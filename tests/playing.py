"""Random games for the tests."""

from __future__ import annotations

import random
from typing import Any

from prunus.core.game import Game
from prunus.run.random_play import play_at_random

LONGEST_WALK = 400


def walk(game: Game, seed: int, plies: int = LONGEST_WALK) -> list[Any]:
    """The States of a random game, from the start to its end or at most this many plies on."""
    return play_at_random(game, plies, random.Random(seed)).states
