"""Opening books: the proved values and best actions of all positions within a number of plies from
the start, of those that are costly to search, or of those that came up in games.

A book is a folder: `keys.npy` (64-bit keys of the canonical States, ascending), `values.npy` (for
the player to move), `best.npy` (bit i: the i-th of the State's actions, in ascending order, is a
best one), `states.npy` (the whole States, present if keys do not tell all positions apart, and in
a book from games) and `manifest.json`, which names the game, says how the book was made, and gives
the SHA-256 of each file. Terminal positions are left out. The arrays are mapped, not read.
"""

from __future__ import annotations

import json
import os
import re
import sys
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple, NotRequired, Protocol, TypedDict, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from prunus.core.game import Game
from prunus.core.knowledge.combining import original
from prunus.core.state import StateLayout
from prunus.tables.errors import BookError
from prunus.tables.identity import identity
from prunus.tables.stored import MANIFEST, Provenance, damage, is_checked, seal_of
from prunus.tables.transposition import has_exact_key

COMPLETE: Final = 1
"""The version of the layout of a book of all positions up to a ply."""

PARTIAL: Final = 2
"""The same of a book of some of them; other versions are refused."""


class StoredFile(TypedDict):
    """What the manifest says about a file of the book."""

    bytes: int
    sha256: str
    type: str


class Cost(TypedDict):
    """What a book of costly positions says of them and of the others up to its last ply: its own
    cost more than `nodes` nodes with an empty table of so many `megabytes` (the start perhaps
    less), the others `most` at most. `searched` counts both."""

    nodes: int
    megabytes: float
    searched: int
    most: int


class FromGames(TypedDict):
    """What a book from games says: how many; of the `positions` up to so many `plies` that came up
    in `at_least` so many games, those are in it that cost more than `cost` nodes, but for
    `unsolved` ones, whose search within `nodes` nodes proved no value. None: any number."""

    games: int
    plies: int | None
    at_least: int
    positions: int
    cost: int | None
    nodes: int | None
    unsolved: int


class Manifest(Provenance):
    """The contents of `manifest.json`: where a book comes from, and its files by their names. The
    `positions` are those in the book, by ply: all, unless `cost` or `games` is there."""

    format: int
    game: str
    identity: str
    plies: int
    positions: list[int]
    terminal_actions: list[int]
    command: str
    seconds: float
    threads: int
    files: dict[str, StoredFile]
    cost: NotRequired[Cost]
    games: NotRequired[FromGames]
    check: str


class Known(NamedTuple):
    """What is known of a position: its value for the player to move, and best actions (at a book's
    last ply, and in a book from games, perhaps not all), the one to choose first."""

    value: int
    best: tuple[int, ...]


@runtime_checkable
class Source(Protocol):
    """A book or a database: where proved values of a game are looked up. `name` says which of the
    two, `identity` to which rules it belongs, and `lookups` counts."""

    name: str
    identity: str
    lookups: int

    def find(self, state: object) -> Known | None:
        """What is known of a State that is not terminal; None if nothing is."""

    def follow(self, state: object) -> int | None:
        """One best action of a State that is not terminal; None if it is not known."""

    def value(self, state: object) -> int | None:
        """The value of a State for the player to move; for a terminal State the rules give it. None
        if it is not known."""

    def __len__(self) -> int:
        """The number of positions that are known."""


def folder_name(game: Game) -> str:
    """The name of the folder of a game's book: `connect-four-width-7-height-6`."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", identity(game)).lower()
    return re.sub(r"[^a-z0-9]+", "-", words).strip("-")


def users_folder() -> Path:
    """The folder of the user's books: `PRUNUS_BOOKS`, by default `prunus/books` in the user's data
    folder."""
    return _users_folder(
        os.environ.get("PRUNUS_BOOKS"), os.environ.get(_DATA), os.environ.get("HOME")
    )


_DATA: Final = "LOCALAPPDATA" if sys.platform == "win32" else "XDG_DATA_HOME"


@lru_cache(maxsize=16)  # called by each search
def _users_folder(given: str | None, data: str | None, home: str | None) -> Path:
    if given:
        return Path(given).expanduser()
    return Path(data or Path.home() / ".local" / "share") / "prunus" / "books"


def folders() -> tuple[Path, ...]:
    """The folders to search for books: the user's, then the books that come with Prunus."""
    return (users_folder(), _OURS)


_OURS: Final = Path(__file__).parents[1] / "books"


class Book:
    """The book in a folder, for the game it was made for. Raises BookError if it belongs to another
    game, is damaged, or has another layout."""

    def __init__(self, folder: Path | str, game: Game) -> None:
        game = original(game)
        self.folder, self.game = Path(folder), game
        self.manifest = read_manifest(self.folder)
        self.name, self.identity = "book", self.manifest["identity"]
        if self.identity != identity(game):
            raise BookError(f"{self.folder} is a book of {self.identity}, not of {identity(game)}")
        if is_checked(self.manifest["files"]):
            check_files(self.folder, self.manifest)
        self.exact = has_exact_key(game, game.initial())
        self.keys, self.values, self.best = (
            self._array(name) for name in ("keys", "values", "best")
        )
        has_states = not self.exact or "games" in self.manifest
        self.states = self._array("states") if has_states else None
        self.layout = StateLayout(game.initial())
        self.lookups = 0
        unsolved = self.manifest["games"]["unsolved"] if "games" in self.manifest else 0
        if not (unsolved or self.find(game.initial()) or game.is_terminal(game.initial())):
            raise BookError(
                f"{self.folder} does not know the start of {game.title()}: it was made for other "
                f"rules"
            )

    @property
    def plies(self) -> int:
        """The number of plies from the start that the book covers, in whole or in part."""
        return int(self.manifest["plies"])

    def __len__(self) -> int:
        return len(self.keys)

    def _array(self, name: str) -> NDArray[np.integer]:
        try:
            array: NDArray[np.integer] = np.load(self.folder / f"{name}.npy", mmap_mode="r")
            return array
        except (OSError, ValueError) as error:
            raise BookError(f"{self.folder / name}.npy cannot be read: {error}") from None

    def find(self, state: object) -> Known | None:
        """The book's entry for a State that is not terminal; None if the State is not in the
        book."""
        canonical = self.game.canonical(state)
        place = self._place(canonical)
        if place is None:
            return None
        best = self._best(canonical, place)
        actions = map(int, self.game.actions(state))
        if canonical == state:
            return Known(
                int(self.values[place]), tuple(action for action in actions if action in best)
            )
        # The best actions of a mirrored State lead to the mirror images of the best children.
        wanted = {self._child(canonical, action) for action in best}
        return Known(
            int(self.values[place]),
            tuple(action for action in actions if self._child(state, action) in wanted),
        )

    def follow(self, state: object) -> int | None:
        """One best action of a State that is not terminal, found faster than by `find`; used to
        build lines. None if the State is not in the book."""
        canonical = self.game.canonical(state)
        place = self._place(canonical)
        if place is None:
            return None
        action = self._best(canonical, place)[0]
        if canonical == state:
            return action
        wanted = self._child(canonical, action)
        return next(
            action
            for action in map(int, self.game.actions(state))
            if self._child(state, action) == wanted
        )

    def _best(self, canonical: object, place: int) -> list[int]:
        mask = int(self.best[place])
        return [
            action
            for i, action in enumerate(sorted(map(int, self.game.actions(canonical))))
            if mask >> i & 1
        ]

    def value(self, state: object) -> int | None:
        """The value of a State for the player to move; for a terminal State the rules give it. None
        if it is not in the book."""
        if self.game.is_terminal(state):
            return int(self.game.utility(state))
        place = self._place(self.game.canonical(state))
        return None if place is None else int(self.values[place])

    def _child(self, state: object, action: int) -> tuple[object, bool]:
        child = self.game.result(state, action)
        return self.game.canonical(child), self.game.keeps_turn(state, child)

    def _place(self, canonical: object) -> int | None:
        """The index of a canonical State, by binary search; None if it is absent."""
        self.lookups += 1
        key = np.uint64(self.game.key(canonical))
        place = int(np.searchsorted(self.keys, key))
        while place < len(self.keys) and self.keys[place] == key:
            if (
                self.states is None
                or packed(self.layout, canonical) == self.states[place].tobytes()
            ):
                return place
            place += 1
        return None


def packed(layout: StateLayout, state: object) -> bytes:
    """A State as the bytes of a row of `states.npy`."""
    buffer = bytearray(layout.size)
    layout.pack(memoryview(buffer), 0, state)
    return bytes(buffer)


def read_manifest(folder: Path) -> Manifest:
    """A book's manifest. Raises BookError if it is missing, unreadable or of another format."""
    path = folder / MANIFEST
    try:
        manifest: Manifest = json.loads(path.read_text(encoding="utf-8"))
        made = manifest["format"]
        missing = {"identity", "plies", "files", "positions", "game", "check"} - manifest.keys()
    except OSError:
        raise BookError(f"{folder} holds no book: there is no {MANIFEST}") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise BookError(f"{path} is not the manifest of a book") from None
    if made not in (COMPLETE, PARTIAL) or missing:
        raise BookError(
            f"{path}: format {made}, this Prunus reads {COMPLETE} and {PARTIAL}"
            f"{'; it lacks ' + ', '.join(sorted(missing)) if missing else ''}"
        )
    if manifest["check"] != seal_of(manifest):
        raise BookError(
            f"{path} is damaged: its checksum is not that of what it says; build the book again: "
            f"{manifest.get('command')}"
        )
    return manifest


def check_files(folder: Path, manifest: Manifest) -> None:
    """Raises BookError if a file does not match the manifest."""
    wrong = damage(folder, manifest["files"])
    if wrong is not None:
        raise BookError(wrong)


_installed: dict[tuple[str, tuple[Path, ...]], Book | None] = {}


def installed_book(game: Game) -> Book | None:
    """The installed book for a game, preferring the user's own to the one that comes with Prunus;
    None if there is none."""
    game, places = original(game), folders()
    known = game.__dict__.get("_prunus_identity")
    if (known is None or (known[1], places) not in _installed) and not any(
        map(os.path.isdir, places)
    ):
        return None
    try:
        key = (identity(game), places)
    except BookError:
        return None
    if key not in _installed:
        name = folder_name(game)
        found = next(
            (place / name for place in places if (place / name / MANIFEST).is_file()), None
        )
        _installed[key] = None if found is None else Book(found, game)
    return _installed[key]


def forget_books() -> None:
    """Look for installed books again: call it when one has been made."""
    _installed.clear()
