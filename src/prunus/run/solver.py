"""Exact values by tests to the end of the game (`prove`), for games that have no cycles and whose
values have known bounds."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

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
from prunus.solving.prove import can_be_proved, is_known_worth
from prunus.tables.proofs import Interval

CHEAP: Final = 1_000
"""The number of nodes that deepening may visit before tests to the end of the game do the rest."""

CHEAP_GUESS: Final = 100_000
"""The same where an evaluation guides the search (`is_guided`). There the first test is at the
value that deepening has found; a better guess spares tests, and each of them takes many more nodes
than this."""

FIRST: Final = 4
"""The most plies of the first step of deepening."""

CLOSE: Final = 4
"""Where an evaluation guides the search, how many tests are just beyond what the last one has
found; if that does not settle the value, the guess was bad."""


def can_prove(session: Session) -> bool:
    """Whether tests to the end of the game can find the values of this search, which must be the
    game's own (no `prefer_faster`)."""
    return not session.configuration.prefer_faster and can_be_proved(session.game)


def is_guided(session: Session) -> bool:
    """Whether the evaluation has a part in a search to the end of the game. Deepening with it finds
    the value where tests cannot, and in a game that tells its plies left it makes the first guess
    and orders actions (`promise`). In any other game tests reach the end sooner without it."""
    game = session.game
    return game.has_evaluate and (game.has_plies_left or not can_prove(session))


def is_near_end(session: Session) -> bool:
    """Whether a game is near enough to its end for tests to reach it; where an evaluation guides
    the search, deepening is more useful before that."""
    game = session.game
    return game.has_plies_left and game.plies_left(session.state) <= NEAR


def takes_over(session: Session, nodes: int) -> bool:
    """Whether a search of the engine that has visited `nodes` nodes should go on with tests to the
    end of the game."""
    enough = CHEAP_GUESS if is_guided(session) else CHEAP
    return (
        session.algorithm.options
        and session.course.to_the_end
        and nodes > enough
        and can_prove(session)
    )


def first_depth(actions: int) -> int:
    """The depth at which deepening may begin if the root has this many actions: as many plies as
    `CHEAP` leaves allow if no other position has more actions; since some may, at most `FIRST`."""
    depth = 1
    while depth < FIRST and actions ** (depth + 1) <= CHEAP:
        depth += 1
    return depth


class Solver:
    """Tests of positions of one game, which share a table and count their work together.

    Continues `session`, which has used `spent` nodes of its limit; reports to its watch unless
    `unseen`. Methods take States of the session's game, and tests use those of its `solving_game`.
    """

    def __init__(self, session: Session, spent: int = 0, unseen: bool = False) -> None:
        course = session.course
        assert course.table is not None
        self.game, self.before = session.game, session
        self.bounds: Interval | None = None
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
        """Show the last iteration, all work so far, and the proved bounds."""
        before = self.before.progress()
        low, high = (None, None) if self.bounds is None else self.bounds
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

    def more_than(self, state: object, alpha: int) -> int | None:
        """A bound that says whether the value of a State is more than `alpha`: a lower bound above
        `alpha` if it is, otherwise an upper bound; None if the test was stopped. Raises
        SearchError if some line of play does not end."""
        if self.game.is_terminal(state):
            return int(self.game.utility(state))
        outcome = self._run(state, alpha)
        if outcome.counts["evaluated"]:
            self.proofs.clear()  # some of its entries rest on lines that were given up
            raise SearchError(
                f"{self.game.title()} has lines of more than {LONGEST_LINE:,} plies, perhaps "
                f"cycles: give a depth"
            )
        return outcome.value

    def _run(self, state: object, alpha: int) -> Outcome:
        self.session.move(self.game.solving_state(state))
        outcome = self.session.run(1, alpha, alpha + 1)
        self.counts = {name: self.counts[name] + outcome.counts[name] for name in STATISTICS}
        self.seconds += outcome.seconds
        return outcome

    def given(self, state: object) -> Interval:
        """The bounds of a State's value that the rules give before any search."""
        return from_rules(self.game, state)

    def value(self, state: object, low: int, high: int, guess: int = 0) -> Interval:
        """The bounds of a State's value that tests between `low` and `high` leave; they are equal
        unless the search was stopped. If the value lies outside `low` and `high`, both are the
        nearer of these.

        The first test is at `guess`, and the next ones move away from it by doubling steps; if an
        evaluation made the guess, `CLOSE` tests just beyond the last result come first (MTD(f),
        Plaat et al. 1996). Once two tests enclose the value, further ones halve the gap. Tests
        beyond the value save less than they cost."""
        self.bounds = Interval(low, high)
        alpha, step = guess, 0
        close = CLOSE if is_guided(self.before) else 0
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
            self.bounds = Interval(low, high)
        return Interval(low, high)

    def known_action(self, state: object, value: int) -> int | None:
        """An action that is known without a search to be worth `value` or more; None if there is
        none."""
        form, own, memory = self.form, self.game.solving_state(state), self.session.memory
        return next(
            (
                int(action)
                for action in form.worthwhile(own)
                if is_known_worth(form, own, action, value, memory)
            ),
            None,
        )

    def line(self, state: object, value: int) -> tuple[int, ...]:
        """A line of best actions to the end of the game, or shorter if the search is stopped."""
        memory = self.session.memory
        memory.tracing, memory.pv_length = 1, 0
        self._run(state, value)
        memory.tracing = 0
        return tuple(memory.pv[i] for i in range(memory.pv_length))

    def solved(self, state: object, guess: int) -> Outcome:
        """The value of a State that is not terminal, with a line to the end of the game; what is
        known of it if the search was stopped."""
        low, high = self.value(state, *self.given(state), guess)
        line = self.line(state, low) if low == high else ()
        return (
            Outcome(low, ((line[0], low),), line, self.counts, self.seconds, False)
            if line
            else self.interrupted(state)
        )

    def interrupted(self, state: object) -> Outcome:
        """The outcome of a stopped search of this State: the bounds of its value, and an action
        that reaches the lower one."""
        if self.bounds is None or self.bounds == self.given(state):
            return Outcome(None, (), (), self.counts, self.seconds, False)
        action = self.known_action(state, self.bounds.low)
        moves = () if action is None else ((action, self.bounds.low),)
        return Outcome(None, moves, (), self.counts, self.seconds, False, self.bounds)


def solved(session: Session, spent: int, guess: int = 0) -> Outcome:
    """The value of the session's State, or what is known of it when a limit or Ctrl-C ends the
    search; the session has used `spent` nodes so far. If its limit is used up, the session is
    stopped."""
    solver = None
    try:
        solver = Solver(session, spent)
        outcome = solver.solved(session.state, guess)
    except (
        KeyboardInterrupt,
        NotReady,
    ) as reason:  # between two tests, or while the first is being compiled
        stop = session.course.stop
        asked = isinstance(reason, KeyboardInterrupt) or (stop is not None and stop.requested)
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
