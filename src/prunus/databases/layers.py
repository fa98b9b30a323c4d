"""Backward analysis of scores layer by layer, for games that say what their layers are.

No action leads to a higher layer, so the layers are solved from the lowest on. An action to a lower
layer is then one whose worth is known: what it settles, and the value of the position it leads to.
Of all such actions of a position, only the best counts. It is told like a child that is decided: if
it wins, the position is worth no less; if it loses, the position is lost by as much once all other
children have lost by more. Within a layer nothing is settled, so that all values there are
compared as they are, one amount after the other; what is left at the end is worth 0, the value of
going round for ever.

Whether the layers are right is seen from every action of every position. So a wrong `layer` cannot
make a wrong value.
"""

from __future__ import annotations

from typing import Final, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from prunus.core.arrays import View
from prunus.core.game import Game, S
from prunus.core.memory import Array, SharedArray, StateArray
from prunus.databases.errors import DatabaseError
from prunus.databases.labels import MOST, OPEN, ZERO, Labels
from prunus.databases.limit import MemoryLimitError
from prunus.databases.numbering import (
    ABSENT,
    COUNTING,
    LAYERS,
    LISTING,
    NOTING,
    Watch,
    representative,
)
from prunus.databases.parents import (
    MOST_CHILDREN,
    MOST_PARENTS,
    TallyMemory,
    add_parent,
    claim,
    clear_tallies,
    set_children,
    tallies,
    to_places,
)
from prunus.databases.propagation import label_after
from prunus.databases.ranking import find_place, known_place, state_at, wrong_rank
from prunus.databases.waves import Begun, Each, Keep, Queue, WaveMemory, tell_parents
from prunus.kernel.memory import Memory, Spec

MOST_LAYER: Final = (1 << 16) - 1

NO_LAYER: Final = -1
"""The `told` of a `Begun` in which no layer is done; otherwise it is the last that is."""

OVER, LEAVING = 1, 2
"""What is certain of a position when its layer begins: its value, because the game is over there;
or the worth of its best action to a lower layer."""


def by_layers(game: Game, begun: Begun, fields: Spec, each: Each, tell: Watch, keep: Keep) -> None:
    """Label all positions with their scores; those in layers up to `begun.told` have them already.
    Raises DatabaseError if `layer`, `settled` or `unsettled` is seen to be wrong."""
    labels, told = begun
    count = len(labels)
    tell(LAYERS, count)
    layers = np.zeros(count, np.uint16)
    fields = {
        **fields,
        "layers": View(layers),
        "worth": View(np.zeros(count, np.int16)),
        "kinds": View(np.zeros(count, np.uint8)),
        "wrong": ("state", 2),
        "is_wrong": "i64",
    }
    _expect_right(game, each(note_layer, count, fields))
    labels[layers > told] = OPEN
    tell(COUNTING, count)
    fields["tallies"] = tallies(count)
    moves = 0.0  # of a position of the layer before
    for layer in np.unique(layers).tolist():
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
    _label(places, labels, {**here, **parents}, each, tell)
    return total / len(places)


def _list_for(count: int, moves: float, tell: Watch) -> Spec:
    """Room for a list of the moves of a layer with `count` positions, if each has hardly more than
    so many; without it, the rules are asked once more for those which it has no room for."""
    room = min(int(count * (1 + MORE * moves)) if moves else 0, MOST_PARENTS)
    try:
        tell(LISTING, room + count)  # and where those of each position begin
    except MemoryLimitError:
        room = 0
    return {
        "moves": View(np.empty(room, np.uint32)),
        "listed": View(np.zeros(1, np.int64)),
        "begins": View(np.zeros(count if room else 0, np.uint32)),
    }


def _parents(
    game: Game, places: Places, here: Spec, moves: float, each: Each, tell: Watch
) -> tuple[int, Spec]:
    """The number of moves within a layer, and the parents by these moves, as the fields of a
    Memory."""
    tallied = cast("View", here["tallies"])
    first, last = int(places[0]), int(places[-1]) + 1
    clear_tallies(tallied, first, last)
    listing = {**here, **_list_for(len(places), moves, tell)}
    line: Spec = {"line": ("i64", MOST_CHILDREN)}
    _expect_right(game, each(count_in_layer, len(places), {**listing, **line}))
    total = to_places(tallied, first, last)
    tell(NOTING, total)
    parents = View(np.empty(max(1, total), np.uint32))
    each(put_in_layer, len(places), {**listing, "parents": parents})
    return total, {"parents": parents, "ends": View(tallied.array.view(np.uint32))}


def _label(places: Places, labels: Labels, here: Spec, each: Each, tell: Watch) -> None:
    """Label the positions of one layer."""
    worth, kinds = (cast("View", here[name]).array[places] for name in ("worth", "kinds"))
    amounts = np.abs(worth.astype(np.int32))
    waiting = Queue(len(places))
    for amount in sorted(set(np.unique(amounts).tolist()) - {0}, reverse=True):
        chosen = amounts == amount
        over = places[chosen & (kinds == OVER)]
        labels[over] = worth[chosen & (kinds == OVER)].astype(np.int32) + ZERO
        waiting.put(over)
        leaving = places[chosen & (kinds == LEAVING)]
        waiting.give(won=ZERO + amount, lost=ZERO - amount)
        told: Spec = {**here, **waiting.fields(), "leaving": View(leaving)}
        each(tell_leaving, len(leaving), told)
        while waiting.begin_wave():
            tell(f"worth {amount}", waiting.size)
            each(tell_parents, waiting.size, {**here, **waiting.fields()})
    labels[places[labels[places] == OPEN]] = ZERO


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
    if game.is_terminal(state):
        memory.kinds[place] = OVER
        memory.worth[place] = game.utility(state)
        return
    kept = 0
    best = NOTHING
    for action in game.actions(state):
        child = game.result(state, action)
        home = representative(game, child)
        below = place_below(game, home, memory)
        if below == ABSENT:
            note_wrong(RANK, home, memory)
            return
        gained = game.settled(child) if game.has_settled else 0
        if memory.layers[below] < memory.layers[place]:
            value = gained + memory.labels[below] - ZERO
            best = max(best, value if game.keeps_turn(state, child) else -value)
        elif memory.layers[below] == memory.layers[place] and gained == 0:
            memory.line[kept] = below
            kept += 1
        else:
            memory.wrong[1] = child
            note_wrong(STEP, state, memory)
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


def place_below(game: Game[S], home: S, memory: LayersMemory) -> int:
    """The place of a child, given as its representative. If only its number has been marked so far,
    it is made sure that it leads back: ABSENT if it does not."""
    return find_place(game, home, memory) if game.every_rank else known_place(game, home, memory)


def note_wrong(kind: int, state: object, memory: LayersMemory) -> None:
    """Note what is wrong with a position."""
    memory.wrong[0] = state
    memory.is_wrong = kind


def list_moves(index: int, kept: int, memory: LayersMemory) -> None:
    """Put the number of children of a position and the children into the list, if there is room
    for them, and note where they begin."""
    begin = memory.listed.fetch_add(0, kept + 1)
    if begin + kept < len(memory.moves):
        memory.moves[begin] = kept
        for i in range(kept):
            memory.moves[begin + 1 + i] = memory.line[i]
        memory.begins[index] = begin + 1


def put_in_layer(game: Game, index: int, memory: LayersMemory) -> None:
    """Put a position among the parents of the children that `count_in_layer` counted, which have no
    label yet."""
    place = memory.places[index]
    begin = memory.begins[index] if len(memory.begins) > 0 else 0
    if begin > 0:
        for i in range(begin, begin + memory.moves[begin - 1]):
            memory.parents[add_parent(memory.moves[i], memory)] = place
        return
    state = state_at(game, place, memory)
    if game.is_terminal(state):
        return
    memory.nodes += 1
    for action in game.actions(state):
        below = known_place(game, representative(game, game.result(state, action)), memory)
        if memory.labels[below] == OPEN:
            memory.parents[add_parent(below, memory)] = place


def tell_leaving(game: Game, index: int, memory: LayersMemory) -> None:
    """Tell a position of its best action to a lower layer: label it if it has won as much by that,
    or has lost and no other child is open."""
    place = memory.leaving[index]
    if memory.labels[place] != OPEN:
        return
    found = label_after(memory.worth[place] > 0, place, memory)
    if found != OPEN and claim(place, memory):
        memory.labels[place] = found
        memory.waiting[memory.queued.fetch_add(0, 1)] = place


NOTHING: Final = -(1 << 40)
"""The worth of the best action to a lower layer if there is none."""

ALONE, STEP, BEYOND, RANK = 1, 2, 3, 4
"""What is wrong: with a position, with an action, that a score has no room in a database, or with
the number of a position."""

MORE: Final = 1.25
"""How many more moves a position may have than one of the layer before, for all of them to be
listed."""


def _expect_right(game: Game, memories: list[Memory]) -> None:
    """Raises DatabaseError if a position was noted as wrong."""
    for memory in memories:
        if memory.is_wrong:
            raise DatabaseError(f"{game.title()}: {_what_is_wrong(game, memory)}")


def _what_is_wrong(game: Game, memory: Memory) -> str:
    state, child = memory.wrong[0], memory.wrong[1]
    layer, shown = int(game.layer(state)), game.format(state)
    if memory.is_wrong == RANK:
        return wrong_rank(game, state)
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


Places = NDArray[np.uint32]


class LayersMemory(WaveMemory, TallyMemory, Protocol):
    """A memory while a layer is solved: `places` are its positions, `leaving` some of them, `worth`
    and `kinds` what is certain of each position, `line` the children of one. `moves` is a list of
    children, of which so much has been `listed`; those of a position begin where `begins` says, if
    that is not 0, and their number comes before them."""

    layers: Array[int]
    line: Array[int]
    places: Array[int]
    moves: Array[int]
    listed: SharedArray
    begins: Array[int]
    leaving: Array[int]
    worth: Array[int]
    kinds: Array[int]
    wrong: StateArray
    is_wrong: int
