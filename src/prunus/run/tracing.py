"""`trace`: an algorithm's search of a position, node by node."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from prunus.algorithms.leaves import LONGEST_LINE
from prunus.algorithms.minimax_extreme import highest_estimate
from prunus.algorithms.repetition import DRAW, FORBIDDEN, LOSS, NONE, came_again, times_before
from prunus.core.analysis import Statistics
from prunus.core.errors import SearchError
from prunus.core.game import INFINITY, Game
from prunus.core.position import position_of
from prunus.kernel import threads
from prunus.kernel.traced import Node, observe
from prunus.run.limits import in_words, limit_of
from prunus.run.memories import begin, counts_of, new_memory, path_spec
from prunus.run.registry import algorithm_named, arguments_of
from prunus.tables.transposition import TranspositionTable
from prunus.view.trace import Trace

TRACED_NODES = 10_000
"""The most nodes that a trace records where it is not said: more than anyone looks at."""

TRACED_MEGABYTES = 4.0
"""A trace is small, and so is its table."""


def trace(
    game: Game,
    state: Any = None,
    algorithm: str = "alphabeta",
    depth: int | None = None,
    *,
    limit: int = TRACED_NODES,
    position: str | None = None,
    alpha: int | None = None,
    beta: int | None = None,
) -> Trace:
    """Search a position with an algorithm's own source, interpreted, and record every node.

    state: the position, as `analyze` takes it. depth: plies; None searches to the end of the game.
    limit: the most nodes to record; beyond it TraceTooLarge is raised. alpha, beta: the window at
    the root, for algorithms that have one. The other arguments are those of `analyze`.
    """
    game.freeze()
    chosen = algorithm_named(algorithm)
    at = position_of(game, state)
    state = at.state
    plies = limit_of(depth)
    actions = 0 if game.is_terminal(state) else sum(1 for _ in game.actions(state))
    room = max(limit + actions + 1, 1024) if chosen.room else None
    table = TranspositionTable(TRACED_MEGABYTES, game, state) if chosen.table else None
    path = path_spec(game, chosen, min(plies, LONGEST_LINE), len(at.past))
    memory = new_memory(
        chosen, state, min(plies, LONGEST_LINE), actions, room=room, table=table, settings=path
    )
    begin(chosen, memory, plies, to_the_end=depth is None, past=at.past)
    if hasattr(memory, "highest"):
        memory.highest = highest_estimate(game, depth is None)
    arguments = arguments_of(game, state, plies, memory)
    arguments |= {
        name: value
        for name, value in (("alpha", alpha), ("beta", beta), ("bound", beta))
        if value is not None
    }
    with in_words(game, memory):
        outcome, stopped = threads.run(lambda: observe(chosen.function, arguments, limit), memory)
    if stopped:
        raise KeyboardInterrupt
    value, nodes = outcome
    if chosen.heeds_repetition:
        _explain_repetitions(game, at.past, nodes, game.repetition_rule, False)
    elif hasattr(memory, "ignored"):
        _explain_repetitions(game, (), nodes, NONE, True)
    if depth is None and memory.evaluated:
        raise SearchError(
            f"{game.title()} has lines of more than {LONGEST_LINE:,} plies, perhaps cycles: give a "
            f"depth"
        )
    counts = Statistics(**counts_of(memory))
    text = game.format(state) if position is None else position
    return Trace(game, state, text, chosen.name, depth, value, tuple(nodes), counts)


def _explain_repetitions(
    game: Game, past: Sequence[Any], nodes: Sequence[Node], rule: int, ignores: bool
) -> None:
    """Tell the nodes of a search after these States where a repetition is the reason that something
    was not visited. rule: the one that the algorithm heeds; ignores: it leaves out all steps back,
    whatever the rules say."""
    ends, skips = rule in (DRAW, LOSS), rule == FORBIDDEN or ignores
    if not ends and not skips:
        return
    comes_back: Callable[..., int] = times_before if ignores else came_again
    paths: list[tuple[Any, ...]] = []
    for node in nodes:
        above = tuple(past) if node.parent is None else paths[node.parent]
        if node.parent is not None and node.action is None:
            # The same position, looked at once more.
            above = above[:-1]
        path = (*above, node.state)
        paths.append(path)
        if (
            ends
            and not node.visited
            and node.leaf != "terminal"
            and came_again(game, above, node.state)
        ):
            node.leaf, node.reason, node.pruned = "repetition", "repetition", ()
        elif skips and node.pruned:
            node.repeating = tuple(
                action
                for action in node.pruned
                if comes_back(game, path, game.result(node.state, action))
            )
            node.pruned = tuple(action for action in node.pruned if action not in node.repeating)
            if not node.pruned:
                node.reason = "repetition"
                node.leaf = "" if node.visited else "repetition"
        if node.value == INFINITY:
            node.value = None
