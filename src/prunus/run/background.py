"""Searches in the background: an asynchronous generator of results, and pondering on the opponent's
time."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from typing import Any

from prunus.core.analysis import Analysis
from prunus.core.errors import SearchError
from prunus.core.game import Game
from prunus.core.position import position_of
from prunus.kernel.code.rules import rules_of
from prunus.run.driver import iterations
from prunus.run.limits import Limit, Stop


async def iterations_async(
    game: Game,
    state: object = None,
    algorithm: str = "engine",
    limit: Limit | None = None,
    **options: Any,
) -> AsyncIterator[Analysis]:
    """The results of `prunus.iterations`, one for each iteration, without blocking the event loop.
    Leaving the loop over them, or cancelling its task, ends the search."""
    stop = Stop()
    steps = iterations(game, state, algorithm, limit, stop=stop, **options)
    try:
        while True:
            step = asyncio.ensure_future(asyncio.to_thread(next, steps, None))
            try:
                found = await asyncio.shield(step)
            except asyncio.CancelledError:
                stop.now()
                await step
                raise
            if found is None:
                return
            yield found
    finally:
        stop.now()


class Ponder:
    """A search of the position after the expected `reply`, while the opponent thinks.

    If that reply comes, `hit` lets the search go on and waits for its answer. If another one comes,
    `miss` ends the search, and what the `table` has learnt is kept for the next one.
    """

    def __init__(
        self,
        game: Game,
        state: object,
        reply: int,
        algorithm: str = "engine",
        limit: Limit | None = None,
        **options: Any,
    ) -> None:
        self.reply = reply
        self.found: Analysis | None = None
        self._stop = Stop()
        self._changed = threading.Condition()
        self._done = False
        self._game, self._rules = game, rules_of(game)
        self._error: BaseException | None = None
        child = position_of(game, state).after(game, reply)
        self._steps = iterations(game, child, algorithm, limit, stop=self._stop, **options)
        self._thread = threading.Thread(target=self._work, name="prunus-ponder", daemon=True)
        self._thread.start()

    def _work(self) -> None:
        try:
            for found in self._steps:
                with self._changed:
                    self.found = found
                    self._changed.notify_all()
        except Exception as error:  # handed to whoever asks for the answer
            self._error = error
        finally:
            with self._changed:
                self._done = True
                self._changed.notify_all()

    def hit(self, depth: int | None = None, seconds: float | None = None) -> Analysis | None:
        """The answer, after the expected reply was made: as soon as it is `depth` plies deep, after
        `seconds`, or when nothing is left to search. Raises the error that ended the search, and
        SearchError if the rules of the game have changed since it began."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._done or (depth is not None and self._depth() >= depth), seconds
            )
        self.miss()
        if self._error is not None:
            raise self._error
        if not self._rules.is_current():
            raise SearchError(
                f"the rules of {self._game.title()} changed during the search: start it again"
            )
        return self.found

    def miss(self) -> None:
        """End the search, because another reply was made."""
        self._stop.now()
        self._thread.join()

    def _depth(self) -> int:
        return (
            -1
            if self.found is None or self.found.depth is None or self.found.interrupted
            else self.found.depth
        )
