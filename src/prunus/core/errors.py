"""The base of all errors of Prunus's own, and the one that searches raise."""

from __future__ import annotations


class PrunusError(Exception):
    """What Prunus raises where a game, a position, a search or a file is not as it has to be; one line says what, where and what to do.

    The kinds also derive from the built-in error that fits (`ValueError` as a rule). What the rules of a game raise themselves, and the
    `OverflowError` or `IndexError` of a computation in them, comes through as it is.
    """


class SearchError(PrunusError, ValueError):
    """A search that cannot give an answer; the message says why and what to do."""
