"""From the outcome of searches to an `Analysis`."""

from __future__ import annotations

from collections.abc import Iterator

from prunus.algorithms.leaves import LONGEST_LINE
from prunus.algorithms.maxn import payoff_fields
from prunus.algorithms.repetition import LOSS, final_value, is_over
from prunus.core.analysis import LATER, Analysis, Bound, Statistics
from prunus.core.copies import changed
from prunus.core.errors import SearchError
from prunus.core.game import INFINITY
from prunus.core.knowledge.combining import evaluation_name
from prunus.run.deepening import Iteration, deepen
from prunus.run.limits import limit_of
from prunus.run.principal import distance_of
from prunus.run.session import Outcome, Session
from prunus.run.task import Task

_Step = tuple[Iteration | None, Session | None]


def iterated(task: Task, silence: float = 0.0) -> Iterator[Analysis]:
    """The result of each iteration of a search that ends later than its first `silence` seconds; if
    the search is over before another has ended, or a later one was stopped or failed, also that of
    the last one in silence. Writing out what an iteration has found takes longer than many a short
    one."""
    before: Analysis | None = None
    held: Iteration | None = None
    session: Session | None = None
    try:
        for step, session in _steps(task):
            if step is not None and step.outcome.value is not None and step.seconds < silence:
                held = step
                continue
            if held is not None and step is not None and step.outcome.value is None:
                before = _after(task, before, held, session)
            held = None
            before = _after(task, before, step, session)
            yield before
        if held is not None:
            yield _after(task, before, held, session)
    except Exception:
        if held is not None:
            yield _after(task, before, held, session)
        raise
    finally:
        if session is not None:
            session.release()


def last_of(task: Task) -> tuple[Analysis, Session | None]:
    """The result of the last iteration, and the session that found it (None if there was nothing to
    search). Earlier results are not written out, except the one before if the last iteration was
    stopped."""
    (step, session), (earlier, _) = _steps_at_the_end(task)
    before = None
    if earlier is not None and step is not None and step.outcome.value is None:
        before = _after(task, None, earlier, session)
    return _after(task, before, step, session), session


def _steps_at_the_end(task: Task) -> tuple[_Step, _Step]:
    last: _Step = (None, None)
    before = last
    for found in _steps(task):
        before, last = last, found
    return last, before


def _steps(task: Task) -> Iterator[_Step]:
    """The iterations of a search, each with the session that makes them; a single pair of None if
    there is nothing to search."""
    plies = limit_of(task.limit.depth)
    if is_over(task.game, task.root.path) or plies == 0:
        yield None, None
        return
    if task.course.table is not None:
        task.course.table.grow_older()
    session = Session(task.game, task.root, task.configuration, plies, task.course)
    if task.algorithm.deepens:
        aspiration = task.algorithm.strategy == "aspiration"
        for step in deepen(session, task.limit, task.needs_no_more_depth, aspiration):
            yield step, session
        return
    outcome = session.run(plies)
    if task.limit.depth is None and outcome.estimated:
        raise SearchError(
            f"{task.game.title()} has lines of more than {LONGEST_LINE:,} plies, perhaps "
            f"cycles: give a depth"
        )
    yield Iteration(plies, outcome, outcome.counts, outcome.seconds), session


def _after(
    task: Task, before: Analysis | None, step: Iteration | None, session: Session | None
) -> Analysis:
    """The result after an iteration; `before` is the result before it."""
    if step is None or session is None:
        return _leaf(task)
    if step.outcome.value is None and before is not None:
        return _stopped_in(before, step, session)
    plies = step.depth if step.depth < LONGEST_LINE else None
    return _assembled(task, session, step, plies if task.algorithm.deepens else task.limit.depth)


def _leaf(task: Task) -> Analysis:
    game, state = task.game, task.root.state
    over = is_over(game, task.root.path)
    return Analysis(
        game,
        state,
        LATER if task.text is None else task.text,
        task.algorithm.name,
        "interpreted",
        final_value(game, task.root.path) if over else int(game.evaluate(state)),
        "exact",
        over,
        depth=task.limit.depth,
        distance=0 if over else None,
        payoffs=_leaf_payoffs(task),
        statistics=Statistics(nodes=1, leaves=1, evaluated=int(not over)),
        past=task.root.past,
        evaluation=evaluation_name(game),
    )


def _leaf_payoffs(task: Task) -> tuple[int, ...] | None:
    if task.algorithm.fields is not payoff_fields:
        return None
    return tuple(
        map(
            int,
            task.game.utilities(task.root.state)
            if task.game.is_terminal(task.root.state)
            else task.game.estimates(task.root.state),
        )
    )


def _assembled(task: Task, session: Session, step: Iteration, depth: int | None) -> Analysis:
    """The result of one search."""
    game, state, outcome = task.game, task.root.state, step.outcome
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
        LATER if task.text is None else task.text,
        task.algorithm.name,
        session.backend,
        value,
        bound,
        value is not None
        and not _is_doubtful(session)
        and (not outcome.estimated or task.is_settled(value, equal)),
        best,
        equal,
        line,
        depth,
        distance_of(session, line),
        None if stopped else _payoffs(session),
        statistics=Statistics(
            **step.total, seconds=step.seconds, compile_seconds=session.compile_seconds
        ),
        interrupted=stopped,
        past=task.root.past,
        evaluation=evaluation_name(game),
    )


def _payoffs(session: Session) -> tuple[int, ...] | None:
    """The payoffs of all players, from the row of the root; None if the algorithm keeps none."""
    if not hasattr(session.memory, "payoff"):
        return None
    row = session.memory.root_depth * session.game.players
    return tuple(int(session.memory.payoff[row + player]) for player in range(session.game.players))


def _stopped_in(before: Analysis, step: Iteration, session: Session) -> Analysis:
    """The answer of the last finished iteration, or a better one of the iteration that was stopped,
    which tried the best action first."""
    work = Statistics(**step.total, seconds=step.seconds, compile_seconds=session.compile_seconds)
    found = changed(before, statistics=work, interrupted=True)
    if step.outcome.bounds is not None:
        return _limited(found, step.outcome, step.outcome.bounds, session)
    best = step.outcome.best
    if best is None or best == before.best:
        return found
    value = session.plain(max(value for _, value in step.outcome.moves))
    better = changed(found, value=value, bound="lower", best=best, best_moves=(best,), pv=(best,))
    return changed(better, depth=step.depth, distance=None, proved=False)


def _limited(
    found: Analysis, outcome: Outcome, bounds: tuple[int, int], session: Session
) -> Analysis:
    """The answer with the tighter of two proved bounds of the value: the one farther from the bound
    that the rules give. Action and line remain those of the last iteration, unless another action
    is known to reach the lower bound."""
    low, high = bounds
    lowest, highest = session.game.bounds(session.root.state)
    at_least = low - lowest >= highest - high
    bound: Bound = "exact" if low == high else "lower" if at_least else "upper"
    proved = not _is_doubtful(session)
    found = changed(
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
    return changed(found, best=best, best_moves=(best,), pv=(best,))


def _is_doubtful(session: Session) -> bool:
    """Whether the value may be wrong: a selective option was on, steps that repeat a position were
    left out, the table keeps values that rest on another past, or the algorithm ignores repetitions
    although they matter even to lines that end without one."""
    table = session.course.table
    matters = session.game.repetition_rule >= LOSS or len(session.root.past) > 0
    return (
        session.configuration.is_selective
        or getattr(session.memory, "ignored", 0) > 0
        or (table is not None and table.is_loose(session.game))
        or (matters and not session.algorithm.heeds_repetition)
    )
