"""One search made ready: an algorithm with its memory, compiled or not, to be run as often as its
strategy asks for."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from prunus.algorithms.leaves import without_haste
from prunus.algorithms.minimax_extreme import highest_estimate
from prunus.algorithms.remember import FAR, follow, look_up, remember
from prunus.algorithms.repetition import NONE, begin_path, path_fields
from prunus.core.game import INFINITY, Game
from prunus.core.state import is_machine_state, lengths_of
from prunus.engine.fits import FitEntry
from prunus.engine.options import FIT_DEPTHS, FIT_PAIRS, FIT_STAGES
from prunus.engine.picking import clear_ordering
from prunus.kernel import threads
from prunus.kernel.backends import Backend, prepare
from prunus.kernel.calling import arguments_for
from prunus.kernel.code.rules import look_again
from prunus.kernel.memory import NEVER, Memory, Spec
from prunus.kernel.waiting import Patience
from prunus.run.limits import Stop, dead_end_error, in_words
from prunus.run.parallel import Helpers
from prunus.run.progress import Progress, Timer, Watch
from prunus.run.registry import Algorithm, arguments_of
from prunus.run.spare import give_back, taken
from prunus.tables.busy import new_busy
from prunus.tables.stack import stack_fields
from prunus.tables.transposition import NO_ACTION, TranspositionTable

COUNTERS: Final = ("nodes", "interior", "evaluated", "cutoffs", "first_cutoffs", "table_hits")
"""What algorithms count; `counts_of` makes the rest of it. Leaves, the most frequent nodes, are not
counted but inferred."""

STATISTICS: Final = ("nodes", "leaves", "evaluated", "cutoffs", "first_cutoffs", "table_hits")

MEGABYTES: Final = 64
"""The size of a transposition table where none is given."""


@dataclass(frozen=True)
class Setup:
    """How searches of one `analyze` run. `table` is shared by them and may be kept by the caller;
    `settings` are those of the engine, `selective` says that they may change the value; `fit` holds
    the four words of ProbCut for each pair of depths, `second` the plies of a second look at the
    two best actions; `leaps` allows deepening by more than a ply at a time. `past` are the States
    before the root, one for each ply, where repetitions count: those that have been played, and
    then, as `line` says how many, those of a line that a search has found before it goes on from
    its end. `seconds` is what the search may take without compiling, `until` when it is over in any
    case, as `time.perf_counter` shows it."""

    compile: bool | None = None
    prefer_faster: bool = False
    nodes: int | None = None
    seconds: float | None = None
    until: float | None = None
    room: int | None = None
    watch: Watch | None = None
    table: TranspositionTable | None = None
    settings: Mapping[str, int] = field(default_factory=dict)
    threads: int = 1
    stop: Stop | None = None
    to_the_end: bool = False
    selective: bool = False
    fit: tuple[FitEntry, ...] = ()
    second: int = 0
    leaps: bool = False
    past: tuple[Any, ...] = ()
    line: int = 0
    timer: Timer = field(default_factory=Timer)


@dataclass(frozen=True)
class Outcome:
    """One run of an algorithm: its value (None: stopped first), root actions with values in order,
    line, counters, and whether anything was estimated, so that the value may rest on more than
    finished games. `limits` is what tests to the end of the game have proved of the value (at
    least, at most) before they were stopped."""

    value: int | None
    moves: tuple[tuple[int, int], ...]
    line: tuple[int, ...]
    counts: dict[str, int]
    seconds: float
    estimated: bool
    limits: tuple[int, int] | None = None

    @property
    def best(self) -> int | None:
        """The first root action that reached the value; of a search that was stopped, the best
        finished one."""
        wanted = (
            max((value for _, value in self.moves), default=None)
            if self.value is None
            else self.value
        )
        return next((action for action, value in self.moves if value == wanted), None)


def new_memory(
    algorithm: Algorithm,
    state: Any,
    depth: int,
    actions: int,
    prefer_faster: bool = False,
    room: int | None = None,
    table: TranspositionTable | None = None,
    settings: Mapping[str, Any] | None = None,
) -> Memory:
    """The memory that an algorithm needs to search `depth` plies from a root with this many
    actions. `settings`: fields besides, or others in the place of these; `keeps_line` (see
    `prunus.algorithms.line`) is one, the path of repetitions (see `path_spec`) others."""
    fields: dict[str, Any] = {
        "keeps_line": True,
        **dict.fromkeys((*COUNTERS, "haste", "root_depth", "root_count", "deeper"), "i64"),
    }
    fields["stuck"] = ("state", 1)
    fields |= {"root_action": ("i64", actions + 1), "root_value": ("i64", actions + 1)}
    rows = depth + algorithm.extra_plies
    fields |= {"line_length": ("i32", rows + 1), "line": ("i64", rows * (rows + 1) // 2)}
    special: Spec = algorithm.fields(rows, room or algorithm.room) if algorithm.fields else {}
    if algorithm.table and table is not None:
        special = {**special, **stack_fields(), **table.fields()}
    memory = Memory({**fields, **special, **(settings or {})}, prototype=state)
    if "haste" not in (settings or {}):
        memory.haste = int(prefer_faster)
    _clear(memory, algorithm, rows, table)
    return memory


def _clear(
    memory: Memory, algorithm: Algorithm, rows: int, table: TranspositionTable | None
) -> None:
    """Give a memory that is new, or as good as new, what a search finds there at its beginning."""
    memory.root_depth = rows
    memory.line_length.array[:] = 0
    if hasattr(memory, "cache_depth"):
        memory.cache_depth.array[:] = -1
    if algorithm.table and table is not None:
        memory.table_age = table.age
    if algorithm.options:
        memory.fit.array[:] = 0
        clear_ordering(memory)


def path_spec(game: Game, algorithm: Algorithm, depth: int, past: int) -> Spec:
    """The fields of a Memory for an algorithm that is to see what comes again in a search of
    `depth` plies, with so many States before it; none where nothing is to be seen. Memories for
    nearly as many are of one kind."""
    return (
        path_fields(depth + algorithm.extra_plies + (past | 63), 0)
        if algorithm.heeds_repetition and game.repetition_rule != NONE
        else {}
    )


def counts_of(memory: Memory) -> dict[str, int]:
    """The statistics that a memory's counters amount to: a node is a leaf that was neither expanded
    nor remembered."""
    leaves = memory.nodes - memory.interior - memory.table_hits
    return {name: leaves if name == "leaves" else getattr(memory, name) for name in STATISTICS}


def begin(
    algorithm: Algorithm,
    memory: Memory,
    depth: int,
    guess: int = 0,
    to_the_end: bool = False,
    past: Sequence[Any] = (),
    line: int = 0,
) -> None:
    """Make a memory ready for another run, so many plies deep, after what has come before (see
    `Setup`)."""
    rows = depth + algorithm.extra_plies
    memory.deeper = int(to_the_end)
    memory.root_depth = rows
    memory.root_count = 0
    memory.line_length.array[: rows + 1] = 0
    if hasattr(memory, "path"):
        before = past if algorithm.heeds_repetition else ()
        begin_path(memory, before, max(0, len(before) - line))
    if algorithm.begin is not None:
        algorithm.begin(memory)
    if algorithm.table or algorithm.threads:
        memory.stack_top = 0
    if hasattr(memory, "guess"):
        memory.guess = guess
    if hasattr(memory, "highest"):
        memory.highest = INFINITY


class Session:
    """An algorithm ready to search one position, again and again: to one depth after another, with
    one window after another."""

    def __init__(
        self, game: Game, state: Any, algorithm: Algorithm, depth: int, setup: Setup
    ) -> None:
        self.game, self.state, self.algorithm, self.depth, self.setup = (
            game,
            state,
            algorithm,
            depth,
            setup,
        )
        self.total = sum(1 for _ in game.actions(state))
        if self.total == 0:
            raise dead_end_error(game, state)
        self.busy = new_busy(setup.threads)
        shared: dict[str, Any] = {"busy": self.busy} if algorithm.threads else {}
        self._settings: dict[str, Any] = {**setup.settings, **shared}
        self._kind = self._kind_of_memory(depth)
        self.memory = self._new_memory(depth)
        self.helpers: list[Memory] = []
        self.last: tuple[int, Outcome] | None = None
        if setup.nodes is not None:
            self.memory.stop_after(setup.nodes)
        arguments = arguments_of(game, state, depth, self.memory)
        began = time.perf_counter()
        patience = Patience(setup.until, self._compiling)
        self.function, self.backend = prepare(
            algorithm.function, arguments, setup.compile, patience
        )
        self.following: Callable[..., int] = follow
        if algorithm.table and algorithm.deepens and self.backend == "compiled":
            self.following, _ = prepare(
                follow,
                {"game": game, "state": state, "memory": self.memory},
                setup.compile,
                patience,
            )
        self.compile_seconds = time.perf_counter() - began
        if algorithm.threads and self.backend == "compiled":
            self.helpers = [self._new_memory(depth + 1) for _ in range(1, setup.threads)]

    backend: Backend

    def _compiling(self, seconds: float) -> None:
        """Show that the search waits for its code."""
        if self.setup.watch is not None:
            self.setup.watch(Progress(0, 0, self.total, 0.0, compiling=seconds))

    def moved(self, state: Any) -> Session:
        """The same session with another State to search; a new one, where that has more actions
        than this has room for."""
        actions = sum(1 for _ in self.game.actions(state))
        if not 0 < actions <= self.total:
            return Session(self.game, state, self.algorithm, self.depth, self.setup)
        self.state = state
        return self

    def _new_memory(self, depth: int) -> Memory:
        s, algorithm = self.setup, self.algorithm
        settings = self._settings
        # Memories for nearly as many actions are of one kind.
        actions = self.total | 63
        kind = self._kind if depth == self.depth else self._kind_of_memory(depth)
        memory = None if kind is None else taken(kind)
        if memory is None:
            fields = {**settings, **path_spec(self.game, algorithm, depth, len(s.past))}
            memory = new_memory(
                algorithm, self.state, depth, actions, s.prefer_faster, s.room, s.table, fields
            )
        else:
            memory.renew(self._shared())
            if "haste" not in settings:
                memory.haste = int(s.prefer_faster)
            _clear(memory, algorithm, depth + algorithm.extra_plies, s.table)
        used: Counter[tuple[int, int]] = Counter()
        for deep, words, *stages in s.fit:
            for stage in stages or range(FIT_STAGES):
                at = 4 * (FIT_PAIRS * (FIT_DEPTHS * stage + deep) + used[stage, deep])
                memory.fit.array[at : at + 4] = words
                used[stage, deep] += 1
        return memory

    def _shared(self) -> dict[str, Any]:
        """The arrays of a memory that are not its own."""
        table = (
            self.setup.table.fields()
            if self.algorithm.table and self.setup.table is not None
            else {}
        )
        return {
            name: field
            for name, field in {**table, **self._settings}.items()
            if not isinstance(field, int | str)
        }

    def _kind_of_memory(self, depth: int) -> Hashable | None:
        """What two memories have in common one of which may take the place of the other; None where
        none is to be kept."""
        s, algorithm = self.setup, self.algorithm
        plain = algorithm.fields is None
        if not (algorithm.table or algorithm.threads or plain) or not is_machine_state(self.state):
            return None
        # True and 1 are equal, but not the same setting.
        constants = (
            repr(
                [(name, field) for name, field in self._settings.items() if isinstance(field, int)]
            )
            if self._settings
            else ""
        )
        verified = s.table is not None and s.table.verified
        path = tuple(path_spec(self.game, algorithm, depth, len(s.past)).values())
        return (
            algorithm.name,
            depth,
            self.total | 63,
            s.room,
            path,
            constants,
            verified,
            type(self.state),
            lengths_of(self.state),
        )

    def release(self) -> None:
        """The session is over, and its memory is free for the next one."""
        memory = self.memory
        del self.memory
        if self._kind is not None and self.backend == "compiled":
            give_back(self._kind, memory, tuple(self._shared()))

    def _begin(self, memory: Memory, depth: int, guess: int = 0) -> None:
        """Make a memory ready for another run, after what has been played before the root."""
        begin(
            self.algorithm,
            memory,
            depth,
            guess,
            self.setup.to_the_end,
            self.setup.past,
            self.setup.line,
        )
        if hasattr(memory, "highest"):
            memory.highest = highest_estimate(self.game, self.setup.to_the_end)

    def _call(self, memory: Memory, depth: int, alpha: int, beta: int) -> Callable[[], int]:
        """The search, ready to be called in any thread."""
        arguments = arguments_of(self.game, self.state, depth, memory) | {
            "alpha": alpha,
            "beta": beta,
        }
        ordered = arguments_for(self.algorithm.function, arguments)
        return lambda: self.function(*ordered)

    def _helping(self, depth: int, alpha: int, beta: int) -> Helpers:
        searches = []
        self.busy.array[:] = 0
        for number, memory in enumerate(self.helpers, 1):
            # Every second pair looks a ply farther ahead; a single helper is worth more at the same
            # depth.
            deeper = 0 if self.setup.to_the_end else number // 2 % 2
            self._begin(memory, depth + deeper)
            searches.append((self._call(memory, depth + deeper, alpha, beta), memory))
        return Helpers(searches)

    def run(
        self, depth: int, alpha: int = -INFINITY, beta: int = INFINITY, guess: int = 0
    ) -> Outcome:
        """Search to a depth with a window (for algorithms that have one) from a first guess
        (likewise)."""
        look_again()
        memory = self.memory
        self._begin(memory, depth, guess)
        before, evaluated = self._counts(), memory.evaluated
        started = time.perf_counter()
        spent = self.setup.timer.elapsed()
        left = None if self.setup.seconds is None else max(0.0, self.setup.seconds - spent)
        if self.setup.until is not None:
            left = max(0.0, min(self.setup.until - started, NEVER if left is None else left))

        def watch() -> None:
            if self.setup.watch is not None:
                self.setup.watch(self.progress())

        if self.setup.stop is not None:
            self.setup.stop.watch(memory)
        try:
            with self._helping(depth, alpha, beta), in_words(self.game, memory):
                value, stopped = threads.run(
                    self._call(memory, depth, alpha, beta), memory, left, watch
                )
        finally:
            if self.setup.stop is not None:
                self.setup.stop.forget(memory)
        if stopped:
            self.setup.timer.ended.add(memory.ended_by())
        seconds = time.perf_counter() - started
        if not stopped and self.algorithm.complete is not None:
            self.algorithm.complete(self.game, self.state, memory)
        count = memory.root_count
        moves = tuple(
            zip(
                memory.root_action.array[:count].tolist(),
                memory.root_value.array[:count].tolist(),
                strict=True,
            )
        )
        after = self._counts()
        counts = {name: after[name] - before[name] for name in after}
        return Outcome(
            value, moves, self._line(depth), counts, seconds, memory.evaluated > evaluated
        )

    def without(self, action: int, bound: int, depth: int) -> Outcome:
        """A search to this depth that leaves out a root action: whether any other is worth `bound`.
        Of the algorithms only the engine can do that."""
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
            # The table must not take the value of the others for that of the root.
            remember(self.game, self.state, FAR, home, self.memory)

    def note(self, depth: int, outcome: Outcome) -> None:
        """An iteration is finished: this is what a display shows until the next one is."""
        self.last = (depth, outcome)

    def progress(self) -> Progress:
        """How far this search is."""
        depth = 0
        value: int | None = None
        line: tuple[int, ...] = ()
        if self.last is not None:
            depth, outcome = self.last
            value = None if outcome.value is None else self.plain(outcome.value)
            line = outcome.line
        nodes = sum(memory.nodes for memory in (self.memory, *self.helpers))
        fill = 0.0 if self.setup.table is None else self.setup.table.fill()
        return Progress(
            nodes,
            self.memory.root_count,
            self.total,
            self.setup.timer.elapsed(),
            depth,
            value,
            line,
            fill,
        )

    def _counts(self) -> dict[str, int]:
        """The work of all threads so far."""
        every = [counts_of(memory) for memory in (self.memory, *self.helpers)]
        return {name: sum(counts[name] for counts in every) for name in STATISTICS}

    def _line(self, depth: int) -> tuple[int, ...]:
        rows = depth + self.algorithm.extra_plies
        row = rows * (rows - 1) // 2
        return tuple(self.memory.line.array[row : row + self.memory.line_length[rows]].tolist())

    def follow(self) -> None:
        """Let the next search begin with the line of the last: the principal variation carried from
        one iteration to the next."""
        self.following(self.game, self.state, self.memory)

    def plain(self, value: int) -> int:
        """The game's value that a search's own stands for."""
        return without_haste(value) if self.setup.prefer_faster else value

    @property
    def stopped(self) -> bool:
        """Whether a limit, Ctrl-C or another thread has ended this search."""
        return self.memory.is_stopped()
