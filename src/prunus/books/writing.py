"""Writing the files of a book."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import NotRequired, TypedDict

import numpy as np

from prunus.books.positions import Positions
from prunus.core.game import Game
from prunus.core.state import StateLayout
from prunus.tables.book import COMPLETE, PARTIAL, Cost, FromGames, Manifest, StoredFile, packed
from prunus.tables.errors import BookError
from prunus.tables.identity import identity
from prunus.tables.stored import MANIFEST, checksum, provenance, seal_of
from prunus.tables.transposition import has_exact_key

MOST_ACTIONS = 64
"""The most actions of a position in a book: the best ones are stored as bits."""


class Origin(TypedDict):
    """How a book was made: the game as the user named it, the options `how` of the command that say
    which positions are in it, the seconds and the means; `cost` for a book of costly positions,
    `games` for one from games."""

    game: str
    how: str
    seconds: float
    threads: int
    megabytes: float
    cost: NotRequired[Cost]
    games: NotRequired[FromGames]


def beside(folder: Path, ending: str) -> Path:
    """A path in the same folder as the book's, whose name has this ending."""
    return folder.with_name(folder.name + ending)


def write_book(
    folder: Path,
    positions: Positions,
    values: list[int],
    best: list[tuple[int, ...]],
    extra: Origin,
) -> None:
    """Write a complete book beside its place and then move it there, so that half a book is never
    found."""
    game, count = positions.game, len(positions.states)
    new = beside(folder, ".new")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    keys = np.fromiter((int(game.key(state)) for state in positions.states), np.uint64, count)
    order = np.argsort(keys, kind="stable")
    masks = [_mask(game, *pair) for pair in zip(positions.states, best, strict=True)]
    smallest, largest = min(values), -abs(max(values)) - 1
    signed = np.promote_types(np.min_scalar_type(smallest), np.min_scalar_type(largest))
    arrays = {
        "keys": keys,
        "values": np.array(values, signed),
        "best": np.array(masks, np.min_scalar_type(max(masks))),
    }
    # Positions from games cannot all be reached through the book: they are kept, to be verified.
    if "games" in extra or not has_exact_key(game, positions.states[0]):
        layout = StateLayout(positions.states[0])
        rows = b"".join(packed(layout, state) for state in positions.states)
        arrays["states"] = np.frombuffer(rows, np.uint8).reshape(count, layout.size)
    files: dict[str, StoredFile] = {}
    for name, array in arrays.items():
        path = new / f"{name}.npy"
        np.save(path, array[order])
        files[path.name] = {
            "bytes": path.stat().st_size,
            "sha256": checksum(path),
            "type": str(array.dtype),
        }
    manifest = _manifest(positions, files, extra)
    (new / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    old = beside(folder, ".old")
    shutil.rmtree(old, ignore_errors=True)
    if folder.exists():
        folder.rename(old)
    new.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


def expect_room(game: Game, state: object) -> list[int]:
    """The actions of a position in ascending order. Raises BookError if a book has no room for
    them."""
    legal = sorted(map(int, game.actions(state)))
    if len(legal) > MOST_ACTIONS:
        raise BookError(
            f"{game.format(state)} has {len(legal)} actions; books have room for {MOST_ACTIONS}"
        )
    return legal


def _mask(game: Game, state: object, actions: tuple[int, ...]) -> int:
    legal = expect_room(game, state)
    return sum(1 << legal.index(action) for action in actions)


def _manifest(positions: Positions, files: dict[str, StoredFile], extra: Origin) -> Manifest:
    made = provenance()
    said: Manifest = {
        "format": PARTIAL if "cost" in extra or "games" in extra else COMPLETE,
        "game": extra["game"],
        "identity": identity(positions.game),
        "plies": positions.plies,
        "positions": positions.counts(),
        "terminal_actions": positions.terminal,
        "command": f"prunus book build {extra['game']} {extra['how']} --threads "
        f"{extra['threads']} --table {extra['megabytes']:g}",
        "seconds": extra["seconds"],
        "threads": extra["threads"],
        "date": made["date"],
        "versions": made["versions"],
        "system": made["system"],
        "files": files,
        "check": "",
    }
    if "cost" in extra:
        said["cost"] = extra["cost"]
    if "games" in extra:
        said["games"] = extra["games"]
    said["check"] = seal_of(said)
    return said
