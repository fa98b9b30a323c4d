"""Databases: the values of all positions of a game, in a folder.

`states.npy` has the positions in the order of their numbers (`numbering.py`), `buckets.npy` the
directory that finds them, `values.npy` a label of 16 bits for each (`backward.py`), and
`manifest.json` says which game this is, what is in it and how it was made, with the SHA-256 of each
file and of itself. If the game numbers its positions itself, `marks.npy` and `hints.npy`
(`marks.py`) take the place of the first two. The arrays are mapped into memory, not read, so that a
database may be larger than memory.

A database is built under another name and renamed when it is complete (`workshop.py`), so that a
folder of its name always holds a whole one.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final, TypedDict, cast

import numpy as np
from numpy.typing import NDArray

from prunus.core.arrays import View
from prunus.core.game import Game, S
from prunus.core.generic import Generic
from prunus.core.knowledge.combining import original
from prunus.core.state import StateLayout
from prunus.databases.errors import DatabaseError
from prunus.databases.labels import Value, value_of
from prunus.databases.numbering import ABSENT, Positions
from prunus.databases.ranking import Ranked, rank_count_of
from prunus.databases.workshop import StoredFile
from prunus.kernel.columns import StateView
from prunus.tables.book import Known
from prunus.tables.errors import BookError
from prunus.tables.identity import identity
from prunus.tables.stored import MANIFEST, Provenance, damage, is_checked, seal_of

FORMAT: Final = 3
"""The version of this layout; a database with another version is refused."""

RANKED_FORMAT: Final = 4
"""The version of the layout for games that number their positions."""

VALUES: Final = "values"
"""The name of the file of values; those of the other files are in `Positions.arrays`."""


class Made(TypedDict):
    """How a database was made: the game and its start (empty: the game's own) as texts, the
    command, and what it took."""

    game: str
    start: str
    command: str
    seconds: float
    threads: int


class Ranking(TypedDict, total=False):
    """How a game numbers its positions, if it does: how many numbers there are, and
    `Ranked.fingerprint`."""

    ranks: int
    ranking: str


class Manifest(Made, Ranking, Provenance):
    """The contents of `manifest.json`. `amount`: what a win is worth; None if a game is played for
    more than one amount. In the file there is also `check`, the SHA-256 of all the rest."""

    format: int
    identity: str
    scored: bool
    amount: int | None
    positions: int
    ends: int
    won: int
    drawn: int
    lost: int
    longest: int | None
    files: dict[str, StoredFile]


class Database(Generic[S]):
    """A database that has been opened for its game. Raises DatabaseError if it is not complete, is
    of another version, or belongs to another game or other rules.

    `probe` and `moves` look positions up as they are stored. As a `Source` (`find`, `follow`,
    `value`) it answers for `analyze` and for players, with values as the rules count them: there,
    DatabaseError is raised for wins, draws and losses of a game that is played for scores.
    """

    name = "database"

    def __init__(self, folder: Path | str, game: Game[S]) -> None:
        folder, game = Path(folder), original(game)
        self.folder, self.game, self.manifest = folder, game, read_manifest(folder)
        game.freeze()
        found, said = identity_of(game), self.manifest["identity"]
        self.identity, self.lookups = said, 0
        if found != said:
            raise DatabaseError(
                f"{folder} is a database of {said}, not of {found}; if the rules have been edited, "
                f"build it again: {self.manifest['command']}"
            )
        self.labels = View(_mapped(folder, self.manifest, VALUES))
        self.scored = bool(self.manifest["scored"])
        self.positions = self._positions()
        if is_checked(self.manifest["files"]):
            check_files(folder, self.manifest)

    def _positions(self) -> Positions[S]:
        """The positions, listed or ranked."""
        game, manifest, count = self.game, self.manifest, len(self.labels)
        start = game.parse(manifest["start"]) if manifest["start"] else game.initial()
        if manifest["format"] == FORMAT:
            words, buckets = (self._array(name) for name in ("states", "buckets"))
            states = StateView(count, StateLayout(start), words.array)
            return Positions(game, start, states, buckets)
        ranks = rank_count_of(game)
        if ranks == manifest["ranks"]:
            marks, hints = (self._array(name) for name in ("marks", "hints"))
            ranked = Ranked(game, start, ranks, marks, hints, count)
            if ranked.fingerprint() == manifest["ranking"]:
                return ranked
        raise DatabaseError(
            f"{self.folder} numbers its positions in another way than {game.title()} does now; "
            f"build it again: {manifest['command']}"
        )

    def _array(self, name: str) -> View:
        return View(_mapped(self.folder, self.manifest, name))

    def __len__(self) -> int:
        return len(self.labels)

    def probe(self, state: S) -> Value | None:
        """The value of a position; None if it cannot be reached from the database's start."""
        self.lookups += 1
        place = self.positions.place(state)
        if place == ABSENT:
            return None
        value = value_of(int(self.labels[place]), self.scored)
        if self.game.has_settled:
            return value._replace(value=value.value + self.game.settled(state))
        return value

    def moves(self, state: S) -> list[tuple[int, Value]]:
        """The actions of a position with their values for the player who moves there, best first:
        the quickest win, ..., the slowest loss. Empty if the game is over or the position is not in
        the database. Raises DatabaseError if they and the position's own value contradict each
        other."""
        known = None if self.game.is_terminal(state) else self.probe(state)
        if known is None:
            return []
        found = []
        for action in self.game.actions(state):
            child = self.game.result(state, action)
            value = self.probe(child)
            if value is None:
                raise DatabaseError(f"{self.folder} lacks a position after {action}: it is damaged")
            sign = 1 if self.game.keeps_turn(state, child) else -1
            plies = None if value.plies is None else value.plies + 1
            found.append((int(action), Value(sign * value.value, plies)))
        found.sort(key=lambda move: _goodness(move[1]), reverse=True)
        if found[0][1] != known:
            raise DatabaseError(
                f"{self.folder} says that {self.game.format(state)} is {known}, and of the "
                f"positions after it that it is {found[0][1]}: it is damaged; `prunus db "
                f"verify` tells more"
            )
        return found

    def find(self, state: S) -> Known | None:
        """The value of a position that is not over, for the player to move, and all actions that
        keep it: first the quickest of the wins, or the slowest of the losses. None if the position
        is not in the database."""
        moves = self.moves(state)
        if not moves:
            return None
        value = moves[0][1].value
        best = tuple(action for action, known in moves if known.value == value)
        return Known(self._worth(value), best)

    def follow(self, state: S) -> int | None:
        """The best action of a position that is not over; None if it is not in the database."""
        moves = self.moves(state)
        return moves[0][0] if moves else None

    def value(self, state: S) -> int | None:
        """The value of a position for the player to move; None if it is not in the database."""
        if self.game.is_terminal(state):
            return int(self.game.utility(state))
        found = self.probe(state)
        return None if found is None else self._worth(found.value)

    def _worth(self, value: int) -> int:
        """A value as the rules count it."""
        if self.scored:
            return value
        amount = self.manifest["amount"]
        if amount is None:
            raise DatabaseError(
                f"{self.folder} has wins, draws and losses of a game that is played for scores; "
                f"they are not the values of a search: build it without --outcomes"
            )
        return value * amount


def _goodness(value: Value) -> tuple[int, int]:
    return value.value, -value.value * (value.plies or 0)


def identity_of(game: Game) -> str:
    """The identity of a game's rules: its class and parameters, for a user's class with a digest of
    its source."""
    try:
        return identity(game)
    except BookError as error:
        raise DatabaseError(str(error)) from None


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a database. Raises DatabaseError."""
    path = folder / MANIFEST
    try:
        manifest: dict[str, object] = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DatabaseError(
            f"{path}: {error.strerror}; `prunus db build GAME --out FOLDER` makes a database"
        ) from None
    except ValueError as error:
        raise DatabaseError(f"{path} is not JSON: {error}") from None
    if not isinstance(manifest, dict) or "scored" not in manifest:
        raise DatabaseError(f"{path} is not the manifest of a database")
    again = f"; build it again: {manifest.get('command')}"
    made = manifest.get("format")
    if made not in (FORMAT, RANKED_FORMAT):
        raise DatabaseError(
            f"{path}: format {made}, this Prunus reads {FORMAT} and {RANKED_FORMAT}{again}"
        )
    if manifest.get("check") != seal_of(manifest):
        raise DatabaseError(f"{path} is damaged: its checksum is not that of what it says{again}")
    return cast("Manifest", manifest)


def check_files(folder: Path, manifest: Manifest) -> None:
    """Raises DatabaseError if a file does not match the manifest."""
    wrong = damage(folder, manifest["files"])
    if wrong is not None:
        raise DatabaseError(wrong)


def _mapped(folder: Path, manifest: Manifest, name: str) -> NDArray[np.generic]:
    path = folder / f"{name}.npy"
    said = manifest["files"][path.name]["bytes"]
    try:
        if path.stat().st_size != said:
            raise DatabaseError(
                f"{path} is damaged: it has {path.stat().st_size:,} bytes, not {said:,}"
            )
        array: NDArray[np.generic] = np.load(path, mmap_mode="r")
        return array
    except OSError as error:
        raise DatabaseError(f"{path}: {error.strerror or error}") from None
    except ValueError as error:
        raise DatabaseError(f"{path} is damaged: {error}") from None
