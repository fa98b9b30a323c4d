"""The positions that can be reached: each is met once, whatever lines lead to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple, Protocol

import numpy as np

from prunus.core.arrays import View
from prunus.core.game import Game, S
from prunus.core.memory import Array, Counted, SharedArray, StateArray, WordArray
from prunus.kernel.columns import ObjectView, StateView
from prunus.kernel.loops import for_each
from prunus.kernel.memory import FieldSpec, Memory
from prunus.tables.positions import (
    FULL,
    NEW,
    PositionSet,
    SetMemory,
    add_position,
    add_word,
    fetch_slot,
    release,
    reserve,
    word_of,
)

AT_ONCE: Final = 64
"""The number of positions that a thread takes at a time."""

EXPANDED_AT_ONCE: Final = 16
"""The positions that are expanded together."""

CHILDREN_HELD: Final = 64
"""The most children that are held, to be put into the set together."""

EQUAL, IMAGES, STORED = 0, 1, 2
"""Which positions count as one: equal ones only; those, too, that `canonical` makes equal; or those
for which databases hold one, which `unsettled` makes equal besides."""


def insert(game: Game, index: int, memory: LevelMemory) -> None:
    """Put a position that was found before into the set."""
    home = memory.level[index]
    add_position(home, game.key(home), memory)


def expand(game: Game, index: int, memory: LevelMemory) -> None:
    """Put the children of some positions of `memory.level` into the set, and the new ones into
    `memory.following`. If the set is full, the number of the position goes into `memory.left`, to
    be expanded again."""
    first = EXPANDED_AT_ONCE * index
    memory.latest[0] = -1
    held = 0
    for item in range(first, min(first + EXPANDED_AT_ONCE, memory.total[0])):
        place = item if len(memory.todo) == 0 else memory.todo[item]
        home = memory.level[place]
        memory.nodes += 1
        if game.is_terminal(home):
            continue
        for action in game.actions(home):
            child = game.result(home, action)
            if game.has_unsettled and memory.alike == STORED:
                child = game.unsettled(child)
            if game.has_timeless:
                child = game.timeless(child)
            if memory.alike != EQUAL:
                child = game.canonical(child)
            if held == CHILDREN_HELD:
                held = add_held(held, memory)
            word = word_of(game.key(child), memory)
            fetch_slot(word, memory)
            memory.homes[held] = child
            memory.hashes[held] = word
            memory.origins[held] = place
            held += 1
    add_held(held, memory)


def add_held(held: int, memory: LevelMemory) -> int:
    """Put so many children that are held into the set; return 0, the number of those held
    afterwards. Their slots have been fetched, because memory can serve several reads at a time if
    none has to wait for another; and what all threads count is counted for all of them at once."""
    is_room = reserve(held, memory)
    new = 0
    for item in range(held):
        home = memory.homes[item]
        added = add_word(home, memory.hashes[item], memory, is_room)
        if added == NEW:
            memory.homes[new] = home
            new += 1
        elif added == FULL and memory.latest[0] != memory.origins[item]:
            memory.latest[0] = memory.origins[item]
            memory.left[memory.left_count.fetch_add(0, 1)] = memory.latest[0]
    if is_room:
        release(held - new, memory)
    if new:
        first = memory.following_count.fetch_add(0, new)
        for item in range(new):
            memory.following[first + item] = memory.homes[item]
    return 0


Level = list[tuple[StateView | ObjectView, int]]
"""The positions of one ply: arrays, each with the number of its States that count."""


class Found(NamedTuple):
    """Positions that were found before: those of all plies but the last, and those of the last."""

    known: Level
    last: Level


def positions_by_ply(
    game: Game[S],
    state: S | None = None,
    *,
    symmetric: bool = False,
    threads: int = 1,
    compile: bool | None = None,
) -> Iterator[int]:
    """For each number of plies, how many different positions can be reached from a State in that
    many plies and not in fewer: first 1, then the positions after one ply other than the first, and
    so on until there are no more. All of them are held in memory, at 11 to 22 bytes each if keys
    are exact.

    symmetric: positions that `canonical` makes equal count as one. Those that `timeless` makes
    equal always do: what counts plies counts none here, and ends no line. The counts are the same
    for any number of threads, interpreted and compiled.
    """
    alike = IMAGES if symmetric else EQUAL
    levels = levels_of(game, state, alike=alike, threads=threads, compile=compile)
    return (sum(count for _, count in level) for level in levels)


def levels_of(
    game: Game[S],
    state: S | None = None,
    *,
    alike: int = EQUAL,
    threads: int = 1,
    compile: bool | None = None,
    found: Found | None = None,
    renewing: Callable[[int], None] | None = None,
) -> Iterator[Level]:
    """The positions themselves, ply by ply; those that are `alike` (EQUAL, IMAGES or STORED) count
    as one, and so do those that `timeless` makes equal. Their order depends on the threads. With
    what was `found` before, go on from there: first `found.last`, then what follows.

    A caller who keeps all of them gives `renewing`. Then the set is made again from them when it is
    full, so that there is never an old one beside a new one; `renewing` is called in between, with
    the number of slots of the new one, and may stop the search by an error."""
    game.freeze()
    start = game.initial() if state is None else state
    start = game.unsettled(start) if alike == STORED else start
    start = game.timeless(start) if game.has_timeless else start
    start = game.canonical(start) if alike != EQUAL else start
    if found is None:
        level: Level = [(_states(start, 1), 1)]
        level[0][0][0] = start
        found = Found([], level)
    kept, level = [*found.known, *found.last], found.last
    known = PositionSet(game, start, sum(count for _, count in kept))

    def insert_all(positions: Level) -> None:
        for states, count in positions:
            fields: dict[str, FieldSpec] = {"level": states, **known.fields()}
            for_each(game, insert, count, fields, threads=threads, step=AT_ONCE, compile=compile)

    insert_all(kept)
    while level:
        yield level
        following: Level = []
        for states, count in level:
            todo = np.zeros(0, np.int64)
            left = count
            while left:
                # Each thread may add one more while another one fills the set.
                beyond = _states(start, known.free + threads)
                fields: dict[str, FieldSpec] = {"level": states, "following": beyond}
                fields |= {"todo": View(todo), "alike": alike, "total": View(np.array([left]))}
                fields |= {"homes": ("state", CHILDREN_HELD), "hashes": ("u64", CHILDREN_HELD)}
                fields |= {"origins": ("i64", CHILDREN_HELD), "latest": ("i64", 1)}
                counts = {
                    "following_count": View(np.zeros(1, np.int64)),
                    "left_count": View(np.zeros(1, np.int64)),
                }
                again = View(np.empty(left, np.int64))
                fields |= {**known.fields(), **counts, "left": again}
                for_each(
                    game,
                    expand,
                    -(-left // EXPANDED_AT_ONCE),
                    fields,
                    threads=threads,
                    step=AT_ONCE // EXPANDED_AT_ONCE,
                    compile=compile,
                )
                new, left = (int(number.array[0]) for number in counts.values())
                following += [(beyond, new)] if new else []
                if left:
                    todo = again.array[:left]
                    if renewing is not None:
                        fields = {}  # what is left of the old set
                        slots = known.discard()
                        renewing(slots)
                        known.renew(slots)
                        insert_all([*kept, *following])
                    else:
                        known.grow(threads, compile)
        level = following
        if renewing is not None:
            kept += level


def _states(prototype: object, count: int) -> StateView | ObjectView:
    """An array of `count` States."""
    made: StateView | ObjectView = Memory({"states": ("state", count)}, prototype=prototype).states
    return made


class LevelMemory(Counted, SetMemory, Protocol):
    """The memory of a thread that expands the positions of one ply. `todo`: the places of those to
    expand, `total` in number; all if it is empty. Of the children that are held: the States
    (`homes`), the words of the set (`hashes`), and the places that they come from (`origins`);
    `latest` is the one that went into `left` last."""

    level: StateArray
    todo: Array[int]
    total: Array[int]
    homes: StateArray
    hashes: WordArray
    origins: Array[int]
    latest: Array[int]
    following: StateArray
    following_count: SharedArray
    left: Array[int]
    left_count: SharedArray
    alike: int
