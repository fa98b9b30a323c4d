"""Backward analysis by `predecessors`: whoever is decided tells the positions before it, which the
game finds by taking actions back, so that no moves are stored (Thompson 1986).

All that is kept of a position is its label. While it is open, the label has the mark of one child
that speaks against a loss, its witness. A position that is won for the opponent tells nothing to
one before it that has another witness; one that has this looks for another among its children, and
is lost if there is none. So nothing is counted, and it does not matter how often a child is
reached, or a position told of it. Whoever is told by a position that is lost for the opponent is
won.

A loss is seen from all actions. That a position is won, or a draw, rests on `predecessors`, which
`prunus check` compares with the actions.
"""

from __future__ import annotations

from typing import Final, Protocol

import numpy as np

from prunus.core.arrays import View
from prunus.core.bits import i64, u64
from prunus.core.game import Game, S
from prunus.core.memory import Array, Counted, SharedArray, StateArray
from prunus.databases.errors import DatabaseError
from prunus.databases.labels import DRAWN, LOST, MOST_PLIES, OPEN, WON, Labels
from prunus.databases.marks import ABSENT, nth_bit
from prunus.databases.numbering import AT_ONCE, Positions, Watch, representative
from prunus.databases.propagation import is_for
from prunus.databases.ranking import (
    LookingMemory,
    by_words,
    is_at,
    look_up,
    looking_fields,
    state_at,
    word_count,
)
from prunus.databases.waves import Begun, Each, Keep
from prunus.kernel.memory import Spec

MARKS: Final = MOST_PLIES
"""How many marks of witnesses there are, from 1 on; 0 is none."""

FEW: Final = 1 << 20
PART: Final = 256
"""The positions decided last are listed if they are at most so many, or such a part of all;
otherwise they are looked for among all labels."""

LOOKED_AT_ONCE: Final = 16
"""The places, or items of the list, that are looked at together."""

WORDS: Final = 4
"""The words of marks whose places are looked at together."""

PREDECESSORS_HELD: Final = 64
"""The most positions that are told together."""

BLOCK: Final = 1 << 20
"""The labels that are changed together."""


class Room:
    """Room for labels, which threads change as parts of words."""

    def __init__(self, labels: Labels | None, count: int) -> None:
        self.words = np.zeros(-(-count // 4), np.uint64)
        self.labels: Labels = self.words.view(np.uint16)[:count]
        if labels is not None:
            self.labels[:] = labels


def by_predecessors(
    positions: Positions,
    room: Room,
    plies: int,
    fields: Spec,
    each: Each,
    tell: Watch,
    keep: Keep,
) -> None:
    """Label the open positions, with their distances, from those at `plies` from the end on."""
    labels = room.labels
    forget_witnesses(labels)
    latest, newest = (View(np.empty(max(FEW, len(labels) // PART), np.uint32)) for _ in range(2))
    decided = View(np.zeros(1, np.int64))
    size, listed = len(labels), False
    while size:
        looked_at = size if listed else len(labels)
        keep(Begun(labels, plies))
        tell(f"{plies} plies from the end", size)
        wave: Spec = {
            "words": View(room.words),
            "now": View(np.array([plies, looked_at])),
            "listed": listed,
            "latest": latest,
            "newest": newest,
            "decided": decided,
            **looking_fields(PREDECESSORS_HELD),
            "known": ("i64", PREDECESSORS_HELD),
            "tellers": ("i64", PREDECESSORS_HELD),
            "before": ("state", PREDECESSORS_HELD),
            "after": ("state", PREDECESSORS_HELD),
            "asking": ("state", PREDECESSORS_HELD),
            "askers": ("i64", PREDECESSORS_HELD),
        }
        fields = {**fields, **wave}
        if not listed and by_words(positions):
            each(tell_of_words, -(-word_count(positions) // WORDS), fields, AT_ONCE // WORDS)
        else:
            # In pieces as large as those of other loops, so that threads share short lists, too.
            groups = -(-looked_at // LOOKED_AT_ONCE)
            each(tell_predecessors, groups, fields, AT_ONCE // LOOKED_AT_ONCE)
        plies += 1
        if plies > MOST_PLIES:
            raise DatabaseError(f"a game lasts more than {MOST_PLIES:,} plies, too many to store")
        size = int(decided.array[0])
        decided.array[0] = 0
        listed = size <= len(newest.array)
        latest, newest = newest, latest
    forget_witnesses(labels)


def forget_witnesses(labels: Labels) -> None:
    """Leave in the labels of open positions that they are open."""
    for first in range(0, len(labels), BLOCK):
        block = labels[first : first + BLOCK]
        block[block & 3 == OPEN] = OPEN


def tell_predecessors(game: Game, index: int, memory: TellingMemory) -> None:
    """Tell the positions before those of some places, or of the list, that were decided in the last
    wave."""
    first = LOOKED_AT_ONCE * index
    held = 0
    for item in range(first, min(first + LOOKED_AT_ONCE, memory.now[1])):
        place = memory.latest[item] if memory.listed else item
        if is_latest(place, memory):
            held = hold_predecessors(game, state_at(game, place, memory), place, held, memory)
    tell_held(game, held, memory)


def tell_of_words(game: Game, index: int, memory: TellingMemory) -> None:
    """The same for the places of all ranks that are marked in some words: so none of these has to
    be looked for by its place."""
    first = WORDS * index
    held = 0
    for word in range(first, min(first + WORDS, len(memory.marks) // 2)):
        marked = memory.marks[2 * word]
        begin = i64(memory.marks[2 * word + 1])
        for place in range(begin, begin + marked.bit_count()):
            if is_latest(place, memory):
                state = game.unrank(64 * word + nth_bit(marked, place - begin))
                held = hold_predecessors(game, state, place, held, memory)
    tell_held(game, held, memory)


def is_latest(place: int, memory: TellingMemory) -> bool:
    """Whether a position was decided in the last wave."""
    label = memory.labels[place]
    return label & 3 in (WON, LOST) and label >> 2 == memory.now[0]


def hold_predecessors(game: Game[S], state: S, place: int, held: int, memory: TellingMemory) -> int:
    """Hold the positions before one that was decided, beside those `held`, to be told with them;
    return how many are held now."""
    memory.nodes += 1
    for before in game.predecessors(state):
        if held == PREDECESSORS_HELD:
            held = tell_held(game, held, memory)
        memory.homes[held] = representative(game, before)
        memory.tellers[held] = place
        if not game.alternates:
            memory.before[held] = before
            memory.after[held] = state
        held += 1
    return held


def tell_held(game: Game, count: int, memory: TellingMemory) -> int:
    """Tell so many positions, which are in `homes`; return 0, the number of those held afterwards.
    What was not enumerated may be no position at all: the game is asked nothing about it."""
    find_labels(game, count, memory)
    asked = 0
    for i in range(count):
        known = memory.known[i]
        if known & 3 != OPEN:
            continue
        # Who is to move is asked of positions alone. Where that is known beforehand, a number is
        # turned back into a position only if something is to be changed.
        if not game.alternates and not is_at(game, i, memory):
            continue
        same = not game.alternates and game.keeps_turn(memory.before[i], memory.after[i])
        is_favourable = is_for(memory.labels[memory.tellers[i]], same, False)
        if not is_favourable and known >> 2 not in (0, mark_of(memory.tellers[i])):
            continue
        if game.alternates and not is_at(game, i, memory):
            continue
        parent = memory.places[i]
        if is_favourable:
            put_label(parent, (memory.now[0] + 1) << 2 | WON, memory)
        else:
            memory.asking[asked] = memory.homes[i]
            memory.askers[asked] = parent
            asked += 1
    for i in range(asked):
        look_for_witness(game, memory.asking[i], memory.askers[i], memory)
    return 0


def find_labels(game: Game, count: int, memory: TellingMemory) -> None:
    """Note in `known` the labels of so many positions, which are in `homes`; DRAWN, which nothing
    changes, for one that was not enumerated."""
    look_up(game, count, memory)
    for i in range(count):
        if memory.places[i] != ABSENT:
            memory.labels.prefetch(memory.places[i])
    for i in range(count):
        place = memory.places[i]
        memory.known[i] = DRAWN if place == ABSENT else memory.labels[place]


def look_for_witness(game: Game[S], state: S, place: int, memory: TellingMemory) -> None:
    """Give an open position, of which the State and the place are given, another witness: a child
    that had not been decided for the opponent when this wave began. Without one it is lost."""
    held = 0
    for action in game.actions(state):
        if held == PREDECESSORS_HELD:
            if has_witness(game, state, place, held, memory):
                return
            held = 0
        child = game.result(state, action)
        memory.homes[held] = representative(game, child)
        if not game.alternates:
            memory.after[held] = child
        held += 1
    if not has_witness(game, state, place, held, memory):
        put_label(place, (memory.now[0] + 1) << 2 | LOST, memory)


def has_witness(game: Game[S], state: S, place: int, count: int, memory: TellingMemory) -> bool:
    """Give a position the first of so many children, which are in `homes`, that can be its witness;
    return whether there is one."""
    find_labels(game, count, memory)
    for i in range(count):
        label = memory.known[i]
        is_decided = label & 3 in (WON, LOST) and label >> 2 <= memory.now[0]
        same = not game.alternates and game.keeps_turn(state, memory.after[i])
        if not is_decided or is_for(label, same, False):
            put_label(place, mark_of(memory.places[i]) << 2 | OPEN, memory)
            return True
    return False


def mark_of(place: int) -> int:
    """The mark of a witness. Some have the same; that costs a look, and changes nothing."""
    return 1 + place % MARKS


def put_label(place: int, label: int, memory: TellingMemory) -> None:
    """Give a position this label if it is still open; note it if it is so no longer."""
    bit = (place & 3) * 16
    rest = ~(u64(0xFFFF) << bit)
    seen = memory.words.atomic_load(place >> 2)
    while seen >> bit & 3 == OPEN:
        found = memory.words.compare_exchange(place >> 2, seen, seen & rest | u64(label) << bit)
        if found == seen:
            if label & 3 != OPEN:
                number = memory.decided.fetch_add(0, 1)
                if number < len(memory.newest):
                    memory.newest[number] = place
            return
        seen = found


class TellingMemory(Counted, LookingMemory, Protocol):
    """A memory of a wave: the labels, also as words of four; the plies of the positions that tell
    `now`, and the length of the list or of all labels; these positions are `latest` if they are
    `listed`; how many have been `decided`, and the first of them. Of the positions that are told:
    what is `known` of each, and the place of the one `after` it that tells it. Those `asking` for
    another witness, and their places."""

    labels: Array[int]
    words: SharedArray
    now: Array[int]
    listed: bool
    latest: Array[int]
    newest: Array[int]
    decided: SharedArray
    known: Array[int]
    tellers: Array[int]
    before: StateArray
    after: StateArray
    asking: StateArray
    askers: Array[int]
