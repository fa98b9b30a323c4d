"""The processes that do the tasks: this one, a local Dask cluster, or the workers of any."""

from __future__ import annotations

import contextlib
import logging
import signal
import time
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib.util import find_spec
from multiprocessing import resource_tracker
from queue import Empty, SimpleQueue
from typing import Final, Protocol, TypeVar

from prunus import __version__
from prunus.databases.cluster.exchange import Record
from prunus.databases.cluster.mending import Task
from prunus.databases.errors import DatabaseError
from prunus.kernel import threads

R = TypeVar("R")


QUIET: Final = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "5s",
}
"""Dask's settings for workers that do not watch themselves many times a second, which costs as much
as a small task."""


PATIENCE: Final = 20.0
"""The seconds that a scheduler without workers is given to get some."""


LOOK: Final = 3.0
"""The seconds without a finished task after which it is seen whether anybody works."""


class ClusterError(DatabaseError):
    """A cluster that cannot be reached, or that has lost its workers."""


class Here:
    """Does all tasks in this process. `watch` is told before each task how many of the round have
    been done, and how many there are."""

    width = 1

    def __init__(self, watch: Callable[[int, int], None] | None = None) -> None:
        self.watch = watch

    def run(self, tasks: Sequence[Task]) -> list[Record]:
        """Do them one after the other."""
        records: list[Record] = []
        for task in tasks:
            if self.watch is not None:
                self.watch(len(records), len(tasks))
            records.append(task.function(*task.arguments, task.partition))
        return records


class Client(Protocol):
    """What is used of Dask's Client."""

    def submit(self, function: Callable[..., R], *arguments: object, **how: object) -> Future: ...

    def gather(self, futures: Sequence[Future]) -> list[Record]: ...

    def cancel(self, futures: Sequence[Future], force: bool) -> None: ...

    def processing(self) -> Mapping[str, Sequence[str]]: ...

    def nthreads(self) -> Mapping[str, int]: ...

    def run(self, function: Callable[[], R]) -> dict[str, R]: ...

    def close(self) -> None: ...


class Future(Protocol):
    """What is used of Dask's Future."""

    status: str

    def add_done_callback(self, call: Callable[[Future], None]) -> None: ...


class Cluster:
    """The workers of a Dask scheduler. A partition stays at one of them, which has it in memory,
    for as long as that lives; tasks whose worker dies are done by others."""

    def __init__(self, client: Client, where: str) -> None:
        self._client, self.where = client, where
        self._homes: dict[int, str] = {}
        self.width = len(self._addresses())
        try:
            versions = set(client.run(version).values())
        except ModuleNotFoundError as error:
            raise ClusterError(
                f"the Dask workers cannot import Prunus ({error}); install the same version there"
            ) from None
        if max(client.nthreads().values(), default=1) > 1:
            raise ClusterError(
                f"Dask workers at {where} have several threads; start them with --nthreads 1 (and "
                f"--nworkers for more of them)"
            )
        if versions != {__version__}:
            raise ClusterError(
                f"the Dask workers have Prunus {', '.join(sorted(versions))}, this is "
                f"{__version__}; install the same version"
            )

    def run(self, tasks: Sequence[Task]) -> list[Record]:
        """Have tasks done; raises the error of one that fails."""
        futures = self._submit(tasks, at_home=True)
        try:
            while not self._are_done(futures):
                self._client.cancel(futures, force=True)
                futures = self._submit(tasks, at_home=False)
            return self._client.gather(futures)
        except BaseException as error:
            with contextlib.suppress(Exception):
                self._client.cancel(futures, force=True)
            if type(error).__name__ in ("KilledWorker", "FutureCancelledError", "CancelledError"):
                raise ClusterError(
                    f"{error or 'the connection to the scheduler is lost'}. Is there enough "
                    f"memory? What is done is kept: the same command goes on"
                ) from None
            raise

    def _submit(self, tasks: Sequence[Task], at_home: bool) -> list[Future]:
        """Submit tasks, each to the worker that has its partition, or all to any."""
        self._settle([task.partition for task in tasks])
        return [
            self._client.submit(
                in_one_thread,
                task.function,
                *task.arguments,
                task.partition,
                workers=[self._homes[task.partition]] if at_home else None,
                allow_other_workers=at_home,
                pure=False,
            )
            for task in tasks
        ]

    def _are_done(self, futures: Sequence[Future]) -> bool:
        """Wait until all are done, or until one has failed; whether that has come. Otherwise nobody
        works on those which are left: Dask forgets tasks that have a home if there is no worker for
        a moment. Unlike `gather`, this can be interrupted without leaving anything behind."""
        done: SimpleQueue[Future] = SimpleQueue()
        for future in futures:
            future.add_done_callback(done.put)
        left, idle = len(futures), 0
        while left:
            try:
                future = done.get(timeout=LOOK)
            except Empty:
                idle = 0 if any(self._client.processing().values()) else idle + 1
                if idle == 2:
                    return False
                continue
            if future.status != "finished":
                break
            left, idle = left - 1, 0
        return True

    def _settle(self, partitions: Sequence[int]) -> None:
        """Give each partition whose worker is gone to the first one that has the fewest."""
        alive = self._addresses()
        self._homes = {p: home for p, home in self._homes.items() if home in alive}
        for partition in partitions:
            if partition not in self._homes:
                homes = list(self._homes.values())
                self._homes[partition] = min(alive, key=homes.count)

    def _addresses(self) -> list[str]:
        """The workers there are, once there are any: those which died may just be replaced."""
        last = time.monotonic() + PATIENCE
        while not (found := sorted(self._client.nthreads())):
            if time.monotonic() > last:
                raise ClusterError(
                    f"the Dask scheduler at {self.where} has no workers; `dask worker ADDRESS "
                    f"--nworkers N --nthreads 1` starts some"
                )
            time.sleep(0.1)
        return found


@contextlib.contextmanager
def connected(scheduler: str) -> Iterator[Cluster]:
    """The workers of the scheduler at an address. Raises ClusterError."""
    distributed = _distributed()
    try:
        client: Client = distributed.Client(scheduler, timeout=10, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ClusterError(
            f"no Dask scheduler answers at {scheduler} ({error}); `dask scheduler` starts one and "
            f"prints its address"
        ) from None
    try:
        yield Cluster(client, scheduler)
    finally:
        client.close()


@contextlib.contextmanager
def local(workers: int) -> Iterator[Cluster]:
    """So many new processes of this machine; those which die are replaced."""
    distributed = _distributed()
    import dask

    # Whoever starts it, it is started without interrupts and then lets them in again.
    resource_tracker.ensure_running()
    with (
        _without_interrupts(),
        contextlib.ExitStack() as stack,
    ):
        stack.enter_context(dask.config.set(QUIET))
        cluster = stack.enter_context(
            distributed.LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                memory_limit=0,
                dashboard_address=":0",
                silence_logs=logging.CRITICAL,
            )
        )
        client: Client = stack.enter_context(
            distributed.Client(cluster, timeout=30, set_as_default=False)
        )
        stack.enter_context(_with_interrupts())
        yield Cluster(client, cluster.scheduler_address)


def in_one_thread(function: Callable[..., Record], *arguments: object) -> Record:
    """Do a task in a thread of searches, where each of its loops runs at once. Otherwise a loop
    changes to such a thread and back, so that it can be interrupted; nobody interrupts a worker."""
    return threads.start(partial(function, *arguments)).result()


def version() -> str:
    """The version of Prunus in the process that calls this."""
    return __version__


def _distributed() -> types.ModuleType:
    """Dask's package for clusters. Raises ClusterError if it is not installed."""
    if find_spec("distributed") is None:
        raise ClusterError(
            "this needs distributed, which is not installed: pip install 'prunus[cluster]'"
        )
    import distributed

    found: types.ModuleType = distributed
    return found


@contextlib.contextmanager
def _without_interrupts() -> Iterator[None]:
    """Within the block, processes are started that never see Ctrl-C, which a terminal sends to all:
    they inherit the mask. This process receives a Ctrl-C that is pressed meanwhile afterwards."""
    with _masked(block=True):
        yield


@contextlib.contextmanager
def _with_interrupts() -> Iterator[None]:
    """Within the block, this process receives Ctrl-C again."""
    with _masked(block=False):
        yield


@contextlib.contextmanager
def _masked(block: bool) -> Iterator[None]:
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    how = signal.SIG_BLOCK if block else signal.SIG_UNBLOCK
    old = signal.pthread_sigmask(how, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, old)
