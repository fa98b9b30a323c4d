"""The books and tables of a player."""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prunus.core.game import Game
from prunus.core.position import Position
from prunus.play.advice.advice import Advice, Adviser, advice_of

if TYPE_CHECKING:
    from prunus.databases.folder import Database
    from prunus.tables.book import Book


@dataclass(frozen=True)
class Library:
    """Where a player may look: the folder of a `database`, a Polyglot `book`, folders of Syzygy
    tables, and, with `installed`, the opening book that is installed for the game. Empty texts mean
    none."""

    book: str = ""
    syzygy: str = ""
    installed: bool = False
    database: str = ""

    def opened(self, game: Game) -> Shelf:
        """All of it, open. Raises AdviceError, and DatabaseError."""
        found: list[Adviser] = []
        try:
            if self.database:
                from prunus.databases.folder import Database

                found.append(OpenedDatabase(Database(self.database, game)))
            if self.book:
                from prunus.play.advice.polyglot import PolyglotBook

                found.append(PolyglotBook(game, self.book))
            if self.syzygy:
                from prunus.play.advice.syzygy import SyzygyTables

                found.append(SyzygyTables(game, self.syzygy))
            if self.installed and game.repetition == "none":
                found += _installed(game)
        except Exception:
            Shelf(game, found).close()
            raise
        return Shelf(game, found)


class Shelf:
    """Open books and tables for a game."""

    def __init__(self, game: Game, advisers: list[Adviser]) -> None:
        self.game, self.advisers = game, advisers

    def advise(self, position: Position, rng: random.Random) -> Advice | None:
        """What is known of a position that is not over."""
        return advice_of(self.advisers, self.game, position, rng)

    def close(self) -> None:
        """Close all files."""
        for adviser in self.advisers:
            with suppress(OSError, ValueError):
                adviser.close()


def _installed(game: Game) -> list[Adviser]:
    from prunus.tables.book import installed_book

    book = installed_book(game)
    return [] if book is None else [InstalledBook(book)]


class InstalledBook:
    """The opening book of a game that Prunus has solved."""

    def __init__(self, book: Book) -> None:
        self.book = book

    def advise(self, game: Game, position: Position, rng: random.Random) -> Advice | None:
        known = self.book.find(position.state)
        if known is None:
            return None
        return Advice((int(rng.choice(known.best)),), int(known.value), True, "book")

    def close(self) -> None:
        """Nothing is open."""


class OpenedDatabase:
    """A database of the game. Of the actions that win, it names the quickest, so that a game with
    cycles ends."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def advise(self, game: Game, position: Position, rng: random.Random) -> Advice | None:
        from prunus.databases.past import value_after

        moves = self.database.moves(position.state)
        if not moves:
            return None
        equal = [action for action, known in moves if known == moves[0][1]]
        known = value_after(self.database, position.path)
        if known is None:
            return None
        return Advice((rng.choice(equal),), known.value, known.proved, "database")

    def close(self) -> None:
        """Nothing is open but maps of memory."""
