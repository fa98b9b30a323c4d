"""A cache of exact values that never mistakes one State for another: a hit compares the whole
State.

Open addressing in a table of bounded size: a State may lie in any of `WAYS` neighbouring slots. If
all are taken, the newest State replaces one of them, which costs time but never correctness.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Protocol

from prunus.core.game import Game, S
from prunus.core.memory import Array, StateArray
from prunus.kernel.memory import Spec
from prunus.tables.words import spread

WAYS: Final = 4

EMPTY: Final = -1
"""The depth of an empty slot."""


def first_slot(game: Game[S], state: S, memory: CacheMemory) -> int:
    """The first of the neighbouring slots where a State may lie."""
    return spread(game.key(state), len(memory.cache_depth) - WAYS + 1)


def find(game: Game[S], state: S, depth: int, memory: CacheMemory) -> int:
    """The slot with a value of exactly this State that serves a search of `depth` plies, or -1."""
    first = first_slot(game, state, memory)
    for slot in range(first, first + WAYS):
        holds_state = memory.cache_depth[slot] != EMPTY and memory.cache_state[slot] == state
        if not holds_state:
            continue
        if memory.cache_depth[slot] == depth:
            return slot
        # A value without estimates also holds for deeper searches. A shallower search would have
        # had to estimate, unless it goes to the end too.
        if (
            not memory.cache_limited[slot]
            and memory.haste == 0
            and (memory.cache_depth[slot] < depth or memory.to_the_end != 0)
        ):
            return slot
    return -1


def keep(
    game: Game[S], state: S, depth: int, value: int, action: int, limited: bool, memory: CacheMemory
) -> None:
    """Remember the value of a State; `limited` says whether it depends on the depth limit."""
    first = first_slot(game, state, memory)
    slot = first + depth % WAYS
    for candidate in range(first + WAYS - 1, first - 1, -1):
        if memory.cache_depth[candidate] == EMPTY or memory.cache_state[candidate] == state:
            slot = candidate
    memory.cache_state[slot] = state
    memory.cache_depth[slot] = depth
    memory.cache_value[slot] = value
    memory.cache_action[slot] = action
    memory.cache_limited[slot] = limited


def longest_known_line(game: Game[S], state: S, depth: int, memory: CacheMemory) -> Iterator[int]:
    """The remembered best actions from a State onwards, as far as they are known."""
    while depth > 0 and not game.is_terminal(state):
        slot = find(game, state, depth, memory)
        if slot < 0 or memory.cache_action[slot] < 0:
            return
        action = memory.cache_action[slot]
        yield action
        state = game.result(state, action)
        depth -= 1


def cache_fields(depth: int, room: int) -> Spec:
    """The fields of a Memory for a cache of `room` values."""
    return {
        "cache_state": ("state", room + WAYS),
        "cache_depth": ("i32", room + WAYS),
        "cache_value": ("i64", room + WAYS),
        "cache_action": ("i64", room + WAYS),
        "cache_limited": ("bool", room + WAYS),
    }


class CacheMemory(Protocol):
    """A memory with such a cache (`cache_fields`). `haste` and `to_the_end` as in every search."""

    cache_state: StateArray
    cache_depth: Array[int]
    cache_value: Array[int]
    cache_action: Array[int]
    cache_limited: Array[bool]
    haste: int
    to_the_end: int
