"""What is wrong with a stored book."""

from __future__ import annotations

from prunus.core.errors import PrunusError


class BookError(PrunusError, ValueError):
    """A book that cannot be used or made; the message says why."""
