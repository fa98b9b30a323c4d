"""What tells the rules of stored positions from all others: class, parameters, source."""

from __future__ import annotations

import inspect
from typing import Final

from prunus.core.game import Game
from prunus.core.knowledge.combining import original
from prunus.core.state import is_machine_state
from prunus.kernel.code.digest import source_digest
from prunus.kernel.code.parts import is_told
from prunus.kernel.code.rules import meaning_of, rules_of
from prunus.tables.errors import BookError

WEIGHTS: Final = "weights"
"""The parameter of an evaluation; the rules are the same whatever it is."""


def identity(game: Game) -> str:
    """The identity of a book's game: the class of the game and its parameters, which it keeps as
    attributes of the same names or with a `_` before them; for a user's class also a digest of all
    the source it reaches and of what else it keeps. Separate parts do not count, because they leave
    the rules as they are. Raises BookError."""
    game = original(game)
    meaning: object = rules_of(game)
    if _is_a_users(type(game)):
        meaning = meaning_of(game)
    known = game.__dict__.get("_prunus_identity")
    if known is None or known[0] != meaning:
        known = (meaning, _identity(game))
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
    if not is_machine_state(game.initial()) or not all(_is_plain(value) for _, value in values):
        raise BookError(
            f"nothing can be stored for {game.title()}: its States or its parameters are not plain "
            f"numbers"
        )
    text = f"{cls.__qualname__}({', '.join(f'{name}={_plain(value)!r}' for name, value in values)})"
    if not _is_a_users(cls):
        return text
    kept = {name for name, _ in values} | {WEIGHTS}
    lost = [name for name in inspect.signature(cls).parameters if name not in kept]
    if lost and not all(map(is_told, attributes.values())):
        raise BookError(
            f"nothing can be stored for {game.title()}: its parameter {lost[0]} decides what it "
            f"keeps; keep it, too: self.{lost[0]} = {lost[0]}"
        )
    estimates = _set_by_parts(cls)
    more = {
        name: value
        for name, value in attributes.items()
        if lost or not (name in kept or name[0] == "_" or name in estimates)
    }
    try:
        return f"{text} {source_digest(cls, more)[:16]}"
    except (OSError, TypeError):
        raise BookError(
            f"nothing can be stored for {game.title()}: its source is not in a file"
        ) from None


def _is_a_users(cls: type) -> bool:
    return any(
        issubclass(each, Game) and not each.__module__.startswith("prunus.") for each in cls.__mro__
    )


def _set_by_parts(cls: type) -> set[str]:
    """The attributes that evaluations and other parts compute for themselves."""
    prepared = (vars(base).get("prepare") for base in cls.__mro__)
    return {name for each in prepared if each is not None for name in each.__code__.co_names}


def _is_plain(value: object) -> bool:
    return (
        all(map(_is_plain, value))
        if isinstance(value, tuple)
        else isinstance(value, int | float | str)
    )


def _plain(value: object) -> object:
    """A parameter with whole numbers as plain integers."""
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    return int(value) if isinstance(value, int) else value
