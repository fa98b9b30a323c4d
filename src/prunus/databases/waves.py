"""Waves of backward analysis: from the positions decided last to their parents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from prunus.core.arrays import View
from prunus.core.game import Game
from prunus.core.memory import Array, Counted, SharedArray
from prunus.databases.errors import DatabaseError
from prunus.databases.labels import LOST, MOST_PLIES, OPEN, WON, ZERO, Labels
from prunus.databases.numbering import AT_ONCE, Watch
from prunus.databases.parents import ParentsMemory, claim, fetch_counter
from prunus.databases.propagation import GivenMemory, given_labels, is_for, label_after
from prunus.databases.ranking import PlacesMemory, state_at
from prunus.kernel.memory import Memory, Spec


class Begun(NamedTuple):
    """Labels, of which some have been told to the parents: those with fewer than `told` plies,
    scores of at least the amount `told`, or those in layers up to `told`."""

    labels: Labels
    told: int


Keep = Callable[[Begun], None]
"""Is given what has been done."""


def without_later(begun: Begun, scored: bool) -> Begun:
    """The same without the labels that the next wave had already given, in `begun.labels`."""
    labels, told = begun
    if scored:
        amounts = np.abs(labels.astype(np.int32) - ZERO)
        labels[(labels != OPEN) & (amounts < told)] = OPEN
    else:
        labels[labels >> 2 > told] = OPEN
    return begun


def wave_by_wave(begun: Begun, fields: Spec, each: Each, tell: Watch, keep: Keep) -> None:
    """Label the open positions, with their distances, from those at `told` plies from the end
    on."""
    labels, plies = begun
    first = np.flatnonzero(labels >> 2 == plies)
    room = len(first) + int(np.count_nonzero(labels == OPEN))
    waiting = Queue(room)
    waiting.put(first)
    while waiting.begin_wave():
        waiting.give(won=(plies + 1) << 2 | WON, lost=(plies + 1) << 2 | LOST)
        keep(Begun(labels, plies))
        tell(f"{plies} plies from the end", waiting.size)
        tell_wave(waiting, fields, each)
        plies += 1
        if plies > MOST_PLIES:
            raise DatabaseError(f"a game lasts more than {MOST_PLIES:,} plies, too many to store")


def by_amounts(begun: Begun, fields: Spec, each: Each, tell: Watch, keep: Keep) -> None:
    """Label all positions with their scores."""
    labels, told = begun
    worth = View(np.zeros(len(labels), np.int16))
    over = View(np.zeros(len(labels), np.bool_))
    each(note_worth, len(labels), {**fields, "worth": worth, "over": over})
    final = np.flatnonzero(over.array)
    amounts = np.abs(worth.array[final].astype(np.int32))
    waiting = Queue(len(labels))
    for amount in sorted(set(amounts[amounts < told].tolist()) - {0}, reverse=True):
        places = final[amounts == amount]
        labels[places] = (worth.array[places].astype(np.int32) + ZERO).astype(np.uint16)
        waiting.put(places)
        waiting.give(won=ZERO + amount, lost=ZERO - amount)
        while waiting.begin_wave():
            tell(f"worth {amount}", waiting.size)
            tell_wave(waiting, fields, each)
        keep(Begun(labels, amount))
    labels[labels == OPEN] = ZERO


def note_worth(game: Game, index: int, memory: ScoringMemory) -> None:
    """Note what a position is worth if the game is over there."""
    state = state_at(game, index, memory)
    if game.is_terminal(state):
        memory.over[index] = True
        memory.worth[index] = game.utility(state)


def tell_wave(waiting: Queue, fields: Spec, each: Each) -> None:
    """Tell the parents of all positions of a wave."""
    telling: Spec = {
        **waiting.fields(),
        "size": View(np.array([waiting.size])),
        "pending": ("u32", PENDING),
        "tellers": ("i64", TELLERS),
        "children_held": ("i64", PARENTS_HELD),
        "parents_held": ("i64", PARENTS_HELD),
    }
    # In pieces as large as those of other loops, so that threads share short waves, too.
    each(tell_parents, -(-waiting.size // TELLERS), {**fields, **telling}, AT_ONCE // TELLERS)


def tell_parents(game: Game, index: int, memory: WaveMemory) -> None:
    """Tell the parents of some positions that these are decided, and label those which are decided
    by that. These wait for the next wave, which has labels of its own; but scores are the same in
    any order, so the parents of those which got one are told now, as far as there is room to note
    them. What will be read is fetched for many positions at a time."""
    first = TELLERS * index
    left = 0
    for item in range(first, min(first + TELLERS, memory.size[0])):
        memory.pending[left] = memory.waiting[memory.first[0] + item]
        left += 1
    while left:
        memory.nodes += 0  # checks whether the loop is to end
        count = min(left, TELLERS)
        left -= count
        fetch_parents(left, count, memory)
        held = 0
        for i in range(count):
            place = memory.tellers[i]
            for slot in range(memory.ends[place - 1] if place > 0 else 0, memory.ends[place]):
                if held == PARENTS_HELD:
                    left = tell_held(game, held, left, memory)
                    held = 0
                parent = memory.parents[slot]
                memory.labels.prefetch(parent)
                fetch_counter(parent, memory)
                memory.parents_held[held] = parent
                memory.children_held[held] = place
                held += 1
        left = tell_held(game, held, left, memory)


def fetch_parents(first: int, count: int, memory: WaveMemory) -> None:
    """Note so many of the pending positions, and fetch where their parents are."""
    for i in range(count):
        place = memory.tellers[i] = memory.pending[first + i]
        memory.labels.prefetch(place)
        memory.ends.prefetch(place)
    for i in range(count):
        place = memory.tellers[i]
        memory.parents.prefetch(memory.ends[place - 1] if place > 0 else 0)


def tell_held(game: Game, count: int, left: int, memory: WaveMemory) -> int:
    """Tell so many parents that are held; return how many positions are pending, which were
    `left`."""
    for i in range(count):
        parent = memory.parents_held[i]
        if memory.labels[parent] != OPEN:
            continue
        place = memory.children_held[i]
        same = not game.alternates and game.keeps_turn(
            state_at(game, parent, memory), state_at(game, place, memory)
        )
        found = label_after(is_for(memory.labels[place], same, memory.scored), parent, memory)
        if found == OPEN or not claim(parent, memory):
            continue
        memory.labels[parent] = found
        if memory.scored and left < PENDING:
            memory.pending[left] = parent
            left += 1
        else:
            memory.waiting[memory.queued.fetch_add(0, 1)] = parent
    return left


TELLERS: Final = 16
"""The positions whose parents are told together."""

PARENTS_HELD: Final = 64
"""The most parents that are told together."""

PENDING: Final = 1 << 8
"""The positions that a thread notes whose parents it has still to tell. More of them wait for the
next wave, which all threads share."""


class Queue:
    """The positions that have been decided and whose parents have not been told, in order."""

    def __init__(self, room: int) -> None:
        self.waiting = View(np.empty(max(1, room), np.uint32))
        self.queued = View(np.zeros(1, np.int64))
        self.first = View(np.zeros(1, np.int64))
        self.given = given_labels(OPEN, OPEN)
        self.size = 0

    def put(self, places: NDArray[np.int64]) -> None:
        """Add positions."""
        end = int(self.queued.array[0])
        self.waiting.array[end : end + len(places)] = places
        self.queued.array[0] = end + len(places)

    def give(self, won: int, lost: int) -> None:
        """Give these labels from now on."""
        self.given.array[:] = won, lost

    def begin_wave(self) -> bool:
        """Take everything that waits for the next wave; return whether there is anything."""
        self.first.array[0] += self.size
        self.size = int(self.queued.array[0] - self.first.array[0])
        return self.size > 0

    def fields(self) -> Spec:
        """The fields of a wave's memory."""
        return {
            "waiting": self.waiting,
            "queued": self.queued,
            "first": self.first,
            "given": self.given,
        }


class Each(Protocol):
    """Runs a loop over positions in all threads, of which each takes `step` at a time."""

    def __call__(
        self, body: Callable[..., object], count: int, fields: Spec, step: int = AT_ONCE, /
    ) -> list[Memory]: ...


class ScoringMemory(PlacesMemory, Protocol):
    """A memory with what ends are worth."""

    worth: Array[int]
    over: Array[bool]


class WaveMemory(Counted, PlacesMemory, ParentsMemory, GivenMemory, Protocol):
    """A memory of a wave: the positions that wait, how many they are, the first of this wave and
    its size, those that a thread goes on with, those whose parents it tells now (`tellers`), and
    the parents that are held, each with its child."""

    labels: Array[int]
    scored: bool
    waiting: Array[int]
    queued: SharedArray
    first: Array[int]
    size: Array[int]
    pending: Array[int]
    tellers: Array[int]
    children_held: Array[int]
    parents_held: Array[int]
