"""Where measuring is done: in this process, on all cores, or by the workers of a Dask cluster, all
behind the interface of `concurrent.futures`."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from multiprocessing.connection import wait
from typing import Any, Protocol, TypeAlias, TypeVar

from prunus.theory.lab.experiment import LabError

R = TypeVar("R")

Untyped: TypeAlias = Any
"""An object of Dask, which has no types."""


class Workers(Protocol):
    """The interface that the runner needs. width: the number of tasks that it keeps submitted.
    Futures are those of `concurrent.futures`."""

    width: int

    def submit(self, function: Callable[..., R], *arguments: object) -> Future[R]:
        """Call a function of a module somewhere."""

    def renew(self) -> None:
        """Replace all processes after one has died (futures then raise BrokenExecutor)."""

    def stop(self) -> None:
        """End everything at once; tasks under way are lost."""


class Serial:
    """Runs everything in this process, one task at a time."""

    width = 1

    def submit(self, function: Callable[..., R], *arguments: object) -> Future[R]:
        future: Future[R] = Future()
        try:
            future.set_result(function(*arguments))
        except Exception as error:
            future.set_exception(error)
        return future

    def renew(self) -> None:
        pass

    def stop(self) -> None:
        pass


class Processes:
    """Processes on this machine. They are started afresh (a fork of this process would lack its
    threads), leave Ctrl-C to this process, and end when it does, even if it is killed."""

    def __init__(self, cores: int) -> None:
        self.cores, self.width = cores, 2 * cores
        self._start()

    def _start(self) -> None:
        self._others = set(multiprocessing.active_children())
        self._pool = ProcessPoolExecutor(self.cores, multiprocessing.get_context("spawn"), _begin)

    def submit(self, function: Callable[..., R], *arguments: object) -> Future[R]:
        with _without_interrupts():
            return self._pool.submit(function, *arguments)

    def renew(self) -> None:
        self.stop()
        self._start()

    def stop(self) -> None:
        for process in set(multiprocessing.active_children()) - self._others:
            process.terminate()
        self._pool.shutdown(wait=True, cancel_futures=True)


@contextlib.contextmanager
def _without_interrupts() -> Iterator[None]:
    """Within the block, start processes that never see Ctrl-C, which a terminal sends to all: they
    inherit the mask. This process receives a Ctrl-C pressed meanwhile afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    old = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, old)


def _begin() -> None:
    """Prepare a new process: it leaves Ctrl-C to the parent, and ends with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


class Cluster:
    """The workers of a Dask cluster, reached through its scheduler's address. A task whose worker
    was killed runs again on another, at most `retries` times."""

    def __init__(self, scheduler: str, retries: int = 5) -> None:
        import distributed

        untyped: Callable[..., Untyped] = distributed.Client
        try:
            self._client = untyped(scheduler, timeout=10, set_as_default=False)
        except (OSError, ValueError) as error:
            raise LabError(
                f"no Dask scheduler answers at {scheduler} ({error}); `dask scheduler` starts one "
                f"and prints its address"
            ) from None
        try:
            self.width = 2 * self._count()
        except BaseException:
            self._client.close()
            raise
        self._pool: Executor = self._client.get_executor(pure=False, retries=retries)

    def _count(self) -> int:
        from prunus import __version__

        workers = len(self._client.nthreads())
        if not workers:
            raise LabError(
                "the Dask scheduler has no workers; `dask worker ADDRESS --nworkers N --nthreads "
                "1` starts some"
            )
        try:
            versions = set(self._client.run(version).values())
        except ModuleNotFoundError as error:
            raise LabError(
                f"the Dask workers cannot import Prunus ({error}); install the same version there"
            ) from None
        if versions != {__version__}:
            raise LabError(
                f"the Dask workers have Prunus {', '.join(sorted(versions))}, this is "
                f"{__version__}; install the same version"
            )
        return workers

    def submit(self, function: Callable[..., R], *arguments: object) -> Future[R]:
        return self._pool.submit(function, *arguments)

    def renew(self) -> None:
        pass

    def stop(self) -> None:
        self._pool.shutdown(wait=False)
        self._client.close()


def version() -> str:
    """The version of Prunus in the process that calls this."""
    from prunus import __version__

    return __version__
