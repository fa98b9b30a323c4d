"""A few games at random, before a game with texts in its States is compiled: compiled code keeps a
text's letters in as many bytes as the first State has, which nothing in the rules promises."""

from __future__ import annotations

import random
import time
from typing import Any, Final

from numba.core import errors

from prunus.core.game import Game
from prunus.core.state import fields_of, is_state_class, lengths_of, texts_in

GAMES: Final = 16
PLIES: Final = 256
SECONDS: Final = 0.25
"""The games that are tried, the plies of each, and how long all may take."""


def text_fault(state: Any) -> str:
    """Why compiled code cannot hold the texts of a State, "" if it can."""
    for field, value in zip(fields_of(type(state)), state, strict=True):
        where = f"the text in field {field.name!r} of {type(state).__qualname__}"
        for text in texts_in(field, value):
            if not text:
                return (
                    f"{where} is empty, and compiled code keeps the length of the first State: "
                    f"begin with one of full length"
                )
            if max(text) > "\xff":
                return f"{where} has a letter beyond Latin-1, {max(text)!r}: use others"
    return ""


def try_texts(game: Game, states: list[Any]) -> None:
    """Play a few games from each of these States, by the rules as Python runs them. Raises
    TypingError if one of them comes to a State whose texts have another length than at first, or
    letters that compiled code cannot hold. Errors of the rules are left to be found."""
    end = time.monotonic() + SECONDS
    for state in states:
        if is_state_class(type(state)) and any(field.is_text for field in fields_of(type(state))):
            rng = random.Random(0)  # noqa: S311 - no secret depends on it
            for _ in range(GAMES):
                _try_one(game, state, rng, end)


def _try_one(game: Game, first: Any, rng: random.Random, end: float) -> None:
    state = first
    for _ in range(PLIES):
        try:
            actions = [] if game.is_terminal(state) else list(game.actions(state))
            if not actions or time.monotonic() > end:
                return
            state = game.result(state, rng.choice(actions))
        except Exception:  # the search itself will come to it, and say where it was
            return
        if type(state) is not type(first):
            return
        if fault := text_fault(state) or _other_length(first, state):
            raise errors.TypingError(fault)


def _other_length(first: Any, state: Any) -> str:
    for field, usual, length in zip(
        fields_of(type(first)), lengths_of(first), lengths_of(state), strict=True
    ):
        if field.is_text and usual != length:
            return (
                f"the text in field {field.name!r} of {type(first).__qualname__} has {usual} "
                f"letters at first and {length} later; compiled code needs one length: fill it up "
                f"with letters that mean nothing, and keep the number of those that count in "
                f"another field"
            )
    return ""
