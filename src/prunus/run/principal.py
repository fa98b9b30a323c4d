"""The principal variation to its end: what a search has left of it to a table is searched for
again."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from prunus.algorithms.repetition import is_over
from prunus.core.analysis import Analysis
from prunus.core.copies import changed
from prunus.core.game import Game
from prunus.core.position import Position
from prunus.run.session import Outcome, Session


def reached(found: Analysis, session: Session) -> int:
    """The plies that the answer rests on: where a clock ended it, less than were allowed; of a
    proved value, all that are."""
    return session.depth if found.proved or found.depth is None else found.depth


def states_of(game: Game, state: Any, line: tuple[int, ...]) -> list[Any]:
    """The States that a line of play goes through, the first one too."""
    states = [state]
    for action in line:
        states.append(game.result(states[-1], action))
    return states


def distance_of(game: Game, position: Position, line: tuple[int, ...]) -> int | None:
    """The plies of a line that ends with the game, by a terminal State or by the rules of
    repetition; None where it does not."""
    return (
        len(line)
        if is_over(game, (*position.past, *states_of(game, position.state, line)))
        else None
    )


def with_whole_line(found: Analysis, session: Session) -> Analysis:
    """The line lengthened to the depth of the search or the end of the game: where a remembered
    value ended it, the search goes on from there, knowing the path. A limit of nodes or seconds may
    cut it short."""
    remembers = session.algorithm.table or session.algorithm.complete is not None
    if (
        found.interrupted
        or session.stopped
        or not remembers
        or found.best is None
        or found.distance is not None
    ):
        return found
    game, line, past = found.game, list(found.pv or (found.best,)), session.setup.past
    states = states_of(game, found.state, tuple(line))
    plies = reached(found, session)
    rest = None
    while len(line) < plies and not is_over(game, (*past, *states)):
        value = _value_along(game, states, found.value)
        rest = (
            _beginning_at(session, states, plies - len(line))
            if rest is None or session.game.repetition_rule
            else rest.moved(states[-1])
        )
        outcome = _confirmed(rest, plies - len(line), value)
        best = outcome.best
        if outcome.value is None or best is None:
            break
        if game.repetition_rule and rest.plain(outcome.value) != value:
            break  # on this path the remembered value is not to be had
        for action in outcome.line or (best,):
            line.append(action)
            states.append(game.result(states[-1], action))
    return changed(
        found, pv=tuple(line), distance=distance_of(game, Position(found.state, past), tuple(line))
    )


def _beginning_at(session: Session, states: list[Any], plies: int) -> Session:
    """A session for the last of the States that a line has gone through."""
    line = states[:-1] if session.game.repetition_rule else []
    setup = changed(session.setup, watch=None, past=(*session.setup.past, *line), line=len(line))
    return Session(session.game, states[-1], session.algorithm, plies, setup)


def _value_along(game: Game, states: list[Any], value: int | None) -> int | None:
    """The value of the first State of a line as the player to move in the last one sees it."""
    sign = 1
    for state, child in pairwise(states):
        sign = sign if game.keeps_turn(state, child) else -sign
    return None if value is None else sign * value


def _confirmed(session: Session, plies: int, value: int | None) -> Outcome:
    """A search of a position of the principal variation, with a narrow window around the value that
    it should have."""
    if value is not None and not session.algorithm.many_values and not session.setup.prefer_faster:
        outcome = session.run(plies, value - 1, value + 1)
        if outcome.value is None or (outcome.value == value and outcome.best is not None):
            return outcome
    return session.run(plies)
