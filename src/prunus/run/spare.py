"""Memories and tables whose searches are over: the next search of the same kind takes one over.

To make the arrays of a search to the end of a game takes longer than many a search, since the
operating system clears every page that is touched. Nothing that a search has left in them counts
(`Memory.renew`).
"""

from __future__ import annotations

import weakref
from collections.abc import Hashable
from typing import Any, Final

from prunus.core.game import Game
from prunus.kernel.columns import ObjectView
from prunus.kernel.memory import Memory
from prunus.run.configuration import Habit
from prunus.tables.transposition import TranspositionTable

KEPT: Final = 4
"""How many are kept; one more drives out the one that has been here longest."""

LARGEST: Final = 256 << 20
"""The bytes of address space of the largest one that is kept. Pages that no search has touched take
no memory."""

_spare: dict[Hashable, Memory] = {}


def taken(kind: Hashable) -> Memory | None:
    """A memory of a kind, for the caller alone; None where there is none."""
    return _spare.pop(kind, None)


def give_back(kind: Hashable, memory: Memory, shared: tuple[str, ...]) -> None:
    """A search is over, and nobody looks into its memory any more. `shared` are the arrays that are
    not its own, which are let go."""
    own = [view for name, view in memory._values.items() if name not in shared]
    if (
        any(isinstance(view, ObjectView) for view in own)
        or sum([view.array.nbytes for view in own]) > LARGEST
    ):
        return
    memory.let_go(shared)
    _spare[kind] = memory
    while len(_spare) > KEPT:
        _spare.pop(next(iter(_spare), None), None)


_holder: list[weakref.ref[Habit]] = []
"""By what configuration the table is kept that is free; there is one at most."""


def new_table(habit: Habit, megabytes: float, game: Game, state: Any) -> TranspositionTable:
    """A table in which nothing is written, for a search that nobody else knows of: the one that the
    last such search has left, or a new one."""
    try:
        table = habit.tables.pop()
    except IndexError:
        return TranspositionTable(megabytes, game, state)
    if table.megabytes == megabytes and table.take_over(state):
        return table
    return TranspositionTable(megabytes, game, state)


def leave_table(habit: Habit, table: TranspositionTable) -> None:
    """A search is over, and nobody looks into its table any more. It drives out the one that is
    kept, whose arrays other tables may then take over (`tables/words.py`)."""
    if table.words.array.nbytes > LARGEST:
        return
    table.rest()
    for last in _holder:
        holder = last()
        if holder is not None:
            holder.tables.clear()
    _holder[:] = [weakref.ref(habit)]
    habit.tables[:] = [table]
