"""What has been looked up about a position, and whoever can be asked."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from prunus.core.errors import PrunusError
from prunus.core.game import Game, PositionError
from prunus.core.position import Position


class AdviceError(PrunusError, ValueError):
    """A book or table that cannot be read, or that is for another game."""


@dataclass(frozen=True)
class Advice:
    """The `actions` to choose from: only one that is to be made at once, or those that keep the
    `value`, among which a search may choose. The value is for the player to move, None if none is
    known; `proved`: it is exact by the rules of the game. `source` says who knows it."""

    actions: tuple[int, ...]
    value: int | None = None
    proved: bool = False
    source: str = ""


class Adviser(Protocol):
    """A book or a table."""

    def advise(self, game: Game, position: Position, rng: random.Random) -> Advice | None:
        """What is known of a position that is not over; None if nothing is. `rng` draws among
        actions that are equally good."""

    def close(self) -> None:
        """Close its files."""


def advice_of(
    advisers: Sequence[Adviser], game: Game, position: Position, rng: random.Random
) -> Advice | None:
    """What the first adviser says who knows the position."""
    for adviser in advisers:
        found = adviser.advise(game, position, rng)
        if found is not None and found.actions:
            return found
    return None


def action_of(game: Game, state: object, name: str) -> int | None:
    """The action of a name that was looked up; None if there is none, so that a book with errors,
    or a position that is mistaken for another, does no harm."""
    try:
        return int(game.action_named(state, name))
    except PositionError:
        return None


def existing(path: str, what: str) -> Path:
    """The path, expanded. Raises AdviceError if there is nothing."""
    found = Path(path).expanduser()
    if not found.exists():
        raise AdviceError(f"{what}: there is no {path}")
    return found
