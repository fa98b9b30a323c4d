"""The error of a game that cannot be made."""

from __future__ import annotations

from prunus.core.errors import PrunusError


class GameError(PrunusError, ValueError):
    """A text that does not name a game, or a game that cannot be made; the message is one line that
    says what is wrong and where."""
