"""What the catalogue says of a game: its name, its options and its notation."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass

from prunus.core.game import Game


@dataclass(frozen=True)
class Option:
    """One option of a game: `kind` is "int", "bool", "str" or "piles" (numbers joined by `-`)."""

    name: str
    kind: str
    default: object
    help: str


@dataclass(frozen=True)
class Entry:
    """One game of the catalogue; `target` is `module:callable`, imported when the game is made."""

    name: str
    summary: str
    target: str
    options: tuple[Option, ...]
    notation: str
    example: str

    def factory(self) -> Callable[..., Game]:
        """The function that makes the game from its options."""
        module, name = self.target.split(":")
        made: Callable[..., Game] = getattr(importlib.import_module(module), name)
        return made
