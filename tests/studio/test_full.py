"""Who is refused where the queue of searches is full."""

from __future__ import annotations

import asyncio

from prunus.studio.offer import AskedTooMuch
from prunus.studio.slots import Slots


def test_who_fills_the_queue_leaves_room_for_others():
    async def tried():
        slots, refused, done = Slots(1, 3), [], []
        ended = asyncio.Event()

        async def job(name, owner):
            try:
                async with slots.taken(lambda at: None, owner):
                    await ended.wait()
                    done.append(name)
            except AskedTooMuch:
                refused.append(name)

        async def asked(*named):
            tasks = [asyncio.create_task(job(name, name[0])) for name in named]
            for _ in range(3):
                await asyncio.sleep(0)
            return tasks

        tasks = await asked("a1", "a2", "a3", "a4", "a5")
        assert refused == ["a5"], "its owner has filled the queue"
        tasks += await asked("b1")
        assert refused == ["a5", "a4"]
        tasks += await asked("c1")
        assert refused == ["a5", "a4", "a3"]
        tasks += await asked("b2", "d1")
        assert refused == ["a5", "a4", "a3", "b2", "a2"], "b has one waiting, as a has one running"
        tasks += await asked("e1")
        assert refused[5:] == ["e1"], "all that wait are the first of their owners"
        ended.set()
        await asyncio.gather(*tasks)
        assert done == ["a1", "b1", "c1", "d1"]
        assert (slots.free, slots.queue) == (1, {})

    asyncio.run(tried())


def test_who_is_refused_and_leaves_gives_no_slot_back():
    async def tried():
        slots, ended = Slots(1, 1), asyncio.Event()

        async def job(owner):
            async with slots.taken(lambda at: None, owner):
                await ended.wait()

        tasks = [asyncio.create_task(job("a")) for _ in range(2)]
        await asyncio.sleep(0)
        other = asyncio.create_task(job("b"))
        await asyncio.sleep(0)
        tasks[1].cancel()  # it has not heard yet that it was refused
        await asyncio.sleep(0)
        assert slots.free == 0
        ended.set()
        await asyncio.gather(*tasks, other, return_exceptions=True)
        assert (slots.free, slots.queue, dict(slots.held)) == (1, {}, {})

    asyncio.run(tried())
