"""What tells the rules of stored positions from all others: class, parameters, source."""

from __future__ import annotations

import inspect
from typing import Final

from prunus.core.game import Game
from prunus.core.knowledge.combining import original
from prunus.core.state import is_machine_state
from prunus.kernel.code.digest import is_told, source_digest
from prunus.kernel.code.rules import rules_of
from prunus.tables.errors import BookError

WEIGHTS: Final = "weights"
"""The parameter of an evaluation; the rules are the same whatever it is."""


def identity(game: Game) -> str:
    """The identity of a book's game: the class of the game and its parameters, which it keeps as
    attributes of the same names or with a `_` before them; for a user's class also a digest of all
    the source it reaches and, if it keeps a parameter under another name, of its attributes.
    Separate parts do not count, because they leave the rules as they are. Raises BookError."""
    game = original(game)
    rules = rules_of(game)
    known = game.__dict__.get("_prunus_identity")
    if known is None or known[0] is not rules:
        known = (rules, _identity(game))
        object.__setattr__(game, "_prunus_identity", known)
    return str(known[1])


def _identity(game: Game) -> str:
    cls = type(game)
    attributes = {name: value for name, value in game.attributes().items() if name != WEIGHTS}
    values = [
        (name, attributes[kept])
        for name in inspect.signature(cls).parameters
        for kept in (name, f"_{name}")
        if kept in attributes
    ]
    if not is_machine_state(game.initial()) or not all(
        isinstance(value, int | float | str | tuple) for _, value in values
    ):
        raise BookError(
            f"nothing can be stored for {game.title()}: its States or its parameters are not plain "
            f"numbers"
        )
    text = f"{cls.__qualname__}({', '.join(f'{name}={_plain(value)}' for name, value in values)})"
    if not any(
        issubclass(each, Game) and not each.__module__.startswith("prunus.") for each in cls.__mro__
    ):
        return text
    kept = {name for name, _ in values} | {WEIGHTS}
    lost = [name for name in inspect.signature(cls).parameters if name not in kept]
    if lost and not all(map(is_told, attributes.values())):
        raise BookError(
            f"nothing can be stored for {game.title()}: its parameter {lost[0]} decides what it "
            f"keeps; keep it, too: self.{lost[0]} = {lost[0]}"
        )
    try:
        return f"{text} {source_digest(cls, attributes if lost else {})[:16]}"
    except (OSError, TypeError):
        raise BookError(
            f"nothing can be stored for {game.title()}: its source is not in a file"
        ) from None


def _plain(value: object) -> str:
    return repr(
        tuple(map(int, value))
        if isinstance(value, tuple)
        else int(value)
        if isinstance(value, int)
        else value
    )
