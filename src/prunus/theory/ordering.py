"""How well a search orders actions: its leaves compared with those of the minimal graph, and how
often the first action cuts off.

The minimal graph of a position is what remains if every node first tries the action that turned out
best. The same search is repeated with the actions in the table and none of its values, and the
smallest is taken (after Plaat, Schaeffer, Pijls & de Bruin 1996). It is smaller than Knuth and
Moore's critical tree, in which a position that is reached twice counts twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from prunus.core.game import Game, S
from prunus.engine.options import Options
from prunus.run.configuration import Configuration
from prunus.run.driver import analyze
from prunus.run.registry import algorithm_named
from prunus.run.session import Session
from prunus.run.task import Course, Root
from prunus.tables.transposition import TranspositionTable

MEGABYTES: Final = 64
REPEATS: Final = 3


class Ordering(NamedTuple):
    """One position: the leaves of all iterations and of the minimal graph; the share of cut-offs
    made by the first action."""

    leaves: int
    minimal: int
    first: float


def ordering_of(
    game: Game[S],
    state: S,
    depth: int,
    options: Mapping[str, int] | None = None,
    megabytes: float = MEGABYTES,
    compile: bool | None = None,
) -> Ordering | None:
    """Search a position with the engine, and again in the best order; None if the game is decided
    before the depth."""
    shared = TranspositionTable(megabytes, game, state)
    found = analyze(
        game, state, "engine", depth, compile=compile, table=shared, options=options, book=False
    )
    if found.proved:
        return None
    work = found.statistics
    chosen = Options.of(game, {**(options or {}), "iid": 0})
    minimal = _smallest(game, state, depth, shared, _engine(compile, chosen), found.value)
    return Ordering(work.leaves, minimal, work.first_cutoffs / max(1, work.cutoffs))


def minimal_graph(
    game: Game[S], state: S, depth: int, megabytes: float = MEGABYTES, compile: bool | None = None
) -> int:
    """The leaves of the minimal graph of a position's search to a depth."""
    shared = TranspositionTable(megabytes, game, state)
    found = analyze(game, state, "engine", depth, compile=compile, table=shared, book=False)
    how = _engine(compile, Options.of(game, {"iid": 0}))
    return _smallest(game, state, depth, shared, how, found.value)


def _engine(compile: bool | None, options: Options) -> Configuration:
    return Configuration(algorithm_named("engine"), compile, options=options)


def _smallest(
    game: Game[S],
    state: S,
    depth: int,
    table: TranspositionTable,
    how: Configuration,
    value: int | None,
) -> int:
    again = []
    for _ in range(REPEATS):
        table.forget_values()
        outcome = Session(game, Root(state), how, depth, Course(table)).run(depth)
        assert outcome.value == value
        again.append(outcome.counts["leaves"])
    return min(again)
