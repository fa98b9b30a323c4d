"""Lists of moves that were looked at once, so that the rules need not be asked for them again.

Positions are gone through in parts, each with a list of its own: first a small part without one,
which shows how many moves a position has.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final, Protocol, cast

import numpy as np

from prunus.core.arrays import View
from prunus.core.memory import Array, SharedArray
from prunus.databases.limit import MemoryLimitError
from prunus.databases.numbering import LISTING, Watch
from prunus.databases.parents import MOST_PARENTS
from prunus.kernel.memory import Spec

MORE: Final = 1.25
"""How many more moves the positions of a part may have than those of the part before, for all of
them to be listed."""

FEW, MANY = 1 << 12, 1 << 18
"""The positions of the first part, and of the others."""

MOST_LISTED: Final = 1 << 28
"""The most items of all lists together, a gigabyte. Of a game that would need more, the rules are
asked once more for the moves of the other positions."""


def parts_of(count: int) -> list[tuple[int, int]]:
    """Where the parts of so many positions begin and end."""
    return list(pairwise([0, *range(FEW, count, MANY), count]))


def list_for(count: int, moves: float, tell: Watch, most: int = MOST_PARENTS) -> Spec:
    """Room for a list of the moves of `count` positions, if each has hardly more than so many, and
    if that is at most so many items; without it, the rules are asked once more for those which it
    has no room for."""
    room = min(int(count * (1 + MORE * moves)) if moves else 0, MOST_PARENTS)
    if room + count > most:
        room = 0
    try:
        tell(LISTING, room + count)  # and where those of each position begin
    except MemoryLimitError:
        room = 0
    return {**_listing(room), "begins": View(np.zeros(count if room else 0, np.uint32))}


def no_list() -> Spec:
    """The same without room."""
    return {**_listing(0), "begins": View(np.zeros(0, np.uint32))}


def _listing(room: int) -> Spec:
    return {"moves": View(np.empty(room, np.uint32)), "listed": View(np.zeros(1, np.int64))}


def moves_of_each(listing: Spec, count: int) -> float:
    """How many moves each of `count` positions had, of those that were to be listed."""
    return max(0.0, int(cast("View", listing["listed"]).array[0]) / count - 1)


def is_complete(listing: Spec) -> bool:
    """Whether all moves are listed that were to be."""
    room, listed = cast("View", listing["moves"]), cast("View", listing["listed"])
    return 0 < int(listed.array[0]) <= len(room)


def list_moves(index: int, kept: int, memory: ListMemory) -> None:
    """Put the number of children of a position and the children into the list, if there is room
    for them, and note where they begin."""
    begin = memory.listed.fetch_add(0, kept + 1)
    if begin + kept < len(memory.moves):
        memory.moves[begin] = kept
        for i in range(kept):
            memory.moves[begin + 1 + i] = memory.line[i]
        memory.begins[index] = begin + 1


def listed_at(index: int, memory: ListMemory) -> int:
    """Where the children of a position begin in the list, before which is their number; 0 if they
    are not there."""
    return memory.begins[index] if len(memory.begins) > 0 else 0


class ListMemory(Protocol):
    """A memory with a list of children, `moves`, of which so much has been `listed`; those of a
    position begin where `begins` says, if that is not 0, and their number comes before them. The
    children of one are in `line`."""

    line: Array[int]
    moves: Array[int]
    listed: SharedArray
    begins: Array[int]
