"""The options of the engine that games recommend to their players (`Game.playing_options`).

They are kept apart from the games, so that an engine can tell them in its greeting before it loads
its game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

PAWN: Final = 75
"""What a pawn is worth to the evaluation of chess, between its weights for the middle game and for
the ending: the unit of the margins that compare evaluations. (`exchanges` compares exchanges, in
which a pawn is worth 100.)"""

CHESS: Final[Mapping[str, int]] = {
    "quiescence": True,
    "quiescence_table": True,
    "delta": 2 * PAWN,
    "etc": 0,
    "iid": 0,
    "iir": 4,
    "reuse": True,
    "check_extension": True,
    "improving": True,
    "gravity": True,
    "continuation": True,
    "correction": True,
    "lasting": True,
    "twofold": True,
    "null_move": 2,
    "null_verify": 12,
    "reductions": 2,
    "late_pruning": 4,
    "far_futility": 6 * PAWN // 5,
    "reverse_futility": 9 * PAWN // 10,
    "exchanges": 60,
    "multi_cut": 2,
}
