"""Evaluations by their texts: one that a game knows by name, or a class in the user's own file,
`FILE.py:CLASS`, with options of its constructor: `FILE.py:CLASS:worth=3`."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from prunus.core.game import Game
from prunus.core.knowledge.evaluation import Evaluation
from prunus.games.errors import GameError
from prunus.games.files import load_module, make_from_class, split_file

G = TypeVar("G", bound=Game)


def with_evaluation(game: G, text: str) -> G:
    """The game with the evaluation that a text names; an empty text leaves it as it is. Raises
    GameError if there is no such file or class, and PartError if the game has no evaluation of that
    name or does not suit the class."""
    found = split_file(text)
    if not text or found is None:
        return game.with_parts(evaluation=text) if text else game
    file, name, options = found
    cls = _class(file, name)
    return game.with_parts(evaluation=make_from_class(cls, options, text) if options else cls)


def _class(file: str, name: str) -> type[Evaluation]:
    """The evaluation class of this name in a file, or the only one in it."""
    module = load_module(Path(file).expanduser())
    own = {
        key: value
        for key, value in vars(module).items()
        if isinstance(value, type)
        and issubclass(value, Evaluation)
        and value.__module__ == module.__name__
        and not key.startswith("_")
    }
    listed = (
        f"its evaluations: {', '.join(own)}"
        if own
        else "no class in it derives from prunus.Evaluation"
    )
    if not name and len(own) == 1:
        return next(iter(own.values()))
    if not name:
        raise GameError(f"{file}: which class? write {file}:CLASS; {listed}")
    if name not in own:
        raise GameError(f"{file} has no evaluation {name!r}; {listed}")
    return own[name]
