"""What a database says about a position that others came before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple, cast

from prunus.core.game import S
from prunus.databases.folder import Database, identity_of
from prunus.view.events import Node
from prunus.view.trace import LookedUp, Trace


class Certain(NamedTuple):
    """The value of a position for the player to move, as the rules count it, and whether it is
    proved whatever was played before."""

    value: int
    proved: bool


def value_after(database: Database[S], path: Sequence[S]) -> Certain | None:
    """The value of the last State of a game's path; None if the database lacks it. Raises
    DatabaseError for a database of outcomes of a game that is played for scores.

    Where a repeated position is a draw, what was played before may turn a win into a draw, but
    nothing else: whoever can avoid losing for ever still can, and draws meanwhile only help. A win
    in d plies is safe if no State of the past is won for the same player in fewer than d plies,
    because the winner's way passes only through such positions, each nearer to the end than the one
    before, whatever the opponent does. Nothing is proved if the game's `timeless` leaves out what
    may end it."""
    game, state = database.game, path[-1]
    value = database.value(state)
    if value is None:
        return None
    if game.has_timeless:
        return Certain(value, False)
    if game.repetition == "none" or len(path) == 1:
        return Certain(value, True)
    found = database.probe(state)
    if database.scored or found is None:
        return Certain(value, False)
    if found.value == 0:
        return Certain(value, True)
    return Certain(value, not _is_in_the_way(database, path, found.value, found.plies or 0))


def _is_in_the_way(database: Database[S], path: Sequence[S], sign: int, plies: int) -> bool:
    """Whether a State of the past is won, in fewer plies than these, for the player whom the last
    one is won for: `sign` is its value for the player to move."""
    after = path[-1]
    for before in reversed(path[:-1]):
        sign = sign if database.game.keeps_turn(before, after) else -sign
        known = database.probe(before)
        if known is not None and known.value == sign and (known.plies or 0) < plies:
            return True
        after = before
    return False


def looked_up(trace: Trace, database: Database[S], past: Sequence[S] = ()) -> Trace:
    """The trace with what a database says of its nodes, those excepted at which the game is over;
    `past` are the States before the root. The database is of the traced game, otherwise ValueError
    is raised. Raises DatabaseError as `value_after` does."""
    if database.identity != identity_of(trace.game):
        raise ValueError(f"the database is of {database.identity}, not of {trace.game.title()}")
    known: dict[int, LookedUp] = {}
    for node in trace.nodes:
        if node.leaf in ("terminal", "repetition"):
            continue
        said = value_after(database, (*past, *_path(trace, node)))
        if said is not None:
            value = said.value if node.maximizing else -said.value
            known[node.number] = LookedUp(value, said.proved)
    return replace(trace, known=known)


def _path(trace: Trace, node: Node) -> list[S]:
    """The States from the root to a node; one that is searched once more is there once."""
    states: list[S] = [cast("S", node.state)]
    while node.parent is not None:
        again, node = node.action is None, trace.nodes[node.parent]
        if not again:
            states.append(cast("S", node.state))
    return states[::-1]
