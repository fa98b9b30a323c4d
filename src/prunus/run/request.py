"""The request of a caller, from Python or from the command line: the position, limits, threads,
options; the defaults, and whether it all goes together."""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

from prunus.core.errors import SearchError
from prunus.core.game import Game
from prunus.core.generic import Keywords
from prunus.core.knowledge.combining import for_proofs, has_part, original
from prunus.core.position import Position
from prunus.engine.options import Options, OptionValue
from prunus.kernel.code.rules import fix
from prunus.run.algorithm import Algorithm
from prunus.run.limits import Limit, Stop
from prunus.run.progress import Watch
from prunus.run.registry import SEVERAL, algorithm_named
from prunus.solving.prove import can_be_proved
from prunus.tables.book import Book, installed_book
from prunus.tables.transposition import TranspositionTable

Depth = int | Literal["usual"] | None
"""How deep to search: plies, the default ("usual"), or to the end of the game (None)."""

USUAL_PLIES: Final = 10
"""The depth of a search without any limit: compiled, it takes a few seconds at most."""

USUAL_PLIES_INTERPRETED: Final = 4
"""The same for games that are never compiled. `compile=False` changes nothing: the same question
has the same answer."""


@dataclass
class Request:
    """Everything that a caller of `analyze` or `iterations` asks for; those say what each field
    means. `text` is the position as the caller wrote it; `leaps` says that nobody looks at single
    iterations."""

    game: Game
    position: Position
    algorithm: str
    limit: Limit
    compile: bool | None
    prefer_faster: bool
    threads: int
    options: Mapping[str, OptionValue] | Options | None
    table: TranspositionTable | float | None
    text: str | None
    stop: Stop | None
    watch: Watch | None
    room: int | None = None
    leaps: bool = False
    all_moves: bool = False
    multi_pv: int = 1

    def kind(self) -> Hashable:
        """The key of the configuration: requests with equal keys are searched by the same one."""
        # True and 1 are equal, but not the same option.
        options = repr(self.options) if self.options else None
        threads = self.threads if self.limit.nodes is None else 1
        ways = self.compile, self.prefer_faster, self.leaps, self.plays()
        return self.algorithm, threads, self.room, options, ways

    def plays(self) -> bool:
        """Whether the answer is for a game that is being played: the caller's own table keeps what
        need not hold from move to move, so the answer depends on earlier searches anyway."""
        return isinstance(self.table, TranspositionTable) and self.table.loose

    def learns(self) -> bool:
        """Whether the caller's own table is to keep what the search finds."""
        return isinstance(self.table, TranspositionTable)


def limit_asked(
    limit: Limit | None, depth: Depth, nodes: int | None, seconds: float | None
) -> Limit | None:
    """The limit that a caller gives, as a `Limit`, as separate numbers, or as both; None if the
    default is wanted. Raises SearchError if a number is given twice and differently."""
    if limit is None and depth == "usual":
        return None
    given: Keywords = {
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
    """The limit of a search without a depth: as deep as nodes or seconds allow, if they are given
    and the algorithm deepens step by step; otherwise the default depth. passes: the root's other
    actions are valued in a second pass, which needs a first one that ends before the limit. Raises
    UnknownAlgorithm."""
    if (nodes or seconds) and algorithm_named(algorithm).deepens and not passes:
        return Limit(None, nodes, seconds)
    return Limit(USUAL_PLIES_INTERPRETED if game.interpreted_only else USUAL_PLIES, nodes, seconds)


def threads_asked(threads: int) -> int:
    """The number of threads to search with: 0 means as many as there are cores. Raises SearchError
    for a number below 0."""
    if threads < 0:
        raise SearchError(
            f"the number of threads is {threads}; it must be 1 or more, or 0 for as many as there "
            f"are cores"
        )
    return threads or os.cpu_count() or 1


def game_to_search(
    game: Game,
    algorithm: str,
    limit: Limit,
    prefer_faster: bool,
    options: Mapping[str, OptionValue] | Options | None,
) -> Game:
    """The game itself, or `for_proofs` of it if the engine is to prove its exact value."""
    if original(game) is game or algorithm != "engine" or prefer_faster:
        return game
    if not _goes_to_the_end(limit):
        return game
    fix(game)
    if not can_be_proved(game):
        return game
    made: Game = game if Options.of(game, options).is_selective() else for_proofs(game)
    return made


def _goes_to_the_end(limit: Limit) -> bool:
    """Whether only the exact value is wanted."""
    bounded = limit.nodes is not None or limit.seconds is not None
    return limit.depth is None and (limit.exact or not bounded)


def usual_book(
    game: Game, algorithm: str, limit: Limit, options: Mapping[str, OptionValue] | Options | None
) -> Book | None:
    """The book installed for a game, if the engine is to find the exact value; a caller who names
    another algorithm, or an evaluation for a search that ends before the game does, wants to see it
    at work. None if there is no book to use."""
    fix(game)
    if algorithm != "engine" or game.players > 2 or game.interpreted_only:
        return None
    if has_part(game, "evaluation") and not _goes_to_the_end(limit):
        return None
    return None if Options.of(game, options).is_selective() else installed_book(game)


def suits(game: Game, algorithm: Algorithm, prefer_faster: bool) -> None:
    """Raise SearchError if the algorithm does not suit the game's number of players."""
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
            f"{algorithm.name} cannot prefer faster wins: with several players it is unclear whose"
        )


def options_asked(
    game: Game, algorithm: Algorithm, options: Mapping[str, OptionValue] | Options | None
) -> Options | None:
    """The options of the engine; None for other algorithms. Raises SearchError if an option does
    not suit the algorithm or the game."""
    if algorithm.options:
        found = Options.of(game, options)
        found.suits(game)
        return found
    given = options.values() if isinstance(options, Options) else options or {}
    wanted = [name for name, value in given.items() if value]
    if wanted:
        raise SearchError(
            f"{', '.join(wanted)}: only the algorithm engine has these options, not "
            f"{algorithm.name}"
        )
    return None
