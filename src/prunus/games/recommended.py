"""The options of the engine that games recommend to their players (`Game.playing_options`).

They are kept apart from the games, so that an engine can tell them in its greeting before it loads
its game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

CHESS: Final[Mapping[str, int]] = {
    "quiescence": True,
    "quiescence_table": True,
    "delta": 200,
    "etc": 0,
    "iid": 0,
    "iir": 4,
    "reuse": True,
    "check_extension": True,
    "improving": True,
    "gravity": True,
    "continuation": True,
    "twofold": True,
    "null_move": 2,
    "null_verify": 12,
    "reductions": 2,
    "late_pruning": 4,
    "far_futility": 120,
    "reverse_futility": 90,
    "razoring": 250,
    "exchanges": 60,
    "multi_cut": 2,
}
