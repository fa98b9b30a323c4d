"""Iterative deepening and aspiration windows: the sequence of searches of one position."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from prunus.algorithms.leaves import HASTE, LONGEST_LINE
from prunus.core.copies import changed
from prunus.core.game import INFINITY
from prunus.run.limits import Clock, Limit
from prunus.run.memories import STATISTICS
from prunus.run.session import Outcome, Session
from prunus.run.solver import first_depth, is_guided, is_near_end, solved, takes_over

WIDENING: Final = 4
"""How many times as wide a window is as the one before, which the value fell out of."""


@dataclass(frozen=True)
class Iteration:
    """A search to one depth: its outcome (a value of None: it was stopped), and the work and the
    seconds of all iterations so far."""

    depth: int
    outcome: Outcome
    total: dict[str, int]
    seconds: float


def deepen(
    session: Session,
    limit: Limit,
    needs_no_more_depth: Callable[[int, Iterable[int]], bool],
    aspiration: bool = False,
) -> Iterator[Iteration]:
    """Search 1 ply deep, 2 plies, ... up to the limit (Slate & Atkin 1977), each time beginning
    with the best line of the last.

    The engine takes longer steps (the first as deep as `solver.CHEAP` leaves allow, each later one
    half as deep again as the last) if nobody looks at the steps (`Configuration.leaps`), no
    evaluation guides the search that a deeper one could correct, and either there is no limit but
    the depth or only the exact value is wanted (`Limit.exact`): single plies would only cost time.

    Ends early when nothing was estimated any more, when the value is an extreme one that the best
    action is sure to reach (`Task.needs_no_more_depth`), when there is only one action
    (`Limit.single`), or when the clock says so. The last iteration may be one that was stopped. If
    a game is to be solved that no evaluation guides or that is near its end, and deepening has not
    solved it cheaply, null windows to the end of the game do the rest (`solver`).
    """
    total: dict[str, int] = dict.fromkeys(STATISTICS, 0)
    values: list[int] = []
    clock = Clock(limit)
    for depth in _depths(session, limit):
        outcome = (
            _aspired(session, depth, values)
            if aspiration
            else session.run(depth, guess=values[-1] if values else 0)
        )
        total = {name: total[name] + outcome.counts[name] for name in total}
        yield Iteration(depth, outcome, total, session.course.timer.elapsed())
        if outcome.value is None or not outcome.estimated:
            return
        best = () if outcome.best is None else (outcome.best,)
        if needs_no_more_depth(session.plain(outcome.value), best):
            return
        values.append(outcome.value)
        session.note(depth, outcome)
        if _may_prove(session, limit) and takes_over(session, total["nodes"]):
            rest = solved(
                session,
                total["nodes"],
                session.plain(outcome.value) if is_guided(session) else 0,
            )
            total = {name: total[name] + rest.counts[name] for name in total}
            yield Iteration(LONGEST_LINE, rest, total, session.course.timer.elapsed())
            return
        if limit.single and session.total == 1:
            return
        session.follow()
        clock.note(outcome.best, session.course.timer.elapsed())
        if session.algorithm.options and outcome.best is not None and clock.may_be_ahead():
            others = session.without(
                outcome.best, _clearly_worse(session, values), max(1, depth - 2)
            )
            total = {name: total[name] + others.counts[name] for name in total}
            clock.ahead = others.value is not None and others.value < _clearly_worse(
                session, values
            )
        if clock.is_over():
            return


def _clearly_worse(session: Session, values: list[int]) -> int:
    """A value lower than the last one by more than the usual change from one iteration to the
    next."""
    unit = HASTE if session.configuration.prefer_faster else 1
    return max(
        1 - INFINITY,
        values[-1] - max(unit, 2 * max((abs(b - a) for a, b in pairwise(values[-4:])), default=0)),
    )


def _depths(session: Session, limit: Limit) -> Iterator[int]:
    last = LONGEST_LINE if limit.depth is None else limit.depth
    leaping = _leaps(session, limit)
    depth = first_depth(session.total) if leaping else 1
    while depth < last:
        yield depth
        depth += max(1, depth // 2) if leaping else 1
    yield last


def _leaps(session: Session, limit: Limit) -> bool:
    guided = is_guided(session) if session.course.to_the_end else session.game.has_evaluate
    return _is_patient(session, limit) and not guided


def _may_prove(session: Session, limit: Limit) -> bool:
    """Whether tests to the end of the game may do the rest of the work."""
    return _is_patient(session, limit) and (not is_guided(session) or is_near_end(session))


def _is_patient(session: Session, limit: Limit) -> bool:
    """Whether only the engine's last word is wanted, and it need not have an answer ready at any
    time."""
    patient = limit.exact or (limit.seconds is None and limit.nodes is None)
    return bool(session.configuration.leaps and session.algorithm.options and patient)


def _aspired(session: Session, depth: int, values: list[int]) -> Outcome:
    """Search with a narrow window around the last value, as wide as the last change of values;
    widen it each time the value falls out of it."""
    if len(values) < 2:
        return session.run(depth)
    # What is finer than the evaluation is no use as a window where most values are estimates.
    finest = (
        HASTE if session.configuration.prefer_faster and session.configuration.is_selective else 1
    )
    width = max(finest, abs(values[-1] - values[-2]), abs(values[-1]) // 16)
    alpha, beta = max(-INFINITY, values[-1] - width), min(INFINITY, values[-1] + width)
    total, seconds = dict.fromkeys(STATISTICS, 0), 0.0
    while True:
        outcome = session.run(depth, alpha, beta)
        total = {name: total[name] + outcome.counts[name] for name in total}
        seconds += outcome.seconds
        width *= WIDENING
        if outcome.value is None or alpha < outcome.value < beta:
            return changed(outcome, counts=total, seconds=seconds)
        if outcome.value <= alpha:
            alpha = max(-INFINITY, outcome.value - width)
        else:
            beta = min(INFINITY, outcome.value + width)
