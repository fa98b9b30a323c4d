"""Memories and tables of finished searches, which the next search of the same kind takes over.

Making the arrays for a search to the end of a game often takes longer than the search itself,
because the operating system clears every page that is touched. Nothing that an earlier search has
left in them counts (`Memory.renew`).
"""

from __future__ import annotations

import weakref
from collections.abc import Hashable
from typing import Final

from prunus.core.game import Game, S
from prunus.kernel.columns import ObjectView
from prunus.kernel.memory import Memory
from prunus.run.configuration import Habit
from prunus.tables.transposition import TranspositionTable

KEPT: Final = 4
"""The number of memories that are kept; one more drives out the oldest."""

LARGEST: Final = 256 << 20
"""The largest one that is kept, in bytes of address space. Pages that no search has touched take no
memory."""

_spare: dict[Hashable, Memory] = {}


def taken(kind: Hashable) -> Memory | None:
    """A memory of this kind, for the caller alone; None if there is none."""
    return _spare.pop(kind, None)


def give_back(kind: Hashable, memory: Memory, shared: tuple[str, ...]) -> None:
    """Keep the memory of a finished search, unless it is too large or holds objects; nobody may
    look into it any more. `shared` names the arrays that are not its own, which it lets go."""
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
"""The habit that keeps the free table; there is one at most."""


def new_table(habit: Habit, megabytes: float, game: Game[S], state: S) -> TranspositionTable:
    """An empty table for one search alone: the one that the last such search has left, or a new
    one."""
    try:
        table = habit.tables.pop()
    except IndexError:
        return TranspositionTable(megabytes, game, state)
    if table.megabytes == megabytes and table.take_over(state):
        return table
    return TranspositionTable(megabytes, game, state)


def leave_table(habit: Habit, table: TranspositionTable) -> None:
    """Keep the table of a finished search, unless it is too large; nobody may look into it any
    more. It drives out the one that was kept, whose arrays other tables may then take over
    (`tables/words.py`)."""
    if table.words.array.nbytes > LARGEST:
        return
    table.rest()
    for last in _holder:
        holder = last()
        if holder is not None:
            holder.tables.clear()
    _holder[:] = [weakref.ref(habit)]
    habit.tables[:] = [table]
