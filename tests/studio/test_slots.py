"""Searches wait for a slot, are told their place, and end when their client leaves."""

from __future__ import annotations

import asyncio
import json
import threading
import time

import pytest

from prunus.games.tree import ExplicitTree
from prunus.kernel import threads
from prunus.studio import slots as slots_module
from prunus.studio.client import BACKLOG, WEIGHT, Client
from prunus.studio.offer import AskedTooMuch, Offer
from prunus.studio.slots import Slots
from tests.studio.serving import ask, client, place, socket

LONG = {"do": "analyse", "place": place("othello"), "seconds": 60.0}


AWHILE = 0.05
"""Long enough for places to be told, in seconds."""


@pytest.fixture
def told_often(monkeypatch):
    monkeypatch.setattr(slots_module, "EVERY", 0.005)


def test_places_in_the_queue(told_often):
    async def tried():
        slots, told, done = Slots(1, 2), {}, []

        async def job(name, release):
            async with slots.taken(lambda at: told.setdefault(name, []).append(at)):
                await release.wait()
                done.append(name)

        gates = {name: asyncio.Event() for name in "abc"}
        tasks = {}
        for name, gate in gates.items():
            tasks[name] = asyncio.create_task(job(name, gate))
            await asyncio.sleep(0)
        with pytest.raises(AskedTooMuch):
            async with slots.taken(lambda at: None):
                pass
        tasks["b"].cancel()
        await asyncio.sleep(AWHILE)
        for gate in gates.values():
            gate.set()
        await asyncio.gather(*tasks.values(), return_exceptions=True)
        assert done == ["a", "c"]
        assert told == {"b": [1], "c": [2, 1]}
        assert slots.free == 1
        assert not slots.queue

    asyncio.run(tried())


def test_those_who_wait_are_not_told_of_every_search_that_ends():
    """A newcomer hears its place at once, and all hear what has changed when a while is over."""

    async def tried():
        slots, told, gates, tasks = Slots(1, 50), [], [], []

        async def job(number, gate):
            async with slots.taken(lambda at: told.append((number, at))):
                await gate.wait()

        for number in range(40):
            gates.append(asyncio.Event())
            tasks.append(asyncio.create_task(job(number, gates[-1])))
            await asyncio.sleep(0)
        assert told == [(number, number) for number in range(1, 40)]
        told.clear()
        for gate in gates[:20]:
            gate.set()
        while slots.queue and len(slots.queue) > 19:
            await asyncio.sleep(0)
        assert told == []
        await asyncio.sleep(slots_module.EVERY + AWHILE)
        assert told == [(20 + place, place) for place in range(1, 20)]
        for gate in gates:
            gate.set()
        await asyncio.gather(*tasks)

    asyncio.run(tried())


def test_a_client_with_many_searches_does_not_starve_the_others(told_often):
    """It holds at most all slots but one, and those of clients that hold fewer come first."""

    async def tried():
        slots, told, running, gates, tasks = Slots(3, 9), {}, [], {}, []

        async def job(name):
            async with slots.taken(lambda at: told.setdefault(name, []).append(at), name[0]):
                running.append(name)
                await gates[name].wait()

        for name in ("a1", "a2", "a3", "b1", "b2", "c1"):
            gates[name] = asyncio.Event()
            tasks.append(asyncio.create_task(job(name)))
            await asyncio.sleep(AWHILE)
        assert running == ["a1", "a2", "b1"], "one slot was kept from a"
        assert told == {"a3": [1, 2, 3], "b2": [1, 2], "c1": [1]}
        for ended, begins in (("a1", "c1"), ("a2", "a3"), ("a3", "b2")):
            gates[ended].set()
            await asyncio.sleep(0.01)
            assert running[-1] == begins
        for gate in gates.values():
            gate.set()
        await asyncio.gather(*tasks)
        assert (slots.free, slots.queue, slots.held) == (3, {}, {})

    asyncio.run(tried())


def test_a_slot_handed_to_one_who_has_left_is_handed_on():
    async def tried():
        slots = Slots(1, 5)
        holder = slots.taken(lambda at: None)
        await holder.__aenter__()
        waiting = asyncio.create_task(slots.taken(lambda at: None).__aenter__())
        await asyncio.sleep(0)
        await holder.__aexit__(None, None, None)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert slots.free == 1

    asyncio.run(tried())


def until(true, seconds=10.0):
    end = time.perf_counter() + seconds
    while not true():
        assert time.perf_counter() < end, "it did not happen in time"
        time.sleep(0.02)


def begin(opened, number):
    """Start a long search, and wait until it runs or waits."""
    opened.send_text(json.dumps({"id": number, **LONG}))
    return opened.receive_json()


def test_a_search_ends_when_its_client_leaves():
    with client(slots=1) as browser:
        slots = browser.app.state.slots
        with socket(browser) as first, socket(browser) as second:
            assert begin(first, 1)["event"] == "started"
            answer = begin(second, 2)
            assert (answer["event"], answer["place"]) == ("queued", 1)
            first.close()
            answer = second.receive_json()
            assert answer["event"] == "started", "the search of the client that left has ended"
            second.close()
            until(lambda: slots.free == 1 and not slots.queue)


def test_two_searches_of_a_client_leave_a_slot_to_others():
    with client() as browser, socket(browser) as first, socket(browser) as second:
        for number in (1, 2, 3):
            first.send_text(json.dumps({"id": number, **LONG}))
            while (answer := first.receive_json())["id"] != number:
                pass
            if number < 3:
                assert answer["event"] == "started"
        assert (answer["event"], answer["place"]) == ("queued", 1)
        assert begin(second, 1)["event"] == "started"
        first.close()
        second.close()
        until(lambda: browser.app.state.slots.free == 3)


def test_a_search_is_stopped_with_what_is_known():
    with client(slots=1) as browser, socket(browser) as opened:
        assert begin(opened, 1)["event"] == "started"
        while opened.receive_json()["event"] != "iteration":
            pass
        opened.send_text('{"id": 1, "do": "stop"}')
        while (answer := opened.receive_json())["event"] in ("iteration", "progress"):
            pass
        assert answer["event"] == "done"
        assert answer["asked"]
        assert answer["value"] is not None
        until(lambda: browser.app.state.slots.free == 1)


def test_one_client_has_few_searches():
    with client(slots=1) as browser, socket(browser) as opened:
        for number in range(4):
            begin(opened, number)
        events = []
        opened.send_text('{"id": 9, "do": "watch", "tree": [1]}')
        while not events or events[-1]["event"] != "error":
            events.append(opened.receive_json())
        assert (events[-1]["id"], "at a time" in events[-1]["text"]) == (9, True)
        opened.send_text('{"id": 3, "do": "stop"}')
        while (answer := opened.receive_json())["event"] != "stopped":
            pass
        assert answer["id"] == 3, "a search that only waited"
        opened.close()
        until(lambda: browser.app.state.slots.free == 1)
    with client(slots=1) as browser, socket(browser) as opened:
        assert ask(opened, do="watch", tree=[1])[-1]["event"] == "done"


def test_a_search_that_is_told_twice_to_stop_gives_its_slot_back_once(monkeypatch):
    """Its slot is free only when its thread has ended."""
    ended = threading.Event()

    def deaf(*_):
        ended.wait(10)
        return {}

    monkeypatch.setattr("prunus.studio.client.work", deaf)
    with client(slots=1) as browser, socket(browser) as opened:
        slots = browser.app.state.slots
        assert begin(opened, 1)["event"] == "started"
        for _ in range(3):
            opened.send_text('{"id": 1, "do": "stop"}')
        opened.send_text("?")
        assert opened.receive_json()["event"] == "error"
        time.sleep(0.1)
        assert slots.free == 0
        ended.set()
        until(lambda: slots.free == 1)


def test_a_search_that_is_stopped_at_once_is_answered():
    """Search and stop come together: the search may not even have begun."""

    async def tried():
        answers = []
        slots = Slots(1, 1)
        one = Client(None, Offer(), slots, slots)
        monitor = one._say
        one._say = lambda job, event, data: (
            answers.append((job, event)),
            monitor(job, event, data),
        )
        one._read(json.dumps({"id": 1, **LONG}))
        one._read('{"id": 1, "do": "stop"}')
        while one.jobs:
            await asyncio.sleep(0.01)
        assert answers == [(1, "stopped")]
        assert slots.free == 1

    asyncio.run(tried())


def test_who_asks_without_listening_is_not_read_on(monkeypatch):
    """Of a client that takes no answers, no more messages are read than have room for theirs, and
    it is left after a while."""
    monkeypatch.setattr("prunus.studio.client.DEAF", 0.3)
    read = []

    class Deaf:
        async def receive(self):
            read.append(1)
            return {"type": "websocket.receive", "text": "?"}

        async def send_text(self, text):
            await asyncio.sleep(60)

    async def tried():
        slots = Slots(1, 1)
        await asyncio.wait_for(Client(Deaf(), Offer(), slots, slots).serve(), 10)

    asyncio.run(tried())
    assert BACKLOG < len(read) < BACKLOG + 5


def test_few_large_answers_are_as_much_as_many_small_ones(monkeypatch):
    """What waits for a client that takes no answers is bounded in characters, too; a client that
    takes them is read on."""
    monkeypatch.setattr("prunus.studio.client.DEAF", 0.3)
    answers = WEIGHT // 40_000

    def count(sending):
        read = []

        class Slow:
            async def receive(self):
                if len(read) == 3 * answers:
                    return {"type": "websocket.disconnect"}
                read.append(1)
                client._say(1, "done", {"text": "x" * 40_000})
                await asyncio.sleep(0)
                return {"type": "websocket.receive", "text": "?"}

            async def send_text(self, text):
                await asyncio.sleep(sending)

        async def tried():
            nonlocal client
            slots = Slots(1, 1)
            client = Client(Slow(), Offer(), slots, slots)
            await asyncio.wait_for(client.serve(), 10)

        client = None
        asyncio.run(tried())
        return len(read)

    assert count(sending=60) == pytest.approx(answers, abs=3)
    assert count(sending=0) == 3 * answers


@pytest.mark.parametrize(
    "asked",
    [
        {"do": "analyse", "seconds": 60.0},
        {"do": "analyse", "depth": 20, "seconds": 60.0, "algorithm": "alphabeta"},
        {"do": "values", "seconds": 5.0},
        {"do": "move", "level": 10},
        {"do": "review", "seconds": 60.0},
    ],
)
def test_stop_during_compilation_is_a_stop(monkeypatch, asked):
    """Not an error, and at once."""
    begun, release = threading.Event(), threading.Event()
    real = threads.start

    def slow(work):
        def later():
            begun.set()
            release.wait(20)
            return work()

        return real(later)

    monkeypatch.setattr("prunus.kernel.waiting.threads.start", slow)
    game = f"nim:piles=9-9-{10 + len(str(asked)) % 30}"
    with client(slots=2) as browser, socket(browser) as opened:
        at = place(game, "", ["1:1", "2:1"])
        opened.send_text(json.dumps({"id": 1, **asked, "place": at}))
        if begun.wait(20):
            time.sleep(0.3)
        opened.send_text('{"id": 1, "do": "stop"}')
        told = time.perf_counter()
        while (answer := opened.receive_json())["event"] not in ("done", "error", "stopped"):
            pass
        took = time.perf_counter() - told
        release.set()
    assert begun.is_set()
    assert answer["event"] in ("done", "stopped"), answer
    assert took < 3


def test_a_watched_search_is_stopped():
    """Also one whose rules are slow."""
    entered = threading.Event()

    class Slow(ExplicitTree):
        def result(self, state, action):
            entered.set()
            time.sleep(0.05)
            return super().result(state, action)

    slow = Slow.from_nested([[1, 2] * 20] * 20)
    with client(slots=1, served={"slow": slow}) as browser, socket(browser) as opened:
        opened.send_text(json.dumps({"id": 1, "do": "watch", "place": place("slow")}))
        assert entered.wait(10)
        opened.send_text('{"id": 1, "do": "stop"}')
        told = time.perf_counter()
        while (answer := opened.receive_json())["event"] not in ("done", "error", "stopped"):
            pass
        assert answer["event"] == "stopped"
        assert time.perf_counter() - told < 2
        until(lambda: browser.app.state.slots.free == 1)
