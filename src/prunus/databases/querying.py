"""Positions of a database with given properties."""

from __future__ import annotations

from typing import Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from prunus.core.arrays import View
from prunus.core.game import Game, S
from prunus.core.memory import Array, Counted, SharedArray
from prunus.databases.errors import DatabaseError
from prunus.databases.folder import Database
from prunus.databases.labels import DRAWN, LOST, OPEN, WON, ZERO, Labels
from prunus.databases.numbering import AT_ONCE, representative
from prunus.databases.outcome import Outcome
from prunus.databases.ranking import PlacesMemory, find_place, state_at
from prunus.kernel.loops import for_each

BLOCK: Final = 1 << 22
"""The labels that are looked at together."""


class Query(NamedTuple):
    """What positions are looked for; None: whatever. `plies`: the distance from the end; `score`:
    the score; `longest`: those of the greatest distance among the others; `only_move`: those in
    which exactly one action keeps the position's value."""

    outcome: Outcome | None = None
    plies: int | None = None
    score: int | None = None
    longest: bool = False
    only_move: bool = False


def find_positions(
    database: Database[S],
    query: Query,
    limit: int | None = None,
    *,
    threads: int = 1,
    compile: bool | None = None,
) -> tuple[list[S], int]:
    """The first positions that match, at most `limit`, in the order of their numbers, and how many
    match in all. Raises DatabaseError for distances in a database of scores, or scores in one of
    outcomes."""
    scored = database.scored
    if scored and (query.plies is not None or query.longest):
        raise DatabaseError(f"{database.folder} holds scores, not distances: ask for a score")
    if not scored and query.score is not None:
        raise DatabaseError(f"{database.folder} holds no scores: ask for won, drawn or lost")
    places = _labelled(database, query)
    if query.only_move:
        places = _with_one_action(database, places, threads, compile)
    if query.longest and len(places):
        plies = database.labels.array[places] >> 2
        places = places[plies == plies.max()]
    return [database.positions.state(int(place)) for place in places[:limit]], len(places)


def _labelled(database: Database[S], query: Query) -> NDArray[np.int64]:
    """The places of the positions whose labels match."""
    found = [
        first + np.flatnonzero(_matches(labels, query, database.scored))
        for first in range(0, len(database), BLOCK)
        for labels in [database.labels.array[first : first + BLOCK]]
    ]
    return np.concatenate(found)


def _matches(labels: Labels, query: Query, scored: bool) -> NDArray[np.bool_]:
    matches = np.ones(len(labels), np.bool_)
    if scored:
        signs = {Outcome.won: labels > ZERO, Outcome.lost: labels < ZERO}
        if query.outcome is not None:
            matches &= signs.get(query.outcome, labels == ZERO)
        if query.score is not None:
            matches &= labels.astype(np.int32) - ZERO == query.score
        return matches
    kinds = labels & 3
    if query.outcome is Outcome.drawn:
        matches &= (kinds == OPEN) | (kinds == DRAWN)
    elif query.outcome is not None:
        matches &= kinds == (WON if query.outcome is Outcome.won else LOST)
    if query.plies is not None:
        matches &= ((kinds == WON) | (kinds == LOST)) & (labels >> 2 == query.plies)
    return matches


def _with_one_action(
    database: Database[S], places: NDArray[np.int64], threads: int, compile: bool | None
) -> NDArray[np.int64]:
    """Those in which exactly one action keeps the value."""
    kept = View(np.zeros(max(1, len(places)), np.bool_))
    fields = {**database.positions.fields(), "labels": database.labels}
    fields |= {"scored": database.scored, "places": View(places), "kept": kept}
    for_each(
        database.game,
        note_only_move,
        len(places),
        fields,
        threads=threads,
        step=AT_ONCE,
        compile=compile,
    )
    return places[kept.array[: len(places)]]


def note_only_move(game: Game, index: int, memory: QueryMemory) -> None:
    """Note whether exactly one action of a position keeps its value."""
    place = memory.places[index]
    state = state_at(game, place, memory)
    if game.is_terminal(state):
        return
    own = worth(memory.labels[place], memory)
    keeping = 0
    for action in game.actions(state):
        child = game.result(state, action)
        place = find_place(game, representative(game, child), memory)
        value = worth(memory.labels[place], memory)
        if game.has_settled:
            value += game.settled(child)
        keeping += own == (value if game.keeps_turn(state, child) else -value)
    memory.kept[index] = keeping == 1


def worth(label: int, memory: QueryMemory) -> int:
    """The score of a label, or 1, 0 or -1."""
    if memory.scored:
        return label - ZERO
    return 1 if label & 3 == WON else -1 if label & 3 == LOST else 0


class QueryMemory(Counted, PlacesMemory, Protocol):
    """A memory with labels, the places to look at, and which of them are kept."""

    labels: Array[int]
    scored: bool
    places: Array[int]
    kept: SharedArray
