"""The moves between positions that are still open, in two rounds over all positions: the first
counts the open children of each and its parents, and decides what two plies decide; the second
notes the parents."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from prunus.core.arrays import View
from prunus.core.game import Game, S
from prunus.core.memory import Array, Counted
from prunus.databases.labels import DRAWN, LOST, OPEN, WON
from prunus.databases.numbering import COUNTING, NOTING, Positions, Watch, representative
from prunus.databases.parents import (
    MOST_CHILDREN,
    CountingMemory,
    TallyMemory,
    add_parent,
    set_children,
    tallies,
    to_places,
)
from prunus.databases.propagation import is_for
from prunus.databases.ranking import PlacesMemory, known_place, state_at
from prunus.databases.waves import Each
from prunus.kernel.memory import Spec


def count_parents(game: Game, index: int, memory: MovesMemory) -> None:
    """Count an open position among the parents of its open children, unless it is decided now: if a
    child is lost after one ply, or all children are won so. The labels of this round (2 plies) do
    not count yet, so that the order of the positions does not matter. When a build goes on, those
    count that have been told to their parents (fewer plies than `told`)."""
    if memory.labels[index] != OPEN:
        return
    state = state_at(game, index, memory)
    if game.is_terminal(state):
        return
    memory.nodes += 1
    kept = 0  # open children that need a parent
    drawn = 0  # 1 for drawn children, however many: the position can never be lost
    for action in game.actions(state):
        child = representative(game, game.result(state, action))
        place = known_place(game, child, memory)
        label = memory.labels[place]
        if is_untold(label, memory):
            memory.line[kept] = place
            kept += 1
        elif memory.scored:
            continue
        elif label & 3 == DRAWN:
            drawn = 1
        elif is_for(label, game.keeps_turn(state, child), False):
            memory.labels[index] = 2 << 2 | WON
            return
    if kept + drawn == 0:
        memory.labels[index] = 2 << 2 | LOST
        return
    set_children(index, kept + drawn, memory)
    for i in range(kept):
        add_parent(memory.line[i], memory)


def is_untold(label: int, memory: MovesMemory) -> bool:
    """Whether the parents of a position with this label have not been told of it."""
    if memory.scored:
        return label == OPEN
    return label & 3 == OPEN or label >> 2 >= memory.told[0]


def put_parents(game: Game, index: int, memory: PuttingMemory) -> None:
    """Put a position that is still open among the parents of the children that `count_parents`
    counted."""
    if memory.labels[index] != OPEN:
        return
    state = state_at(game, index, memory)
    if game.is_terminal(state):
        return
    memory.nodes += 1
    for action in game.actions(state):
        child = representative(game, game.result(state, action))
        place = known_place(game, child, memory)
        if is_untold(memory.labels[place], memory):
            memory.parents[add_parent(place, memory)] = index


def note_parents(positions: Positions[S], fields: Spec, each: Each, tell: Watch) -> Spec:
    """The parents of the positions that are still open, as the fields of a Memory."""
    tallied = tallies(len(positions))
    fields = {**fields, "tallies": tallied}
    tell(COUNTING, len(positions))
    each(count_parents, len(positions), {**fields, "line": ("i64", MOST_CHILDREN)})
    total = to_places(tallied)
    tell(NOTING, total)
    parents = View(np.empty(max(1, total), np.uint32))
    each(put_parents, len(positions), {**fields, "parents": parents})
    return {"parents": parents, "ends": View(tallied.array.view(np.uint32))}


class MovesMemory(Counted, PlacesMemory, CountingMemory, TallyMemory, Protocol):
    """A memory with labels; `line` holds the children of one position."""

    labels: Array[int]
    scored: bool
    told: Array[int]
    line: Array[int]


class PuttingMemory(MovesMemory, Protocol):
    """The same while parents are put into their places."""

    parents: Array[int]
