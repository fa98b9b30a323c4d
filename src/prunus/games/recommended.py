"""The options of the engine that games recommend to their players (`Game.playing_options`).

They are kept apart from the games, so that an engine can tell them in its greeting before it loads
its game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

CHESS: Final[Mapping[str, int]] = {
    "quiescence": True,
    "delta": 200,
    "etc": 0,
    "reuse": True,
    "check_extension": True,
    "gravity": True,
    "null_move": 2,
    "reductions": 4,
    "late_pruning": 5,
    "far_futility": 120,
    "reverse_futility": 90,
    "razoring": 250,
}
