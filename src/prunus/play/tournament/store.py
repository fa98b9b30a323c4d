"""The file of a tournament: an SQLite database with what is played, the players and every game.

Each game is written as soon as it is over, in a transaction of its own, so a process that is killed
loses only the games in progress. Tables: `about` (name, value as JSON), `players` (number, name,
spec) and `games`, one row a game, whose columns are the fields of `Record`; the view `results`
shows them with the players' names.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final, TypeVar

from prunus.core.generic import Json
from prunus.play.players import MatchError
from prunus.play.referee import Record
from prunus.play.tournament.schedule import Played, Slot

T = TypeVar("T")

FORMAT: Final = 1
"""The version of the tables; a file with another version is refused."""

LISTS: Final = ("opening", "moves", "thoughts")
TWOFOLD: Final = ("seconds", "slowest", "counts", "over", "depth", "searching")
SINGLE: Final = ("score", "utility", "end", "note", "start", "begun")
LATER: Final = {"thoughts": "TEXT NOT NULL DEFAULT '[]'", "begun": "TEXT NOT NULL DEFAULT ''"}
"""Columns that files of earlier versions lack; they are added to them."""

# Only constants are put into these statements.
TABLES: Final = f"""
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE players (number INTEGER PRIMARY KEY, name TEXT NOT NULL, spec TEXT NOT NULL);
CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    round INTEGER NOT NULL, first INTEGER NOT NULL, second INTEGER NOT NULL,
    first_begins INTEGER NOT NULL, start TEXT NOT NULL, opening TEXT NOT NULL, moves TEXT NOT NULL,
    score REAL NOT NULL, utility INTEGER, end TEXT NOT NULL, note TEXT NOT NULL,
    {", ".join(f"first_{name} REAL, second_{name} REAL" for name in TWOFOLD)},
    {", ".join(f"{name} {kind}" for name, kind in LATER.items())},
    played_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
    UNIQUE (round, first, second, first_begins)
);
CREATE VIEW results AS
    SELECT games.id, round, one.name AS first, two.name AS second, first_begins, score, utility,
           end, note, start, opening, moves, played_at
    FROM games JOIN players AS one ON one.number = first JOIN players AS two ON two.number = second;
"""  # noqa: S608


class Store:
    """An open file. Use it in the thread that has opened it."""

    def __init__(self, path: Path, title: Json, specs: Sequence[str]) -> None:
        """Open the file of a tournament, or begin one. `title` says what is played: the file of
        another tournament is refused with MatchError. Raises OSError if the file cannot be
        written."""
        self.path = path
        with path.open("ab"):  # an error that names the file, not just "unable to open"
            pass
        self.base = sqlite3.connect(path, isolation_level=None, timeout=10)
        try:
            self._begin(title, specs)
        except sqlite3.DatabaseError as error:
            self.base.close()
            raise MatchError(
                f"{path}: this is not the file of a match or tournament ({error}); choose another"
            ) from None
        except MatchError:
            self.base.close()
            raise

    def _begin(self, title: Json, specs: Sequence[str]) -> None:
        wanted = {"format": FORMAT, **title, "players": list(specs)}
        self.base.execute("BEGIN IMMEDIATE")
        tables = {name for (name,) in self._rows("SELECT name FROM sqlite_master")}
        if tables and not {"about", "players", "games"} <= tables:
            self.base.execute("ROLLBACK")
            raise MatchError(f"{self.path}: this database is not a tournament's; choose another")
        if not tables:
            for statement in TABLES.split(";"):
                self.base.execute(statement)
            self.base.executemany(
                "INSERT INTO about VALUES (?, ?)",
                [(name, json.dumps(value)) for name, value in wanted.items()],
            )
            self.base.executemany(
                "INSERT INTO players VALUES (?, ?, ?)",
                [(number, spec, spec) for number, spec in enumerate(specs)],
            )
        known_columns = {row[1] for row in self._rows("PRAGMA table_info(games)")}
        for name in LATER.keys() - known_columns:
            self.base.execute(f"ALTER TABLE games ADD COLUMN {name} {LATER[name]}")
        self.base.execute("COMMIT")
        known = {name: json.loads(value) for name, value in self._rows("SELECT * FROM about")}
        for name, value in wanted.items():
            if known.get(name) != value:
                raise MatchError(
                    f"{self.path} is the record of another match: its {name} is "
                    f"{_shown(known.get(name))}, not {_shown(value)}"
                )

    def _rows(self, statement: str) -> list[tuple[str, ...]]:
        return self.base.execute(statement).fetchall()

    def games(self) -> list[Played]:
        """All games in the order in which they ended."""
        return _games(self.base)

    def add(self, played: Played) -> None:
        """Keep a game."""
        slot, record = played.slot, played.record
        row: Json = {
            "round": slot.round,
            "first": slot.first,
            "second": slot.second,
            "first_begins": slot.first_begins,
        }
        row |= {name: getattr(record, name) for name in SINGLE}
        row |= {name: json.dumps(getattr(record, name), ensure_ascii=False) for name in LISTS}
        for name in TWOFOLD:
            row[f"first_{name}"], row[f"second_{name}"] = getattr(record, name)
        places = ", ".join("?" * len(row))
        self.base.execute(
            f"INSERT OR REPLACE INTO games ({', '.join(row)}) VALUES ({places})",  # noqa: S608 - constants
            list(row.values()),
        )

    def name(self, number: int, name: str) -> None:
        """Note the name of a player, which programs tell when they run."""
        self.base.execute("UPDATE players SET name = ? WHERE number = ?", (name, number))

    def names(self) -> list[str]:
        """The players' names."""
        return [name for (name,) in self._rows("SELECT name FROM players ORDER BY number")]

    def close(self) -> None:
        """Close the file."""
        self.base.close()


def games_in(path: Path) -> list[Played]:
    """The games in the file of any match or tournament, which is only read. Raises MatchError and
    OSError."""
    return _read_only(path, _games)


def game_of(path: Path) -> str:
    """The game that such a file is of, as it was named; empty if the file does not say. Raises
    MatchError and OSError."""
    said = _read_only(path, lambda base: dict(base.execute("SELECT * FROM about").fetchall()))
    return str(json.loads(said.get("game", '""')))


def _read_only(path: Path, read: Callable[[sqlite3.Connection], T]) -> T:
    """What `read` finds in a file."""
    with path.open("rb"):
        pass
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as base:
            return read(base)
    except sqlite3.DatabaseError as error:
        raise MatchError(f"{path}: this is not the file of a match ({error})") from None


def _games(base: sqlite3.Connection) -> list[Played]:
    with closing(base.execute("SELECT * FROM games ORDER BY id")) as found:
        names = [column[0] for column in found.description]
        return [_read(dict(zip(names, row, strict=True))) for row in found]


def _read(row: Json) -> Played:
    """The game of a row."""
    row = {"thoughts": "[]", "begun": "", **row}
    slot = Slot(row["round"], row["first"], row["second"], bool(row["first_begins"]))
    fields: Json = {name: row[name] for name in SINGLE}
    fields |= {name: json.loads(row[name]) for name in LISTS}
    for name in TWOFOLD:
        both = row[f"first_{name}"], row[f"second_{name}"]
        fields[name] = tuple(map(int, both)) if name in ("counts", "over") else both
    return Played(slot, Record(pair=slot.round, first_begins=slot.first_begins, **fields))


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) < 200 else f"{text[:197]}..."
