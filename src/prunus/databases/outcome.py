"""Won, drawn, lost."""

from __future__ import annotations

from enum import StrEnum


class Outcome(StrEnum):
    """What a position is for the player to move."""

    won = "won"
    drawn = "drawn"
    lost = "lost"
