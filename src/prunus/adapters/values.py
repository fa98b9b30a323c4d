"""Positions of other libraries as values: compared, hashed and keyed by a text that describes
them."""

from __future__ import annotations

import difflib
import hashlib
import importlib
from collections.abc import Iterable
from typing import Any, TypeAlias

from prunus.core.bits import u64
from prunus.games.errors import GameError

Foreign: TypeAlias = Any
"""An object of another library, which has no types or need not be installed."""


def library(module: str, name: str, extra: str) -> Foreign:
    """A library's module. Raises GameError, with the command that installs it, if it is missing."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        # If the library is there but lacks something it needs, that is another error, which must be
        # seen.
        if error.name != module:
            raise
        raise GameError(f"{name} is not installed: pip install 'prunus[{extra}]'") from None


class Described:
    """A position of another library that nobody changes. Two are equal if their `description`, a
    text computed once, is the same."""

    __slots__ = ("_described",)

    _described: str

    def describe(self) -> str:
        """The text that tells positions of one game apart."""
        raise NotImplementedError

    @property
    def description(self) -> str:
        """`describe()`, computed when it is first asked for."""
        try:
            return self._described
        except AttributeError:
            self._described = self.describe()
            return self._described

    def __eq__(self, other: object) -> bool:
        return self is other or (
            type(other) is type(self) and self.description == other.description
        )

    def __hash__(self) -> int:
        return hash(self.description)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.description!r})"


def key_of(position: Described) -> u64:
    """A 64-bit key of a position, the same in every process: equal positions have equal keys."""
    return u64(
        int.from_bytes(
            hashlib.blake2b(position.description.encode(), digest_size=8).digest(), "little"
        )
    )


def one_word(text: str) -> str:
    """A name without white space, so that names can be separated by it."""
    return "".join(text.split()) or "-"


def suggestion(name: str, known: Iterable[str], plural: str) -> str:
    """A hint for an unknown name: the closest known names, or else all of them."""
    known = list(known)
    close = difflib.get_close_matches(name, known, n=2) or difflib.get_close_matches(
        name.lower(), known, n=2
    )
    return (
        f"did you mean {' or '.join(close)}?"
        if close
        else f"the {plural}: {', '.join(known) or 'none'}"
    )


def scaled(value: float, scale: int, what: str) -> int:
    """An outcome times `scale`, as an integer. Raises ValueError if that is not an integer, because
    rounding might make two outcomes equal."""
    product = value * scale
    nearest = round(product)
    if abs(product - nearest) > 1e-6:
        raise ValueError(
            f"{what} is {value}, which is not a multiple of 1/{scale}: make the game with a "
            f"larger scale, such as scale={scale * 1000}"
        )
    return nearest
