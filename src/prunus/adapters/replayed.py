"""Games of other libraries whose positions are written as the moves that led to them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Protocol

from prunus.adapters.values import Described, key_of
from prunus.core.bits import u64
from prunus.core.game import Game

MOVES: Final = "moves:"
"""Stands before the moves played in a position's text."""


class Extended(Described):
    """A position that its moves led to."""

    __slots__ = ()

    def after(self, action: int) -> Extended:
        """The position after a move."""
        raise NotImplementedError


class Replayed(Protocol):
    """A State of such a game."""

    @property
    def position(self) -> Extended: ...


class ReplayedGame(Game):
    """A game whose States have one field, `position`: a `Described` position of the library that
    has a method `after(action)`."""

    def result(self, state: Replayed, action: int) -> Replayed:
        return self.State(state.position.after(action))

    def key(self, state: Replayed) -> u64:
        return key_of(state.position)

    def parse(self, text: str) -> Replayed:
        """The State after the named moves, which are separated by white space; the text may also be
        what `format` writes. Raises PositionError."""
        return self.play(
            text.rpartition(MOVES)[2].split() if text.strip().lower() != "start" else []
        )

    def written(self, drawing: str, moves: Iterable[str]) -> str:
        """The library's drawing of a position, if it makes one, and below it the moves played from
        the start."""
        shown = drawing.strip("\n")
        return (f"\n{shown}\n" if shown else "") + " ".join([MOVES, *moves])
