"""A game with what an engine remembers about it from move to move."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from typing import Final

from prunus.algorithms.repetition import allowed_actions
from prunus.core.analysis import Analysis
from prunus.core.game import Game
from prunus.core.position import Position, position_of
from prunus.engine.options import Options
from prunus.play.advice.library import Library
from prunus.play.levels import Level
from prunus.run.driver import analyze, steps
from prunus.run.limits import Limit, Stop
from prunus.run.request import Request, threads_asked
from prunus.run.soon import compile_at_once
from prunus.tables.transposition import TranspositionTable

ALGORITHM: Final = "engine"

MOMENT: Final = 0.1
"""The seconds of the search that warms the code up."""


class Brain:
    """A game with its table and settings; `multi_pv` is the number of best actions to report,
    `level` what weakens the player (None: nothing does)."""

    def __init__(
        self,
        game: Game,
        options: Options,
        threads: int = 1,
        megabytes: float = 64,
        compile: bool | None = None,
    ) -> None:
        self.game, self.options, self.compile = game, options, compile
        self.threads, self.megabytes, self.multi_pv = threads, megabytes, 1
        self.table: TranspositionTable | None = None
        self.shape = (megabytes, True)
        self.level: Level | None = None
        self.random = random.Random()  # noqa: S311 - a game, not a secret
        self.library = Library()
        self.shelf = self.library.opened(game)
        game.freeze()
        compile_at_once(game, ALGORITHM)

    def consult(self, library: Library) -> None:
        """Look into these books and tables from now on. Raises AdviceError, and then keeps those
        before."""
        if library != self.library:
            opened = library.opened(self.game)
            self.shelf.close()
            self.library, self.shelf = library, opened

    def memory(self) -> TranspositionTable:
        """The table, of the size that is asked for now; without States where no result is proved
        and the game tells its actions from other numbers."""
        verified = not (self.options.is_selective() and self.game.has_is_action)
        shape = (self.megabytes, verified)
        if self.table is None or self.shape != shape:
            start, self.shape = self.game.initial(), shape
            self.table = TranspositionTable(self.megabytes, self.game, start, verified, loose=True)
        return self.table

    def forget(self) -> None:
        """Empty the table: another game begins."""
        if self.table is not None:
            self.table.clear()

    def warm_up(self) -> None:
        """Get the machine code ready, and let it run for a moment: code and tables that were never
        used take a tenth of a second longer, which the first move of a fast game does not have."""
        start = self.game.initial()
        if not self.game.is_terminal(start):
            try:
                self._try(start, Limit(seconds=MOMENT))
            except Exception:  # rules that fail deep in the game are told when it comes to that
                self._try(start, Limit(2))
            self.forget()

    def _try(self, state: object, limit: Limit) -> None:
        for _ in self.steps(Position(state), limit, Stop()):
            pass

    def steps(
        self, position: Position, limit: Limit, stop: Stop, silence: float = 0.0
    ) -> Iterator[Analysis]:
        """The iterations of a search; those of its first `silence` seconds are not told, unless
        nothing else is. Nothing that runs between them changes the rules."""
        asked = Request(
            self.game,
            position_of(self.game, position),
            ALGORITHM,
            limit,
            self.compile,
            True,
            threads_asked(self.threads),
            self.options,
            self.memory(),
            None,
            stop,
            None,
        )
        yield from steps(asked, time.perf_counter(), silence=silence)

    def single(self, position: Position, limit: Limit, stop: Stop, multi_pv: int = 1) -> Analysis:
        """One search, with the values of the best actions."""
        return analyze(
            self.game,
            position,
            ALGORITHM,
            limit=limit,
            multi_pv=multi_pv,
            prefer_faster=True,
            compile=self.compile,
            table=self.memory(),
            threads=self.threads,
            options=self.options,
            stop=stop,
            book=False,
        )

    def first_action(self, position: Position) -> int | None:
        """The action to make if nothing is known; None if there is none."""
        if self.game.is_terminal(position.state):
            return None
        order = self.game.order
        allowed = allowed_actions(self.game, position.path)
        return max(allowed, key=lambda action: order(position.state, action), default=None)
