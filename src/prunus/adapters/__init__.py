"""Games of other libraries, run unchanged and interpreted: `openspiel:NAME`,
`easyai:FILE.py:CLASS`, `python-chess`."""

from __future__ import annotations

from prunus.core.game import Game
from prunus.core.position import Position, read_position
from prunus.games.catalogue import open_position


def open_any(spec: str, text: str = "") -> tuple[Game, Position]:
    """A game of any library and one of its positions, from their texts. Raises GameError, or
    PositionError if the text is not a position of the game."""
    game = open_adapted(spec)
    if game is None:
        return open_position(spec, text)
    return game, read_position(game, text)


def open_adapted(spec: str) -> Game | None:
    """The game that a text names, or None for a text that does not begin with the name of one of
    the libraries.

    `openspiel:breakthrough(rows=6,columns=6)`; `easyai:FILE.py:CLASS`,
    `easyai:FILE.py:CLASS:option=value`, or `easyai:CLASS` for one of easyAI's own examples;
    `python-chess`, `python-chess:FEN`. Raises GameError, whose one line says what is wrong: a
    library that is not installed, no such game, file or class, a game of another kind.
    """
    library, _, rest = spec.strip().partition(":")
    if library == "openspiel":
        from prunus.adapters.openspiel import OpenSpielGame

        return OpenSpielGame(rest)
    if library == "easyai":
        from prunus.adapters.easyai import open_easyai

        return open_easyai(rest)
    if library == "python-chess":
        from prunus.adapters.python_chess import open_chess

        return open_chess(rest)
    return None
