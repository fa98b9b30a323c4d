"""Backward analysis layer by layer, for games that say what their layers are.

No action leads to a higher layer, so the layers are solved from the lowest on. An action to a lower
layer is then one whose worth is known: what it settles, and the value of the position it leads to.
Of all such actions of a position, only the best counts. It is told like a child that is decided: if
it wins, the position is worth no less; if it loses, the position is lost by as much once all other
children have lost by more. Within a layer nothing is settled, so that all values there are
compared as they are, one amount after the other; what is left at the end is worth 0, the value of
going round for ever.

The same holds for wins, draws and losses with distances, if a win is worth the more the sooner it
comes: the amount `HASTE` less one for each ply. There each wave has its own amount.

Whether the layers are right is seen from every action of every position. So a wrong `layer` cannot
make a wrong value.
"""

from __future__ import annotations

from typing import Final, Protocol, cast

import numpy as np

from prunus.core.arrays import View
from prunus.core.game import Game, S
from prunus.core.memory import Array, StateArray
from prunus.databases.errors import DatabaseError
from prunus.databases.labels import MOST, OPEN, Labels
from prunus.databases.layer_labels import (
    LEAVING,
    OVER,
    CertainMemory,
    Places,
    label_at_once,
    label_layer,
    worth_of,
)
from prunus.databases.listing import (
    ListMemory,
    list_for,
    list_moves,
    listed_at,
    moves_of_each,
    parts_of,
)
from prunus.databases.numbering import (
    ABSENT,
    COUNTING,
    LAYERS,
    NOTING,
    Watch,
    representative,
)
from prunus.databases.parents import (
    MOST_CHILDREN,
    TallyMemory,
    add_parent,
    clear_tallies,
    fetch_tally,
    set_children,
    tallies,
    to_places,
    too_many,
)
from prunus.databases.ranking import find_place, known_place, state_at, wrong_rank
from prunus.databases.waves import Begun, Each, Keep
from prunus.kernel.memory import Memory, Spec
from prunus.run.limits import dead_end_error

MOST_LAYER: Final = (1 << 16) - 1

NO_LAYER: Final = -1
"""The `told` of a `Begun` in which no layer is done; otherwise it is the last that is."""


def by_layers(game: Game, begun: Begun, fields: Spec, each: Each, tell: Watch, keep: Keep) -> None:
    """Label all positions; those in layers up to `begun.told` have their labels already. The field
    `kinds` tells where the game is over. Raises DatabaseError if `layer`, `settled` or `unsettled`
    is seen to be wrong, and what a search raises for a position without an action that is no
    end."""
    labels, told = begun
    count = len(labels)
    tell(LAYERS, count)
    layers = np.zeros(count, np.uint16)
    fields = {
        **fields,
        "layers": View(layers),
        "worth": View(np.zeros(count, np.int16)),
        "wrong": ("state", 2),
        "is_wrong": "i64",
    }
    _expect_right(game, each(note_layer, count, fields))
    labels[layers > told] = OPEN
    tell(COUNTING, count)
    fields["tallies"] = tallies(count)
    moves = 0.0  # of a position of the layer before
    for layer in np.flatnonzero(np.bincount(layers)).tolist():
        if layer > told:
            places = np.flatnonzero(layers == layer).astype(np.uint32)
            tell(f"layer {layer}", len(places))
            moves = _solve(game, places, labels, fields, moves, each, tell)
            keep(Begun(labels, layer))


def _solve(
    game: Game,
    places: Places,
    labels: Labels,
    fields: Spec,
    moves: float,
    each: Each,
    tell: Watch,
) -> float:
    """Label the positions of one layer; return the number of moves within it for each. In the layer
    before that was `moves`."""
    here = {**fields, "places": View(places)}
    total, parents = _parents(game, places, here, moves, each, tell)
    if total:
        label_layer(places, labels, {**here, **parents}, each, tell)
    else:
        label_at_once(places, labels, here)
    return total / len(places)


def _parents(
    game: Game, places: Places, here: Spec, moves: float, each: Each, tell: Watch
) -> tuple[int, Spec]:
    """The number of moves within a layer, and the parents by these moves, as the fields of a
    Memory."""
    tallied = cast("View", here["tallies"])
    first, last = int(places[0]), int(places[-1]) + 1
    clear_tallies(tallied, first, last)
    line: Spec = {"line": ("i64", MOST_CHILDREN)}
    lists = []
    for begin, end in parts_of(len(places)):
        part, count = View(places[begin:end]), end - begin
        listing = {**here, "places": part, **list_for(count, moves, tell)}
        _expect_right(game, each(count_in_layer, count, {**listing, **line}))
        moves = moves_of_each(listing, count)
        lists.append(listing)
    total = to_places(tallied, first, last)
    if total == 0:
        return 0, {}
    tell(NOTING, total)
    parents = View(np.empty(max(1, total), np.uint32))
    for begin, end in parts_of(len(places)):
        each(put_in_layer, end - begin, {**lists.pop(0), **line, "parents": parents})
    return total, {"parents": parents, "ends": View(tallied.array.view(np.uint32))}


def note_layer(game: Game, index: int, memory: LayersMemory) -> None:
    """Note the layer of a position, in which nothing may be settled."""
    state = state_at(game, index, memory)
    layer = game.layer(state)
    if not 0 <= layer <= MOST_LAYER or (game.has_settled and game.settled(state) != 0):
        note_wrong(ALONE, state, memory)
    else:
        memory.layers[index] = layer


def count_in_layer(game: Game, index: int, memory: LayersMemory) -> None:
    """Count a position among the parents of its children in the same layer; note what it is worth
    if the game is over there, or by its best action to a lower layer."""
    place = memory.places[index]
    state = state_at(game, place, memory)
    memory.nodes += 1
    if memory.kinds[place] == OVER:
        note_over(place, game.utility(state), memory)
        return
    kept, best = 0, NOTHING
    for action in game.actions(state):
        child = game.result(state, action)
        home = representative(game, child)
        below = place_below(game, home, memory)
        if below == ABSENT:
            note_wrong(RANK, home, memory)
            return
        gained = game.settled(child) if game.has_settled else 0
        if memory.layers[below] < memory.layers[place]:
            value = gained + worth_of(memory.labels[below], memory.scored)
            best = max(best, value if game.keeps_turn(state, child) else -value)
        elif memory.layers[below] == memory.layers[place] and gained == 0:
            if kept < MOST_CHILDREN:
                memory.line[kept] = below
            kept += 1
        else:
            memory.wrong[1] = child
            note_wrong(STEP, state, memory)
            return
    if kept > MOST_CHILDREN or (kept == 0 and best == NOTHING):
        note_wrong(CROWDED if kept else STUCK, state, memory)
        return
    if best > MOST or NOTHING < best < -MOST:
        note_wrong(BEYOND, state, memory)
        return
    if best != NOTHING:
        memory.kinds[place] = LEAVING
        memory.worth[place] = best
    set_children(place, kept + (1 if best != NOTHING else 0), memory)
    for i in range(kept):
        add_parent(memory.line[i], memory)
    list_moves(index, kept, memory)


def note_over(place: int, worth: int, memory: LayersMemory) -> None:
    """Note what a position is worth in which the game is over."""
    sign = 1 if worth > 0 else -1 if worth < 0 else 0
    memory.worth[place] = worth if memory.scored else sign


def place_below(game: Game[S], home: S, memory: LayersMemory) -> int:
    """The place of a child, given as its representative. If only its number has been marked so far,
    it is made sure that it leads back: ABSENT if it does not."""
    return find_place(game, home, memory) if game.every_rank else known_place(game, home, memory)


def note_wrong(kind: int, state: object, memory: LayersMemory) -> None:
    """Note what is wrong with a position."""
    memory.wrong[0] = state
    memory.is_wrong = kind


def put_in_layer(game: Game, index: int, memory: LayersMemory) -> None:
    """Put a position among the parents of the children that `count_in_layer` counted, which are in
    its layer."""
    place = memory.places[index]
    begin = listed_at(index, memory)
    if begin > 0:
        count = memory.moves[begin - 1]
        # Memory can serve several of these at a time if it is told of them before.
        for i in range(count):
            fetch_tally(memory.moves[begin + i], memory)
        for i in range(count):
            room = memory.line[i] = add_parent(memory.moves[begin + i], memory)
            memory.parents.prefetch(room)
        for i in range(count):
            memory.parents[memory.line[i]] = place
        return
    if memory.kinds[place] == OVER:
        return
    state = state_at(game, place, memory)
    memory.nodes += 1
    for action in game.actions(state):
        below = known_place(game, representative(game, game.result(state, action)), memory)
        if memory.layers[below] == memory.layers[place]:
            memory.parents[add_parent(below, memory)] = place


NOTHING: Final = -(1 << 40)
"""The worth of the best action to a lower layer if there is none."""

ALONE, STEP, BEYOND, RANK, STUCK, CROWDED = 1, 2, 3, 4, 5, 6
"""What is wrong: with a position, with an action, that a score has no room in a database, with the
number of a position, or that a position without an action is no end."""


def _expect_right(game: Game, memories: list[Memory]) -> None:
    """Raises DatabaseError if a position was noted as wrong, and what a search raises for one that
    has no action and is no end."""
    for memory in memories:
        if memory.is_wrong == STUCK:
            raise dead_end_error(game, memory.wrong[0])
        if memory.is_wrong == CROWDED:
            raise too_many(game, memory.wrong[0])
        if memory.is_wrong:
            raise DatabaseError(f"{game.title()}: {_what_is_wrong(game, memory)}")


def _what_is_wrong(game: Game, memory: Memory) -> str:
    state, child = memory.wrong[0], memory.wrong[1]
    layer, shown = int(game.layer(state)), game.format(state)
    if memory.is_wrong == RANK:
        return wrong_rank(game, state) or (
            f"an action leads to {shown}, but is_position({int(game.rank(state))}) says that this "
            f"is none"
        )
    if memory.is_wrong == BEYOND:
        return f"{shown} is worth more than {MOST:,}, the largest score in a database"
    if memory.is_wrong == ALONE:
        if not 0 <= layer <= MOST_LAYER:
            return f"layer gives {layer} for {shown}, outside 0 ... {MOST_LAYER}"
        return f"settled gives {int(game.settled(state))} for {shown}, which is to be unsettled"
    after, gained = int(game.layer(representative(game, child))), int(game.settled(child))
    if after > layer:
        return f"an action raises the layer of {shown} from {layer} to {after}"
    return f"an action settles {gained} in {shown}, but the layer stays {layer}; it must be lowered"


class LayersMemory(CertainMemory, TallyMemory, ListMemory, Protocol):
    """A memory while a layer is solved: `places` are its positions, `line` the children of one."""

    layers: Array[int]
    places: Array[int]
    wrong: StateArray
    is_wrong: int
