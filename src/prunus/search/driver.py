"""From a position and the name of an algorithm to an `Analysis`."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from prunus.analysis import Analysis, Bound, Move, Statistics
from prunus.game import INFINITY, Game
from prunus.kernel import threads
from prunus.kernel.backends import Backend, prepare
from prunus.kernel.memory import Memory, Spec
from prunus.search.leaves import HASTE, without_haste
from prunus.search.registry import Algorithm, algorithm_named, arguments_of

LONGEST: Final = 4096
"""The plies that a search without a depth limit may go; a longer line means a game with cycles."""

COUNTERS: Final = ("nodes", "interior", "evaluated", "cutoffs", "first_cutoffs", "table_hits")
"""What algorithms count; `counts_of` makes the rest of it. Leaves, the most frequent nodes, are not counted but inferred."""

STATISTICS: Final = ("nodes", "leaves", "evaluated", "cutoffs", "first_cutoffs", "table_hits")

Watch = Callable[["Progress"], None]


class SearchError(ValueError):
    """A search that cannot give an answer; the message says why and what to do."""


@dataclass(frozen=True)
class Progress:
    """How far a running search is: nodes so far, root actions finished and in all, seconds."""

    nodes: int
    done: int
    total: int
    seconds: float


@dataclass(frozen=True)
class _Outcome:
    """One run of an algorithm: its value (None: stopped first), root actions with values in order, line, counters, backend."""

    value: int | None
    moves: tuple[tuple[int, int], ...]
    line: tuple[int, ...]
    counts: dict[str, int]
    backend: Backend
    seconds: float
    compile_seconds: float


def new_memory(algorithm: Algorithm, state: Any, depth: int, actions: int, prefer_faster: bool = False, room: int | None = None) -> Memory:
    """The memory that an algorithm needs to search `depth` plies from a root with this many actions."""
    fields: dict[str, Any] = dict.fromkeys((*COUNTERS, "haste", "root_depth", "root_count"), "i64")
    fields |= {"root_action": ("i64", actions), "root_value": ("i64", actions)}
    fields |= {"line_length": ("i32", depth + 1), "line": ("i64", depth * (depth + 1) // 2)}
    special: Spec = algorithm.fields(depth, room or algorithm.room) if algorithm.fields else {}
    memory = Memory({**fields, **special}, prototype=state)
    memory.root_depth = depth
    memory.haste = int(prefer_faster)
    memory.line_length.array[:] = 0
    if "cache_depth" in special:
        memory.cache_depth.array[:] = -1
    return memory


def counts_of(memory: Memory) -> dict[str, int]:
    """The statistics that a memory's counters amount to: a node is a leaf that was neither expanded nor remembered."""
    leaves = memory.nodes - memory.interior - memory.table_hits
    return {name: leaves if name == "leaves" else getattr(memory, name) for name in STATISTICS}


def _run(
    game: Game,
    state: Any,
    algorithm: Algorithm,
    depth: int,
    options: _Options,
) -> _Outcome:
    total = sum(1 for _ in game.actions(state))
    if total == 0:
        raise SearchError(f"{game.format(state)}: the position is not terminal but has no action")
    memory = new_memory(algorithm, state, depth, total, options.prefer_faster, options.room)
    if options.nodes is not None:
        memory.stop_after(options.nodes)
    arguments = arguments_of(game, state, depth, memory)
    began = time.perf_counter()
    function, backend = prepare(algorithm.function, arguments, options.compile)
    ordered = [arguments[name] for name in inspect.signature(algorithm.function).parameters]
    started = time.perf_counter()

    def watch() -> None:
        if options.watch is not None:
            options.watch(Progress(memory.nodes, memory.root_count, total, time.perf_counter() - started))

    value, stopped = threads.run(lambda: function(*ordered), memory, options.seconds, watch)
    seconds = time.perf_counter() - started
    if not stopped and algorithm.complete is not None:
        algorithm.complete(game, state, memory)
    moves = tuple((memory.root_action[i], memory.root_value[i]) for i in range(memory.root_count))
    row = depth * (depth - 1) // 2
    line = tuple(memory.line[row + i] for i in range(memory.line_length[depth]))
    counts = counts_of(memory)
    return _Outcome(value, moves, line, counts, backend, seconds, started - began)


@dataclass(frozen=True)
class _Options:
    compile: bool | None = None
    prefer_faster: bool = False
    nodes: int | None = None
    seconds: float | None = None
    room: int | None = None
    watch: Watch | None = None


def analyze(
    game: Game,
    state: Any = None,
    algorithm: str = "alphabeta",
    depth: int | None = None,
    *,
    all_moves: bool = False,
    prefer_faster: bool = False,
    compile: bool | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    room: int | None = None,
    position: str | None = None,
    watch: Watch | None = None,
) -> Analysis:
    """Search a position.

    state: the position, by default the game's start. algorithm: a name of `prunus algorithms`. depth: how many plies to look ahead; None
    searches to the end of the game. all_moves: also prove the value of every root action, in a second pass that is counted apart.
    prefer_faster: among actions of equal value prefer the faster win and the slower loss (see `leaves.HASTE` for the scale; the value
    reported is always the game's). compile: True demands machine code (CannotCompile says why not), False interprets, None does what it
    can. nodes, seconds: stop after so much work with the best so far. room: how many positions `labelling`, the open lists and
    `cached-minimax` may hold. watch: called some times a second with a `Progress`.

    Ctrl-C ends the search with the best so far. Raises SearchError, UnknownAlgorithm, and TypeError for a depth that is no integer.
    """
    game.freeze()
    chosen = algorithm_named(algorithm)
    state = game.initial() if state is None else state
    limit = limit_of(depth)
    text = game.format(state) if position is None else position
    options = _Options(compile, prefer_faster, nodes, seconds, room, watch)
    if game.is_terminal(state) or limit == 0:
        return _leaf(game, state, text, chosen, depth)
    outcome = _run(game, state, chosen, limit, options)
    if depth is None and outcome.counts["evaluated"]:
        raise SearchError(f"{game.title()} has lines of more than {LONGEST:,} plies, perhaps cycles: give a depth")
    found = _assemble(game, state, text, chosen, depth, outcome, prefer_faster)
    return _prove_moves(found, chosen, limit, outcome, options) if all_moves else found


def solve(game: Game, state: Any = None, algorithm: str = "alphabeta", **options: Any) -> Analysis:
    """Search a position to the end of the game: `analyze` without a depth limit."""
    return analyze(game, state, algorithm, None, **options)


def limit_of(depth: int | None) -> int:
    """The plies that a search may go for a depth as people give it. Raises SearchError below 0."""
    if depth is None:
        return LONGEST
    if not isinstance(depth, int) or isinstance(depth, bool):
        raise TypeError(f"the depth is a number of plies, not {depth!r}")
    if depth < 0:
        raise SearchError(f"the depth is {depth}; it is a number of plies, 0 or more")
    return min(depth, LONGEST)


def _leaf(game: Game, state: Any, text: str, algorithm: Algorithm, depth: int | None) -> Analysis:
    over = game.is_terminal(state)
    value = int(game.utility(state)) if over else int(game.evaluate(state))
    counts = Statistics(nodes=1, leaves=1, evaluated=int(not over))
    return Analysis(
        game, state, text, algorithm.name, "interpreted", value, "exact", over, depth=depth, distance=0 if over else None, statistics=counts
    )


def _assemble(game: Game, state: Any, text: str, algorithm: Algorithm, depth: int | None, outcome: _Outcome, scaled: bool) -> Analysis:
    plain = without_haste if scaled else int
    stopped = outcome.value is None
    raw = max((value for _, value in outcome.moves), default=None) if stopped else outcome.value
    if raw is not None and abs(raw) >= INFINITY:
        raise SearchError(f"a position after {game.format(state)} is not terminal but has no action (`prunus check` finds it)")
    value = None if raw is None else plain(raw)
    best = next((action for action, v in outcome.moves if v == raw), None)
    equal: tuple[int, ...] = () if best is None else (best,)
    if not algorithm.windowed:
        equal = tuple(action for action, v in outcome.moves if plain(v) == value)
    bound: Bound = "lower" if stopped else "exact"
    return Analysis(
        game,
        state,
        text,
        algorithm.name,
        outcome.backend,
        value,
        bound,
        value is not None and (outcome.counts["evaluated"] == 0 or _is_extreme(game, state, value)),
        best,
        equal,
        outcome.line,
        depth,
        _distance(game, state, outcome.line),
        statistics=Statistics(**outcome.counts, seconds=outcome.seconds, compile_seconds=outcome.compile_seconds),
        interrupted=stopped,
    )


def _is_extreme(game: Game, state: Any, value: int) -> bool:
    """Whether only finished games can have given this value: evaluations lie strictly inside the game's limits. (A game without an
    evaluation estimates 0, which may be at its limits or beyond, if nobody can lose or nobody can win.)"""
    low, high = game.bounds(state)
    inside = game.evaluate.__func__ is not Game.evaluate or low < 0 < high  # type: ignore[attr-defined]
    return inside and (value >= high or value <= low)


def _distance(game: Game, state: Any, line: tuple[int, ...]) -> int | None:
    for action in line:
        state = game.result(state, action)
    return len(line) if game.is_terminal(state) else None


def _prove_moves(found: Analysis, algorithm: Algorithm, limit: int, outcome: _Outcome, options: _Options) -> Analysis:
    """Give every root action its exact value."""
    game, state = found.game, found.state
    plain = without_haste if options.prefer_faster else int
    known = {} if algorithm.windowed else dict(outcome.moves)
    if found.best is not None and not found.interrupted:
        known[found.best] = next(value for action, value in outcome.moves if action == found.best)
    total: dict[str, int] = dict.fromkeys(STATISTICS, 0)
    seconds, moves, stopped = 0.0, [], found.interrupted
    for action in game.actions(state):
        if action not in known and not stopped:
            value, counts, spent = _child_value(game, state, action, algorithm, limit, options)
            seconds += spent
            total = {name: total[name] + counts[name] for name in STATISTICS}
            if value is None:
                stopped = True
            else:
                known[action] = value
        if action in known:
            moves.append(Move(int(action), plain(known[action])))
    return _with_moves(found, tuple(moves), Statistics(**total, seconds=seconds), stopped)


def _with_moves(found: Analysis, moves: tuple[Move, ...], statistics: Statistics, stopped: bool) -> Analysis:
    from dataclasses import replace

    equal = tuple(move.action for move in moves if move.value == found.value)
    best_moves = found.best_moves if stopped else tuple(dict.fromkeys((*found.best_moves, *equal)))
    ordered = tuple(action for action in map(int, found.game.actions(found.state)) if action in best_moves)
    return replace(found, moves=moves, best_moves=ordered, moves_statistics=statistics, interrupted=stopped)


def _child_value(
    game: Game, state: Any, action: int, algorithm: Algorithm, limit: int, options: _Options
) -> tuple[int | None, dict[str, int], float]:
    """The exact value of a root action for the player who makes it (None: stopped), the work and the seconds it took."""
    child = game.result(state, action)
    sign = 1 if game.keeps_turn(state, child) else -1
    if game.is_terminal(child) or limit == 1:
        over = game.is_terminal(child)
        value = int(game.utility(child)) if over else int(game.evaluate(child))
        if options.prefer_faster:
            value = value * HASTE + (0 if not over else (limit - 1) * ((value > 0) - (value < 0)))
        counts = dict.fromkeys(STATISTICS, 0) | {"nodes": 1, "leaves": 1, "evaluated": int(not over)}
        return sign * value, counts, 0.0
    outcome = _run(game, child, algorithm, limit - 1, options)
    return None if outcome.value is None else sign * outcome.value, outcome.counts, outcome.seconds
