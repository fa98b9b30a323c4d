"""Searches wait for a slot, are told their place, and end when their client leaves."""

from __future__ import annotations

import asyncio
import json
import time

import pytest

from prunus.studio.offer import AskedTooMuch
from prunus.studio.slots import Slots
from tests.studio.serving import ask, client, place, socket

LONG = {"do": "analyse", "place": place("othello"), "seconds": 60.0}


def test_places_in_the_queue():
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
        await asyncio.sleep(0)
        for gate in gates.values():
            gate.set()
        await asyncio.gather(*tasks.values(), return_exceptions=True)
        assert done == ["a", "c"]
        assert told == {"b": [1], "c": [2, 1]}
        assert slots.free == 1
        assert not slots.queue

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
