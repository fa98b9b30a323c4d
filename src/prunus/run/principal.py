"""The whole principal variation: the part that a search took from its table is searched for
again."""

from __future__ import annotations

from itertools import pairwise

from prunus.algorithms.repetition import is_over
from prunus.core.analysis import Analysis
from prunus.core.copies import changed
from prunus.core.game import Game, S
from prunus.run.session import Outcome, Session
from prunus.run.task import Root


def reached(found: Analysis, session: Session) -> int:
    """The number of plies that the answer rests on: all that are allowed for a proved value, fewer
    if the clock ended the search."""
    return session.depth if found.proved or found.depth is None else found.depth


def distance_of(session: Session, line: tuple[int, ...]) -> int | None:
    """The number of plies of a line with which the game ends, by a terminal State or by the rules
    of repetition; None if it does not end."""
    path = (*session.root.past, *session.walk.along(line))
    return len(line) if is_over(session.game, path) else None


def with_whole_line(found: Analysis, session: Session) -> Analysis:
    """The analysis with its line extended to the depth of the search or the end of the game: where
    a remembered value ended the line, another search goes on from there, knowing the path. A limit
    of nodes or seconds may cut it short."""
    remembers = session.algorithm.table or session.algorithm.complete is not None
    if (
        found.interrupted
        or session.stopped
        or not remembers
        or found.best is None
        or found.distance is not None
    ):
        return found
    game, line, past = found.game, list(found.pv or (found.best,)), session.root.past
    states = session.walk.along(line)
    plies = reached(found, session)
    rest = None
    while len(line) < plies and not is_over(game, (*past, *states)):
        value = _value_along(game, states, found.value)
        if rest is None or game.repetition_rule:
            rest = _beginning_at(session, states, plies - len(line))
        else:
            rest = rest.moved(states[-1])
        outcome = _confirmed(rest, plies - len(line), value)
        best = outcome.best
        if outcome.value is None or best is None:
            break
        if game.repetition_rule and rest.plain(outcome.value) != value:
            break  # on this path the remembered value cannot be reached
        for action in outcome.line or (best,):
            line.append(action)
            states.append(game.result(states[-1], action))
    if rest is not None:
        rest.release()
    distance = len(line) if is_over(game, (*past, *states)) else None
    return changed(found, pv=tuple(line), distance=distance)


def _beginning_at(session: Session, states: list[object], plies: int) -> Session:
    """A session for the last of the States on a line."""
    line = states[:-1] if session.game.repetition_rule else []
    root = Root(states[-1], (*session.root.past, *line), len(line))
    course = changed(session.course, watch=None)
    return Session(session.game, root, session.configuration, plies, course)


def _value_along(game: Game[S], states: list[S], value: int | None) -> int | None:
    """The value of the first State of a line as the player to move in the last one sees it."""
    sign = 1
    for state, child in pairwise(states):
        sign = sign if game.keeps_turn(state, child) else -sign
    return None if value is None else sign * value


def _confirmed(session: Session, plies: int, value: int | None) -> Outcome:
    """A search of a position on the principal variation: with a narrow window around the value that
    it should have, and with the whole window if that does not confirm it."""
    if (
        value is not None
        and not session.algorithm.many_values
        and not session.configuration.prefer_faster
    ):
        outcome = session.run(plies, value - 1, value + 1)
        if outcome.value is None or (outcome.value == value and outcome.best is not None):
            return outcome
    return session.run(plies)
