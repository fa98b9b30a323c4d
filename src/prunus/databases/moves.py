"""The moves between positions that are still open, in two rounds over all positions: the first
counts the open children of each and its parents, and decides what two plies decide; the second
notes the parents. In between, the moves are listed as far as there is memory, since to make the
children once more, and to look them up, takes several times as long as to read a list."""

from __future__ import annotations

from typing import Final, Protocol, cast

import numpy as np

from prunus.core.arrays import View
from prunus.core.game import Game, S
from prunus.core.memory import Array, Counted
from prunus.databases.labels import DRAWN, LOST, OPEN, WON
from prunus.databases.limit import MemoryLimitError
from prunus.databases.listing import (
    MOST_LISTED,
    ListMemory,
    is_complete,
    list_for,
    list_moves,
    listed_at,
    moves_of_each,
    no_list,
    parts_of,
)
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


def go_through(game: Game, index: int, memory: MovesMemory) -> None:
    """Make the children of some positions that are still open, those excepted whose children are
    listed, and look at them (`count_held`), or put the positions among their parents (`put_held`)
    if `putting`. Which of the two is known when this is compiled."""
    begin, end = memory.part[0], memory.part[1]
    first = begin + POSITIONS_AT_ONCE * index
    memory.current = ABSENT
    held = 0
    for place in range(first, min(first + POSITIONS_AT_ONCE, end)):
        if memory.labels[place] != OPEN or listed_at(place - begin, memory) > 0:
            continue
        state = state_at(game, place, memory)
        if game.is_terminal(state):
            continue
        memory.nodes += 1
        for action in game.actions(state):
            if held == CHILDREN_HELD:
                held = use_held(game, held, memory)
            memory.homes[held] = representative(game, game.result(state, action))
            memory.origins[held] = place
            held += 1
    use_held(game, held, memory)
    if not memory.putting:
        end_counting(memory)


def use_held(game: Game, held: int, memory: MovesMemory) -> int:
    """Look up so many children that are held, and count them or put positions among their parents;
    return 0, the number of those held afterwards."""
    look_up(game, held, memory)
    for i in range(held):
        memory.labels.prefetch(memory.places[i])
        fetch_tally(memory.places[i], memory)
    if memory.putting:
        put_held(held, memory)
    else:
        count_held(game, held, memory)
    return 0


def count_held(game: Game, held: int, memory: MovesMemory) -> None:
    """Count positions among the parents of so many of their children that are held, those of each
    position together, but not those positions which are decided now: if a child is lost after one
    ply, or all children are won so. The labels of this round (2 plies) do not count yet, so that
    the order of the positions does not matter. When a build goes on, those count that have been
    told to their parents (fewer plies than `told`)."""
    for i in range(held):
        if memory.origins[i] != memory.current:
            end_counting(memory)
            memory.current = memory.origins[i]
            memory.kept = memory.drawn = 0
        count_child(game, i, memory)


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
    list_moves(place - memory.part[0], memory.kept, memory)


def is_untold(label: int, memory: MovesMemory) -> bool:
    """Whether the parents of a position with this label have not been told of it."""
    if memory.scored:
        return label == OPEN
    return label & 3 == OPEN or label >> 2 >= memory.told[0]


def put_held(held: int, memory: MovesMemory) -> None:
    """Put positions among the parents of so many of their children that are held, of those that
    `count_held` counted."""
    kept = 0
    for i in range(held):
        child = memory.places[i]
        if is_untold(memory.labels[child], memory):
            memory.places[kept] = child
            memory.origins[kept] = memory.origins[i]
            kept += 1
    put_places(kept, memory)


def put_listed(game: Game, index: int, memory: MovesMemory) -> None:
    """Put some positions whose children are listed among the parents of these."""
    begin, end = memory.part[0], memory.part[1]
    first = begin + POSITIONS_AT_ONCE * index
    memory.nodes += 0  # checks whether the loop is to end
    held = 0
    for place in range(first, min(first + POSITIONS_AT_ONCE, end)):
        child = listed_at(place - begin, memory)
        if child == 0:
            continue
        for item in range(child, child + memory.moves[child - 1]):
            if held == CHILDREN_HELD:
                put_places(held, memory)
                held = 0
            memory.places[held] = memory.moves[item]
            memory.origins[held] = place
            fetch_tally(memory.places[held], memory)
            held += 1
    put_places(held, memory)


def put_places(held: int, memory: MovesMemory) -> None:
    """Put positions among the parents of so many children, of which the places are held."""
    for i in range(held):
        room = memory.places[i] = add_parent(memory.places[i], memory)
        memory.parents.prefetch(room)
    for i in range(held):
        memory.parents[memory.places[i]] = memory.origins[i]


def note_parents(positions: Positions[S], fields: Spec, each: Each, tell: Watch) -> Spec:
    """The parents of the positions that are still open, as the fields of a Memory."""
    tallied = tallies(len(positions))
    fields = {
        **fields,
        **looking_fields(CHILDREN_HELD),
        "tallies": tallied,
        "parents": View(np.empty(1, np.uint32)),
        "origins": ("i64", CHILDREN_HELD),
        "line": ("i64", MOST_CHILDREN),
        **dict.fromkeys(("current", "kept", "drawn", "crowded"), "i64"),
    }
    tell(COUNTING, len(positions))
    lists = _counted(positions, fields, each, tell)
    total = to_places(tallied)
    try:
        tell(NOTING, total)
    except MemoryLimitError:  # the rules tell once more what is listed, and need no memory
        lists = [{**part, **no_list()} for part in lists]
        tell(NOTING, total)
    fields["parents"] = parents = View(np.empty(max(1, total), np.uint32))
    for begin, end in parts_of(len(positions)):
        part: Spec = {**fields, **lists.pop(0), "putting": True}
        groups = -(-(end - begin) // POSITIONS_AT_ONCE)
        if len(cast("View", part["begins"])) > 0:
            each(put_listed, groups, part, GROUPS)
        if not is_complete(part):
            each(go_through, groups, part, GROUPS)
    return {"parents": parents, "ends": View(tallied.array.view(np.uint32))}


def _counted(positions: Positions[S], fields: Spec, each: Each, tell: Watch) -> list[Spec]:
    """Count all parents; return the lists of the parts, of which the first have one."""
    lists: list[Spec] = []
    moves, left = 0.0, MOST_LISTED
    for begin, end in parts_of(len(positions)):
        count = end - begin
        listing = list_for(count, moves, tell, left)
        left -= sum(len(cast("View", listing[name])) for name in ("moves", "begins"))
        part: Spec = {**listing, "part": View(np.array([begin, end]))}
        counting: Spec = {**fields, **part, "putting": False}
        for memory in each(go_through, -(-count // POSITIONS_AT_ONCE), counting, GROUPS):
            if memory.crowded:
                raise too_many(positions.game, positions.state(memory.crowded - 1))
        moves = moves_of_each(part, count)
        lists.append(part)
    return lists


POSITIONS_AT_ONCE: Final = 16
"""The positions that are gone through together."""

GROUPS: Final = AT_ONCE // POSITIONS_AT_ONCE
"""The groups of positions that a thread takes at a time."""

CHILDREN_HELD: Final = 64
"""The most children that are looked up together."""


class MovesMemory(Counted, LookingMemory, CountingMemory, TallyMemory, ListMemory, Protocol):
    """A memory with labels, and children that are held, each of a position (`origins`). Of the
    `current` one, whose children are looked at: the open ones that need a parent (the first `kept`
    of `line`), and 1 for `drawn` ones, however many, because it can never be lost then;
    `crowded` is 1 more than the place of one with more than `line` can hold. `part` is where the
    positions begin and end whose moves are listed; in the second round (`putting`), positions go
    into `parents`."""

    labels: Array[int]
    scored: bool
    told: Array[int]
    origins: Array[int]
    current: int
    kept: int
    drawn: int
    crowded: int
    part: Array[int]
    putting: bool
    parents: Array[int]
