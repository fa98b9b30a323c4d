"""A fixed number of searches at a time; the others wait in a queue that says their place."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from prunus.studio.offer import AskedTooMuch

Told = Callable[[int], None]


class Slots:
    """`count` slots, and room for `waiting` more in the queue. All of it lives in one event
    loop."""

    def __init__(self, count: int, waiting: int) -> None:
        self.free, self.most = count, waiting
        self.queue: OrderedDict[asyncio.Future[None], Told] = OrderedDict()

    @asynccontextmanager
    async def taken(self, told: Told) -> AsyncIterator[None]:
        """Wait for a slot, and hold it for the block. `told` is called with the place in the queue,
        from 1, whenever it changes; not at all if a slot is free. Raises AskedTooMuch if the queue
        is full."""
        await self._wait(told)
        try:
            yield
        finally:
            self._leave()

    async def _wait(self, told: Told) -> None:
        if self.free > 0:
            self.free -= 1
            return
        if len(self.queue) >= self.most:
            raise AskedTooMuch(f"{self.most} searches are waiting already; try again in a while")
        mine = asyncio.get_running_loop().create_future()
        self.queue[mine] = told
        told(len(self.queue))
        try:
            await mine
        except asyncio.CancelledError:
            if self.queue.pop(mine, None) is None:  # the slot had just been handed over
                self._leave()
            else:
                self._tell()
            raise

    def _leave(self) -> None:
        """Hand the slot to whoever has waited longest."""
        while self.queue:
            first, _ = self.queue.popitem(last=False)
            if not first.done():
                first.set_result(None)
                self._tell()
                return
        self.free += 1

    def _tell(self) -> None:
        for place, told in enumerate(self.queue.values(), 1):
            told(place)
