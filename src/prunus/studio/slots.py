"""A fixed number of searches at a time; the others wait in a queue that says their place. A single
client cannot take all slots, and a slot that becomes free goes to whoever holds fewest."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from prunus.studio.offer import AskedTooMuch

Told = Callable[[int], None]

EVERY: Final = 0.25
"""The shortest time between two tellings of the places in the queue, in seconds. With a hundred
searches waiting, telling all of them whenever one has ended took more time than the searches."""


@dataclass
class _Waiting:
    """A search that waits: whose it is, whom to tell its place, and the place last told."""

    owner: Hashable
    told: Told
    place: int = 0


class Slots:
    """`count` slots, and room for `waiting` more in the queue. An owner holds at most all slots but
    one (the only one, if there is one). All of it lives in one event loop."""

    def __init__(self, count: int, waiting: int) -> None:
        self.free, self.most = count, waiting
        self.each = max(1, count - 1)
        self.held: Counter[Hashable] = Counter()
        self.queue: dict[asyncio.Future[None], _Waiting] = {}
        self._telling: asyncio.TimerHandle | None = None

    @asynccontextmanager
    async def taken(self, told: Told, owner: Hashable = None) -> AsyncIterator[None]:
        """Wait for a slot, and hold it for the block. `told` is called with the place in the queue,
        from 1, before waiting begins, and again if it has changed when all are told, at most every
        `EVERY` seconds; not at all if a slot is free. `owner`: whose search it is; None is nobody
        else's. Raises AskedTooMuch if the queue is full: of those that wait and this one, the last
        is refused."""
        whose = object() if owner is None else owner
        await self._wait(told, whose)
        try:
            yield
        finally:
            self._leave(whose)

    async def _wait(self, told: Told, owner: Hashable) -> None:
        # Where a slot is free, all that wait have as many as they may hold: nobody is overtaken.
        if self.free > 0 and self.held[owner] < self.each:
            self._take(owner)
            return
        if len(self.queue) >= self.most:
            self._make_room(owner)
        mine = asyncio.get_running_loop().create_future()
        waiting = self.queue[mine] = _Waiting(owner, told)
        _say(waiting, self._order().index(mine) + 1)
        self._tell_soon()
        try:
            await mine
        except asyncio.CancelledError:
            if self.queue.pop(mine, None) is not None:
                self._tell_soon()
            elif mine.exception() is None:  # the slot had just been handed over
                self._leave(owner)
            raise

    def _make_room(self, owner: Hashable) -> None:
        """Refuse the last that waits, if its owner has more searches before it than this one has in
        all: whoever fills the queue leaves room for others. Raises AskedTooMuch if it has not."""
        refused = AskedTooMuch(f"{self.most} searches are waiting already; try again in a while")
        ranks, own = self._ranks(), self.held[owner]
        own += sum(waiting.owner == owner for waiting in self.queue.values())
        last = max(reversed(ranks), key=lambda mine: -1 if mine.done() else ranks[mine])
        if last.done() or ranks[last] <= own:
            raise refused
        del self.queue[last]
        last.set_exception(refused)

    def _take(self, owner: Hashable) -> None:
        self.free -= 1
        self.held[owner] += 1

    def _leave(self, owner: Hashable) -> None:
        """Give a slot back, and hand out what is free."""
        self.free += 1
        self.held[owner] -= 1
        if not self.held[owner]:
            del self.held[owner]
        for mine in self._order():
            waiting = self.queue[mine]
            # A future that is done belongs to a search that was told to end.
            if self.free > 0 and not mine.done() and self.held[waiting.owner] < self.each:
                del self.queue[mine]
                self._take(waiting.owner)
                mine.set_result(None)
        self._tell_soon()

    def _order(self) -> list[asyncio.Future[None]]:
        """Who waits, in the order in which slots will be handed out: first those whose owners have
        fewest searches running or before them, and among them whoever has waited longest."""
        ranks = self._ranks()
        return sorted(ranks, key=lambda mine: ranks[mine])

    def _ranks(self) -> dict[asyncio.Future[None], int]:
        """How many searches the owner of each that waits has running or before it."""
        before = self.held.copy()
        ranks: dict[asyncio.Future[None], int] = {}
        for mine, waiting in self.queue.items():
            ranks[mine] = before[waiting.owner]
            before[waiting.owner] += 1
        return ranks

    def _tell_soon(self) -> None:
        if self._telling is None and self.queue:
            self._telling = asyncio.get_running_loop().call_later(EVERY, self._tell)

    def _tell(self) -> None:
        self._telling = None
        for place, mine in enumerate(self._order(), 1):
            _say(self.queue[mine], place)


def _say(waiting: _Waiting, place: int) -> None:
    """Tell one who waits its place, unless it knows."""
    if waiting.place != place:
        waiting.place = place
        waiting.told(place)
