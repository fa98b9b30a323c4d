"""What evaluations, tactics and certainties have in common: each is a part of a game that can be
written apart from its rules."""

from __future__ import annotations

from prunus.core.rules import Rules


class Part(Rules):
    """Methods that say something of a game's positions besides its rules.

    They stand in the class of a game like any others. A class that is derived from a part alone is
    written apart: `self` is the game that it is used with, its attributes, methods and State. What
    such a class defines for itself, attributes set in `__init__` among them, joins the game's, by
    names that the game has not.
    """

    def prepare(self) -> None:
        """Set attributes that are made from those of the game, once, when a part that was written
        apart is put into it."""
