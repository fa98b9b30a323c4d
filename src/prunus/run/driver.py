"""From a position and the name of an algorithm to an `Analysis`."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, Literal

from prunus.algorithms.leaves import LONGEST_LINE
from prunus.algorithms.maxn import payoff_fields
from prunus.algorithms.repetition import LOSS, final_value, is_over
from prunus.core.analysis import Analysis, Bound, Statistics
from prunus.core.copies import changed
from prunus.core.errors import SearchError
from prunus.core.game import INFINITY, Game
from prunus.core.knowledge.evaluation import Evaluation
from prunus.core.position import Position, position_of
from prunus.engine.options import Options
from prunus.kernel.code.rules import fix, looking_once, rules_of
from prunus.run.booked import booked
from prunus.run.deepening import Iteration, deepen
from prunus.run.limits import Limit, Stop, limit_of
from prunus.run.principal import distance_of, with_whole_line
from prunus.run.progress import Progress, Watch
from prunus.run.registry import Algorithm, algorithm_named
from prunus.run.request import (
    Depth,
    limit_asked,
    options_asked,
    suits,
    threads_asked,
    usual_book,
    usual_limit,
)
from prunus.run.rootmoves import prove_moves, second_look
from prunus.run.session import MEGABYTES, Outcome, Session, Setup
from prunus.run.soon import first_answer, first_iterations, is_hurried
from prunus.tables.book import Book
from prunus.tables.transposition import TranspositionTable

__all__ = ["Limit", "Progress", "SearchError", "analyze", "iterations", "solve"]


TO_THE_END: Final = Limit(exact=True)


def analyze(
    game: Game,
    state: Any = None,
    algorithm: str = "engine",
    depth: Depth = "usual",
    *,
    limit: Limit | None = None,
    all_moves: bool = False,
    multi_pv: int = 1,
    prefer_faster: bool = False,
    compile: bool | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    table: TranspositionTable | float | None = None,
    threads: int = 1,
    options: Mapping[str, int] | Options | None = None,
    room: int | None = None,
    position: str | None = None,
    stop: Stop | None = None,
    watch: Watch | None = None,
    book: Book | Literal[False] | None = None,
    evaluation: Evaluation | type[Evaluation] | str | None = None,
) -> Analysis:
    """Search a position, or find it in an opening book.

    state: the position, as a State, a `Position` (a State with those before it, which repetitions
    count) or text (as `prunus.core.position.read_position` reads it); by default the game's start.
    algorithm: a name of `prunus algorithms`. depth: how many plies to look ahead; None searches to
    the end of the game; without it as deep as `nodes` or `seconds` allow, or else 10 plies, 4 in a
    game that is never compiled. nodes, seconds: stop after so much work with the best so far;
    `limit` says all three in one. all_moves: also prove the value of every root action, in a second
    pass that is counted apart; multi_pv: likewise of the so many best. prefer_faster: among actions
    of equal value prefer the faster win and the slower loss (see `leaves.HASTE` for the scale; the
    value reported is always the game's). compile: True demands machine code (CannotCompile says why
    not), False interprets, None compiles what it can, but a search that is over within `soon.NODES`
    nodes is interpreted while nothing is compiled; `seconds` then counts compiling too, and where
    it does not suffice the interpreter's answer is what is known. table: a `TranspositionTable` to
    use and keep, or the megabytes of one. threads: how many search at once, for the engine (one
    where there is a limit of nodes, or an option that goes by the order of the actions); 0: as many
    as there are cores. With one, the same search visits the same nodes again. options: what the
    engine is to do besides (see `prunus.engine.options.Options`). room: how many positions
    `labelling`, the open lists, `sss-stockman` and `cached-minimax` may hold. watch: called some
    times a second with a `Progress`. stop: a `Stop`, with which another thread can end the search.
    book: a `Book` to look the position up in first; None takes the one installed for the game, but
    only for the engine without selective options, `prefer_faster` or a demand how to run
    (`compile`), where the proved value is all that is wanted; False searches in any case.
    evaluation: another one than the game's own, by its name among the game's `evaluations`, or as
    `Game.with_parts` takes it.

    Ctrl-C ends the search with the best so far. Raises SearchError, UnknownAlgorithm, and TypeError
    for a depth that is no integer.
    """
    began = time.perf_counter()
    if evaluation is not None:
        game = game.with_parts(evaluation=evaluation)
    passes = all_moves or multi_pv > 1 or Options.wants_second(options)
    limit = limit_asked(limit, depth, nodes, seconds) or usual_limit(
        game, algorithm, nodes, seconds, passes
    )
    at = position_of(game, state)
    setup = Setup(
        compile,
        prefer_faster,
        room=room,
        watch=watch,
        threads=threads_asked(threads),
        stop=stop,
        leaps=True,
    )
    with looking_once():
        hurried = is_hurried(game, algorithm, compile)
        fix(game)
        if hurried and limit.seconds is not None:
            setup = changed(setup, until=began + limit.seconds)
        if book is None and compile is None and not prefer_faster:
            book = usual_book(game, algorithm, options)
        if book:
            known = (
                booked(game, at.state, position, book, multi_pv, all_moves) if not at.past else None
            )
            if known is not None:
                return known
        task = _task(game, at, algorithm, limit, position, setup, table, options)
        # What a table is to learn, an interpreted search of its own would not put there.
        if not hurried or (isinstance(table, TranspositionTable) and setup.until is None):
            return _answered(task, all_moves, multi_pv)
        return first_answer(
            game,
            at.state,
            task.algorithm,
            limit,
            task.setup,
            lambda s: _answered(changed(task, setup=s), all_moves, multi_pv),
        )


def _answered(task: _Task, all_moves: bool, multi_pv: int) -> Analysis:
    """The answer of one search with what follows it: the whole line, the values of other actions, a
    second look at the two best."""
    found, session = deque(_iterations(task), maxlen=1)[0]
    if session is None:
        return found
    found = with_whole_line(found, session)
    wanted = session.total if all_moves else multi_pv
    if wanted > 1 and session.algorithm.several_players and not session.algorithm.many_values:
        raise SearchError(
            f"{session.algorithm.name} bounds the other actions only; maxn values them all"
        )
    if wanted > 1 or all_moves:
        found = prove_moves(found, session, wanted, all_moves)
    if session.setup.second:
        found = second_look(found, session, session.setup.second)
    session.release()
    return found


def solve(
    game: Game,
    state: Any = None,
    algorithm: str = "engine",
    *,
    limit: Limit | None = None,
    all_moves: bool = False,
    multi_pv: int = 1,
    prefer_faster: bool = False,
    compile: bool | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    table: TranspositionTable | float | None = None,
    threads: int = 1,
    options: Mapping[str, int] | Options | None = None,
    room: int | None = None,
    position: str | None = None,
    stop: Stop | None = None,
    watch: Watch | None = None,
    book: Book | Literal[False] | None = None,
    evaluation: Evaluation | type[Evaluation] | str | None = None,
) -> Analysis:
    """Search a position to the end of the game: `analyze` without a limit of depth, with the same
    arguments otherwise. Where nodes or seconds do not suffice, the answer may be a limit of the
    value (`Limit.exact`). Raises SearchError for a `limit` of depth."""
    if limit is not None and limit.depth is not None:
        raise SearchError(
            f"solve searches to the end of the game, and limit=Limit(depth={limit.depth}) would "
            f"not let it: use analyze"
        )
    asked = (
        limit_asked(limit, None, nodes, seconds)
        if (limit, nodes, seconds) != (None, None, None)
        else None
    )
    return analyze(
        game,
        state,
        algorithm,
        limit=TO_THE_END if asked is None else replace(asked, exact=True),
        all_moves=all_moves,
        multi_pv=multi_pv,
        prefer_faster=prefer_faster,
        compile=compile,
        table=table,
        threads=threads,
        options=options,
        room=room,
        position=position,
        stop=stop,
        watch=watch,
        book=book,
        evaluation=evaluation,
    )


def iterations(
    game: Game,
    state: Any = None,
    algorithm: str = "engine",
    limit: Limit | None = None,
    *,
    prefer_faster: bool = False,
    compile: bool | None = None,
    table: TranspositionTable | float | None = None,
    threads: int = 1,
    options: Mapping[str, int] | Options | None = None,
    position: str | None = None,
    stop: Stop | None = None,
    watch: Watch | None = None,
    evaluation: Evaluation | type[Evaluation] | str | None = None,
) -> Iterator[Analysis]:
    """The search of `analyze`, one Analysis for each finished iteration; the last one may be of an
    iteration that was stopped. As there, the first ones are interpreted where the game's code is
    not at hand, and seconds count from the beginning on, compiling included."""
    began = time.perf_counter()
    if evaluation is not None:
        game = game.with_parts(evaluation=evaluation)
    limit = limit or Limit()
    setup = Setup(compile, prefer_faster, watch=watch, threads=threads_asked(threads), stop=stop)
    hurried = is_hurried(game, algorithm, compile)
    if hurried and limit.seconds is not None:
        setup = changed(setup, until=began + limit.seconds)
    rules = rules_of(game)
    task = _task(game, position_of(game, state), algorithm, limit, position, setup, table, options)

    def iterate(setup: Setup) -> Iterator[Analysis]:
        return (found for found, _ in _iterations(changed(task, setup=setup)))

    if not hurried or (isinstance(table, TranspositionTable) and setup.until is None):
        steps = iterate(task.setup)
    else:
        steps = first_iterations(game, task.state, task.algorithm, limit, task.setup, iterate)
    for found in steps:
        yield found
        if not rules.is_current():
            raise SearchError(
                f"the rules of {game.title()} have changed while a search of it went on: begin it "
                f"anew"
            )


@dataclass(frozen=True)
class _Task:
    game: Game
    state: Any
    text: str
    algorithm: Algorithm
    limit: Limit
    setup: Setup

    @property
    def path(self) -> tuple[Any, ...]:
        """All States of the game so far."""
        return (*self.setup.past, self.state)

    @cached_property
    def extremes(self) -> tuple[int, int]:
        """The values, at most the one and at least the other, that only finished games can give.
        Evaluations lie strictly inside the limits of the whole game, though perhaps not inside
        those of the position; without an evaluation, estimates are 0."""
        if self.game.has_evaluate:
            return self.game.bounds(self.game.initial())
        low, high = self.game.bounds(self.state)
        return (low if low < 0 else -INFINITY, high if high > 0 else INFINITY)


def _task(
    game: Game,
    position: Position,
    algorithm: str,
    limit: Limit,
    text: str | None,
    setup: Setup,
    table: TranspositionTable | float | None,
    options: Mapping[str, int] | Options | None,
) -> _Task:
    fix(game)
    chosen = algorithm_named(algorithm)
    suits(game, chosen, setup.prefer_faster)
    state, past = position.state, tuple(position.past)
    if isinstance(table, TranspositionTable):
        table.serve(game, state, past)
    elif chosen.table:
        table = TranspositionTable(MEGABYTES if table is None else table, game, state)
    shared = table if isinstance(table, TranspositionTable) else None
    more: dict[str, Any] = {
        "nodes": limit.nodes,
        "seconds": limit.seconds,
        "table": shared,
        "to_the_end": limit.depth is None,
    }
    engine = options_asked(game, chosen, options)
    if limit.nodes is not None or (engine is not None and engine.goes_by_order(game)):
        # One thread counts, and a limit is not to be passed by the others; and no answer may depend
        # on when they found what.
        more["threads"] = 1
    if engine is not None:
        more |= {
            "settings": engine.settings(),
            "selective": engine.is_selective(),
            "fit": engine.fit,
            "second": engine.second,
        }
    setup = changed(setup, past=past, **more)
    return _Task(game, state, game.format(state) if text is None else text, chosen, limit, setup)


def _iterations(task: _Task) -> Iterator[tuple[Analysis, Session | None]]:
    """The result of each iteration, and the session that gave it (None where there was nothing to
    search)."""
    plies = limit_of(task.limit.depth)
    if is_over(task.game, task.path) or plies == 0:
        yield _leaf(task), None
        return
    if task.setup.table is not None:
        task.setup.table.grow_older()
    session = Session(task.game, task.state, task.algorithm, plies, task.setup)
    if not task.algorithm.deepens:
        outcome = session.run(plies)
        if task.limit.depth is None and outcome.estimated:
            raise SearchError(
                f"{task.game.title()} has lines of more than {LONGEST_LINE:,} plies, perhaps "
                f"cycles: give a depth"
            )
        yield (
            _assemble(
                task,
                session,
                Iteration(plies, outcome, outcome.counts, outcome.seconds),
                task.limit.depth,
            ),
            session,
        )
        return
    before: Analysis | None = None
    for step in deepen(
        session, task.limit, lambda: task.extremes, task.algorithm.strategy == "aspiration"
    ):
        before = (
            _stopped_in(before, step, session)
            if step.outcome.value is None and before
            else _assemble(task, session, step, step.depth if step.depth < LONGEST_LINE else None)
        )
        yield before, session


def _leaf(task: _Task) -> Analysis:
    game, state = task.game, task.state
    over = is_over(game, task.path)
    return Analysis(
        game,
        state,
        task.text,
        task.algorithm.name,
        "interpreted",
        final_value(game, task.path) if over else int(game.evaluate(state)),
        "exact",
        over,
        depth=task.limit.depth,
        distance=0 if over else None,
        payoffs=_leaf_payoffs(task),
        statistics=Statistics(nodes=1, leaves=1, evaluated=int(not over)),
        past=task.setup.past,
    )


def _leaf_payoffs(task: _Task) -> tuple[int, ...] | None:
    if task.algorithm.fields is not payoff_fields:
        return None
    return tuple(
        map(
            int,
            task.game.utilities(task.state)
            if task.game.is_terminal(task.state)
            else task.game.estimates(task.state),
        )
    )


def _assemble(task: _Task, session: Session, step: Iteration, depth: int | None) -> Analysis:
    """What one search says."""
    game, state, outcome = task.game, task.state, step.outcome
    stopped = outcome.value is None
    raw = max((value for _, value in outcome.moves), default=None) if stopped else outcome.value
    if raw == INFINITY and hasattr(session.memory, "ignored"):
        raise SearchError(f"no line of play from {game.format(state)} ends without a repetition")
    if raw is not None and abs(raw) >= INFINITY:
        raise SearchError(
            f"{game.title()} has a value of {raw} after {game.format(state)}: values lie strictly "
            f"between -2**62 and 2**62"
        )
    value = None if raw is None else session.plain(raw)
    best = outcome.best
    equal: tuple[int, ...] = () if best is None else (best,)
    if task.algorithm.many_values:
        equal = tuple(action for action, v in outcome.moves if session.plain(v) == value)
    bound: Bound = "lower" if stopped else "exact"
    line = outcome.line or equal[:1]
    return Analysis(
        game,
        state,
        task.text,
        task.algorithm.name,
        session.backend,
        value,
        bound,
        value is not None
        and not _is_doubtful(session)
        and (not outcome.estimated or not task.extremes[0] < value < task.extremes[1]),
        best,
        equal,
        line,
        depth,
        distance_of(game, Position(state, task.setup.past), line),
        None if stopped else _payoffs(session),
        statistics=Statistics(
            **step.total, seconds=step.seconds, compile_seconds=session.compile_seconds
        ),
        interrupted=stopped,
        past=task.setup.past,
    )


def _payoffs(session: Session) -> tuple[int, ...] | None:
    """What every player gets, where the algorithm keeps it: in the row of the root."""
    if not hasattr(session.memory, "payoff"):
        return None
    row = session.memory.root_depth * session.game.players
    return tuple(int(session.memory.payoff[row + player]) for player in range(session.game.players))


def _stopped_in(before: Analysis, step: Iteration, session: Session) -> Analysis:
    """The last finished iteration's answer, or a better one of the iteration that was stopped,
    which tried the best action first."""
    work = Statistics(**step.total, seconds=step.seconds, compile_seconds=session.compile_seconds)
    found = replace(before, statistics=work, interrupted=True)
    if step.outcome.limits is not None:
        return _limited(found, step.outcome, step.outcome.limits, session)
    best = step.outcome.best
    if best is None or best == before.best:
        return found
    value = session.plain(max(value for _, value in step.outcome.moves))
    better = replace(found, value=value, bound="lower", best=best, best_moves=(best,), pv=(best,))
    return replace(better, depth=step.depth, distance=None, proved=False)


def _limited(
    found: Analysis, outcome: Outcome, limits: tuple[int, int], session: Session
) -> Analysis:
    """The tighter of the limits that are proved of a value, compared with what the rules say. The
    action and the line remain those of the last iteration, unless another action is known to reach
    the lower limit."""
    low, high = limits
    lowest, highest = session.game.bounds(session.game.initial())
    at_least = low - lowest >= highest - high
    bound: Bound = "exact" if low == high else "lower" if at_least else "upper"
    proved = not _is_doubtful(session)
    found = replace(
        found,
        value=low if at_least else high,
        bound=bound,
        proved=proved,
        depth=None,
        distance=None,
    )
    best = outcome.best
    if best is None or best == found.best or not at_least:
        return found
    return replace(found, best=best, best_moves=(best,), pv=(best,))


def _is_doubtful(session: Session) -> bool:
    """Whether the search used something that may change the value: a selective option, or left out
    steps that repeat a position; or did not heed that positions come again where that matters even
    to lines that end otherwise."""
    matters = session.game.repetition_rule >= LOSS or len(session.setup.past) > 0
    return (
        session.setup.selective
        or getattr(session.memory, "ignored", 0) > 0
        or (matters and not session.algorithm.heeds_repetition)
    )
