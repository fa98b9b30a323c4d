"""Searches that are over at once, in the caller's thread.

Handing a search to a thread of its own and waiting for it takes as long as several hundred nodes,
and only a longer search needs the thread: for Ctrl-C, for the clock, for a deep stack. If the last
search by a configuration was short, the next one is first tried in the caller's thread, with
`NODES` nodes for each of its memories and `PLIES` plies for each of its lines. If that is not
enough, the search starts again in the usual way, with another table, so that it visits the same
nodes as ever.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

from prunus.core.analysis import Analysis
from prunus.core.state import count_of, is_machine_state, lengths_of
from prunus.kernel.threads import has_usual_stack
from prunus.kernel.waiting import NotReady
from prunus.run.limits import Stop
from prunus.run.request import Request
from prunus.run.session import PLIES, TooLong
from prunus.run.task import Task

NODES = 300
"""The most nodes of a search in the caller's thread; 0: no search is tried there."""

SECONDS: Final = 0.01
"""How long the last search may have taken for the next one to be tried there."""

SCALARS: Final = 128
"""The most numbers in a State of a search that is tried there."""


def is_short(asked: Request, task: Task) -> bool:
    """Whether to try a search in the caller's thread: the last one was short, this one has no limit
    of nodes or seconds, no watch, no `Stop`, no table of the caller's and no other threads, and its
    lines and its State are small enough for the stack."""
    if not task.configuration.habit.is_short or asked.learns():
        return False
    limit, course, state = task.limit, task.course, task.root.state
    if (limit.nodes, limit.seconds, course.watch, course.stop) != (None, None, None, None):
        return False
    deep = not task.algorithm.deepens and (limit.depth is None or limit.depth > PLIES)
    if deep or task.configuration.threads > 1 or not is_machine_state(state):
        return False
    return sum(map(count_of, lengths_of(state))) <= SCALARS and has_usual_stack()


def tried(task: Task, answer: Callable[[Task], Analysis]) -> Analysis | None:
    """The result of `answer` for the task, within the limits of a short search; None if it takes
    longer. Do not use the task's table again after None. Ctrl-C ends the search with the best
    answer so far; it is raised as KeyboardInterrupt if the search was over all the same, so that it
    ends a loop of short searches."""
    stop = Stop()
    try:
        with _heeding(stop):
            found = answer(replace(task, course=replace(task.course, at_once=NODES, stop=stop)))
    except (TooLong, NotReady):
        task.configuration.habit.is_short = False
        if stop.requested:
            raise KeyboardInterrupt from None
        return None
    if stop.requested and not found.interrupted:
        raise KeyboardInterrupt
    return found


@contextmanager
def _heeding(stop: Stop) -> Iterator[None]:
    """Let Ctrl-C ask the search to stop instead of raising KeyboardInterrupt wherever Python next
    looks for signals; a handler of the program's own stays. Both changes of the handler first
    handle a Ctrl-C from before."""
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, lambda number, frame: stop.now())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def note(task: Task, found: Analysis) -> None:
    """Let the next search by this configuration be tried at once if this one was short."""
    timer, seconds = task.course.timer, found.statistics.seconds
    compiled = found.backend == "compiled" and not found.interrupted
    fits = timer.nodes <= NODES and timer.plies <= PLIES and seconds <= SECONDS
    task.configuration.habit.is_short = compiled and fits
