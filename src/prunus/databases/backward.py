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
from typing import Final, NamedTuple

import numpy as np

from prunus.core.arrays import View
from prunus.core.game import Game, S
from prunus.databases.consistency import expect_right
from prunus.databases.ends import Ends, decide_at_once, find_ends
from prunus.databases.errors import DatabaseError
from prunus.databases.labels import MOST
from prunus.databases.layers import NO_LAYER, by_layers
from prunus.databases.moves import note_parents
from prunus.databases.numbering import AT_ONCE, ENDS, Positions, Watch
from prunus.databases.parents import counters
from prunus.databases.unmoving import Room, by_predecessors
from prunus.databases.waves import Begun, Each, Keep, by_amounts, wave_by_wave, without_later
from prunus.kernel.loops import for_each
from prunus.kernel.memory import Memory, Spec

PLACES: Final = 1 << 32
"""The most positions: lists of them hold places of 32 bits."""


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
    layer. Raises DatabaseError for rules whose values depend on more than the position, and for
    more than `PLACES` positions."""
    game = positions.game
    expect_values_of_positions(game, outcomes=bool(outcomes))
    if len(positions) > PLACES:
        # The games of which a build in partitions has other values to know than those of the ends.
        whole = game.has_settled or game.every_rank
        advice = "its game cannot be split" if whole else "split them, with --partitions"
        raise DatabaseError(
            f"{game.title()} has {len(positions):,} positions; up to {PLACES:,} can be solved in "
            f"one piece: {advice}"
        )
    tell = watch or (lambda doing, number: None)

    def each(
        body: Callable[..., object], count: int, fields: Spec, step: int = AT_ONCE
    ) -> list[Memory]:
        return for_each(game, body, count, fields, threads=threads, step=step, compile=compile)

    tell(ENDS, len(positions))
    by_way_back = game.has_predecessors and not game.has_layer and outcomes is not False
    room = Room(None, len(positions)) if by_way_back and begun is None else None
    kinds = View(np.zeros(len(positions), np.uint8)) if game.has_layer else None
    ends = find_ends(positions, each, room, kinds)
    scored = not ends.single if outcomes is None else not outcomes
    if scored and ends.most > MOST:
        raise DatabaseError(
            f"{game.title()} has an end worth {ends.most}; scores up to {MOST} have room in a "
            f"database. Without scores (wins, draws and losses), there is no such limit"
        )
    if begun is not None and not game.has_layer:
        without_later(begun, scored)
    keep = keep or (lambda begun: None)
    if by_way_back and not scored:
        room = room or Room(begun and begun.labels, len(positions))
        labels = _by_predecessors(positions, room, begun.told if begun else 1, each, tell, keep)
    else:
        room = None  # there are scores: its labels are not wanted
        labels = _by_moves(positions, begun, scored, kinds, each, tell, keep)
    return Solved(positions, labels, ends, scored)


def _by_moves(
    positions: Positions[S],
    begun: Begun | None,
    scored: bool,
    kinds: View | None,
    each: Each,
    tell: Watch,
    keep: Keep,
) -> View:
    """The labels, by the moves between positions. Of a game with layers, `kinds` tells where it is
    over."""
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
    if kinds is not None:
        by_layers(game, Begun(labels.array, told), {**fields, "kinds": kinds}, each, tell, keep)
        return labels
    if not scored and begun is None:
        each(decide_at_once, len(positions), fields)
    fields = {**fields, **note_parents(positions, fields, each, tell)}
    solve = by_amounts if scored else wave_by_wave
    solve(Begun(labels.array, told), fields, each, tell, keep)
    return labels


def _by_predecessors(
    positions: Positions[S], room: Room, told: int, each: Each, tell: Watch, keep: Keep
) -> View:
    """The labels, by what comes before a position; there are no scores. In the room are those of
    ends and of what is decided one ply before, or what a build goes on with."""
    labels = View(room.labels)
    fields: Spec = {**positions.fields(), "labels": labels, "scored": False}
    by_predecessors(positions, room, told, fields, each, tell, keep)
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
