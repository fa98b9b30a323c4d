"""The base of all errors of Prunus's own."""

from __future__ import annotations


class PrunusError(Exception):
    """What Prunus raises where a game, a position, a search or a file is not as it has to be; one line says what, where and what to do.

    The kinds also derive from the built-in error that fits (`ValueError` as a rule). What the rules of a game raise themselves, and the
    `OverflowError` or `IndexError` of a computation in them, comes through as it is.
    """
