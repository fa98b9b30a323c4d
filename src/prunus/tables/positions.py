"""A set of positions. It loses none and never takes one for another, however many threads add to it
at once.

A hash table with open addressing and linear probing (Knuth, The Art of Computer Programming 6.4),
at most three quarters full. If keys tell all positions apart (`has_exact_key`), the word of a slot
is the key itself, or 0 for a free slot; the key 0 has a slot of its own behind the others.
Otherwise the word is a hash and the State lies beside it: States with the same hash are compared,
and get separate slots.

A thread takes a slot by exchanging its 0 for a word, which only one thread can do. If a State goes
with the word, the word is marked as being written until the State is there; another thread that
reaches this slot meanwhile waits. A full set accepts nothing new and says so; `grow` moves
everything to a set of twice the size, while no other thread uses it.
"""

from __future__ import annotations

from typing import Final, Protocol

import numpy as np

from prunus.core.arrays import View
from prunus.core.bits import WIDE, i64, mix, mulhi, u64
from prunus.core.game import Game, S
from prunus.core.generic import Generic
from prunus.core.memory import SharedArray, StateArray, WordArray
from prunus.core.state import StateLayout, is_machine_state
from prunus.kernel.columns import ObjectView, StateView
from prunus.kernel.loops import for_each
from prunus.kernel.memory import Memory, Spec
from prunus.tables.transposition import has_exact_key

NEW, KNOWN, FULL = 1, 0, -1
"""The results of `add_position`."""

SMALLEST: Final = 1 << 10
"""The number of slots of a new set. The quarter that stays free exceeds the number of threads."""

LARGE: Final = 1 << 24
"""From this number of slots on, `renew` adds half as many instead of twice as many."""

MOVED_AT_ONCE: Final = 1 << 12

WRITTEN, WRITING = 3, 1
"""The lowest bits of a word whose State has been written, and of one whose State has not."""


class PositionSet(Generic[S]):
    """A set of States of a game, shaped like `state`, with space for `room` of them before it first
    grows.

    Put `fields` into the Memory of a compiled function that calls `add_position` or `has_position`,
    in any number of threads. When `add_position` returns `FULL`, let all threads end, call `grow`,
    and make new memories. From Python, use `add`, `in` and `len`.
    """

    def __init__(self, game: Game[S], state: S, room: int = 0) -> None:
        game.freeze()
        # A slot holds 64 bits, so a wider key is never exact here.
        self.game, self.exact = (
            game,
            has_exact_key(game, state) and type(game.key(state)) not in WIDE,
        )
        self._layout = StateLayout(state) if is_machine_state(state) else None
        self._make(max(SMALLEST, -(-4 * room // 3) + 4))

    def _make(self, slots: int) -> None:
        self._words = View(np.zeros(slots + 1, np.uint64))
        count = 0 if self.exact else slots
        self._states = ObjectView(count) if self._layout is None else StateView(count, self._layout)
        self._count = View(np.zeros(1, np.int64))

    def __len__(self) -> int:
        return int(self._count.array[0])

    @property
    def free(self) -> int:
        """The number of positions that can still be added before the set is full; each further
        thread that adds at the same time may add one more."""
        return max(0, room_in(len(self._words) - 1) - len(self))

    def fields(self) -> Spec:
        """The fields of a Memory that works with this set."""
        return {
            "set_words": self._words,
            "set_states": self._states,
            "set_count": self._count,
            "set_exact": self.exact,
        }

    def add(self, state: S) -> bool:
        """Add a State; return whether it was new."""
        while (added := add_position(state, self.game.key(state), Memory(self.fields()))) == FULL:
            self.grow(compile=False)
        return added == NEW

    def __contains__(self, state: S) -> bool:
        return has_position(state, self.game.key(state), Memory(self.fields()))

    def discard(self) -> int:
        """Give up all slots; return how many `renew` should make of them. Unlike `grow`, the two
        need no memory for old slots beside the new ones."""
        slots = len(self._words) - 1
        del self._words, self._states
        return 2 * slots if slots < LARGE else slots + slots // 2

    def renew(self, slots: int) -> None:
        """Have this many slots after `discard`, but none of the positions: these have to be added
        again."""
        self._make(slots)

    def grow(self, threads: int = 1, compile: bool | None = None) -> None:
        """Double the number of slots, keeping the positions."""
        words, states, expected = self._words, self._states, len(self)
        self._make(2 * len(words))
        fields = {**self.fields(), "old_words": words, "old_states": states}
        for_each(
            self.game,
            move_position,
            len(words),
            fields,
            threads=threads,
            step=MOVED_AT_ONCE,
            compile=compile,
        )
        assert len(self) == expected


def room_in(slots: int) -> int:
    """The number of positions that fit into this many slots."""
    return slots - slots // 4


def add_position(home: object, key: int, memory: SetMemory) -> int:
    """Put the State `home`, with key `key`, into the set. Returns NEW if it was absent, KNOWN if it
    was present, FULL if it was absent and there is no room."""
    return add_word(home, word_of(key, memory), memory)


def word_of(key: int, memory: SetMemory) -> u64:
    """What `add_word` and `fetch_slot` take for a State with this key."""
    return u64(0) | key if memory.set_exact else mix(key) | WRITTEN


def fetch_slot(word: u64, memory: SetMemory) -> None:
    """Fetch what tells whether a State is in the set, which will soon be asked."""
    slot = first_slot_of(word, memory)
    memory.set_words.prefetch(slot)
    if not memory.set_exact:
        memory.set_states.prefetch(slot)


def add_word(home: object, word: u64, memory: SetMemory, reserved: bool = False) -> int:
    """`add_position` for a State of which `word_of` is given. If the room for it has been
    `reserved`, it is not counted."""
    if memory.set_exact:
        return add_key(word, memory, reserved)
    return add_state(home, word, memory, reserved)


def reserve(count: int, memory: SetMemory) -> bool:
    """Count so many positions beforehand, if there is room for all of them; return whether. Whoever
    adds fewer takes the others back by `release`."""
    before = memory.set_count.fetch_add(0, count)
    if before + count <= room_in(len(memory.set_words) - 1):
        return True
    release(count, memory)
    return False


def release(count: int, memory: SetMemory) -> None:
    """Take back the room for so many positions."""
    memory.set_count.fetch_add(0, -count)


def has_position(home: object, key: int, memory: SetMemory) -> bool:
    """Whether the State `home`, with key `key`, is in the set."""
    slots = len(memory.set_words) - 1
    word = word_of(key, memory)
    if memory.set_exact and word == 0:
        return memory.set_words.atomic_load(slots) != 0
    slot = first_slot_of(word, memory)
    while True:
        found = memory.set_words.atomic_load(slot)
        if found == 0:
            return False
        if found == word and (memory.set_exact or memory.set_states[slot] == home):
            return True
        slot = slot + 1 if slot + 1 < slots else 0


def first_slot_of(word: int, memory: SetMemory) -> int:
    """The slot where the search for a word starts. Keys that lie close together are spread out."""
    return i64(mulhi(mix(word) if memory.set_exact else word, len(memory.set_words) - 1))


def add_key(key: int, memory: SetMemory, reserved: bool = False) -> int:
    """Put an exact key into the set."""
    slots = len(memory.set_words) - 1
    slot = first_slot_of(key, memory)
    word = key
    if key == 0:
        slot = slots
        word = u64(1)
    while True:
        found = memory.set_words.atomic_load(slot)
        if found == 0:
            if not reserved and memory.set_count.atomic_load(0) >= room_in(slots):
                return FULL
            found = memory.set_words.compare_exchange(slot, 0, word)
            if found == 0:
                if not reserved:
                    memory.set_count.fetch_add(0, 1)
                return NEW
        if found == word:
            return KNOWN
        slot = slot + 1 if slot + 1 < slots else 0


def add_state(home: object, word: u64, memory: SetMemory, reserved: bool = False) -> int:
    """Put a State into the set. `word` is its hash with the bits of WRITTEN."""
    slots = len(memory.set_words) - 1
    slot = first_slot_of(word, memory)
    unfinished = word ^ WRITTEN ^ WRITING
    while True:
        found = memory.set_words.atomic_load(slot)
        if found == 0:
            if not reserved and memory.set_count.atomic_load(0) >= room_in(slots):
                return FULL
            found = memory.set_words.compare_exchange(slot, 0, unfinished)
            if found == 0:
                memory.set_states[slot] = home
                memory.set_words.atomic_store(slot, word)
                if not reserved:
                    memory.set_count.fetch_add(0, 1)
                return NEW
        while found == unfinished:
            found = memory.set_words.atomic_load(slot)
        if found == word and memory.set_states[slot] == home:
            return KNOWN
        slot = slot + 1 if slot + 1 < slots else 0


def move_position(game: Game, index: int, memory: GrowingMemory) -> None:
    """Put the position in one slot of the old arrays into the set."""
    word = memory.old_words[index]
    if word != 0:
        if memory.set_exact:
            add_key(word if index + 1 < len(memory.old_words) else u64(0), memory)
        else:
            add_state(memory.old_states[index], word, memory)


class SetMemory(Protocol):
    """A memory with a set of positions (`PositionSet.fields`)."""

    set_words: WordArray
    set_states: StateArray
    set_count: SharedArray
    set_exact: bool


class GrowingMemory(SetMemory, Protocol):
    """The same while the set grows, with its arrays so far."""

    old_words: WordArray
    old_states: StateArray
