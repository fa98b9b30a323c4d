"""All positions that can be reached from a State, numbered from 0 without gaps.

The number of a position is its place in the order of `mix(key)` (of its fields, where keys are
equal), whatever the number of threads that enumerated them. A directory of buckets, each with a few
positions whose mixed keys lie close together, finds the place of a State with two or three reads of
memory. There the States themselves are compared, so that two positions are never taken for one,
even if keys do not tell them apart.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from prunus.algorithms.enumerating import STORED, Found, Level, levels_of
from prunus.core.arrays import View
from prunus.core.bits import i64, mix, mulhi
from prunus.core.game import Game, S
from prunus.core.generic import Generic
from prunus.core.memory import Array, SharedArray, StateArray
from prunus.core.state import StateLayout, is_machine_state
from prunus.databases.errors import DatabaseError
from prunus.kernel.columns import ObjectView, StateView
from prunus.kernel.loops import for_each
from prunus.kernel.memory import Memory, Spec
from prunus.tables.words import home_of

ABSENT: Final = -1
"""The result of `place_of` for a State that was not enumerated."""

PLACES: Final = 3
"""The positions in a bucket, on average."""

AT_ONCE: Final = 1 << 10
"""The number of items that a thread takes at a time."""

SORTED_AT_ONCE: Final = 32
"""The positions that are sorted into buckets together."""

Watch = Callable[[str, int], None]
"""Is told what is being done next, and the number of positions concerned (in `ROOM` of slots, in
`LISTING` and `NOTING` of moves); it may stop that by an error."""

ROOM: Final = "making room"
ENUMERATING: Final = "enumerating"
SORTING: Final = "sorting"
ENDS: Final = "looking for ends"
LAYERS: Final = "looking for layers"
COUNTING: Final = "counting moves"
LISTING: Final = "listing moves"
NOTING: Final = "noting moves"
"""What is done before values are found, in this order."""

KeepFound = Callable[[Level, int], None]
"""Is given the positions found so far, with the number of arrays at their end that hold the last
ply's."""


class Positions(Generic[S]):
    """The positions that can be reached from `start`, with their numbers. Those that `canonical`,
    `timeless` or `unsettled` makes equal count as one."""

    stored: tuple[str, ...] = ("states", "buckets")
    """The names of the files, those of `arrays`."""

    def __init__(self, game: Game[S], start: S, states: StateView, buckets: View) -> None:
        self.game, self.start, self.states, self.buckets = game, start, states, buckets

    def __len__(self) -> int:
        return len(self.states)

    def fields(self) -> Spec:
        """The fields of a Memory in which positions are looked up, by `ranking.find_place` for
        example."""
        return {"ranked": False, "states": self.states, "buckets": self.buckets}

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """What has to be stored, by the names of the files."""
        return {"states": self.states.array, "buckets": self.buckets.array}

    def place(self, state: S) -> int:
        """The number of a position, ABSENT if it was not enumerated."""
        home = representative(self.game, state)
        return place_of(home, self.game.key(home), Memory(self.fields()))

    def state(self, place: int) -> S:
        """The position of a number."""
        state: S = self.states[place]
        return state


def representative(game: Game[S], state: S) -> S:
    """The State that stands for all those which are equal to this one but for what counts plies,
    for what is settled, and for symmetry."""
    if game.has_unsettled:
        state = game.unsettled(state)
    return home_of(game, game.timeless(state) if game.has_timeless else state)


def place_of(home: object, key: int, memory: NumberedMemory) -> int:
    """The number of a position, given as its representative with its key; or ABSENT."""
    return place_in(bucket_of(key, len(memory.buckets) - 1), home, memory)


def place_in(bucket: int, home: object, memory: NumberedMemory) -> int:
    """The same for a position whose bucket is given."""
    for place in range(memory.buckets[bucket], memory.buckets[bucket + 1]):
        if memory.states[place] == home:
            return place
    return ABSENT


def look_up_listed(game: Game[S], count: int, memory: ListedMemory) -> None:
    """Note in `places` where the first `count` of the `homes` are, which are representatives;
    ABSENT for one that was not enumerated. First all buckets are read, then what is in them,
    because memory can serve several reads at a time if none has to wait for another."""
    for i in range(count):
        bucket = bucket_of(game.key(memory.homes[i]), len(memory.buckets) - 1)
        memory.buckets.prefetch(bucket)
        memory.numbers[i] = bucket
    for i in range(count):
        memory.states.prefetch(memory.buckets[memory.numbers[i]])
    for i in range(count):
        memory.places[i] = place_in(memory.numbers[i], memory.homes[i], memory)


def bucket_of(key: int, count: int) -> int:
    """The bucket of a key, one of `count`; it rises with the mixed key."""
    return i64(mulhi(mix(key), count))


def number_positions(
    game: Game[S],
    start: S | None = None,
    *,
    threads: int = 1,
    compile: bool | None = None,
    watch: Watch | None = None,
    found: Found | None = None,
    keep: KeepFound | None = None,
) -> Positions[S]:
    """Enumerate and number the positions, going on from what was `found` before. `keep` is called
    after each ply. Raises DatabaseError for a game whose States are not all made of the same
    machine integers."""
    game.freeze()
    tell = watch or (lambda doing, number: None)
    first = game.initial() if start is None else start
    first = representative(game, first)
    expect_machine_state(game, first)
    levels: Level = list(found.known) if found else []
    total = sum(count for _, count in levels)
    for level in levels_of(
        game,
        first,
        alike=STORED,
        threads=threads,
        compile=compile,
        found=found,
        renewing=lambda slots: tell(ROOM, slots),
    ):
        levels += level
        total += sum(count for _, count in level)
        tell(ENUMERATING, total)
        if keep is not None:
            keep(levels, len(level))
    if any(isinstance(states, StateView) and states.has_others() for states, _ in levels):
        raise DatabaseError(
            f"{game.title()} has States whose tuples differ in length; a database needs tuples of "
            f"one length, so fill the shorter ones up, for example with zeros"
        )
    tell(SORTING, total)
    return _sorted(game, first, levels, total, threads, compile)


def expect_machine_state(game: Game, state: object) -> None:
    """Raises DatabaseError for a State that is not made of machine integers."""
    if not is_machine_state(state):
        raise DatabaseError(
            f"the States of {game.title()} cannot be stored: a database needs fields such as u8, "
            f"i32 or tuple[u8, ...] (see docs/subset.md)"
        )


def _sorted(
    game: Game[S], start: S, levels: Level, found: int, threads: int, compile: bool | None
) -> Positions[S]:
    """The enumerated positions in the order of their mixed keys."""
    places = View(np.zeros(max(1, found // PLACES) + 1, np.int64))

    def each(body: Callable[..., object], count: int, fields: Spec, step: int = AT_ONCE) -> None:
        for_each(game, body, count, fields, threads=threads, step=step, compile=compile)

    def each_of(
        body: Callable[..., object], states: StateView | ObjectView, count: int, fields: Spec
    ) -> None:
        total: Spec = {
            "level": states,
            "total": View(np.array([count])),
            "found": ("i64", SORTED_AT_ONCE),
        }
        each(body, -(-count // SORTED_AT_ONCE), {**fields, **total}, AT_ONCE // SORTED_AT_ONCE)

    for states, count in levels:
        each_of(count_positions, states, count, {"places": places})
    sizes = places.array
    buckets = np.zeros(len(sizes), np.int64)
    np.cumsum(sizes[:-1], out=buckets[1:])
    sizes[:] = buckets  # from here on, the next free place of each bucket
    layout = StateLayout(start)
    # Bytes between fields are 0, so that the same positions are the same files.
    ordered = StateView(found, layout, np.zeros(found * layout.size // 8, np.uint64))
    while levels:
        states, count = levels.pop()
        each_of(put_positions, states, count, {"places": places, "states": ordered})
    made = Positions(game, start, ordered, View(buckets))
    each(sort_bucket, len(buckets) - 1, made.fields())
    return made


def count_positions(game: Game, index: int, memory: SortingMemory) -> None:
    """Count some enumerated positions in their buckets."""
    for i in range(find_buckets(game, SORTED_AT_ONCE * index, memory)):
        memory.places.fetch_add(memory.found[i], 1)


def put_positions(game: Game, index: int, memory: SortingMemory) -> None:
    """Put some enumerated positions into the next free places of their buckets."""
    first = SORTED_AT_ONCE * index
    count = find_buckets(game, first, memory)
    for i in range(count):
        place = memory.found[i] = memory.places.fetch_add(memory.found[i], 1)
        memory.states.prefetch(place)
    for i in range(count):
        memory.states[memory.found[i]] = memory.level[first + i]


def find_buckets(game: Game, first: int, memory: SortingMemory) -> int:
    """Note the buckets of the enumerated positions from the first on, and fetch their places, which
    memory serves together; return how many they are."""
    count = min(SORTED_AT_ONCE, memory.total[0] - first)
    for i in range(count):
        key = game.key(memory.level[first + i])
        bucket = memory.found[i] = bucket_of(key, len(memory.places) - 1)
        memory.places.prefetch(bucket)
    return count


def sort_bucket(game: Game, index: int, memory: NumberedMemory) -> None:
    """Sort a bucket by mixed keys, States with equal ones by their fields, by insertion."""
    first = memory.buckets[index]
    for place in range(first + 1, memory.buckets[index + 1]):
        home = memory.states[place]
        word = mix(game.key(home))
        free = place
        while free > first and is_after(game, memory.states[free - 1], home, word):
            memory.states[free] = memory.states[free - 1]
            free -= 1
        memory.states[free] = home


def is_after(game: Game[S], state: S, home: S, word: int) -> bool:
    """Whether a State comes after `home`, whose mixed key is `word`."""
    own = mix(game.key(state))
    return own > word or (own == word and state > home)  # type: ignore[operator]


class NumberedMemory(Protocol):
    """A memory with numbered positions (`Positions.fields`)."""

    states: StateArray
    buckets: Array[int]


class ListedMemory(NumberedMemory, Protocol):
    """The same with positions that are looked up together, a number of each, and their places."""

    homes: StateArray
    numbers: Array[int]
    places: Array[int]


class SortingMemory(NumberedMemory, Protocol):
    """The same while they are sorted: `level` as they were enumerated, `total` in number, and the
    next free place of each bucket, at first the number of its positions. What is `found` of some
    are their buckets, then their places."""

    level: StateArray
    total: Array[int]
    places: SharedArray
    found: Array[int]
