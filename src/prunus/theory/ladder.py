"""The worth of each optional method of a game: one position, searched by plain alpha-beta up to the
engine, with one more method each time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from prunus.core.errors import SearchError
from prunus.core.game import OPTIONAL, Game, S
from prunus.core.position import Asked
from prunus.run.driver import analyze
from prunus.run.limits import Limit

ORDER: Final = (
    "key",
    "canonical",
    "order",
    "evaluate",
    "noisy_actions",
    "bounds",
    "secured",
    "worthwhile",
    "plies_left",
    "last_value",
)
"""The methods in the order in which they are added; those missing here serve selective options,
which no step uses."""

SEARCHES: Final = (
    ("alphabeta", "alpha-beta"),
    ("pvs", "principal variation search with a table"),
    ("engine", "the engine: it deepens step by step"),
)
"""The algorithms that search the game without its optional methods; the last one then gets the
methods."""

INTERPRETED: Final = 2_000_000
"""The most nodes of a step for a game that cannot be compiled."""


@dataclass(frozen=True)
class Rung:
    """One step: what was added, how the search went, and the value (None: stopped at the limit of
    nodes)."""

    name: str
    nodes: int
    seconds: float
    value: int | None

    def shown(self) -> str:
        """The nodes as text."""
        return f"{'> ' if self.value is None else ''}{self.nodes:,}"


def defined(game: Game) -> tuple[str, ...]:
    """The methods of `ORDER` that the class of a game defines."""
    return tuple(name for name in ORDER if getattr(type(game), name) is not getattr(Game, name))


def without(game: Game, hidden: tuple[str, ...]) -> Game:
    """The same game with these optional methods reset to those of `Game`: the rules stay."""
    if not hidden:
        return game
    cls = type(game)
    body: dict[str, object] = {name: getattr(Game, name) for name in hidden}
    if "evaluate" in hidden:
        body["evaluate_row"] = Game.evaluate_row
    if "key" in hidden:
        body["exact_key"] = False
    body["__module__"] = cls.__module__
    made: Game = object.__new__(type(cls.__name__, (cls,), body))
    made.__dict__.update(game.attributes())
    return made


def climb(
    game: Game[S],
    state: Asked[S] = None,
    depth: int | None = None,
    *,
    nodes: int = 2_000_000_000,
    megabytes: float = 64,
    compile: bool | None = None,
    beginning: Callable[[str], None] = lambda name: None,
) -> Iterator[Rung]:
    """The steps from alpha-beta on the bare rules to the engine with everything that the game
    defines.

    depth: plies to look ahead; the evaluation is then part of the question, and never hidden. None
    goes to the end of the game. nodes: a search that needs more is stopped. beginning: called with
    the name of each step before it begins. Raises SearchError if
    two steps find different values, and KeyboardInterrupt.
    """
    methods = tuple(name for name in defined(game) if depth is None or name != "evaluate")
    optional = tuple(
        name
        for name in OPTIONAL
        if name not in (*methods, "evaluate", "evaluate_row", "utilities", "estimates", "settled")
        and getattr(game, f"has_{name}")
    )
    most = min(nodes, INTERPRETED) if game.interpreted_only or compile is False else nodes
    limit = Limit(depth, most, exact=depth is None)
    steps = [(algorithm, name, (*methods, *optional)) for algorithm, name in SEARCHES]
    steps += [
        ("engine", f"+ `{name}`", (*methods[number:], *optional))
        for number, name in enumerate(methods, 1)
    ]
    values: set[int | None] = set()
    for algorithm, name, hidden in steps:
        beginning(name)
        found = analyze(
            without(game, hidden),
            state,
            algorithm,
            limit=limit,
            table=megabytes,
            compile=compile,
            book=False,
        )
        work = found.statistics
        if found.interrupted and limit.nodes is not None and work.nodes < limit.nodes:
            raise KeyboardInterrupt
        rung = Rung(name, work.nodes, work.seconds, None if found.interrupted else found.value)
        values |= {rung.value} - {None}
        if len(values) > 1:
            raise SearchError(
                f"{game.title()}: step {name!r} finds {found.value}, the steps before it found "
                f"another value; try `prunus check`"
            )
        yield rung


def table_of(rungs: list[Rung]) -> str:
    """The steps as a Markdown table; the last column says how many times fewer nodes a step needs
    than the one before."""
    lines = ["| search | nodes | seconds | times fewer nodes |", "|---|---:|---:|---:|"]
    before: Rung | None = None
    for rung in rungs:
        ratio = (
            ""
            if before is None or rung.value is None
            else f"{'> ' if before.value is None else ''}{_ratio(before.nodes / rung.nodes)}"
        )
        lines.append(f"| {rung.name} | {rung.shown()} | {rung.seconds:.2f} | {ratio} |")
        before = rung
    return "\n".join(lines)


def _ratio(times: float) -> str:
    return f"{times:,.0f}" if times >= 100 else f"{times:.3g}"
