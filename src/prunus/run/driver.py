"""From a position and the name of an algorithm to an `Analysis`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Final, Literal

from prunus.core.analysis import Analysis
from prunus.core.errors import SearchError
from prunus.core.game import Game, S, game_meant
from prunus.core.knowledge.evaluation import Evaluation
from prunus.core.position import Asked, position_of
from prunus.engine.options import Options, OptionValue
from prunus.kernel.code.rules import fix, looking_once, rules_of
from prunus.kernel.waiting import NotReady
from prunus.run.arguments import expect, whole
from prunus.run.booked import booked
from prunus.run.kinds import in_terms_of_rules
from prunus.run.limits import Limit, Stop
from prunus.run.principal import with_whole_line
from prunus.run.progress import Progress, Watch
from prunus.run.report import iterated, last_of
from prunus.run.request import (
    Depth,
    Request,
    game_to_search,
    limit_asked,
    threads_asked,
    usual_book,
    usual_limit,
)
from prunus.run.rootmoves import prove_moves, second_look
from prunus.run.short import is_short, note, tried
from prunus.run.soon import first_answer, first_iterations, is_hurried
from prunus.run.spare import leave_table
from prunus.run.task import Task, task_of
from prunus.tables.book import Source
from prunus.tables.identity import identity
from prunus.tables.transposition import TranspositionTable

__all__ = ["Limit", "Progress", "SearchError", "analyze", "iterations", "solve"]


TO_THE_END: Final = Limit(exact=True)


def analyze(
    game: Game[S],
    state: Asked[S] = None,
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
    options: Mapping[str, OptionValue] | Options | None = None,
    room: int | None = None,
    position: str | None = None,
    stop: Stop | None = None,
    watch: Watch | None = None,
    book: Source | Literal[False] | None = None,
    evaluation: Evaluation | type[Evaluation] | str | None = None,
) -> Analysis:
    """Search a position, or find it in an opening book or a database.

    state: the position, as a State, a `Position` (a State with those before it, which count for
    repetitions) or text (as `prunus.core.position.read_position` reads it); by default the game's
    start. algorithm: a name that `prunus algorithms` lists. depth: how many plies to look ahead;
    None searches to the end of the game; by default as deep as `nodes` or `seconds` allow, or 10
    plies without these (4 in a game that is never compiled). nodes, seconds: stop after this much
    work, with the best answer so far; `limit` gives all three in one. all_moves: also prove the
    value of every root action, in a second pass whose work is counted separately; multi_pv: the
    same for this many of the best actions. prefer_faster: among actions of equal value prefer the
    faster win and the slower loss (see `leaves.HASTE` for the scale; the value reported is always
    the game's). compile: True demands machine code (CannotCompile says why there is none), False
    interprets, None compiles if that is possible. With None, a search that ends within `soon.NODES`
    nodes is interpreted while nothing is compiled, `seconds` includes compiling, and if the time is
    too short for that, the answer is the interpreter's. table: a `TranspositionTable` to use and
    keep, or the megabytes of a new one. threads: how many threads search for the engine (always one
    with a limit of nodes, or with an option that depends on the order of the actions); 0: as many
    as there are cores. With one thread, the same search visits the same nodes every time. options:
    settings of the engine (see `prunus.engine.options.Options`). room: how many positions
    `labelling`, the open lists, `sss-stockman` and `cached-minimax` may hold. watch: called several
    times a second with a `Progress`. stop: a `Stop` with which another thread can end the search.
    book: a `Book` or a `Database` in which the position is looked up first. None takes the book
    installed for the game, if there is one, but only for the engine without selective options,
    `prefer_faster` or `compile`; False always searches. evaluation: one to use instead of the
    game's own, by its name among the game's `evaluations`, or in any form that `Game.with_parts`
    takes. With such an evaluation the installed book answers only searches to the end of the game,
    in which an added evaluation has no part if the game has `bounds` and no rule of repetitions.

    Ctrl-C ends the search with the best answer so far. Raises SearchError, UnknownAlgorithm,
    PositionError, and TypeError for arguments of the wrong type, such as a depth that is not an
    integer.
    """
    began = time.perf_counter()
    game = game_meant(game, evaluation)
    nodes = whole(nodes)
    expect(algorithm=algorithm, limit=limit, nodes=nodes, seconds=seconds, multi_pv=multi_pv)
    expect(table=table, threads=threads, options=options, room=room, compile=compile)
    expect(stop=stop, watch=watch, book=book)
    passes = all_moves or multi_pv > 1 or Options.wants_second(options)
    limit = limit_asked(limit, depth, nodes, seconds) or usual_limit(
        game, algorithm, nodes, seconds, passes
    )
    searched = game_to_search(game, algorithm, limit, prefer_faster, options)
    at = position_of(game, state)
    asked = Request(
        searched,
        at,
        algorithm,
        limit,
        compile,
        prefer_faster,
        threads_asked(threads),
        options,
        table,
        position,
        stop,
        watch,
        room,
        leaps=True,
        all_moves=all_moves,
        multi_pv=multi_pv,
    )
    with looking_once(), in_terms_of_rules(game, at.state):
        if book:
            _expect_same_rules(book, game)
        elif book is None and compile is None and not prefer_faster:
            book = usual_book(game, algorithm, limit, options)
        found = _known(asked, book) if book else None
        found = found or _searched(asked, began)
    return found if found.game is game else replace(found, game=game)


def _expect_same_rules(book: Source, game: Game) -> None:
    """Raises SearchError for a book or a database of another game, or of the same one before its
    rules were changed."""
    found = identity(game)
    if book.identity != found:
        raise SearchError(f"the {book.name} given is of {book.identity}, not of {found}")


def _known(asked: Request, book: Source) -> Analysis | None:
    """The answer of a book or a database to the request; None if it does not know all that is
    asked."""
    fix(asked.game)
    if asked.position.past:
        return None
    state = asked.position.state
    found = booked(asked.game, state, asked.text, book, asked.multi_pv, asked.all_moves)
    return None if found is not None and asked.limit.exact and not found.proved else found


def _searched(asked: Request, began: float) -> Analysis:
    """The answer of a search that was asked for at the time `began` (of `time.perf_counter`)."""
    hurried = is_hurried(asked.game, asked.algorithm, asked.compile)
    task = task_of(asked, _end(asked, began) if hurried else None)

    def answer(task: Task) -> Analysis:
        return _answered(task, asked.all_moves, asked.multi_pv)

    found = None
    if is_short(asked, task):
        found = tried(task, answer)
        if found is None:
            task = task_of(asked, _end(asked, began) if hurried else None)
    if found is None:
        found = _begun(asked, task, answer, hurried)
        note(task, found)
    if task.course.table is not None and not asked.learns():
        leave_table(task.configuration.habit, task.course.table)
    return found


def _begun(
    asked: Request, task: Task, answer: Callable[[Task], Analysis], hurried: bool
) -> Analysis:
    """The answer of a search, and soon if it is hurried."""
    # The interpreted search has a table of its own, and the caller's would not learn from it.
    if not hurried or (asked.learns() and task.course.until is None):
        with _stopped_in_words():
            return answer(task)
    return first_answer(task, answer)


@contextmanager
def _stopped_in_words() -> Iterator[None]:
    """Raises SearchError for a search that was stopped while it waited for its code, and had no
    interpreted part that could answer."""
    try:
        yield
    except NotReady:
        raise SearchError("the search was stopped while its code was being compiled") from None


def _end(asked: Request, began: float) -> float | None:
    """The time when a hurried search must be over, compiling included; None: it may take any
    time."""
    return None if asked.limit.seconds is None else began + asked.limit.seconds


def _answered(task: Task, all_moves: bool, multi_pv: int) -> Analysis:
    """The answer of one search and of what follows it: the whole line, the values of other actions,
    a second look at the two best."""
    found, session = last_of(task)
    if session is None:
        return found
    algorithm, configuration = session.algorithm, session.configuration
    found = with_whole_line(found, session)
    wanted = session.total if all_moves else multi_pv
    if wanted > 1 and algorithm.several_players and not algorithm.many_values:
        raise SearchError(f"{algorithm.name} only bounds the other actions; maxn values them all")
    if wanted > 1 or all_moves:
        found = prove_moves(found, session, wanted, all_moves)
    engine = configuration.options
    if engine is not None and engine.second:
        found = second_look(found, session, engine.second)
    session.release()
    return found


def solve(
    game: Game[S],
    state: Asked[S] = None,
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
    options: Mapping[str, OptionValue] | Options | None = None,
    room: int | None = None,
    position: str | None = None,
    stop: Stop | None = None,
    watch: Watch | None = None,
    book: Source | Literal[False] | None = None,
    evaluation: Evaluation | type[Evaluation] | str | None = None,
) -> Analysis:
    """Search a position to the end of the game: `analyze` without a limit of depth, but with the
    same arguments otherwise. If nodes or seconds do not suffice, the answer may be a bound on the
    value (`Limit.exact`). Raises SearchError for a `limit` with a depth."""
    expect(limit=limit)
    if limit is not None and limit.depth is not None:
        raise SearchError(
            f"solve searches to the end of the game, and limit=Limit(depth={limit.depth}) would "
            f"not let it: use analyze"
        )
    asked = (
        limit_asked(limit, None, whole(nodes), seconds)
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
    game: Game[S],
    state: Asked[S] = None,
    algorithm: str = "engine",
    limit: Limit | None = None,
    *,
    prefer_faster: bool = False,
    compile: bool | None = None,
    table: TranspositionTable | float | None = None,
    threads: int = 1,
    options: Mapping[str, OptionValue] | Options | None = None,
    position: str | None = None,
    stop: Stop | None = None,
    watch: Watch | None = None,
    evaluation: Evaluation | type[Evaluation] | str | None = None,
) -> Iterator[Analysis]:
    """The search of `analyze`, with one Analysis for each finished iteration; the last one may be
    of an iteration that was stopped. As in `analyze`, the first iterations are interpreted while
    the game has no machine code, and seconds count from the call on, compiling included."""
    began = time.perf_counter()
    game = game_meant(game, evaluation)
    expect(algorithm=algorithm, limit=limit, table=table, threads=threads, options=options)
    expect(stop=stop, watch=watch, compile=compile)
    asked = Request(
        game,
        position_of(game, state),
        algorithm,
        limit or Limit(),
        compile,
        prefer_faster,
        threads_asked(threads),
        options,
        table,
        position,
        stop,
        watch,
    )
    yield from steps(asked, began, True)


def steps(
    asked: Request, began: float, watched: bool = False, silence: float = 0.0
) -> Iterator[Analysis]:
    """The iterations of a search that was asked for at the time `began`. `watched`: code that may
    change the rules runs between them, so each is preceded by a look whether it has. Raises
    SearchError if so. The iterations of the first `silence` seconds are not told, unless nothing
    else is (`report.iterated`)."""
    iterate = partial(iterated, silence=silence)
    game, state = asked.game, asked.position.state
    with looking_once(), in_terms_of_rules(game, state):
        hurried = is_hurried(game, asked.algorithm, asked.compile)
        rules = rules_of(game)
        task = task_of(asked, _end(asked, began) if hurried else None)
        if not hurried or (asked.learns() and task.course.until is None):
            found_in_turn = iterate(task)
        else:
            found_in_turn = first_iterations(task, iterate)
        with _stopped_in_words():
            found = next(found_in_turn, None)
    while found is not None:
        yield found
        if watched and not rules.is_current():
            raise SearchError(
                f"the rules of {game.title()} changed during the search: start it again"
            )
        with in_terms_of_rules(game, state), _stopped_in_words():
            found = next(found_in_turn, None)
