"""The common part of evaluations, tactics and certainties: each is a part of a game that can be
written separately from its rules."""

from __future__ import annotations

from prunus.core.generic import S
from prunus.core.rules import Rules


class Part(Rules[S]):
    """Methods that describe a game's positions beyond its rules.

    They can be methods of the game's class like any others. A class derived from a part alone is
    written separately: `self` is the game that it is used with, with its attributes, methods and
    State. What such a class defines for itself, including attributes set in `__init__`, joins the
    game's, under names that the game does not use.
    """

    def prepare(self) -> None:
        """Set attributes that are computed from the game's, once, when a separately written part is
        put into it."""
