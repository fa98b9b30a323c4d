"""The games that come with Prunus by name, and the user's own games by file: `nim:misere=true`,
`my.py:MyGame`."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from prunus.core.game import Game
from prunus.core.position import Position, read_position
from prunus.core.settings import read_settings
from prunus.games.entries import ENTRIES
from prunus.games.entry import Entry, Option
from prunus.games.errors import GameError
from prunus.games.files import CONVERSIONS, load_class, make_from_class, split_file

__all__ = ["GAMES", "Entry", "GameError", "Option", "make_game", "open_position"]


GAMES: Final[Mapping[str, Entry]] = {entry.name: entry for entry in ENTRIES}
"""The catalogue by name."""


def make_game(spec: str) -> Game:
    """The game that a text names: `NAME`, `NAME:option=value,option=value`, `FILE.py:CLASS` or
    `FILE.py:CLASS:option=value`.

    Raises GameError, whose one line says what is wrong and where.
    """
    parts = split_file(spec)
    if parts is not None:
        return make_from_class(load_class(parts[0], parts[1]), parts[2], spec)
    name, _, options = spec.partition(":")
    entry = GAMES.get(name.strip())
    if entry is None:
        raise GameError(f"there is no game {name.strip()!r}; {_meant(name.strip(), options)}")
    values = _options(entry, options)
    if entry.name == "tree":
        return _tree(str(values.get("file", "")))
    return _made(entry.factory(), values, spec)


def _meant(name: str, rest: str) -> str:
    """A suggestion for someone who wrote `name:rest`: a file of this name, a game with a similar
    name, or one of all games."""
    if name and Path(f"{name}.py").is_file():
        return f"did you mean {name}.py:{rest}?" if rest else f"did you mean {name}.py?"
    close = difflib.get_close_matches(name.lower(), GAMES, n=2)
    if close:
        return f"did you mean {' or '.join(close)}?"
    return f"the games are {', '.join(GAMES)}; your own game is FILE.py:CLASS"


def open_position(spec: str, text: str = "") -> tuple[Game, Position]:
    """A game and one of its positions, from their texts. The position of `tree` names its file:
    `FILE.json#2.1`.

    Raises GameError, or PositionError if the text is not a position of the game.
    """
    name, _, options = spec.partition(":")
    if name.strip() == "tree" and "file" not in _options(GAMES["tree"], options):
        path, _, text = text.partition("#")
        game = _tree(path.strip())
    else:
        game = make_game(spec)
    return game, read_position(game, text)


def _tree(path: str) -> Game:
    if not path:
        raise GameError(
            "the game tree needs a JSON file: give FILE.json, or FILE.json#2.1 for a node, as the "
            "position"
        )
    return _made(GAMES["tree"].factory(), {"file": path}, "tree")


def _made(factory: Callable[..., Game], values: dict[str, object], spec: str) -> Game:
    try:
        return factory(**values)
    except ValueError as error:
        raise GameError(f"{spec}: {error}") from None


def _options(entry: Entry, text: str) -> dict[str, object]:
    known = {option.name: option for option in entry.options}
    examples = {name: _shown(option.default) for name, option in known.items()}
    given = read_settings(text.split(","), examples, entry.name, GameError)
    return {name: _converted(entry, known[name], value) for name, value in given.items()}


def _converted(entry: Entry, option: Option, text: str) -> object:
    try:
        return CONVERSIONS[option.kind](text)
    except (ValueError, KeyError):
        wanted = {
            "int": "an integer",
            "bool": "true or false",
            "piles": "numbers joined by -, as in 3-5-7",
        }[option.kind]
        raise GameError(f"{entry.name}: option {option.name} is {wanted}, not {text!r}") from None


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "-".join(map(str, value)) if isinstance(value, tuple) else str(value) or "..."
