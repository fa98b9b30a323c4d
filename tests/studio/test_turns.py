"""Requests for positions take turns, the shortest first."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from prunus.studio import turns as turns_module
from prunus.studio.offer import AskedTooMuch
from prunus.studio.turns import LONG, Turns


@pytest.fixture
def without_threads(monkeypatch):
    """Work is a coroutine, so that what begins first is no matter of threads."""
    monkeypatch.setattr(turns_module, "run_in_threadpool", lambda work: work())


class Requests:
    """Requests of so many moves; each works until it is let go."""

    def __init__(self, count=2, waiting=100):
        self.turns = Turns(count, waiting)
        self.begun, self.ends, self.tasks = [], [], []

    def ask(self, moves):
        end, number = asyncio.Event(), len(self.tasks)

        async def work():
            self.begun.append(moves)
            await end.wait()
            return number

        self.ends.append(end)
        self.tasks.append(asyncio.create_task(self.turns.run(moves, work)))

    async def settle(self):
        for _ in range(10):
            await asyncio.sleep(0)

    async def end(self, number):
        self.ends[number].set()
        assert await asyncio.wait_for(self.tasks[number], 10) == number
        await self.settle()

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        for end in self.ends:
            end.set()
        with suppress(AskedTooMuch, asyncio.CancelledError):
            await asyncio.gather(*self.tasks, return_exceptions=True)
        assert (self.turns.working, self.turns.queue) == ([], [])


def test_the_shortest_is_next(without_threads):
    async def go():
        async with Requests() as requests:
            for moves in (9, 8, 70, 3, 50, 3):
                requests.ask(moves)
            await requests.settle()
            assert requests.begun == [9, 8]
            for number in (0, 1, 3, 5):
                await requests.end(number)
            assert requests.begun == [9, 8, 3, 3, 50, 70]

    asyncio.run(go())


def test_long_games_leave_a_place_free(without_threads):
    async def go():
        async with Requests() as requests:
            for _ in range(5):
                requests.ask(LONG + 1)
            await requests.settle()
            assert requests.begun == [LONG + 1]
            requests.ask(LONG)
            await requests.settle()
            assert requests.begun == [LONG + 1, LONG]
            await requests.end(5)
            assert len(requests.begun) == 2
            await requests.end(0)
            assert requests.begun[2:] == [LONG + 1]

    asyncio.run(go())


def test_whoever_has_most_to_do_is_refused(without_threads):
    async def go():
        async with Requests(waiting=2) as requests:
            for moves in (1, 1, 40, 60, 20, 60):
                requests.ask(moves)
            await requests.settle()
            for number in (3, 5):
                with pytest.raises(AskedTooMuch, match="2 requests are waiting already"):
                    await asyncio.wait_for(requests.tasks[number], 10)
            await requests.end(0)
            await requests.end(1)
            assert requests.begun == [1, 1, 20, 40]

    asyncio.run(go())


def test_who_leaves_while_waiting_takes_no_place(without_threads):
    async def go():
        async with Requests() as requests:
            for moves in (1, 1, 5, 6):
                requests.ask(moves)
            await requests.settle()
            requests.tasks[2].cancel()
            await requests.settle()
            await requests.end(0)
            assert requests.begun == [1, 1, 6]
            requests.ask(7)
            await requests.settle()
            requests.turns._leave(1)  # its turn comes,
            requests.tasks[4].cancel()  # and it leaves before it hears of it
            await requests.settle()
            assert requests.begun == [1, 1, 6]
            assert requests.turns.working == [6]
            requests.turns.working.append(1)

    asyncio.run(go())


def test_what_fails_gives_its_place_back():
    def fails():
        raise KeyError

    async def go():
        turns = Turns(2, 10)
        for _ in range(3):
            with pytest.raises(KeyError):
                await turns.run(LONG + 1, fails)
        assert turns.working == []

    asyncio.run(go())
