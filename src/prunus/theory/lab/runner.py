"""Running plans: blocks go to the workers, their results to the journals."""

from __future__ import annotations

import heapq
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from dataclasses import dataclass, field
from numbers import Integral
from typing import Final

from prunus.theory.lab.experiment import LabError, Moments, Point
from prunus.theory.lab.plan import Block, Plan
from prunus.theory.lab.store import BlockJournal
from prunus.theory.lab.workers import Workers

ATTEMPTS: Final = 3
"""The number of times that a block is tried if its process dies."""

Measure = Callable[[Point, int, int], Mapping[str, Moments]]
Warm = Callable[[], None]
Answer = tuple[dict[str, Moments], float]

_lock = threading.Lock()
_warm: set[Warm] = set()


def measure_block(measure: Measure, warm: Warm, point: Point, seed: int, count: int) -> Answer:
    """Do a worker's task: compile on the first block of an experiment, then measure. A process
    measures one block at a time, even if a cluster gives it several threads. The results are the
    moments, and the seconds without compiling."""
    with _lock:
        if warm not in _warm:
            warm()
            _warm.add(warm)
        began = time.perf_counter()
        found = {name: _plain(moments) for name, moments in measure(point, seed, count).items()}
        return found, time.perf_counter() - began


def _plain(moments: Moments) -> Moments:
    """Python's own numbers, which JSON keeps exactly."""
    count, total, squares = (
        int(number) if isinstance(number, Integral) else float(number) for number in moments
    )
    return Moments(int(count), total, squares)


@dataclass
class Job:
    """A plan, its journal and its progress: blocks and seconds (declared and real) of this run."""

    plan: Plan
    journal: BlockJournal
    left: int = 0
    cost_left: float = 0.0
    cost_done: float = 0.0
    seconds: float = 0.0

    def todo(self) -> list[Block]:
        """The blocks missing from the journal, costly ones first, so that no core works long alone
        at the end."""
        blocks = [
            block
            for block in self.plan.blocks
            if (block.row, block.number) not in self.journal.results
        ]
        self.left, self.cost_left = len(blocks), sum(block.cost for block in blocks)
        return sorted(blocks, key=lambda block: -block.cost)

    def keep(self, block: Block, answer: Answer) -> None:
        """Keep a finished block, unless it is kept already."""
        if (block.row, block.number) in self.journal.results:
            return
        self.journal.add(block, answer[0])
        self.left -= 1
        self.cost_left -= block.cost
        self.cost_done += block.cost
        self.seconds += answer[1]


@dataclass
class State:
    """The progress of a run. `width` is roughly the number of tasks worked on at once."""

    jobs: Sequence[Job]
    width: int
    done: int = 0
    total: int = 0

    def seconds_left(self) -> float | None:
        """The seconds left, by the declared costs corrected by the real times so far; None before
        the first block."""
        cost, seconds = (
            sum(job.cost_done for job in self.jobs),
            sum(job.seconds for job in self.jobs),
        )
        if not cost:
            return None
        usual = seconds / cost
        return (
            sum(
                max(0.0, job.cost_left) * (job.seconds / job.cost_done if job.cost_done else usual)
                for job in self.jobs
            )
            / self.width
        )


def _unseen(state: State) -> None:
    pass


def _unnoticed(job: Job) -> None:
    pass


def run(
    jobs: Sequence[Job],
    workers: Workers,
    show: Callable[[State], None] = _unseen,
    finished: Callable[[Job], None] = _unnoticed,
) -> None:
    """Measure all blocks that the journals lack.

    show: called after each block and about twice a second. finished: called once for each job as
    soon as its last block is kept. KeyboardInterrupt and all errors are raised after finished
    blocks have been kept. Raises LabError if a measurement fails or its process keeps dying.
    Workers and journals stay open.
    """
    todo = [(index, block) for index, job in enumerate(jobs) for block in job.todo()]
    for job in jobs:
        if not job.left:
            finished(job)
    state = State(jobs, max(1, workers.width // 2), 0, len(todo))
    _Run(jobs, workers, todo, state, show, finished).work()


@dataclass
class _Run:
    jobs: Sequence[Job]
    workers: Workers
    todo: list[tuple[int, Block]]
    state: State
    show: Callable[[State], None]
    finished: Callable[[Job], None]
    running: dict[Future[Answer], tuple[int, int]] = field(default_factory=dict)
    attempts: dict[int, int] = field(default_factory=dict)

    def work(self) -> None:
        """Run until nothing is left."""
        waiting = list(range(len(self.todo)))
        try:
            while waiting or self.running:
                while waiting and len(self.running) < self.workers.width:
                    number = heapq.heappop(waiting)
                    self.running[self._submitted(number)] = (self.todo[number][0], number)
                done, _ = wait(self.running, timeout=0.5, return_when=FIRST_COMPLETED)
                lost = [self._taken(future) for future in done]
                if any(number is not None for number in lost):
                    lost += [self._saved(future) for future in list(self.running)]
                    self.workers.renew()
                for again in lost:
                    if again is not None:
                        heapq.heappush(waiting, again)
                self.show(self.state)
        finally:
            for future in list(self.running):
                self._saved(future)

    def _submitted(self, number: int) -> Future[Answer]:
        index, block = self.todo[number]
        plan = self.jobs[index].plan
        experiment, point = plan.experiment, dict(plan.points[block.row])
        try:
            return self.workers.submit(
                measure_block, experiment.measure, experiment.warm, point, block.seed, block.count
            )
        except BrokenExecutor as error:
            future: Future[Answer] = Future()
            future.set_exception(error)
            return future

    def _taken(self, future: Future[Answer]) -> int | None:
        """Keep what a future has found; the number of its block if its process died."""
        index, number = self.running[future]
        job, block = self.jobs[index], self.todo[number][1]
        try:
            answer = future.result()
        except BrokenExecutor:
            self._count_attempt(job, block, number)
            del self.running[future]
            return number
        except Exception as error:
            raise LabError(f"{_where(job, block)}: {type(error).__name__}: {error}") from error
        job.keep(block, answer)
        del self.running[future]
        self.state.done += 1
        if not job.left:
            self.finished(job)
        return None

    def _saved(self, future: Future[Answer]) -> int | None:
        """Keep what a future has found; if it has not, give it up and return the number of its
        block."""
        index, number = self.running.pop(future)
        if future.done() and not future.cancelled() and future.exception() is None:
            self.jobs[index].keep(self.todo[number][1], future.result())
            self.state.done += 1
            if not self.jobs[index].left:
                self.finished(self.jobs[index])
            return None
        future.cancel()
        return number

    def _count_attempt(self, job: Job, block: Block, number: int) -> None:
        self.attempts[number] = self.attempts.get(number, 0) + 1
        if self.attempts[number] >= ATTEMPTS:
            raise LabError(
                f"{_where(job, block)}: the process that measured it has died {ATTEMPTS} times, "
                f"perhaps killed for lack of memory; what is finished is kept, and the same "
                f"command with fewer --cores continues"
            )


def _where(job: Job, block: Block) -> str:
    point = dict(job.plan.points[block.row])
    return (
        f"{job.plan.experiment.name}, "
        f"{', '.join(f'{name}={value}' for name, value in point.items())}"
    )
