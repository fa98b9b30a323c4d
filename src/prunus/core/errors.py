"""The base class of all of Prunus's own errors, and the error that searches raise."""

from __future__ import annotations


class PrunusError(Exception):
    """Raised when a game, a position, a search or a file is not as it should be; one line says
    what, where and what to do.

    Its subclasses also derive from the built-in error that fits (usually `ValueError`). Errors that
    a game's rules raise, and an `OverflowError` or `IndexError` in a computation of theirs, come
    through unchanged.
    """


class SearchError(PrunusError, ValueError):
    """A search that cannot give an answer; the message says why and what to do."""
