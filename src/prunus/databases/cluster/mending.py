"""Making files again that are damaged or gone: each task is a function of files, so whatever one
has written can be written once more.

The moves that a round of finding has sent are removed when the next round is over. They follow from
the positions that were found, so they too can be written again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple, Protocol, TypeVar

from prunus.databases.cluster.exchange import Damaged, Exchange, File, Record
from prunus.databases.cluster.finding import MOVES, round_name
from prunus.databases.cluster.stores import ExchangeError
from prunus.databases.cluster.tasks import Job, find, send_again

Done = TypeVar("Done")


class Crew(Protocol):
    """Those who do the tasks."""

    def run(self, tasks: Sequence[Task]) -> list[Record]:
        """Do tasks in any order, and again if whoever did one has died."""


class Task(NamedTuple):
    """A task of a partition: `function(*arguments, partition)`."""

    function: Callable[..., Record]
    arguments: tuple[object, ...]
    partition: int


class Mender:
    """Has those tasks repeated whose files cannot be read. It is told of all rounds, in order."""

    def __init__(self, job: Job, exchange: Exchange, crew: Crew) -> None:
        self.job, self.exchange, self.crew = job, exchange, crew
        self._rounds: dict[str, list[Task]] = {}
        self._over: set[str] = set()
        self._mended: set[File] = set()

    def begin(self, round_: str, tasks: list[Task]) -> None:
        """A round begins."""
        self._rounds[round_] = tasks

    def end(self, round_: str) -> None:
        """All tasks of a round are done."""
        self._over.add(round_)

    def run(self, tasks: Sequence[Task]) -> list[Record]:
        """Have tasks done."""
        return self.trying(partial(self.crew.run, tasks))

    def trying(self, work: Callable[[], Done]) -> Done:
        """Do what reads files of tasks, again if one had to be made anew. Raises Damaged if that
        was in vain: each is made anew once."""
        while True:
            try:
                return work()
            except Damaged as error:
                self._mend(error)

    def _mend(self, error: Damaged) -> None:
        """Write a file again; if it is gone, all others, too, that are."""
        file = error.file
        if file in self._mended or file.round not in self._rounds:
            raise error
        if not self.exchange.is_planned:
            raise ExchangeError(
                f"{self.exchange.home} was removed while this build used it: the same command "
                f"begins again"
            )
        self._mended.add(file)
        if file.name == MOVES:
            self._send_again(_number_of(file.round), file.partition)
            return
        again = [self._task(file)]
        if not error.gone:
            self._repeat(file.round, again)
            return
        for round_ in list(self._rounds):
            gone = [*again] if round_ == file.round else []
            if round_ in self._over:
                gone += [task for task in self._rounds[round_] if self._is_gone(round_, task, gone)]
            self._repeat(round_, gone)

    def _task(self, file: File) -> Task:
        """The task that has written a file."""
        (found,) = (task for task in self._rounds[file.round] if task.partition == file.partition)
        return found

    def _is_gone(self, round_: str, task: Task, known: list[Task]) -> bool:
        return task not in known and not self.exchange.has_last(round_, task.partition)

    def _repeat(self, round_: str, tasks: list[Task]) -> None:
        """Do tasks of a round again."""
        if not tasks:
            return
        for task in tasks:
            self.exchange.undo(round_, task.partition)
        finding = tasks[0].function is find
        if finding and _number_of(round_) > 0:
            self._send_again(_number_of(round_) - 1)
        self.run(tasks)
        if finding:
            self._forget_moves(_number_of(round_))
            self._forget_moves(_number_of(round_) - 1)

    def _send_again(self, number: int, *partitions: int) -> None:
        """Have the moves of a round written again by these partitions, and by all whose moves are
        gone."""
        name, send = round_name(number), (self.job, number)
        self.run(
            [
                Task(send_again, send, partition)
                for partition in range(self.job.partitions)
                if partition in partitions or not self.exchange.has(name, MOVES, partition)
            ]
        )

    def _forget_moves(self, number: int) -> None:
        """Remove moves that nobody will read any more, unless that round is repeated, too."""
        if number >= 0 and round_name(number + 1) in self._over:
            self.exchange.forget(round_name(number), MOVES)


def _number_of(round_: str) -> int:
    """The number of a round that has one."""
    return int(round_.rpartition("-")[2])
