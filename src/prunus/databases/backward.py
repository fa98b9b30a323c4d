"""Backward analysis: the values of all positions, found from the ends of the game backwards
(Zermelo 1913; Stroehlein 1970; Thompson 1986).

Positions are decided in the order of their distance from the end. A position is won for the player
to move as soon as one of its children is lost for the opponent, and lost once all of them are won
for the opponent; a counter of children that are still open tells when. Whoever has just been
decided tells its parents. Positions that are never decided are draws: either player can avoid
losing for ever. That is sound in games with cycles, because a value is only ever derived from
values that were derived before it.

In games with scores the same is done for one amount after the other, from the highest to the
lowest: what is decided while only ends worth at least `amount` count is worth `amount`, unless it
was decided earlier. What is left is worth 0. If the game says what its layers are, either is done
layer by layer (`layers.py`).

Ends, and positions one or two plies before them, are decided in two rounds over all positions,
which look at the actions of each. Only what is left after that gets parents, and nothing in a game
that tells its `predecessors` (`unmoving.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np

from prunus.core.arrays import View
from prunus.core.game import Game, S
from prunus.core.memory import Array, Counted, StateArray
from prunus.databases.consistency import expect_right
from prunus.databases.errors import DatabaseError
from prunus.databases.labels import DRAWN, LOST, MOST, OPEN, WON
from prunus.databases.layers import NO_LAYER, by_layers
from prunus.databases.numbering import (
    AT_ONCE,
    COUNTING,
    ENDS,
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
    counters,
    set_children,
    tallies,
    to_places,
)
from prunus.databases.propagation import is_for
from prunus.databases.ranking import PlacesMemory, known_place, state_at
from prunus.databases.unmoving import Room, by_predecessors
from prunus.databases.waves import Begun, Each, Keep, by_amounts, wave_by_wave, without_later
from prunus.kernel.loops import for_each
from prunus.kernel.memory import Memory, Spec
from prunus.run.limits import dead_end_error


class Ends(NamedTuple):
    """What the ends of a game are worth: how many there are, the largest amount, and whether one
    amount is all that a game is played for, so that games are won, drawn or lost."""

    number: int
    most: int
    single: bool


class Solved(NamedTuple):
    """All positions of a game with their labels; `scored` tells what the labels mean."""

    positions: Positions
    labels: View
    ends: Ends
    scored: bool


def solve_positions(
    positions: Positions[S],
    *,
    outcomes: bool | None = None,
    threads: int = 1,
    compile: bool | None = None,
    watch: Watch | None = None,
    begun: Begun | None = None,
    keep: Keep | None = None,
) -> Solved:
    """The value of every position. With `outcomes`, wins, draws and losses with their distances;
    without, scores. By default scores only if the game is played for more than one amount. What was
    `begun` by the same call is gone on with; `keep` is given the labels after each wave, amount or
    layer. Raises DatabaseError for rules whose values depend on more than the position."""
    game = positions.game
    expect_values_of_positions(game, outcomes=bool(outcomes))
    tell = watch or (lambda doing, number: None)

    def each(body: Callable[..., object], count: int, fields: Spec) -> list[Memory]:
        return for_each(game, body, count, fields, threads=threads, step=AT_ONCE, compile=compile)

    tell(ENDS, len(positions))
    ends = _ends(positions, each)
    scored = not ends.single if outcomes is None else not outcomes
    if scored and ends.most > MOST:
        raise DatabaseError(
            f"{game.title()} has an end worth {ends.most}; scores up to {MOST} have room in a "
            f"database. Without scores (wins, draws and losses), there is no such limit"
        )
    if begun is not None and not game.has_layer:
        without_later(begun, scored)
    keep = keep or (lambda begun: None)
    by_way_back = game.has_predecessors and not (scored or game.has_layer)
    label = _by_predecessors if by_way_back else _by_moves
    return Solved(positions, label(positions, begun, scored, each, tell, keep), ends, scored)


def _by_moves(
    positions: Positions[S],
    begun: Begun | None,
    scored: bool,
    each: Each,
    tell: Watch,
    keep: Keep,
) -> View:
    """The labels, by the moves between positions."""
    game = positions.game
    labels = View(np.zeros(len(positions), np.uint16) if begun is None else begun.labels)
    told = begun.told if begun else NO_LAYER if game.has_layer else MOST + 1 if scored else 2
    fields: Spec = {
        **positions.fields(),
        "labels": labels,
        "scored": scored,
        "told": View(np.array([told])),
        "children": counters(len(positions)),
    }
    if game.has_layer:
        by_layers(game, Begun(labels.array, told), fields, each, tell, keep)
        return labels
    if not scored and begun is None:
        each(decide_at_once, len(positions), fields)
    fields = {**fields, **_parents(positions, fields, each, tell)}
    solve = by_amounts if scored else wave_by_wave
    solve(Begun(labels.array, told), fields, each, tell, keep)
    return labels


def _by_predecessors(
    positions: Positions[S],
    begun: Begun | None,
    scored: bool,
    each: Each,
    tell: Watch,
    keep: Keep,
) -> View:
    """The labels, by what comes before a position; there are no scores."""
    room = Room(begun.labels if begun else None, len(positions))
    labels = View(room.labels)
    fields: Spec = {**positions.fields(), "labels": labels, "scored": scored}
    if begun is None:
        each(decide_at_once, len(positions), fields)
    by_predecessors(room, begun.told if begun else 1, fields, each, tell, keep)
    tell("looking again at values", len(positions))
    expect_right(positions, fields, each)
    return labels


def expect_values_of_positions(game: Game, outcomes: bool = False) -> None:
    """Raises DatabaseError for a game in which the value of a position, or with `outcomes` its
    outcome, depends on what was played before."""
    if game.players != 2:
        raise DatabaseError(
            f"{game.title()} is for {game.players} players; databases are for games of two"
        )
    if game.repetition not in ("none", "draw"):
        raise DatabaseError(
            f"{game.title()} has the rule repetition = {game.repetition!r}, so the value of a "
            f"position depends on the positions before it; a database holds one value for each. "
            f"With 'draw' or without a rule, endless play is a draw"
        )
    settling = (game.has_settled, game.has_unsettled)
    if any(settling) and not all((*settling, game.has_layer)):
        raise DatabaseError(
            f"{game.title()} defines settled or unsettled; a database needs both, and layer"
        )
    if game.has_settled and outcomes:
        raise DatabaseError(
            f"{game.title()} has points that are settled before the end; a database of it holds "
            f"scores, not wins, draws and losses"
        )


def _ends(positions: Positions[S], each: Each) -> Ends:
    fields: Spec = {
        **positions.fields(),
        "stuck": ("state", 1),
        **dict.fromkeys(("most", "least", "number", "is_stuck"), "i64"),
    }
    found = each(look_at_end, len(positions), fields)
    for memory in found:
        if memory.is_stuck:
            raise dead_end_error(positions.game, memory.stuck[0])
    amounts = [(memory.least, memory.most) for memory in found if memory.most > 0]
    most = max((high for _, high in amounts), default=0)
    return Ends(
        number=sum(memory.number for memory in found),
        most=int(most),
        single=not positions.game.has_settled and all(low == most for low, _ in amounts),
    )


def look_at_end(game: Game, index: int, memory: EndsMemory) -> None:
    """Note the amount that a position is worth if the game is over there; otherwise, whether it has
    an action."""
    state = state_at(game, index, memory)
    if not game.is_terminal(state):
        if not has_action(game, state):
            memory.stuck[0] = state
            memory.is_stuck = 1
    else:
        amount = abs(game.utility(state))
        memory.number += 1
        memory.most = max(memory.most, amount)
        if amount > 0 and (memory.least == 0 or amount < memory.least):
            memory.least = amount


def has_action(game: Game[S], state: S) -> bool:
    """Whether there is an action."""
    for _ in game.actions(state):
        return True
    return False


def decide_at_once(game: Game, index: int, memory: BackwardMemory) -> None:
    """Label a position if the game is over there, or if that is so after one action which decides
    it."""
    state = state_at(game, index, memory)
    memory.nodes += 1
    if game.is_terminal(state):
        value = game.utility(state)
        memory.labels[index] = WON if value > 0 else LOST if value < 0 else DRAWN
        return
    undecided = 0
    for action in game.actions(state):
        child = game.result(state, action)
        if game.is_terminal(child):
            value = game.utility(child)
            if value == 0:
                undecided += 1
            elif is_for(WON if value > 0 else LOST, game.keeps_turn(state, child), False):
                memory.labels[index] = 1 << 2 | WON
                return
        else:
            undecided += 1
    if undecided == 0:
        memory.labels[index] = 1 << 2 | LOST


def count_parents(game: Game, index: int, memory: BackwardMemory) -> None:
    """Count an open position among the parents of its open children, unless it is decided now: if a
    child is lost after one ply, or all children are won so. The labels of this round (2 plies) do
    not count yet, so that the order of the positions does not matter. When a build goes on, those
    count that have been told to their parents (fewer plies than `told`)."""
    if memory.labels[index] != OPEN or game.is_terminal(state_at(game, index, memory)):
        return
    state = state_at(game, index, memory)
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


def is_untold(label: int, memory: BackwardMemory) -> bool:
    """Whether the parents of a position with this label have not been told of it."""
    if memory.scored:
        return label == OPEN
    return label & 3 == OPEN or label >> 2 >= memory.told[0]


def put_parents(game: Game, index: int, memory: PuttingMemory) -> None:
    """Put a position that is still open among the parents of the children that `count_parents`
    counted."""
    if memory.labels[index] != OPEN or game.is_terminal(state_at(game, index, memory)):
        return
    state = state_at(game, index, memory)
    memory.nodes += 1
    for action in game.actions(state):
        child = representative(game, game.result(state, action))
        place = known_place(game, child, memory)
        if is_untold(memory.labels[place], memory):
            memory.parents[add_parent(place, memory)] = index


def _parents(positions: Positions[S], fields: Spec, each: Each, tell: Watch) -> Spec:
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


class EndsMemory(PlacesMemory, Protocol):
    """A memory that counts ends, with a position that has no action."""

    number: int
    most: int
    least: int
    stuck: StateArray
    is_stuck: int


class BackwardMemory(Counted, PlacesMemory, CountingMemory, TallyMemory, Protocol):
    """A memory with labels; `line` holds the children of one position."""

    labels: Array[int]
    scored: bool
    told: Array[int]
    line: Array[int]


class PuttingMemory(BackwardMemory, Protocol):
    """The same while parents are put into their places."""

    parents: Array[int]
