"""What a caller asks for, the same from Python and from the command line: the position, limits,
threads, options; what is usual where nothing is said, and whether it all goes together."""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from prunus.core.errors import SearchError
from prunus.core.game import Game
from prunus.core.position import Position
from prunus.engine.options import Options
from prunus.kernel.code.rules import fix
from prunus.run.limits import Limit, Stop
from prunus.run.progress import Watch
from prunus.run.registry import SEVERAL, Algorithm, algorithm_named
from prunus.tables.book import Book, installed_book
from prunus.tables.transposition import TranspositionTable

Depth = int | Literal["usual"] | None
"""How deep to search: plies, as deep as is usual, or (None) to the end of the game."""

USUAL_PLIES: Final = 10
"""How deep a search is that was given no limit: what takes seconds at most, compiled."""

USUAL_PLIES_INTERPRETED: Final = 4
"""Likewise for games that are never compiled. A wish to interpret a game changes nothing: the same
question has the same answer."""


@dataclass
class Request:
    """What a caller of `analyze` or `iterations` asks for, all of it; they say what each field
    means. `text` is the position as the caller writes it; `leaps` says that nobody looks at single
    iterations."""

    game: Game
    position: Position
    algorithm: str
    limit: Limit
    compile: bool | None
    prefer_faster: bool
    threads: int
    options: Mapping[str, int] | Options | None
    table: TranspositionTable | float | None
    text: str | None
    stop: Stop | None
    watch: Watch | None
    room: int | None = None
    leaps: bool = False
    all_moves: bool = False
    multi_pv: int = 1

    def kind(self) -> Hashable:
        """What it has in common with other requests that are to be searched by the same
        configuration."""
        # True and 1 are equal, but not the same option.
        options = repr(self.options) if self.options else None
        threads = self.threads if self.limit.nodes is None else 1
        ways = self.compile, self.prefer_faster, self.leaps
        return self.algorithm, threads, self.room, options, ways

    def learns(self) -> bool:
        """Whether a table of the caller's is to keep what is found out."""
        return isinstance(self.table, TranspositionTable)


def limit_asked(
    limit: Limit | None, depth: Depth, nodes: int | None, seconds: float | None
) -> Limit | None:
    """The limit that a caller gives, as a `Limit`, by its parts, or some parts so and some so; None
    where it is left to what is usual. Raises SearchError where one part is given twice and
    differently."""
    if limit is None and depth == "usual":
        return None
    given: dict[str, Any] = {
        name: value for name, value in (("nodes", nodes), ("seconds", seconds)) if value is not None
    }
    if depth != "usual":
        given["depth"] = depth
    if limit is None:
        return Limit(**given)
    for name, value in given.items():
        other = getattr(limit, name)
        if other is not None and other != value:
            raise SearchError(
                f"{name}={value} beside limit=Limit({name}={other}): give one of the two"
            )
    return replace(limit, **given) if given else limit


def usual_limit(
    game: Game, algorithm: str, nodes: int | None, seconds: float | None, passes: bool
) -> Limit:
    """The limit of a search that was given no depth: as deep as nodes or seconds allow, if there
    are any and the algorithm goes deeper step by step; otherwise what takes seconds at most.
    passes: the root's other actions are valued in a second pass, which needs a first one that ends
    before the limit. Raises UnknownAlgorithm."""
    if (nodes or seconds) and algorithm_named(algorithm).deepens and not passes:
        return Limit(None, nodes, seconds)
    return Limit(USUAL_PLIES_INTERPRETED if game.interpreted_only else USUAL_PLIES, nodes, seconds)


def threads_asked(threads: int) -> int:
    """How many threads to search with: 0 means as many as there are cores. Raises SearchError below
    0."""
    if threads < 0:
        raise SearchError(
            f"the number of threads is {threads}; it is 1 or more, or 0 for as many as there are "
            f"cores"
        )
    return threads or os.cpu_count() or 1


def usual_book(
    game: Game, algorithm: str, options: Mapping[str, int] | Options | None
) -> Book | None:
    """The book installed for a game, where the engine is to find the exact value; other algorithms
    are asked for to be seen at work."""
    fix(game)
    if algorithm != "engine" or game.players > 2 or game.interpreted_only:
        return None
    return None if Options.of(game, options).is_selective() else installed_book(game)


def suits(game: Game, algorithm: Algorithm, prefer_faster: bool) -> None:
    """Raises SearchError where the algorithm is not for this number of players."""
    several = algorithm.several_players
    if game.players > 2 and not several:
        raise SearchError(
            f"{game.title()} has {game.players} players: use one of {', '.join(SEVERAL)}"
        )
    if several and not game.has_utilities:
        raise SearchError(
            f"{algorithm.name} needs the payoffs of all players: {game.title()} does not define "
            f"utilities"
        )
    if several and prefer_faster:
        raise SearchError(
            f"{algorithm.name} knows no faster wins: with several players it is not said whose win"
        )


def options_asked(
    game: Game, algorithm: Algorithm, options: Mapping[str, int] | Options | None
) -> Options | None:
    """The options of the engine; None for other algorithms. Raises SearchError where an algorithm
    or a game has no use for those given."""
    if algorithm.options:
        found = Options.of(game, options)
        found.suits(game)
        return found
    given = options.values() if isinstance(options, Options) else options or {}
    wanted = [name for name, value in given.items() if value]
    if wanted:
        raise SearchError(
            f"{', '.join(wanted)}: options of the algorithm engine, which {algorithm.name} does "
            f"not have"
        )
    return None
