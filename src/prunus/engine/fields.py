"""The fields of the engine's memory besides those of every search."""

from __future__ import annotations

from typing import Final

from prunus.engine.amounts import amount_fields
from prunus.engine.frames import frame_fields
from prunus.engine.learning import ordering_fields
from prunus.engine.options import Options
from prunus.kernel.memory import Spec

EXTRA_PLIES: Final = 64
"""The most plies that quiescence and extensions may go beyond the depth limit."""


def engine_fields(depth: int, room: int) -> Spec:
    """The fields of a Memory for lines of `depth` plies, with the switches of the default
    options."""
    return {
        "researches": "i64",
        **frame_fields(depth),
        **ordering_fields(depth),
        "budget": ("i64", depth + 2),
        "busy": ("u64", 0),
        **amount_fields(),
        **Options().switches(),
    }
