"""`trace`: an algorithm's search of a position, event by event."""

from __future__ import annotations

from collections.abc import Mapping

from prunus.algorithms.leaves import LONGEST_LINE
from prunus.algorithms.minimax_extreme import highest_estimate
from prunus.algorithms.repetition import NONE
from prunus.core.analysis import Statistics
from prunus.core.errors import SearchError
from prunus.core.game import Game, S, game_meant
from prunus.core.knowledge.evaluation import Evaluation
from prunus.core.position import Asked, position_of
from prunus.engine.options import Options, OptionValue
from prunus.kernel import threads
from prunus.run.arguments import expect, expect_window
from prunus.run.configuration import Configuration
from prunus.run.kinds import in_terms_of_rules
from prunus.run.limits import Stop, in_words, limit_of, stopped_by
from prunus.run.memories import begin, counts_of, new_memory, path_spec
from prunus.run.recording import Recorder
from prunus.run.registry import arguments_of
from prunus.run.request import options_asked
from prunus.run.watchable import sources_named, watched_named
from prunus.tables.transposition import TranspositionTable
from prunus.view.trace import Trace

TRACED_NODES = 10_000
"""The most nodes that a trace records by default: more than anyone looks at."""

TRACED_MEGABYTES = 4.0
"""A trace is small, and so is its table."""


def trace(
    game: Game[S],
    state: Asked[S] = None,
    algorithm: str = "alphabeta",
    depth: int | None = None,
    *,
    limit: int = TRACED_NODES,
    position: str | None = None,
    alpha: int | None = None,
    beta: int | None = None,
    options: Mapping[str, OptionValue] | Options | None = None,
    evaluation: Evaluation | type[Evaluation] | str | None = None,
    stop: Stop | None = None,
    lines: bool = False,
) -> Trace:
    """Search a position with an algorithm's own source, interpreted, and record every node.

    algorithm: a name of `prunus algorithms`, or alphabeta-strict, which cuts off above beta only.
    state: the position, as `analyze` takes it. depth: plies; None searches to the end of the game.
    limit: the most nodes to record; a larger search raises TraceTooLarge. alpha, beta: the window
    at the root, for algorithms that have one. stop: ends the search from another thread; it then
    raises SearchError, for half a search has no value. lines: also record which line of the
    algorithm's source runs at each event (not under a debugger). The other arguments are those of
    `analyze`, except that the engine does not deepen, so that there is nothing for the option
    `second` to do.
    """
    game = game_meant(game, evaluation)
    expect(algorithm=algorithm, options=options)
    expect_window(alpha, beta)
    game.freeze()
    chosen = watched_named(algorithm)
    watch = chosen.watch
    if watch is None:
        raise SearchError(f"{chosen.name} cannot be watched; `prunus algorithms` shows which can")
    engine = options_asked(game, chosen, options)
    if engine is not None and engine.second:
        raise SearchError(
            "the option second is for what follows a search; a trace has no such part"
        )
    at = position_of(game, state)
    root = at.state
    plies = limit_of(depth)
    with in_terms_of_rules(game, root):
        actions = 0 if game.is_terminal(root) else sum(1 for _ in game.actions(root))
    room = max(limit + actions + 1, 1024) if chosen.room else None
    table = TranspositionTable(TRACED_MEGABYTES, game, root) if chosen.table else None
    how = Configuration(chosen, room=room, options=engine)
    path = path_spec(game, how, min(plies, LONGEST_LINE), len(at.past))
    memory = new_memory(chosen, root, min(plies, LONGEST_LINE), actions, how, table, path)
    begin(chosen, memory, plies, to_the_end=depth is None, past=at.past)
    if hasattr(memory, "highest"):
        memory.highest = highest_estimate(game, depth is None)
    arguments = arguments_of(game, root, plies, memory)
    window = {"alpha": alpha, "beta": beta, "bound": beta}
    arguments |= {name: value for name, value in window.items() if value is not None}
    rule = game.repetition_rule if chosen.heeds_repetition else NONE
    recorder = Recorder(
        game,
        limit,
        tuple(at.past) if chosen.heeds_repetition else (),
        rule,
        hasattr(memory, "ignored"),
        watch.lines_of(chosen.function) if lines else None,
        watch.exact_leaves - ({"horizon"} if getattr(memory, "quiescence", False) else set()),
    )
    recorder.is_selective = how.is_selective
    with in_words(game, memory), in_terms_of_rules(game, root), stopped_by(stop, memory):
        value, stopped = threads.run(
            lambda: watch.observe(chosen.function, arguments, recorder), memory
        )
    if stopped and stop is not None and stop.requested:
        raise SearchError("the search was stopped before it had an answer")
    if stopped:
        raise KeyboardInterrupt
    if depth is None and memory.evaluated:
        raise SearchError(
            f"{game.title()} has lines of more than {LONGEST_LINE:,} plies, perhaps cycles: give a "
            f"depth"
        )
    return Trace(
        game,
        root,
        game.format(root) if position is None else position,
        chosen.name,
        depth,
        value,
        tuple(recorder.events),
        Statistics(**counts_of(memory)),
        watch.has_windows,
        tuple(recorder.lines),
        has_list=watch.has_list,
        has_merits=watch.has_merits,
        sources=sources_named(chosen.name) if lines else {},
    )
