"""Playing games side by side, in processes of their own (`worker.py`).

A worker is told the tournament and then one game after another, and answers with records; all this
is lines of JSON through its standard input and output. Workers get no Ctrl-C from the terminal, and
end when their input does, however this process ends.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Final

from prunus.core.generic import Json
from prunus.play.players import MatchError
from prunus.play.referee import Record
from prunus.play.tournament.contest import Clocks
from prunus.play.tournament.schedule import Played, Slot

TRIES: Final = 3
"""How often a game is begun whose worker has died; then the tournament is abandoned."""


@dataclass(frozen=True)
class Terms:
    """What a worker has to know: the game, the players and the terms of all games, as texts.
    `database`: the folder of one that all searches use whose text says nothing else, and whose
    values count as proofs; empty: none."""

    game: str
    specs: tuple[str, ...]
    defaults: Json
    plies: int
    seed: int
    openings: str = ""
    adjudication: str = ""
    margin: float = 0.0
    database: str = ""


class _Worker:
    """A process, and the game that it is playing."""

    def __init__(self, number: int, terms: Terms, said: queue.SimpleQueue[tuple[int, str]]) -> None:
        self.number, self.said = number, said
        self.slot: Slot | None = None
        self.process = subprocess.Popen(
            [sys.executable, "-m", "prunus.play.tournament.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
        )
        self.tell(asdict(terms))
        self.listener = threading.Thread(target=self._listen, name="prunus-worker", daemon=True)
        self.listener.start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        with suppress(ValueError, OSError), self.process.stdout as lines:
            for line in lines:
                self.said.put((self.number, line))
        self.said.put((self.number, ""))

    def tell(self, message: Json) -> None:
        assert self.process.stdin is not None
        with suppress(OSError):  # a worker that has died is noticed when its output ends
            self.process.stdin.write(json.dumps(message) + "\n")
            self.process.stdin.flush()

    def end(self) -> None:
        """End the process by force, and with it the programs that it runs: their input ends."""
        assert self.process.stdin is not None
        self.process.kill()
        with suppress(OSError):
            self.process.stdin.close()
        self.process.wait()
        # A program that the worker has started may hold the other end of its output for a moment.
        self.listener.join(1.0)


class Workers:
    """A runner with `count` processes."""

    def __init__(self, terms: Terms, count: int) -> None:
        self.terms, self.count = terms, count
        self.known = list(terms.specs)
        self.said: queue.SimpleQueue[tuple[int, str]] = queue.SimpleQueue()
        self.workers: dict[int, _Worker] = {}
        self.begun = 0
        self.tries: dict[Slot, int] = {}

    def names(self) -> Sequence[str]:
        """The players' names, as far as they are known."""
        return self.known

    def play(self, slots: Iterator[Slot], clocks: Clocks) -> Iterator[Played]:
        """Play the games, as many at a time as there are workers. Raises MatchError if a player
        cannot play, or if workers die again and again in the same game."""
        again: list[Slot] = []
        try:
            while True:
                self._occupy(again, slots, clocks)
                if not any(worker.slot for worker in self.workers.values()):
                    return
                number, line = self.said.get()
                worker = self.workers[number]
                slot, worker.slot = worker.slot, None
                if not line:
                    self._bury(worker, slot, again)
                elif slot is not None:
                    yield self._understood(json.loads(line), slot)
        finally:
            self.close()

    def _occupy(self, again: list[Slot], slots: Iterator[Slot], clocks: Clocks) -> None:
        """Give every worker a game, as long as there are any."""
        idle = [worker for worker in self.workers.values() if worker.slot is None]
        while idle or len(self.workers) < self.count:
            slot = again.pop() if again else next(slots, None)
            if slot is None:
                return
            if not idle:
                worker = _Worker(self.begun, self.terms, self.said)
                self.workers[self.begun] = worker
                self.begun += 1
                idle.append(worker)
            worker = idle.pop()
            worker.slot = slot
            worker.tell({"slot": asdict(slot), "clocks": clocks(slot)})

    def _bury(self, worker: _Worker, slot: Slot | None, again: list[Slot]) -> None:
        """Note that a worker has died; its game is begun again."""
        del self.workers[worker.number]
        worker.end()
        if slot is None:
            return
        self.tries[slot] = self.tries.get(slot, 1) + 1
        if self.tries[slot] > TRIES:
            raise MatchError(
                f"the process that played {self.known[slot.first]} against "
                f"{self.known[slot.second]} has ended {TRIES} times without a result, the last "
                f"time with status {worker.process.returncode}"
            )
        again.append(slot)

    def _understood(self, said: Json, slot: Slot) -> Played:
        if "error" in said:
            raise MatchError(said["error"])
        self.known[slot.first], self.known[slot.second] = said["names"]
        return Played(slot, Record.of(said["record"]))

    def close(self) -> None:
        """End all workers."""
        for worker in self.workers.values():
            worker.end()
        self.workers.clear()
