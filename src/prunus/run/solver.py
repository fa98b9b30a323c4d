"""Exact values by tests to the end of the game (`prove`), for games that have no cycles and know
the limits of their values."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from prunus.algorithms.leaves import LONGEST_LINE
from prunus.core.copies import changed
from prunus.core.errors import SearchError
from prunus.kernel.waiting import NotReady
from prunus.run.configuration import Configuration
from prunus.run.memories import STATISTICS
from prunus.run.progress import Progress
from prunus.run.registry import PROVE
from prunus.run.session import Outcome, Session
from prunus.run.task import Root
from prunus.solving.children import NEAR, from_rules
from prunus.solving.prove import is_known_worth
from prunus.tables.proofs import HIGHEST, LOWEST, Interval

CHEAP: Final = 1_000
"""The nodes that deepening may take before the rest is left to tests to the end of the game."""

CHEAP_GUESS: Final = 100_000
"""The same in a game with an evaluation, where the first test is at the value that deepening has
found: each test that a better one spares takes many more."""

FIRST: Final = 4
"""The most plies of the first step of deepening."""

CLOSE: Final = 4
"""In a game with an evaluation, the tests that go on from what the last one has found; with more of
them the guess was no good."""


def can_prove(session: Session) -> bool:
    """Whether tests to the end can find the values of this search: their limits are known and fit
    an entry of the table, they are the game's own, and no line of play repeats a position."""
    game = session.game
    low, high = game.bounds(game.initial())
    return (
        LOWEST < low <= high < HIGHEST
        and not session.configuration.prefer_faster
        and game.repetition_rule == 0
    )


def is_near_end(session: Session) -> bool:
    """Whether a game with an evaluation is near enough to its end that tests will reach it; before,
    deepening has more to say."""
    game = session.game
    return game.has_plies_left and game.plies_left(session.state) <= NEAR


def takes_over(session: Session, nodes: int) -> bool:
    """Whether tests to the end are what a search of the engine should go on with, once it has taken
    so many nodes."""
    enough = CHEAP_GUESS if session.game.has_evaluate else CHEAP
    return (
        session.algorithm.options
        and session.course.to_the_end
        and nodes > enough
        and can_prove(session)
    )


def first_depth(actions: int) -> int:
    """How deep deepening may begin where the root has so many actions: as deep as it may go on in
    any case, if other positions have no more of them; they may have, so not deeper than `FIRST`."""
    depth = 1
    while depth < FIRST and actions ** (depth + 1) <= CHEAP:
        depth += 1
    return depth


class Solver:
    """Tests of positions of one game, which share a table and count their work together.

    They go on from a `session`, which has taken `spent` nodes of a limit, and whose watch they show
    their progress to, unless `unseen`. The States that they are given are those of the session's
    game; inside they have the form of its `solving_game`.
    """

    def __init__(self, session: Session, spent: int = 0, unseen: bool = False) -> None:
        course = session.course
        assert course.table is not None
        self.game, self.before = session.game, session
        self.limits: Interval | None = None
        self.form, start = session.game.solving_game(), session.game.solving_state(session.state)
        self.proofs = course.table.proofs(self.form, start)
        left = None if course.nodes is None else max(1, course.nodes - spent)
        watch = None if unseen or course.watch is None else self._watch
        how = Configuration(
            PROVE,
            session.configuration.compile,
            room=session.configuration.room,
            threads=session.configuration.threads,
            fields=self.proofs.fields(),
        )
        self.session = Session(
            self.form, Root(start), how, 1, changed(course, nodes=left, watch=watch)
        )
        course.timer.leave_out(self.session.compile_seconds)
        self.counts: dict[str, int] = dict.fromkeys(STATISTICS, 0)
        self.seconds = 0.0

    def _watch(self, progress: Progress) -> None:
        """Show the last iteration, all work so far, and the limits that are proved."""
        before = self.before.progress()
        low, high = (None, None) if self.limits is None else self.limits
        watch = self.before.course.watch
        assert watch is not None
        if progress.compiling:
            watch(replace(before, compiling=progress.compiling))
            return
        watch(
            replace(
                before,
                nodes=before.nodes + progress.nodes,
                done=0,
                fill=self.proofs.fill(),
                low=low,
                high=high,
            )
        )

    def more_than(self, state: Any, alpha: int) -> int | None:
        """Whether the value of a State is more than `alpha`: a lower bound that says so, or an
        upper one that denies it; None where the test was stopped. Raises SearchError where lines of
        play do not end."""
        if self.game.is_terminal(state):
            return int(self.game.utility(state))
        outcome = self._run(state, alpha)
        if outcome.counts["evaluated"]:
            self.proofs.clear()  # it holds what follows from lines that were given up
            raise SearchError(
                f"{self.game.title()} has lines of more than {LONGEST_LINE:,} plies, perhaps "
                f"cycles: give a depth"
            )
        return outcome.value

    def _run(self, state: Any, alpha: int) -> Outcome:
        self.session.move(self.game.solving_state(state))
        outcome = self.session.run(1, alpha, alpha + 1)
        self.counts = {name: self.counts[name] + outcome.counts[name] for name in STATISTICS}
        self.seconds += outcome.seconds
        return outcome

    def given(self, state: Any) -> Interval:
        """What the rules say of a State's value before any search."""
        lowest, highest = self.game.bounds(self.game.initial())
        found = from_rules(self.game, state)
        return Interval(max(lowest, found.low), min(highest, found.high))

    def value(self, state: Any, low: int, high: int, guess: int = 0) -> Interval:
        """The limits of a State's value that tests leave between `low` and `high`: equal ones, but
        for a search that was stopped. The first test is at `guess`, and the next ones go away from
        it by steps that double; where an evaluation has made the guess, only after `CLOSE` tests
        just beyond what the last one has found (MTD(f), Plaat et al. 1996). Once the value is
        caught between two of them, they divide what is left. Tests beyond the value save less than
        they cost. Where the value lies outside, the limits meet on that side of it."""
        self.limits = Interval(low, high)
        alpha, step = guess, 0
        close = CLOSE if self.game.has_evaluate else 0
        above = below = False
        while low < high:
            alpha = max(low, min(alpha, high - 1))
            bound = self.more_than(state, alpha)
            if bound is None:
                break
            if bound > alpha:
                low, above = min(high, bound), True
                alpha = low + step
            else:
                high, below = max(low, bound), True
                alpha = high - 1 - step
            if close > 0:
                close -= 1
            else:
                step = 2 * step + 1
            if above and below:
                alpha = (low + high) // 2
            self.limits = Interval(low, high)
        return Interval(low, high)

    def known_action(self, state: Any, value: int) -> int | None:
        """An action that is known, without a search, to be worth `value` or more."""
        form, own, memory = self.form, self.game.solving_state(state), self.session.memory
        return next(
            (
                int(action)
                for action in form.worthwhile(own)
                if is_known_worth(form, own, action, value, memory)
            ),
            None,
        )

    def line(self, state: Any, value: int) -> tuple[int, ...]:
        """A line of best actions to the end of the game, as far as the search was not stopped."""
        memory = self.session.memory
        memory.tracing, memory.pv_length = 1, 0
        self._run(state, value)
        memory.tracing = 0
        return tuple(memory.pv[i] for i in range(memory.pv_length))

    def solved(self, state: Any, guess: int) -> Outcome:
        """The value of a State that is not terminal, with a line to the end of the game; of a
        search that was stopped, what is known."""
        low, high = self.value(state, *self.given(state), guess)
        line = self.line(state, low) if low == high else ()
        return (
            Outcome(low, ((line[0], low),), line, self.counts, self.seconds, False)
            if line
            else self.interrupted(state)
        )

    def interrupted(self, state: Any) -> Outcome:
        """What a search of this State that was stopped has found out: the limits of its value, and
        an action that reaches the lower one."""
        if self.limits is None or self.limits == self.given(state):
            return Outcome(None, (), (), self.counts, self.seconds, False)
        action = self.known_action(state, self.limits.low)
        moves = () if action is None else ((action, self.limits.low),)
        return Outcome(None, moves, (), self.counts, self.seconds, False, self.limits)


def solved(session: Session, spent: int, guess: int = 0) -> Outcome:
    """The value of a session's State, which has taken so many nodes until now, or what is known of
    it when a limit or Ctrl-C ends the search. A session whose limit is used up is stopped."""
    solver = None
    try:
        solver = Solver(session, spent)
        outcome = solver.solved(session.state, guess)
    except (
        KeyboardInterrupt,
        NotReady,
    ) as reason:  # between two tests, or while the first is being compiled
        asked = isinstance(reason, KeyboardInterrupt)
        session.memory.stop(asked)
        session.course.timer.ended.add("asked" if asked else "time")
        if solver is None:
            return Outcome(None, (), (), dict.fromkeys(STATISTICS, 0), 0.0, False)
        outcome = solver.interrupted(session.state)
    session.compile_seconds += solver.session.compile_seconds
    if solver.session.stopped:
        session.memory.stop(asked=solver.session.memory.ended_by() == "asked")
    solver.session.release()
    return outcome
