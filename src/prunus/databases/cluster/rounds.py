"""The rounds of a build, as the one sees them who directs it: numbers and names of files, but no
positions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from prunus.databases.cluster.deciding import ALL, Step, told_name
from prunus.databases.cluster.exchange import Exchange, Record
from prunus.databases.cluster.finding import MOVES, round_name
from prunus.databases.cluster.mending import Crew, Mender, Task
from prunus.databases.cluster.ordering import ORDERED, Whole
from prunus.databases.cluster.stores import ExchangeError
from prunus.databases.cluster.tasks import Job, decide, find, order
from prunus.databases.ends import Ends
from prunus.databases.errors import DatabaseError
from prunus.databases.labels import LOST, MOST, MOST_PLIES, WON, ZERO, Counts
from prunus.databases.numbering import ENUMERATING, SORTING, Watch


class Found(NamedTuple):
    """What is known when all positions have been found: the rounds, the positions of each
    partition, the ends, and the amounts that these are worth."""

    rounds: int
    positions: list[int]
    ends: int
    amounts: list[int]

    def worth(self) -> Ends:
        """The same as a manifest says it."""
        return Ends(self.ends, max(self.amounts, default=0), len(self.amounts) <= 1)


class Rounds:
    """Directs a build. `expect_held` raises an error if another builder has taken over."""

    def __init__(
        self,
        job: Job,
        exchange: Exchange,
        crew: Crew,
        watch: Watch | None,
        expect_held: Callable[[], None],
    ) -> None:
        self.job, self.exchange, self.expect_held = job, exchange, expect_held
        self.tell: Watch = watch or (lambda doing, number: None)
        self.records: list[list[Record]] = []
        """Those of all rounds, also of an earlier run."""
        self.mender = Mender(job, exchange, crew)

    def find_all(self) -> Found:
        """Find all positions."""
        positions = np.zeros(self.job.partitions, np.int64)
        ends, amounts = 0, set[int]()
        number = left = 0
        records: list[Record] = []
        while number == 0 or _sent(records) or left:
            self.tell(ENUMERATING, int(positions.sum()))
            records = self._round(round_name(number), find, (self.job, number), records)
            positions += [record["new"] for record in records]
            ends += sum(record["ends"] for record in records)
            amounts |= {amount for record in records for amount in record["amounts"]}
            left = sum(record["left"] for record in records)
            if number > 1:  # the last but one are needed if files of the last are damaged
                self.exchange.forget(round_name(number - 2), MOVES)
            number += 1
        return Found(number, positions.tolist(), ends, sorted(amounts))

    def decide_all(self, found: Found) -> tuple[Step, ...]:
        """Decide all positions; return the rounds. `job` says how many there were before, and
        whether scores are wanted."""
        steps: list[Step] = []
        if not self.job.scored:
            self._wave(steps, Step(WON, LOST, ALL), lambda plies: plies << 2, "plies from the end")
            return tuple(steps)
        if found.amounts and found.amounts[-1] > MOST:
            raise DatabaseError(
                f"an end is worth {found.amounts[-1]}; scores up to {MOST} have room in a "
                f"database. With --outcomes there is no such limit"
            )
        for amount in reversed(found.amounts):
            self._wave(steps, Step(ZERO + amount, ZERO - amount, amount), None, f"worth {amount}")
        return tuple(steps)

    def order_all(self, found: Found, steps: tuple[Step, ...]) -> Counts:
        """Have all pieces of the database written; return what they contain."""
        total, before, tasks = sum(found.positions), 0, []
        self.tell(SORTING, total)
        for partition, count in enumerate(found.positions):
            tasks.append(Task(order, (self.job, steps, Whole(before, total)), partition))
            before += count
        counts = [Counts(*record["counts"]) for record in self._do(ORDERED, tasks)]
        longest = [count.longest for count in counts if count.longest is not None]
        return Counts(
            sum(count.won for count in counts),
            sum(count.drawn for count in counts),
            sum(count.lost for count in counts),
            max(longest) if longest else None,
        )

    def _wave(
        self, steps: list[Step], first: Step, plies: Callable[[int], int] | None, doing: str
    ) -> None:
        """Decide the ends of one amount, and all that follows from them."""
        step, wave = first, 0
        records: list[Record] = []
        while wave == 0 or _sent(records):
            self.tell(f"{wave} {doing}" if plies else doing, _sent(records))
            steps.append(step)
            name = told_name(len(steps) - 1)
            records = self._round(name, decide, (self.job, tuple(steps)), records)
            wave += 1
            step = Step(first.won, first.lost, 0)
            if plies:
                step = Step(plies(wave) | WON, plies(wave) | LOST, 0)
            if plies and _sent(records) and wave > MOST_PLIES:
                raise DatabaseError(
                    f"a game lasts more than {MOST_PLIES:,} plies, too many to store"
                )

    def _round(
        self,
        name: str,
        function: Callable[..., Record],
        arguments: tuple[object, ...],
        before: list[Record],
    ) -> list[Record]:
        """Do a round with what was sent in the one before."""
        tasks = []
        for partition in range(self.job.partitions):
            sent = tuple(record["sent"][partition] for record in before)
            tasks.append(Task(function, (*arguments, sent), partition))
        records = self._do(name, tasks)
        self._expect_heard(records, _sent(before), name)
        return records

    def _do(self, name: str, tasks: list[Task]) -> list[Record]:
        """Have the tasks of a round done, but for those which an earlier run has done."""
        self.expect_held()
        self.mender.begin(name, tasks)
        done = {
            task.partition: self.mender.trying(partial(self.exchange.done, name, task.partition))
            for task in tasks
        }
        left = [task for task in tasks if done[task.partition] is None]
        for task, record in zip(left, self.mender.run(left), strict=True):
            done[task.partition] = record
        self.mender.end(name)
        records = [record for record in done.values() if record is not None]
        self.records.append(records)
        return records

    def _expect_heard(self, records: list[Record], sent: int, name: str) -> None:
        """Raises DatabaseError if messages were lost, or came twice."""
        heard = sum(record["heard"] for record in records)
        if heard != sent:
            raise ExchangeError(
                f"{self.exchange.place}: {sent:,} messages were sent, but {heard:,} arrived in "
                f"{name}; remove {self.exchange.home}, and begin again"
            )


def _sent(records: Sequence[Record]) -> int:
    return sum(sum(record["sent"]) for record in records)
