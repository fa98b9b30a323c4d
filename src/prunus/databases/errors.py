"""The error of databases."""

from __future__ import annotations

from prunus.core.errors import PrunusError


class DatabaseError(PrunusError, ValueError):
    """A game that cannot be solved in every position, or a database that cannot be used; the
    message says why."""
