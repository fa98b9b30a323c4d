"""What the engine keeps in its memory beyond what every search keeps."""

from __future__ import annotations

from typing import Final

from prunus.engine.amounts import amount_fields
from prunus.engine.frames import frame_fields
from prunus.engine.options import Options
from prunus.engine.picking import ordering_fields
from prunus.kernel.memory import Spec

EXTRA_PLIES: Final = 64
"""How many plies quiescence and extensions may go beyond the depth limit."""


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
