"""The values of more root actions than the best one: of all of them, of the k best, and of the two
best searched deeper."""

from __future__ import annotations

from dataclasses import replace

from prunus.algorithms.leaves import HASTE
from prunus.algorithms.repetition import FORBIDDEN, allowed_actions, final_value, is_over
from prunus.core.analysis import Analysis, Move, Statistics
from prunus.core.copies import changed
from prunus.core.game import INFINITY
from prunus.run.memories import STATISTICS
from prunus.run.principal import reached
from prunus.run.session import Outcome, Session
from prunus.run.solver import Solver, takes_over
from prunus.run.task import Course, Root
from prunus.tables.transposition import TranspositionTable


def prove_moves(found: Analysis, session: Session, wanted: int, every: bool) -> Analysis:
    """The analysis with exact values of root actions: of all (`every`), or of the `wanted` best."""
    known = (
        {action: session.plain(value) for action, value in _moves_of(session)}
        if session.algorithm.many_values
        else {}
    )
    if found.best is not None and not found.interrupted and found.value is not None:
        known[found.best] = found.value
    total: dict[str, int] = dict.fromkeys(STATISTICS, 0)
    seconds, stopped = 0.0, found.interrupted or session.stopped
    to_the_end = reached(found, session) == session.depth and takes_over(
        session, found.statistics.nodes
    )
    solver = Solver(session, unseen=True) if to_the_end and not stopped else None
    actions, after = _allowed(found, session), _after_root(found, session)
    for action in actions:
        if action in known or stopped:
            continue
        floor = (
            -INFINITY
            if every
            else sorted(known.values(), reverse=True)[wanted - 1]
            if len(known) >= wanted
            else -INFINITY
        )
        outcome = _child(found, session, after, action, reached(found, session), floor, solver)
        seconds += outcome.seconds
        total = {name: total[name] + outcome.counts[name] for name in STATISTICS}
        stopped = outcome.value is None
        if outcome.value is not None and (every or outcome.value > floor):
            known[action] = outcome.value
    moves = tuple(Move(action, known[action]) for action in actions if action in known)
    if not every:
        moves = tuple(sorted(moves, key=lambda move: -move.value)[:wanted])
    compiling = 0.0 if solver is None else solver.session.compile_seconds
    return _with_moves(
        found, moves, Statistics(**total, seconds=seconds, compile_seconds=compiling), stopped
    )


def _allowed(found: Analysis, session: Session) -> list[int]:
    """The root's actions, each once, without those that the rules of repetition forbid or that the
    algorithm left out because they repeat a position."""
    game, state = found.game, found.state
    if hasattr(session.memory, "ignored"):
        return [action for action, _ in _moves_of(session)]
    return list(dict.fromkeys(allowed_actions(game, (*session.root.past, state))))


def _moves_of(session: Session) -> list[tuple[int, int]]:
    memory = session.memory
    return [(memory.root_action[i], memory.root_value[i]) for i in range(memory.root_count)]


def _with_moves(
    found: Analysis, moves: tuple[Move, ...], statistics: Statistics, stopped: bool
) -> Analysis:
    equal = tuple(move.action for move in moves if move.value == found.value)
    best_moves = found.best_moves if stopped else tuple(dict.fromkeys((*found.best_moves, *equal)))
    ordered = tuple(
        action for action in map(int, found.game.actions(found.state)) if action in best_moves
    )
    return replace(
        found, moves=moves, best_moves=ordered, moves_statistics=statistics, interrupted=stopped
    )


def _child(
    found: Analysis,
    session: Session,
    after: Course,
    action: int,
    limit: int,
    floor: int = -INFINITY,
    solver: Solver | None = None,
) -> Outcome:
    """The outcome of a root action, searched to `limit` plies from the root, with its value for the
    player who makes it: exact if it is more than `floor`. `after` says how it is searched
    (`_after_root`); a solver finds the value by tests to the end of the game instead."""
    game = found.game
    child = game.result(found.state, action)
    sign = 1 if game.keeps_turn(found.state, child) else -1
    path = (*session.root.past, found.state, child)
    # At its limit, a search does not check whether a State has an allowed action.
    over = (
        game.is_terminal(child)
        if limit == 1 and game.repetition_rule == FORBIDDEN
        else is_over(game, path)
    )
    if over or limit == 1:
        value = final_value(game, path) if over else int(game.evaluate(child))
        counts = dict.fromkeys(STATISTICS, 0) | {
            "nodes": 1,
            "leaves": 1,
            "evaluated": int(not over),
        }
        return Outcome(sign * value, (), (), counts, 0.0, not over)
    if solver is not None:
        return _tested(
            solver,
            child,
            sign,
            floor,
            found.value if found.proved and found.value is not None else INFINITY,
        )
    past = path[:-1] if game.repetition_rule else session.root.past
    rest = Session(game, Root(child, past), session.configuration, limit - 1, after)
    window = {}
    if floor > -INFINITY:
        scaled = floor * HASTE if session.configuration.prefer_faster else floor
        window = {"alpha": scaled} if sign == 1 else {"beta": -scaled}
    outcome = rest.run(limit - 1, **window)
    return (
        outcome
        if outcome.value is None
        else replace(outcome, value=sign * rest.plain(outcome.value))
    )


def _after_root(found: Analysis, session: Session) -> Course:
    """How to search root actions one by one. If repetitions count, the root is now a position that
    has been on the board. The table of the first search knows nothing of that, so the root actions
    get another table; they share it, because the path is the same for all of them."""
    course = changed(session.course, watch=None)
    if not found.game.repetition_rule:
        return course
    table = (
        None
        if course.table is None
        else TranspositionTable(course.table.megabytes, found.game, found.state)
    )
    return changed(course, table=table)


def _tested(solver: Solver, child: object, sign: int, floor: int, ceiling: int) -> Outcome:
    """The outcome of a root action, found by tests to the end of the game. Its value is known to be
    `ceiling` at most."""
    counts, seconds = solver.counts, solver.seconds
    low, high = solver.given(child)
    if sign == 1:
        low, high = solver.value(child, max(low, floor), min(high, ceiling))
    else:
        low, high = solver.value(child, max(low, -ceiling), min(high, -floor))
    work = {name: solver.counts[name] - counts[name] for name in STATISTICS}
    # A value of `floor` or less may be only a bound: an upper one for the player to move at the
    # root.
    value = None if low < high else high if sign == 1 else -low
    return Outcome(value, (), (), work, solver.seconds - seconds, False)


def second_look(found: Analysis, session: Session, plies: int) -> Analysis:
    """The analysis with the better of the two best root actions, after both are searched `plies`
    deeper. This counters the horizon effect: a loss just beyond the depth of the search on the best
    line need not lie on the second-best line (secondary search: Greenblatt, Eastlake & Crocker
    1967)."""
    if found.interrupted or found.proved or found.value is None or session.total < 2:
        return found
    two = prove_moves(found, session, 2, False)
    assert two.moves is not None
    assert two.moves_statistics is not None
    total = {
        name: getattr(two.statistics, name) + getattr(two.moves_statistics, name)
        for name in STATISTICS
    }
    seconds = two.statistics.seconds + two.moves_statistics.seconds
    if len(two.moves) < 2:
        # `session.total` counts actions, too, that the rules of repetition may forbid.
        return replace(found, statistics=replace(found.statistics, **total, seconds=seconds))
    compared, after = [], _after_root(found, session)
    # If both come out equal, the better one of the first search is kept.
    for move in sorted(two.moves, key=lambda move: move.action != found.best):
        outcome = _child(found, session, after, move.action, reached(found, session) + plies)
        total = {name: total[name] + outcome.counts[name] for name in STATISTICS}
        seconds += outcome.seconds
        compared.append((move.action, outcome))
    work = replace(found.statistics, **total, seconds=seconds)
    if two.interrupted or any(outcome.value is None for _, outcome in compared):
        return replace(found, statistics=work, interrupted=True)
    best, outcome = max(compared, key=lambda pair: pair[1].value or 0)
    line = (best, *(outcome.line or ((outcome.best,) if outcome.best is not None else ())))
    return replace(
        found,
        value=outcome.value,
        best=best,
        best_moves=(best,),
        pv=line,
        distance=None,
        proved=False,
        statistics=work,
    )
