"""A search that is about to begin: its root, configuration and limit; and the running state that
all searches of one call share."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from prunus.core.game import INFINITY, Game, furthest
from prunus.kernel.memory import NEVER
from prunus.run.algorithm import Algorithm
from prunus.run.configuration import Configuration, configuration_of
from prunus.run.limits import Limit, Stop
from prunus.run.progress import Timer, Watch
from prunus.run.request import Request
from prunus.run.spare import new_table
from prunus.tables.transposition import TranspositionTable

MEGABYTES: Final = 64
"""The default size of a transposition table."""


@dataclass(frozen=True)
class Root:
    """Where a search begins. `past` are the States before it, one for each ply, if repetitions
    count: first those that have been played, then the States of a line, `line` of them, if the
    search continues that line from its end."""

    state: object
    past: tuple[object, ...] = ()
    line: int = 0

    @property
    def path(self) -> tuple[object, ...]:
        """All States of the game so far."""
        return (*self.past, self.state)


@dataclass(frozen=True)
class Course:
    """The running state of one call: what its searches share, and what ends them.

    `table` may be the caller's own. `seconds` is how long the searches may take without compiling,
    `until` when they must be over in any case (a time of `time.perf_counter`). `to_the_end` says
    that there is no limit of depth. `at_once`, if not 0, is the number of nodes within which each
    search must end; such searches need no thread of their own.
    """

    table: TranspositionTable | None = None
    nodes: int | None = None
    seconds: float | None = None
    until: float | None = None
    to_the_end: bool = False
    at_once: int = 0
    watch: Watch | None = None
    stop: Stop | None = None
    timer: Timer = field(default_factory=Timer)

    def left(self) -> float | None:
        """The seconds that a search that begins now may take; None: as many as it needs."""
        spent = self.timer.elapsed()
        left = None if self.seconds is None else max(0.0, self.seconds - spent)
        if self.until is not None:
            rest = self.until - time.perf_counter()
            left = max(0.0, min(rest, NEVER if left is None else left))
        return left


@dataclass(frozen=True)
class Task:
    """One search: of a game, from a root, by a configuration, up to a limit. `text` is the position
    as the caller wrote it; None if it was not given as text."""

    game: Game
    root: Root
    configuration: Configuration
    limit: Limit
    course: Course
    text: str | None = None

    @property
    def algorithm(self) -> Algorithm:
        """The algorithm of the configuration."""
        return self.configuration.algorithm

    @cached_property
    def extremes(self) -> tuple[int, int]:
        """Two bounds: only finished games have values that are at most the first or at least the
        second. Evaluations stay below the `furthest` value of the whole game, though perhaps
        not inside the bounds of the position; without an evaluation, estimates are 0."""
        low, high = self.game.bounds(self.root.state)
        if self.game.has_evaluate:
            most = furthest(self.game)
            if self.game.has_bounds and not -most <= low <= high <= most:
                most = INFINITY
            return -most, most
        return (low if low < 0 else -INFINITY, high if high > 0 else INFINITY)

    def is_settled(self, value: int, actions: Iterable[int]) -> bool:
        """Whether a value that estimates had a part in is exact all the same, and these actions,
        which the search found to be worth so much, reach it.

        Finished games alone reach the upper extreme. At the lower one they tell that the opponent
        can hold the player to move down to it; that no action can be worse follows only if its own
        bounds say so."""
        low, high = self.extremes
        return value >= high or (
            value <= low and all(self._least(action) >= value for action in actions)
        )

    def needs_no_more_depth(self, value: int, actions: Iterable[int]) -> bool:
        """Whether a deeper search can change nothing of what is asked: the value is settled, and so
        is the length of the line if faster wins are preferred. If positions below the root may be
        worth more than the root's extreme, estimates hide which of them the players would avoid."""
        return self.is_settled(value, actions) and (
            not self.configuration.prefer_faster or abs(value) >= furthest(self.game)
        )

    def _least(self, action: int) -> int:
        """A lower bound of the value of a root action."""
        game, state = self.game, self.root.state
        if game.has_evaluate:
            return self.extremes[0]
        child = game.result(state, action)
        low, high = game.bounds(child)
        if game.is_terminal(child):
            low = high = int(game.utility(child))
        return low if game.keeps_turn(state, child) else -high


def task_of(asked: Request, until: float | None) -> Task:
    """The search that a request asks for; `until` is when it must be over in any case."""
    configuration = configuration_of(asked)
    game, limit, table = asked.game, asked.limit, asked.table
    root = Root(asked.position.state, tuple(asked.position.past))
    if isinstance(table, TranspositionTable):
        table.serve(game, root.state, root.past)
    elif configuration.algorithm.table:
        megabytes = MEGABYTES if table is None else table
        table = new_table(configuration.habit, megabytes, game, root.state)
    course = Course(
        table if isinstance(table, TranspositionTable) else None,
        limit.nodes,
        limit.seconds,
        until,
        limit.depth is None,
        watch=asked.watch,
        stop=asked.stop,
    )
    return Task(game, root, configuration, limit, course, asked.text)
