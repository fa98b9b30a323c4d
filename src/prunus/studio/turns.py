"""Requests that play through moves without a search take turns: a few are worked on at a time, and
of those that wait the shortest is next. So however many long games somebody sends, who asks for a
position of a usual game has it soon."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from starlette.concurrency import run_in_threadpool

from prunus.studio.offer import AskedTooMuch

Result = TypeVar("Result")

LONG: Final = 100
"""Requests of more moves than this never take the last place."""


@dataclass
class _Waiting:
    """A request that waits: how many moves it has, and the future that ends its wait."""

    moves: int
    turn: asyncio.Future[None]


class Turns:
    """`count` requests at a time, of at least two, and room for `waiting` more. All of it lives in
    one event loop; the work is done in threads, which hold the interpreter as it does: more of them
    would not be faster, and it would seldom have its turn."""

    def __init__(self, count: int, waiting: int) -> None:
        self.count, self.most = count, waiting
        self.working: list[int] = []
        self.queue: list[_Waiting] = []

    async def run(self, moves: int, work: Callable[[], Result]) -> Result:
        """What `work` gives, which goes through so many moves. Raises what it raises, and
        AskedTooMuch if too many wait that have no more to do."""
        await self._wait(moves)
        try:
            return await run_in_threadpool(work)
        finally:
            self._leave(moves)

    def _has_place(self, moves: int) -> bool:
        """Whether a request of so many moves may be worked on now."""
        if moves > LONG:
            return sum(each > LONG for each in self.working) < self.count - 1 and self._is_free()
        return self._is_free()

    def _is_free(self) -> bool:
        return len(self.working) < self.count

    async def _wait(self, moves: int) -> None:
        # Where there is a place, none waits that could take it: nobody is overtaken.
        if self._has_place(moves):
            self.working.append(moves)
            return
        mine = _Waiting(moves, asyncio.get_running_loop().create_future())
        self.queue.append(mine)
        self._keep_room()
        try:
            await mine.turn
        except asyncio.CancelledError:
            if mine in self.queue:
                self.queue.remove(mine)
            elif mine.turn.done() and not mine.turn.cancelled() and not mine.turn.exception():
                self._leave(moves)  # its turn had just come
            raise

    def _keep_room(self) -> None:
        """Refuse whoever has most to do, the newest of them, if too many wait."""
        if len(self.queue) > self.most:
            longest = max(reversed(self.queue), key=lambda each: each.moves)
            self.queue.remove(longest)
            longest.turn.set_exception(
                AskedTooMuch(f"{self.most} requests are waiting already; try again in a while")
            )

    def _leave(self, moves: int) -> None:
        """Give a place back, and hand out what is free."""
        self.working.remove(moves)
        for each in sorted(self.queue, key=lambda one: one.moves):
            if not each.turn.done() and self._has_place(each.moves):
                self.queue.remove(each)
                self.working.append(each.moves)
                each.turn.set_result(None)
