"""The first answer soon: a small search is over before its code would be compiled.

If a game has no machine code at hand and nobody demands it, the search begins interpreted. If it
ends within `NODES` nodes and `SECONDS`, its answer is the same as compiled code would give;
otherwise the game is compiled, and the search starts again. The first searches of a game by an
algorithm share these nodes and seconds, so that many small ones are soon compiled, too.

A limit of time counts from the call on, and the interpreter gets at least a part of it. If the code
is not ready when the time is over, the interpreter's answer is what is known; compiling goes on in
the background, for the next search. Nor does a search of few nodes with a limit of time wait for
code, but once the shared nodes or seconds are used up, it has the code made for those after it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from prunus.core.analysis import Analysis
from prunus.core.game import Game
from prunus.kernel.code.hand import is_at_hand
from prunus.kernel.code.recent import Recent
from prunus.kernel.code.rules import rules_of
from prunus.kernel.waiting import NotReady
from prunus.run.progress import Timer
from prunus.run.task import Task
from prunus.tables.transposition import TranspositionTable

NODES = 2_000
"""The number of nodes of a game's first searches that are interpreted; 0: none, and no clock runs
while something is compiled."""

SECONDS: Final = 1.0
"""How many seconds these searches may take, and the most that the interpreter gets of a limited
time as its share."""

SHARE: Final = 0.2
"""The share of a limited time that the interpreter gets at least."""

LATE: Final = 100
"""How many nodes an interpreted search gets that begins when the time is already over, because code
that was thought to be at hand is not."""

GAMES: Final = 256


@dataclass
class Allowance:
    """The nodes and seconds that are left for interpreted first searches of a game. `waits`: none
    are interpreted, and searches wait for their code. `begun`: compiling has begun in the
    background."""

    nodes: int
    seconds: float
    waits: bool = False
    begun: bool = False

    def spend(self, nodes: int, seconds: float) -> None:
        """Take off what a search has used."""
        self.nodes -= nodes
        self.seconds -= seconds

    def is_spent(self) -> bool:
        """Whether the next search is to be compiled."""
        return self.nodes <= 0 or self.seconds <= 0


_allowances: Recent[tuple[type, str, str], Allowance] = Recent(GAMES)


def allowance_of(game: Game, algorithm: str) -> Allowance:
    """The allowance of a game's searches by an algorithm, under the rules as they are now."""
    key = (type(game), rules_of(game).name, algorithm)
    return _allowances.get(key) or _allowances.put(key, Allowance(NODES, SECONDS))


def compile_at_once(game: Game, algorithm: str) -> None:
    """Let searches of the game by this algorithm wait for their code from now on, without a clock
    running: they are to be compared with others, or to play a game."""
    allowance_of(game, algorithm).waits = True


def is_hurried(game: Game, algorithm: str, compile: bool | None) -> bool:
    """Whether such a search is to have its first answer soon. A search that demands machine code
    waits for it."""
    return (
        compile is None
        and NODES > 0
        and not game.interpreted_only
        and not allowance_of(game, algorithm).waits
    )


def first_answer(task: Task, answer: Callable[[Task], Analysis]) -> Analysis:
    """The result of `answer` for the task, or for the interpreter's part of it if that is enough.
    The task's table must not be the caller's, unless there is a deadline."""
    began = time.perf_counter()
    early = None
    if not is_at_hand(task.algorithm.compiled, task.game):
        early, is_last = _tried(task, answer)
        if early is not None and is_last:
            return early
    try:
        found = answer(task)
    except (NotReady, KeyboardInterrupt) as reason:
        if early is None:
            if isinstance(reason, KeyboardInterrupt):
                raise
            early = answer(_late(task))
        waited = time.perf_counter() - began - early.statistics.seconds
        return replace(
            early,
            interrupted=True,
            statistics=replace(early.statistics, compile_seconds=max(0.0, waited)),
        )
    return early if early is not None and _knows_more(early, found) else found


def _tried(task: Task, answer: Callable[[Task], Analysis]) -> tuple[Analysis | None, bool]:
    """The interpreter's result in its part of the search (None: it has no part), and whether that
    is the answer."""
    allowance = allowance_of(task.game, task.algorithm.name)
    first = _beginning(task, allowance)
    if first is None:
        return None, False
    began = time.perf_counter()
    early = answer(first)
    work = early.statistics.nodes + (early.moves_statistics.nodes if early.moves_statistics else 0)
    allowance.spend(work, time.perf_counter() - began)
    is_last = _is_answer(first, task, allowance)
    if is_last and "asked" not in first.course.timer.ended:
        _compile_ahead(task, answer)
    return early, is_last


def _compile_ahead(task: Task, answer: Callable[[Task], Analysis]) -> None:
    """Begin to compile for the next searches, and wait for nothing, if the interpreter has done its
    part and answers all the same: a search of few nodes with a limit of time is never compiled
    otherwise, however often the game is searched. Whatever ends this, the answer stands."""
    allowance = allowance_of(task.game, task.algorithm.name)
    if allowance.begun or not allowance.is_spent() or task.limit.seconds is None:
        return
    over = replace(task.course, timer=Timer(), until=time.perf_counter())
    with suppress(KeyboardInterrupt, MemoryError):
        try:
            answer(replace(task, course=over))
        except NotReady:
            allowance.begun = True


def _beginning(task: Task, allowance: Allowance) -> Task | None:
    """The interpreter's part of a search; None if it has none."""
    limited = task.limit.seconds
    if allowance.is_spent() and limited is None:
        return None
    nodes = None if limited is not None else allowance.nodes
    share = 0.0 if limited is None else min(SECONDS, SHARE * limited)
    return _interpreted(task, nodes, time.perf_counter() + max(allowance.seconds, share))


def _is_answer(first: Task, task: Task, allowance: Allowance) -> bool:
    """Whether the result of the interpreted search `first` is the answer to the whole task."""
    ended = first.course.timer.ended
    if "asked" in ended or not ended:
        return True
    if "time" in ended:
        until = task.course.until
        return until is not None and time.perf_counter() >= until and not allowance.is_spent()
    allowed, tried = task.limit.nodes, first.course.nodes
    return allowed is not None and tried is not None and allowed <= tried


def first_iterations(
    task: Task, iterate: Callable[[Task], Iterator[Analysis]]
) -> Iterator[Analysis]:
    """The results of `iterate`, a search that deepens: interpreted while there is no code, then
    compiled, from the depth on that the interpreter has reached. The last one may be of an
    iteration that was stopped."""
    early = stopped = None
    if not is_at_hand(task.algorithm.compiled, task.game):
        allowance = allowance_of(task.game, task.algorithm.name)
        first = _beginning(task, allowance)
        if first is not None:
            began, work = time.perf_counter(), 0
            for found in iterate(first):
                work += found.statistics.nodes
                if found.interrupted:
                    stopped = found
                    break
                early = found
                yield found
            allowance.spend(work, time.perf_counter() - began)
            if _is_answer(first, task, allowance):
                if stopped is not None:
                    yield stopped
                return
    try:
        for found in iterate(task):
            if early is None or _goes_further(found, early):
                yield found
    except NotReady:
        if early is None and stopped is not None:
            yield stopped
        elif early is None:
            yield from iterate(_late(task))


def _goes_further(found: Analysis, early: Analysis) -> bool:
    """Whether an iteration tells more than the interpreter's last one did."""
    return not _knows_more(early, found) and (
        found.proved or found.interrupted or (found.depth or 0) > (early.depth or 0)
    )


def _interpreted(task: Task, nodes: int | None, until: float | None) -> Task:
    """The same search interpreted, with a table of its own; it ends after `nodes` nodes, or at the
    time `until`, if not before."""
    course = task.course
    table = course.table
    if table is not None:
        table = TranspositionTable(table.megabytes, task.game, task.root.state)
    counts = [count for count in (nodes, course.nodes) if count is not None]
    times = [moment for moment in (until, course.until) if moment is not None]
    course = replace(
        course,
        table=table,
        timer=Timer(),
        seconds=None,
        nodes=min(counts, default=None),
        until=min(times, default=None),
    )
    configuration = replace(task.configuration, compile=False, threads=1)
    return replace(task, course=course, configuration=configuration)


def _late(task: Task) -> Task:
    """The search of so few nodes that it may begin when the time is over."""
    free = replace(task.course, until=None)
    return _interpreted(replace(task, course=free), LATE, None)


def _knows_more(early: Analysis, found: Analysis) -> bool:
    """Whether the interpreted search knows more than the compiled one, which had little time
    left."""
    if not found.interrupted or found.proved:
        return False
    return found.best is None or early.proved or (early.depth or 0) > (found.depth or 0)
