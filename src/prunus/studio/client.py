"""One browser's WebSocket: its messages, its searches, and their end when it leaves."""

from __future__ import annotations

import asyncio
import json
import operator
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from time import monotonic
from typing import Final

from pydantic import ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from prunus.core.errors import PrunusError
from prunus.core.generic import Json
from prunus.games.files import place_in_file
from prunus.run.limits import Stop
from prunus.studio import maxima
from prunus.studio.messages import MOST_ID, REQUESTS, Experiment, Review, Search
from prunus.studio.messages import Stop as End
from prunus.studio.offer import Offer
from prunus.studio.slots import Slots
from prunus.studio.tidying import Tidying
from prunus.studio.work import Tell, work

BACKLOG = 200
"""The most answers that wait for a slow client; of progress, no more are added."""

WEIGHT = 2_000_000
"""The same in characters: the answer to a search that is watched has up to a million."""

DEAF = 30.0
"""Seconds after which a client that does not take its answers is left."""

ENDING = 4
"""A client has up to so many times its number of searches if most of them have been told to end:
that can take a moment."""


class Client:
    """A WebSocket that has been accepted. `serve` returns when the client has left, and by then
    all its searches have been told to end."""

    def __init__(self, socket: WebSocket, offer: Offer, slots: Slots, reviews: Slots) -> None:
        self.socket, self.offer, self.slots, self.reviews = socket, offer, slots, reviews
        self.answers: asyncio.Queue[str] = asyncio.Queue()
        self.weight = 0
        self.jobs: dict[int, asyncio.Task[None]] = {}

    async def serve(self) -> None:
        """Read messages and answer them until the client leaves."""
        sender = asyncio.create_task(self._send())
        try:
            while True:
                message = await self.socket.receive()
                if message["type"] == "websocket.disconnect":
                    return
                self._read(message.get("text") or message.get("bytes") or b"")
                if not await self._heard(sender):
                    return
        except WebSocketDisconnect:
            return
        finally:
            sender.cancel()
            for job in self.jobs.values():
                job.cancel()
            await asyncio.gather(sender, *self.jobs.values(), return_exceptions=True)

    async def _heard(self, sender: asyncio.Task[None]) -> bool:
        """Wait until the client has taken most of its answers: who asks without listening is not
        read any further. False: it does not listen."""
        end = monotonic() + DEAF
        while self._is_behind():
            if sender.done() or monotonic() > end:
                return False
            await asyncio.sleep(0.02)
        return True

    def _is_behind(self) -> bool:
        """Whether more answers wait for the client than may."""
        return self.answers.qsize() > BACKLOG or self.weight > WEIGHT

    async def _send(self) -> None:
        while True:
            text = await self.answers.get()
            await self.socket.send_text(text)
            self.weight -= len(text)

    def _say(self, job: int | None, event: str, data: Json) -> None:
        if event == "progress" and self._is_behind():
            return
        text = json.dumps({"id": job, "event": event, **data}, default=operator.index)
        self.weight += len(text)
        self.answers.put_nowait(text)

    def _read(self, text: str | bytes) -> None:
        if len(text) > maxima.MESSAGE:
            self._say(None, "error", {"text": f"a message has up to {maxima.MESSAGE:,} bytes"})
            return
        try:
            request = REQUESTS.validate_json(text)
        except (ValidationError, ValueError) as error:
            self._say(_id_of(text), "error", {"text": told(error)})
            return
        running = self.jobs.get(request.id)
        if isinstance(request, End):
            if running is not None:
                running.cancel()
        elif running is not None:
            self._say(request.id, "error", {"text": "a search with this id is running"})
        elif sum(not job.cancelling() for job in self.jobs.values()) >= maxima.JOBS or (
            len(self.jobs) >= ENDING * maxima.JOBS
        ):
            self._say(
                request.id, "error", {"text": f"up to {maxima.JOBS} searches at a time, please"}
            )
        else:
            job = self.jobs[request.id] = asyncio.create_task(self._job(request))
            job.add_done_callback(lambda done: self._ended(request.id, done))

    def _ended(self, number: int, job: asyncio.Task[None]) -> None:
        """A search is over. It may have been told to end before it had begun."""
        del self.jobs[number]
        if job.cancelled():
            self._say(number, "stopped", {})

    async def _job(self, request: Search) -> None:
        stop, mine = Stop(), request.id

        def queued(place: int) -> None:
            self._say(mine, "queued", {"place": place})

        try:
            # These take long: while others wait for theirs, moves are made.
            long = isinstance(request, Review | Experiment)
            needed = (self.reviews, self.slots) if long else (self.slots,)
            async with AsyncExitStack() as held:
                for slots in needed:
                    await held.enter_async_context(slots.taken(queued, self))
                self._say(mine, "started", {})
                self._say(mine, "done", await self._thread(request, stop))
        except Exception as error:  # a rule of the user's own game may raise anything
            self._say(mine, "error", {"text": told(error)})

    async def _thread(self, request: Search, stop: Stop) -> Json:
        """The search in a thread. If it is to end, wait until it has: its slot is not free
        before."""
        loop = asyncio.get_running_loop()

        def tell(event: str, data: Json) -> None:
            loop.call_soon_threadsafe(self._say, request.id, event, data)

        step = asyncio.ensure_future(
            asyncio.to_thread(_worked, request, self.offer, stop, tell),
        )
        try:
            return await asyncio.shield(step)
        except asyncio.CancelledError:
            stop.now()
            while not step.done():  # told twice to stop, it still holds its slot
                with suppress(asyncio.CancelledError):
                    await asyncio.wait([step])
            if step.cancelled() or step.exception() is not None:
                raise
            return {**step.result(), "asked": True}


def _id_of(text: str | bytes) -> int | None:
    """The id of a message that asks for nothing that is known, so that whoever sent it need not
    wait; None if it has none."""
    try:
        found = json.loads(text)["id"]
    except (ValueError, RecursionError, LookupError, TypeError):
        return None
    return found if type(found) is int and 0 <= found <= MOST_ID else None


def _worked(request: Search, offer: Offer, stop: Stop, tell: Tell) -> Json:
    try:
        return work(request, offer, stop, tell)
    finally:
        _tidying.after_search()


_tidying: Final = Tidying()


def told(error: Exception) -> str:
    """An error for people, on one line; of one that is no refusal also its kind, and its place in
    the user's own file."""
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"][1:])
        return f"{where}: {first['msg']}" if where else str(first["msg"])
    text, place = " ".join(str(error).split())[:600], place_in_file(error)
    if isinstance(error, PrunusError) or (isinstance(error, ValueError) and place is None):
        return text or type(error).__name__
    where = "" if place is None else f" ({Path(place).name})"
    return f"{type(error).__name__}{text and f': {text}'}{where}"
