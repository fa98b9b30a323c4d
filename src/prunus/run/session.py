"""A search made ready: an algorithm with its memory, compiled or not, to be run as often as its
strategy requires."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import partial
from typing import Final

from prunus.algorithms.leaves import without_haste
from prunus.algorithms.minimax_extreme import highest_estimate
from prunus.algorithms.remember import FAR, follow, look_up, remember
from prunus.core.copies import changed
from prunus.core.game import INFINITY, Game
from prunus.core.position import Walk
from prunus.core.state import is_machine_state, lengths_of
from prunus.kernel import threads
from prunus.kernel.backends import Backend, prepare
from prunus.kernel.calling import arguments_for
from prunus.kernel.code.rules import look_again
from prunus.kernel.columns import AnyView
from prunus.kernel.memory import Memory
from prunus.kernel.waiting import NotReady, Patience
from prunus.run.configuration import Configuration
from prunus.run.limits import dead_end_error, in_words
from prunus.run.memories import (
    STATISTICS,
    begin,
    comparable,
    counts_of,
    fill,
    lasting,
    new_memory,
    path_spec,
)
from prunus.run.parallel import Helpers
from prunus.run.progress import Progress
from prunus.run.registry import arguments_of
from prunus.run.spare import give_back, taken
from prunus.run.task import Course, Root
from prunus.tables.busy import new_busy
from prunus.tables.transposition import NO_ACTION


@dataclass(frozen=True)
class Outcome:
    """The outcome of one run of an algorithm: the value (None: it was stopped first), the root
    actions with their values in order, the line, the counters, and whether anything was estimated,
    so that the value may rest on more than finished games. `bounds` are the bounds of the value (at
    least, at most) that tests to the end of the game proved before they were stopped."""

    value: int | None
    moves: tuple[tuple[int, int], ...]
    line: tuple[int, ...]
    counts: dict[str, int]
    seconds: float
    estimated: bool
    bounds: tuple[int, int] | None = None

    @property
    def best(self) -> int | None:
        """The first root action that reached the value; if the search was stopped, the best of
        those that were finished."""
        wanted = (
            max((value for _, value in self.moves), default=None)
            if self.value is None
            else self.value
        )
        return next((action for action, value in self.moves if value == wanted), None)


PLIES: Final = 80
"""The longest line of a search in the caller's stack, quiescence and extensions included."""


ROOM: Final = 63
"""The number of actions that a memory has room for is rounded up, by `|`, so that memories for
similar numbers are of one kind."""


class TooLong(Exception):
    """Raised by a search that was to be over at once (`Course.at_once`) but takes longer."""


class Session:
    """An algorithm ready to search one position again and again: to one depth after another, with
    one window after another."""

    backend: Backend

    def __init__(
        self,
        game: Game,
        root: Root,
        configuration: Configuration,
        depth: int,
        course: Course | None = None,
    ) -> None:
        self.game, self.root, self.configuration, self.depth = game, root, configuration, depth
        self.algorithm, self.course = configuration.algorithm, course or Course()
        self.walk = Walk(game, root.state)
        self.total = sum(1 for _ in game.actions(root.state))
        if self.total == 0:
            raise dead_end_error(game, root.state)
        self.busy = new_busy(configuration.threads)
        self._kind = self._kind_of_memory(depth)
        self.memory = self._new_memory(depth)
        self.helpers: list[Memory] = []
        self.last: tuple[int, Outcome] | None = None
        if self.course.nodes is not None:
            self.memory.stop_after(self.course.nodes)
        if self.course.at_once:
            self.memory.stop_after(self.course.at_once)
        began = time.perf_counter()
        self._prepare()
        self.compile_seconds = time.perf_counter() - began
        if self.algorithm.threads and self.backend == "compiled":
            self.helpers = [self._new_memory(depth + 1) for _ in range(1, configuration.threads)]

    @property
    def state(self) -> object:
        """The State to search."""
        return self.root.state

    def _prepare(self) -> None:
        """Get the functions ready: compiled, or as they stand."""
        wanted, patience = self.configuration.compile, Patience(self.course.until, self._compiling)
        arguments = arguments_of(self.game, self.state, self.depth, self.memory)
        algorithm = self.algorithm
        code, self.backend = prepare(
            algorithm.compiled, {**arguments, "which": 0}, wanted, patience
        )
        self._code = code if self.backend == "compiled" and algorithm.follows else None
        whole = code if self.backend == "compiled" else algorithm.function
        self.function = whole if self._code is None else partial(self._code, 0)

    def _compiling(self, seconds: float) -> None:
        """Show that the search waits for its code. Raises NotReady if it is told to stop."""
        if self.course.stop is not None and self.course.stop.requested:
            raise NotReady
        if self.course.watch is not None:
            self.course.watch(Progress(0, 0, self.total, 0.0, compiling=seconds))

    def move(self, state: object) -> None:
        """Search another State from now on; it must not have more actions than the first."""
        self.root = changed(self.root, state=state)
        self.walk = Walk(self.game, state)

    def moved(self, state: object) -> Session:
        """The same session, moved to another State; a new session, and this one is over, if the
        State has more actions than there is room for. Raises SearchError if it has none."""
        actions = sum(1 for _ in self.game.actions(state))
        if not 0 < actions <= self.total | ROOM:
            root = changed(self.root, state=state)
            self.release()
            return Session(self.game, root, self.configuration, self.depth, self.course)
        self.total = actions
        self.move(state)
        return self

    def _new_memory(self, depth: int) -> Memory:
        how, table = self.configuration, self.course.table
        actions = self.total | ROOM
        kind = self._kind if depth == self.depth else self._kind_of_memory(depth)
        memory = None if kind is None else taken(kind)
        if memory is None:
            shared = {"busy": self.busy} if self.algorithm.threads else {}
            path = path_spec(self.game, how, depth, len(self.root.past))
            more = {**shared, **path, **lasting(how, table)}
            memory = new_memory(self.algorithm, self.state, depth, actions, how, table, more)
        else:
            memory.renew(self._shared())
            fill(memory, how, depth + self.algorithm.extra_plies, table)
        return memory

    def _shared(self) -> dict[str, AnyView]:
        """The arrays of a memory that belong to others too."""
        views = {**self.configuration.views, **lasting(self.configuration, self.course.table)}
        if self.algorithm.threads:
            views["busy"] = self.busy
        if self.algorithm.table and self.course.table is not None:
            views |= self.course.table.views()
        return views

    def _kind_of_memory(self, depth: int) -> Hashable | None:
        """The kind of the memory for this depth: memories of one kind can replace each other. None
        if such a memory is not to be kept."""
        algorithm, table, state = self.algorithm, self.course.table, self.state
        plain = algorithm.fields is None
        if not (algorithm.table or algorithm.threads or plain) or not is_machine_state(state):
            return None
        verified = table is not None and table.verified
        how = self.configuration
        fields = path_spec(self.game, how, depth, len(self.root.past)).values()
        path = tuple(map(comparable, fields))
        size = depth, self.total | ROOM, path, verified, bool(lasting(how, table))
        return how.kind, size, type(state), lengths_of(state)

    def release(self) -> None:
        """End the session and leave its memory to the next one."""
        memory = self.memory
        del self.memory
        if self._kind is not None and self.backend == "compiled":
            give_back(self._kind, memory, tuple(self._shared()))

    def _begin(self, memory: Memory, depth: int, guess: int = 0) -> None:
        """Make a memory ready for another run, with the moves that were played before the root."""
        root, to_the_end = self.root, self.course.to_the_end
        begin(self.algorithm, memory, depth, guess, to_the_end, root.past, root.line)
        if hasattr(memory, "highest"):
            memory.highest = highest_estimate(self.game, to_the_end)

    def _call(self, memory: Memory, depth: int, alpha: int, beta: int) -> Callable[[], int]:
        """The search, ready to be called in any thread."""
        arguments = arguments_of(self.game, self.state, depth, memory)
        arguments |= {"alpha": alpha, "beta": beta}
        ordered = arguments_for(self.algorithm.function, arguments)
        return lambda: self.function(*ordered)

    def _helping(self, depth: int, alpha: int, beta: int) -> Helpers:
        searches = []
        self.busy.array[:] = 0
        for number, memory in enumerate(self.helpers, 1):
            # Every second pair searches a ply deeper; a single helper is worth more at the same
            # depth.
            deeper = 0 if self.course.to_the_end else number // 2 % 2
            self._begin(memory, depth + deeper)
            searches.append((self._call(memory, depth + deeper, alpha, beta), memory))
        return Helpers(searches)

    def run(
        self, depth: int, alpha: int = -INFINITY, beta: int = INFINITY, guess: int = 0
    ) -> Outcome:
        """Search to a depth, with a window and a first guess for algorithms that have them."""
        look_again()
        memory, course = self.memory, self.course
        self._begin(memory, depth, guess)
        before, evaluated = self._counts(), memory.evaluated
        started = time.perf_counter()
        search = self._call(memory, depth, alpha, beta)
        watch = None if course.watch is None else self._show
        if course.stop is not None:
            course.stop.watch(memory)
        try:
            with self._helping(depth, alpha, beta), in_words(self.game, memory):
                if course.at_once:
                    value, stopped = self._at_once(search, depth)
                else:
                    interpreted = self.backend == "interpreted"
                    value, stopped = threads.run(search, memory, course.left(), watch, interpreted)
        finally:
            if course.stop is not None:
                course.stop.forget(memory)
        if stopped:
            course.timer.ended.add(memory.ended_by())
        course.timer.plies = max(course.timer.plies, self._plies(depth))
        course.timer.nodes = max(course.timer.nodes, memory.nodes)
        seconds = time.perf_counter() - started
        if not stopped and self.algorithm.complete is not None:
            self.algorithm.complete(self.game, self.state, memory)
        count = memory.root_count
        actions = memory.root_action.array[:count].tolist()
        moves = tuple(zip(actions, memory.root_value.array[:count].tolist(), strict=True))
        after = self._counts()
        counts = {name: after[name] - before[name] for name in after}
        estimated = memory.evaluated > evaluated
        return Outcome(value, moves, self._line(depth), counts, seconds, estimated)

    def _plies(self, depth: int) -> int:
        """The most plies of a line of a search to this depth. Passes, which `plies_left` does not
        count, come between other plies."""
        plies = depth + self.algorithm.extra_plies
        if plies > PLIES and self.game.has_plies_left:
            return min(plies, 2 * int(self.game.plies_left(self.state)) + 2)
        return plies

    def _at_once(self, search: Callable[[], int], depth: int) -> tuple[int | None, bool]:
        """The value of a search in the caller's own thread, and whether it was asked to stop first
        (then the value is None). Raises TooLong if the search does not suit that thread, has
        reached its limit of nodes, or takes long."""
        self.course.timer.elapsed()
        if self.backend == "interpreted" or self._plies(depth) > PLIES:
            raise TooLong
        value, stopped = threads.run_here(search, self.memory)
        if not stopped:
            return int(value), False
        if self.course.stop is None or not self.course.stop.requested:
            raise TooLong
        # The guard may have stopped the search before Python noticed the request.
        self.memory.stop()
        return None, True

    def without(self, action: int, bound: int, depth: int) -> Outcome:
        """Search to this depth without one root action, to see whether any other is worth `bound`.
        Only the engine can do this."""
        home = look_up(self.game, self.state, FAR, self.memory)
        every = (self.memory, *self.helpers)
        for memory in every:
            memory.excluded = action
        try:
            return self.run(depth, bound - 1, bound)
        finally:
            for memory in every:
                memory.excluded = NO_ACTION
            self._begin(self.memory, depth)
            # The table must not keep the other actions' value as that of the root.
            remember(self.game, self.state, FAR, home, self.memory)

    def note(self, depth: int, outcome: Outcome) -> None:
        """Note a finished iteration; a display shows it until the next one is finished."""
        self.last = (depth, outcome)

    def _show(self) -> None:
        assert self.course.watch is not None
        self.course.watch(self.progress())

    def progress(self) -> Progress:
        """The progress of this search."""
        depth = 0
        value: int | None = None
        line: tuple[int, ...] = ()
        if self.last is not None:
            depth, outcome = self.last
            value = None if outcome.value is None else self.plain(outcome.value)
            line = outcome.line
        nodes = sum(memory.nodes for memory in (self.memory, *self.helpers))
        done, elapsed = self.memory.root_count, self.course.timer.elapsed()
        fill = 0.0 if self.course.table is None else self.course.table.fill()
        return Progress(nodes, done, self.total, elapsed, depth, value, line, fill)

    def _counts(self) -> dict[str, int]:
        """The work of all threads so far."""
        if not self.helpers:
            return counts_of(self.memory)
        every = [counts_of(memory) for memory in (self.memory, *self.helpers)]
        return {name: sum(counts[name] for counts in every) for name in STATISTICS}

    def _line(self, depth: int) -> tuple[int, ...]:
        rows = depth + self.algorithm.extra_plies
        row = rows * (rows - 1) // 2
        return tuple(self.memory.line.array[row : row + self.memory.line_length[rows]].tolist())

    def follow(self) -> None:
        """Let the next search begin with the line of the last: carry the principal variation from
        one iteration to the next."""
        if self._code is None:
            follow(self.game, self.state, self.memory)
        else:
            arguments = arguments_of(self.game, self.state, self.depth, self.memory) | {"which": 1}
            self._code(*arguments_for(self.algorithm.compiled, arguments))

    def plain(self, value: int) -> int:
        """The game's value for a value on the scale of the search."""
        return without_haste(value) if self.configuration.prefer_faster else value

    @property
    def stopped(self) -> bool:
        """Whether a limit, Ctrl-C or another thread has ended this search."""
        return self.memory.is_stopped()
