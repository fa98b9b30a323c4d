"""The players of a match: searches of Prunus, chance, and (in `gtp.py`) other people's programs."""

from __future__ import annotations

import random
import statistics
import time
from collections import deque
from collections.abc import Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from prunus.algorithms.repetition import allowed_actions
from prunus.core.analysis import Analysis
from prunus.core.errors import PrunusError, SearchError
from prunus.core.game import Game
from prunus.core.generic import Keywords
from prunus.core.position import Position
from prunus.engine.options import Options, OptionValue
from prunus.games.evaluations import with_evaluation
from prunus.kernel import threads
from prunus.play.advice.library import Library, Shelf
from prunus.play.pondering import Guess, expected_reply
from prunus.run.clock import MOVES, RESERVE, Allotment, TimeLeft, allotted
from prunus.run.driver import analyze
from prunus.run.limits import Limit, Stop
from prunus.run.registry import algorithm_named
from prunus.run.soon import compile_at_once
from prunus.tables.transposition import TranspositionTable

LEAST: Final = 0.0005
"""The shortest search that is asked for, in seconds."""

DECISIVE: Final = 0.6
"""A clock's time is divided among this part of the moves still to come: the last ones of a game
take hardly any time, because their searches soon reach the end."""

PATIENCE: Final = 1.0
"""The longest wait, in seconds, for a search that Ctrl-C has ended."""


class MatchError(PrunusError, ValueError):
    """A match that cannot be played; the message says why and what to do."""


class PlayerFailure(PrunusError):
    """A player has failed to make a legal move and loses the game. `kind` says how in a word or
    two, the message says what happened."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


@dataclass(frozen=True)
class PlayerLimits:
    """A player's limits: plies, nodes and seconds a move, seconds a game (`clock`); None means no
    limit. Each move adds `increment` seconds to the clock; if `moves` is not 0, the clock's seconds
    are given again after as many moves. With `equal` the clock is set so that, over all games
    together, the player uses as much time as the opponent; nobody loses by such a clock."""

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    clock: float | None = None
    equal: bool = False
    increment: float = 0.0
    moves: int = 0

    def __post_init__(self) -> None:
        Limit(self.depth, self.nodes, self.seconds)
        if self.clock is not None and not self.clock > 0:
            raise SearchError(f"the clock is set to {self.clock} seconds; it must be more than 0")
        if self.increment < 0 or self.moves < 0:
            raise SearchError("a clock's increment and its moves in a period must not be negative")


@dataclass(frozen=True)
class Turn:
    """The time that a player has when it has to move: the seconds left on its clock (None: no
    clock), and the number of moves that it will probably still make in this game, this one
    included; what each move adds to the clock, the moves until its next period (None: it has none),
    and the seconds on the opponent's clock."""

    left: float | None = None
    moves: float = 1.0
    increment: float = 0.0
    to_go: int | None = None
    theirs: float | None = None


@dataclass(frozen=True)
class Choice:
    """An action and, from players that know them, the plies searched for it, the seconds of the
    search itself, and the value for the player who makes it; `proved`: the value is exact and
    rests on finished games alone."""

    action: int
    depth: int | None = None
    seconds: float | None = None
    value: int | None = None
    proved: bool = False


class Player:
    """One side of a match. The referee calls `warm_up` once, and `begin` for each game. During a
    game it calls `observe` for each action that the player has not chosen itself (those of the
    opening included) and `choose` when the player has to move; at the end of the match, `close`."""

    name: str = "player"
    limits: PlayerLimits = PlayerLimits()
    clocked: bool = False
    """Whether the player can be told how much time it has for a game."""

    def warm_up(self, game: Game) -> None:
        """Do whatever takes long the first time, outside any clock. Raises MatchError if this
        player cannot play this game."""

    def begin(self, game: Game, seat: int, state: object = None) -> None:
        """Begin a game in this State, by default `game.initial()`; the player makes the first move
        (seat 0) or the opponent does (seat 1). Raises PlayerFailure."""

    def observe(self, state: object, action: int, seat: int) -> None:
        """Note that the player of a seat has made this action in this State."""

    def choose(self, position: Position, turn: Turn) -> Choice:
        """The player's action in this position, which includes the whole past of the game. Raises
        PlayerFailure."""
        raise NotImplementedError

    def close(self) -> None:
        """End the player: the match is over."""


class RandomPlayer(Player):
    """Draws among the legal actions; the games of a match differ, and are the same for the same
    seed."""

    name = "random"

    def __init__(self, seed: int = 0) -> None:
        self.random = random.Random(seed)  # noqa: S311 - a game, not a secret

    def begin(self, game: Game, seat: int, state: object = None) -> None:
        self.game = game

    def choose(self, position: Position, turn: Turn) -> Choice:
        return Choice(self.random.choice(list(allowed_actions(self.game, position.path))))


@dataclass
class SearchPlayer(Player):
    """A search of Prunus with its own table, which is kept from move to move and emptied between
    games.

    `seconds` is the time of a whole move, including the set-up of the search and the delay of its
    end: these are measured from move to move and subtracted from the time that the search is given.
    Without `whole_moves`, `seconds` is the time of the search alone. `evaluation` names the
    evaluation to use instead of the game's own (`prunus.games.evaluations.with_evaluation`). With
    `book`, the opening book installed for the game answers where it can, and so do the books and
    tables of the `library`. With `ponder` it also thinks while the opponent does.
    """

    algorithm: str = "engine"
    limits: PlayerLimits = field(default_factory=PlayerLimits)
    options: Mapping[str, OptionValue] | Options | None = None
    megabytes: float = 16
    threads: int = 1
    adaptive: bool = False
    whole_moves: bool = True
    compile: bool | None = None
    name: str = ""
    clocked: bool = True
    evaluation: str = ""
    book: bool = False
    library: Library = Library()
    ponder: bool = False

    def __post_init__(self) -> None:
        chosen, limits = algorithm_named(self.algorithm), self.limits
        self.name = self.name or self.algorithm
        timed = limits.seconds is not None or limits.clock is not None or limits.equal
        if not timed and limits.depth is None and limits.nodes is None:
            raise MatchError(f"{self.name} has no limit: give it depth, nodes, seconds or clock")
        if not chosen.deepens and (timed or limits.nodes is not None):
            raise MatchError(
                f"{chosen.name} searches only once, and a limit of time or nodes would leave it "
                f"without an answer: give a depth"
            )
        if self.options and not chosen.options:
            raise MatchError(f"{chosen.name} has no options; the engine has")
        self.delays: deque[float] = deque(maxlen=15)
        self.played: Game | None = None
        self.game: Game | None = None
        self.table: TranspositionTable | None = None
        self._options: Options | None = None
        self.shelf: Shelf | None = None
        self.guess: Guess | None = None
        self.random = random.Random(self.name)  # noqa: S311 - a game, not a secret

    def warm_up(self, game: Game) -> None:
        """Compile what the search calls."""
        if game.players != 2:
            raise MatchError(f"{game.title()} has {game.players} players; a match is for two")
        self.begin(game, 0)
        assert self.game is not None
        self.game.freeze()
        compile_at_once(self.game, self.algorithm)
        start = Position(game.initial())
        if not game.is_terminal(start.state):
            depth = 2 if self.limits.depth is None else min(2, self.limits.depth)
            self._search(start, Limit(depth, seconds=None, nodes=None), book=False)
            for _ in range(3 if self._is_timed() else 0):
                self._timed(start, 0.02, None)

    def _is_timed(self) -> bool:
        return self.limits.seconds is not None or self.limits.clock is not None or self.limits.equal

    def begin(self, game: Game, seat: int, state: object = None) -> None:
        self._end_guess()
        if self.played is not game:
            self.played = game
            self.game = with_evaluation(game, self.evaluation)
            if self.shelf is not None:
                self.shelf.close()
            self.shelf = self.library.opened(self.game)
            if algorithm_named(self.algorithm).options:
                self._options = Options.for_play(self.game, self.options)
            self.table = (
                TranspositionTable(
                    self.megabytes,
                    self.game,
                    game.initial(),
                    verified=not (self._is_selective() and self.game.has_is_action),
                    loose=True,
                )
                if algorithm_named(self.algorithm).table
                else None
            )
        elif self.table is not None:
            self.table.clear()

    def _is_selective(self) -> bool:
        """Whether the search may be wrong about what is decided: it then goes for the win that it
        sees nearest, because no proof ends it at the first that it sees."""
        return self._options is not None and self._options.is_selective()

    def choose(self, position: Position, turn: Turn) -> Choice:
        advice = None if self.shelf is None else self.shelf.advise(position, self.random)
        if advice is not None and len(advice.actions) == 1:
            self._end_guess()
            return Choice(advice.actions[0], value=advice.value, proved=advice.proved)
        allotment = self._allotment(turn)
        found = self._guessed(position, allotment) or (
            self._search(position, self._limit(None))
            if allotment.hard is None
            else self._timed(position, allotment.hard, allotment.soft)
        )
        assert self.game is not None
        if found.best is None:
            # Not even the first action was searched completely: take the one that the game would
            # try first.
            order = self.game.order
            allowed = allowed_actions(self.game, position.path)
            return Choice(max(allowed, key=lambda action: order(position.state, action)), 0)
        proved = found.proved and found.bound == "exact"
        if advice is not None:
            action = int(found.best) if found.best in advice.actions else advice.actions[0]
            return Choice(action, found.depth, value=advice.value, proved=advice.proved)
        if self.ponder:
            self._guess_next(self.game, position, found)
        return Choice(int(found.best), found.depth, found.statistics.seconds, found.value, proved)

    def close(self) -> None:
        self._end_guess()
        if self.shelf is not None:
            self.shelf.close()

    def _guessed(self, position: Position, allotment: Allotment) -> Analysis | None:
        """What was found on the opponent's time, if it made the expected reply."""
        guess, self.guess = self.guess, None
        if guess is None:
            return None
        return guess.answer(position, allotment.soft or allotment.hard)

    def _guess_next(self, game: Game, position: Position, found: Analysis) -> None:
        """Think on, from the reply that the line expects."""
        line = tuple(map(int, found.pv)) if found.pv[:1] == (found.best,) else ()
        after = expected_reply(game, position, line)
        if after is not None:
            limit = Limit(self.limits.depth, self.limits.nodes)
            self.guess = Guess(game, after, line[1], limit, self._how())

    def _end_guess(self) -> None:
        if self.guess is not None:
            self.guess.end()
        self.guess = None

    def _how(self) -> Keywords:
        """How every search of this player is made."""
        return {
            "algorithm": self.algorithm,
            "table": self.table,
            "threads": self.threads,
            "options": self._options,
            "compile": self.compile,
            "prefer_faster": self._is_selective(),
        }

    def _allotment(self, turn: Turn) -> Allotment:
        """The time for a move; without `adaptive`, what it usually takes is what it takes."""
        seconds = self.limits.seconds
        if turn.left is None:
            return Allotment(None, seconds)
        reserve = 0.0 if self.limits.equal else RESERVE
        time = TimeLeft(turn.left, turn.increment, turn.to_go)
        # A game in which positions can come again has no usual length to rely on: random play,
        # which the expectation comes from, goes on long after good play would have decided it.
        endless = self.game is not None and self.game.repetition != "none"
        moves = MOVES if endless else max(1.0, DECISIVE * turn.moves + 1)
        overhead = 0.0 if self.limits.equal else self._delay()
        found = allotted(time, moves, overhead, reserve, LEAST)
        hard = found.hard if self.adaptive else found.soft
        if seconds is not None and hard is not None:
            hard = min(seconds, hard)
        return Allotment(found.soft if self.adaptive else None, hard)

    def _limit(self, seconds: float | None, soft: float | None = None) -> Limit:
        adaptive = self.adaptive and seconds is not None
        depth, nodes = self.limits.depth, self.limits.nodes
        return Limit(depth, nodes, seconds, adaptive, single=True, soft=soft)

    def _delay(self) -> float:
        """What a move usually takes besides its search."""
        return statistics.median(self.delays) if self.delays and self.whole_moves else 0.0

    def _timed(self, position: Position, seconds: float, soft: float | None) -> Analysis:
        given = max(LEAST, seconds - self._delay())
        began = time.perf_counter()
        found = self._search(position, self._limit(given, soft))
        if found.interrupted:
            self.delays.append(time.perf_counter() - began - given)
        return found

    def _search(self, position: Position, limit: Limit, book: bool | None = None) -> Analysis:
        assert self.game is not None
        wanted = self.book if book is None else book
        stop = Stop()
        # In a worker, where iterations follow each other without a change of thread.
        found: Future[Analysis] = threads.start(
            partial(
                analyze,
                self.game,
                position,
                limit=limit,
                stop=stop,
                book=None if wanted else False,
                **self._how(),
            )
        )
        try:
            return found.result()
        except KeyboardInterrupt:
            stop.now()
            # A search that waits for its code would take seconds to notice.
            with suppress(TimeoutError):
                found.result(timeout=PATIENCE)
            raise
