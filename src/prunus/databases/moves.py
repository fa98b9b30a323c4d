"""The moves between positions that are still open, in two rounds over all positions: the first
counts the open children of each and its parents, and decides what two plies decide; the second
notes the parents."""

from __future__ import annotations

from typing import Final, Protocol

import numpy as np

from prunus.core.arrays import View
from prunus.core.game import Game, S
from prunus.core.memory import Array, Counted
from prunus.databases.labels import DRAWN, LOST, OPEN, WON
from prunus.databases.numbering import (
    ABSENT,
    AT_ONCE,
    COUNTING,
    NOTING,
    Positions,
    Watch,
    representative,
)
from prunus.databases.parents import (
    MOST_CHILDREN,
    CountingMemory,
    TallyMemory,
    add_parent,
    fetch_tally,
    set_children,
    tallies,
    to_places,
    too_many,
)
from prunus.databases.propagation import is_for
from prunus.databases.ranking import LookingMemory, look_up, looking_fields, state_at
from prunus.databases.waves import Each
from prunus.kernel.memory import Spec


def count_parents(game: Game, index: int, memory: MovesMemory) -> None:
    """Count some open positions among the parents of their open children, but not those which are
    decided now: if a child is lost after one ply, or all children are won so. The labels of this
    round (2 plies) do not count yet, so that the order of the positions does not matter. When a
    build goes on, those count that have been told to their parents (fewer plies than `told`)."""
    first = TOGETHER * index
    memory.current = ABSENT
    held = 0
    for place in range(first, min(first + TOGETHER, len(memory.labels))):
        if memory.labels[place] != OPEN:
            continue
        state = state_at(game, place, memory)
        if game.is_terminal(state):
            continue
        memory.nodes += 1
        for action in game.actions(state):
            if held == HELD:
                held = count_held(game, held, memory)
            memory.homes[held] = representative(game, game.result(state, action))
            memory.origins[held] = place
            held += 1
    count_held(game, held, memory)
    end_counting(memory)


def look_held_up(game: Game, held: int, memory: MovesMemory) -> None:
    """Look so many children up that are held, and fetch what will be asked about them."""
    look_up(game, held, memory)
    for i in range(held):
        memory.labels.prefetch(memory.places[i])
        fetch_tally(memory.places[i], memory)


def count_held(game: Game, held: int, memory: MovesMemory) -> int:
    """Look at so many children that are held, those of each position together; return 0, the number
    of those held afterwards."""
    look_held_up(game, held, memory)
    for i in range(held):
        if memory.origins[i] != memory.current:
            end_counting(memory)
            memory.current = memory.origins[i]
            memory.kept = memory.drawn = 0
        count_child(game, i, memory)
    return 0


def count_child(game: Game, item: int, memory: MovesMemory) -> None:
    """Look at a child that is held of the current position."""
    label = memory.labels[memory.places[item]]
    if is_untold(label, memory) and memory.kept == MOST_CHILDREN:
        memory.crowded = memory.current + 1
    elif is_untold(label, memory):
        memory.line[memory.kept] = memory.places[item]
        memory.kept += 1
    elif memory.scored:
        return
    elif label & 3 == DRAWN:
        memory.drawn = 1
    else:
        same = not game.alternates and game.keeps_turn(
            state_at(game, memory.current, memory), memory.homes[item]
        )
        if is_for(label, same, False):
            memory.labels[memory.current] = 2 << 2 | WON


def end_counting(memory: MovesMemory) -> None:
    """Count the current position among the parents of its open children, if it is still open."""
    place = memory.current
    if place == ABSENT or memory.labels[place] != OPEN:
        return
    if memory.kept + memory.drawn == 0:
        memory.labels[place] = 2 << 2 | LOST
        return
    set_children(place, memory.kept + memory.drawn, memory)
    for i in range(memory.kept):
        add_parent(memory.line[i], memory)


def is_untold(label: int, memory: MovesMemory) -> bool:
    """Whether the parents of a position with this label have not been told of it."""
    if memory.scored:
        return label == OPEN
    return label & 3 == OPEN or label >> 2 >= memory.told[0]


def put_parents(game: Game, index: int, memory: PuttingMemory) -> None:
    """Put some positions that are still open among the parents of the children that `count_parents`
    counted."""
    first = TOGETHER * index
    held = 0
    for place in range(first, min(first + TOGETHER, len(memory.labels))):
        if memory.labels[place] != OPEN:
            continue
        state = state_at(game, place, memory)
        if game.is_terminal(state):
            continue
        memory.nodes += 1
        for action in game.actions(state):
            if held == HELD:
                held = put_held(game, held, memory)
            memory.homes[held] = representative(game, game.result(state, action))
            memory.origins[held] = place
            held += 1
    put_held(game, held, memory)


def put_held(game: Game, held: int, memory: PuttingMemory) -> int:
    """Put the positions whose children are held, so many, among the parents of these; return 0, the
    number of those held afterwards."""
    look_held_up(game, held, memory)
    kept = 0
    for i in range(held):
        child = memory.places[i]
        if is_untold(memory.labels[child], memory):
            room = memory.places[kept] = add_parent(child, memory)
            memory.parents.prefetch(room)
            memory.origins[kept] = memory.origins[i]
            kept += 1
    for i in range(kept):
        memory.parents[memory.places[i]] = memory.origins[i]
    return 0


def note_parents(positions: Positions[S], fields: Spec, each: Each, tell: Watch) -> Spec:
    """The parents of the positions that are still open, as the fields of a Memory."""
    tallied = tallies(len(positions))
    fields = {**fields, "tallies": tallied}
    holding: Spec = {
        **looking_fields(HELD),
        "origins": ("i64", HELD),
        "line": ("i64", MOST_CHILDREN),
        **dict.fromkeys(("current", "kept", "drawn", "crowded"), "i64"),
    }
    groups = -(-len(positions) // TOGETHER)
    tell(COUNTING, len(positions))
    for memory in each(count_parents, groups, {**fields, **holding}, AT_ONCE // TOGETHER):
        if memory.crowded:
            raise too_many(positions.game, positions.state(memory.crowded - 1))
    total = to_places(tallied)
    tell(NOTING, total)
    parents = View(np.empty(max(1, total), np.uint32))
    each(put_parents, groups, {**fields, **holding, "parents": parents}, AT_ONCE // TOGETHER)
    return {"parents": parents, "ends": View(tallied.array.view(np.uint32))}


TOGETHER: Final = 16
"""The positions that are gone through together."""

HELD: Final = 64
"""The most children that are looked up together."""


class MovesMemory(Counted, LookingMemory, CountingMemory, TallyMemory, Protocol):
    """A memory with labels, and children that are held, each of a position (`origins`). Of the
    `current` one, whose children are looked at: the open ones that need a parent (the first `kept`
    of `line`), and 1 for `drawn` ones, however many, because it can never be lost then;
    `crowded` is 1 more than the place of one with more than `line` can hold."""

    labels: Array[int]
    scored: bool
    told: Array[int]
    origins: Array[int]
    line: Array[int]
    current: int
    kept: int
    drawn: int
    crowded: int


class PuttingMemory(MovesMemory, Protocol):
    """The same while parents are put into their places."""

    parents: Array[int]
