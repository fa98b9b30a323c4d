"""A database as a table in one Parquet file, a row for each position, written in blocks."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from prunus.core.arrays import View
from prunus.core.bits import MASK64, WIDE
from prunus.core.game import Game
from prunus.core.memory import Array
from prunus.databases.errors import DatabaseError
from prunus.databases.folder import Database
from prunus.databases.labels import LOST, WON, ZERO, Labels
from prunus.databases.numbering import Watch
from prunus.databases.outcome import Outcome
from prunus.databases.ranking import PlacesMemory, state_at
from prunus.kernel.loops import for_each
from prunus.kernel.memory import Spec

if TYPE_CHECKING:
    import polars

AT_ONCE: Final = 1 << 16
"""The rows of a block."""


def export_database(
    database: Database,
    path: Path,
    *,
    threads: int = 1,
    compile: bool | None = None,
    watch: Watch | None = None,
) -> int:
    """Write a database as Parquet; return the number of rows. The columns are those of `_block`.
    The file has its name only when it is whole. Raises DatabaseError if it exists, or if Polars is
    not installed."""
    if find_spec("polars") is None:
        raise DatabaseError(
            "Parquet needs polars, which is not installed: pip install 'prunus[lab]'"
        )
    from polars.io.plugins import register_io_source

    if path.exists():
        raise DatabaseError(f"{path} exists already; give another --out, or remove it first")
    tell = watch or (lambda doing, number: None)

    def blocks(
        with_columns: list[str] | None,
        predicate: polars.Expr | None,
        rows: int | None,
        batch: int | None,
    ) -> Iterator[polars.DataFrame]:
        # Nobody asks for less than the whole table.
        for first in range(0, len(database), AT_ONCE):
            yield _block(database, first, threads, compile)
            tell("exporting", min(len(database), first + AT_ONCE))

    part = path.with_name(f"{path.name}.part")
    try:
        table = register_io_source(blocks, schema=_block(database, 0, threads, compile).schema)
        table.sink_parquet(part)
        part.rename(path)
    finally:
        part.unlink(missing_ok=True)
    return len(database)


def _block(database: Database, first: int, threads: int, compile: bool | None) -> polars.DataFrame:
    """The rows of some positions from a number on: the position as text, its key (as text if it has
    more than 64 bits), whether it is won, drawn or lost for the player to move, its score or else
    the plies to the end (null for draws), and the number of its moves (0 at the end)."""
    import polars

    game = database.game
    labels = database.labels.array[first : first + AT_ONCE]
    moves = View(np.zeros(len(labels), np.uint32))
    fields: Spec = {**database.positions.fields(), "moves": moves, "first": View(np.array([first]))}
    for_each(game, count_moves, len(labels), fields, threads=threads, step=1024, compile=compile)
    here = [database.positions.state(first + i) for i in range(len(labels))]
    keys = [game.key(state) for state in here]
    wide = type(game.key(database.positions.start)) in WIDE
    columns = [
        polars.Series("position", [game.format(state) for state in here], polars.String),
        polars.Series("key", list(map(str, keys)), polars.String)
        if wide
        else polars.Series("key", np.array([int(key) & MASK64 for key in keys], np.uint64)),
        polars.Series("outcome", _outcomes(labels, database.scored), polars.String),
        polars.Series("score", labels.astype(np.int32) - ZERO)
        if database.scored
        else polars.Series("plies", _plies(labels), polars.Int32),
        polars.Series("moves", moves.array),
    ]
    return polars.DataFrame(columns)


def _outcomes(labels: Labels, scored: bool) -> list[str]:
    won, lost = (
        (labels > ZERO, labels < ZERO) if scored else (labels & 3 == WON, labels & 3 == LOST)
    )
    found = np.full(len(labels), Outcome.drawn.value)
    found[won], found[lost] = Outcome.won.value, Outcome.lost.value
    return found.tolist()


def _plies(labels: Labels) -> list[int | None]:
    decided = (labels & 3 == WON) | (labels & 3 == LOST)
    pairs = zip((labels >> 2).tolist(), decided.tolist(), strict=True)
    return [plies if known else None for plies, known in pairs]


def count_moves(game: Game, index: int, memory: MovesMemory) -> None:
    """Count the actions of a position."""
    state = state_at(game, memory.first[0] + index, memory)
    if not game.is_terminal(state):
        count = 0
        for _ in game.actions(state):
            count += 1
        memory.moves[index] = count


class MovesMemory(PlacesMemory, Protocol):
    """A memory with positions, and the numbers of moves of some of them from `first` on."""

    moves: Array[int]
    first: Array[int]
