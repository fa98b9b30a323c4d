"""What an installed book and the opened databases know of a position, for a page to show beside a
search."""

from __future__ import annotations

from prunus.algorithms.repetition import is_over
from prunus.core.game import Game
from prunus.core.generic import Json
from prunus.core.position import Position
from prunus.studio.solved import Databases
from prunus.tables.book import installed_book


def known_of(game: Game, position: Position, databases: Databases) -> list[Json]:
    """What is known without a search: for each source its name (empty for the book), whether its
    values are scores, and the value for the player to move, with its plies if they are known. A
    value of a database is the position's alone: what was played before it does not count."""
    if game.players != 2 or is_over(game, position.path):
        return []
    found: list[Json] = []
    book = installed_book(game)
    entry = book.find(position.state) if book is not None else None
    if entry is not None:
        value = {"value": entry.value, "plies": None}
        found.append({"name": "", "scored": True, "value": value})
    for each in databases.of(game):
        known = each.probe(position.state)
        if known is not None:
            scored = each.database.scored
            found.append({"name": each.name, "scored": scored, "value": known._asdict()})
    return found
