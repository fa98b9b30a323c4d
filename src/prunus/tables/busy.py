"""The positions that the threads of one search are working on, so that other threads can put them
off.

Threads that search one tree lose most by doing the same work twice. A thread therefore puts off an
action whose position another thread is searching, and finds the value in the shared table when it
comes back (ABDADA, Weill 1996; with a separate table, Kerrigan 2014). No thread waits, and no
result depends on an entry: a lost or wrong one changes only the order of the work.
"""

from __future__ import annotations

from typing import Final, Protocol

import numpy as np

from prunus.core.arrays import View
from prunus.core.bits import i64, mix, u64
from prunus.core.game import Game, S
from prunus.core.memory import WordArray
from prunus.tables.stack import StackMemory

BUCKETS: Final = 1 << 12
WAYS: Final = 4
SHALLOW: Final = 3
"""Searches of at most this many plies end before anything could be put off."""

PUT_OFF: Final = -(1 << 61)
"""The score of an action that has been put off once; it is not put off again."""


_NONE = View(np.zeros(0, np.uint64))


def new_busy(threads: int) -> View:
    """The table that `threads` threads share; empty for a single thread."""
    return View(np.zeros(BUCKETS * WAYS, np.uint64)) if threads > 1 else _NONE


def mark_of_key(key: int) -> u64:
    """The mark of a search to the end of the game from a State with this key; never 0."""
    return mix(key) | 1


def mark_of(game: Game[S], child: S, depth: int) -> u64:
    """The mark of a search of a State to a depth; never 0."""
    return mark_of_key(game.key(child) ^ u64(depth))


def slot_of(mark: u64) -> int:
    """The first slot for a mark."""
    return WAYS * i64(mark >> 52)


def claim(mark: u64, memory: BusyMemory) -> u64:
    """Announce that this thread is working on the search with this mark. Returns the argument for
    `release`: 0 if the table has no room."""
    first = slot_of(mark)
    for slot in range(first, first + WAYS):
        if memory.busy[slot] == 0:
            memory.busy[slot] = mark
            return mark
    return u64(0)


def release(mark: u64, memory: BusyMemory) -> None:
    """Announce that this thread is done with it."""
    if mark != 0:
        first = slot_of(mark)
        for slot in range(first, first + WAYS):
            if memory.busy[slot] == mark:
                memory.busy[slot] = u64(0)


def someone_at(mark: u64, memory: BusyMemory) -> bool:
    """Whether a thread is working on the search with this mark."""
    first = slot_of(mark)
    found = False
    for slot in range(first, first + WAYS):
        found = found or memory.busy[slot] == mark
    return found


def begin_work(game: Game[S], child: S, depth: int, memory: BusyMemory) -> u64:
    """Announce that this thread searches a child to a depth. Returns the argument for `release`: 0
    if there is no need to announce it."""
    if len(memory.busy) == 0 or depth <= SHALLOW:
        return u64(0)
    return claim(mark_of(game, child, depth), memory)


def is_put_off(game: Game[S], child: S, i: int, depth: int, memory: DeferringMemory) -> bool:
    """Whether another thread is searching this child. If so, its action, at place `i` of the stack,
    is moved to the end."""
    if depth <= SHALLOW or memory.uses_beam or memory.stack_score[i] == PUT_OFF:
        return False
    if not someone_at(mark_of(game, child, depth), memory):
        return False
    action = memory.stack_action[i]
    for j in range(i, memory.stack_top - 1):
        memory.stack_action[j] = memory.stack_action[j + 1]
        memory.stack_score[j] = memory.stack_score[j + 1]
    memory.stack_action[memory.stack_top - 1] = action
    memory.stack_score[memory.stack_top - 1] = PUT_OFF
    return True


class BusyMemory(Protocol):
    """A memory that shares the table of busy positions with other threads; `busy` is empty if there
    are none."""

    busy: WordArray


class DeferringMemory(BusyMemory, StackMemory, Protocol):
    """The same for a search that puts off actions; `uses_beam`: it must not, because it takes only
    the first ones."""

    uses_beam: bool
