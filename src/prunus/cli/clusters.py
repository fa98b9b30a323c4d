"""`prunus db build` partition by partition: by this process, through the disk, or by the workers
of a cluster."""

from __future__ import annotations

import time
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import typer

from prunus.cli.status import Status

if TYPE_CHECKING:
    from prunus.databases.building import Asked
    from prunus.databases.cluster import workers
    from prunus.databases.folder import Manifest


MANY: Final = 64
"""The partitions of a build that has little memory, if their number is not said."""


LITTLE: Final = 50_000_000
"""The bytes without which a process cannot begin."""


class Who(NamedTuple):
    """Who builds: so many processes of this machine, the workers of a scheduler, or without both
    this process; the number of partitions (0: one for each worker, or MANY); the most bytes of
    memory, of all processes of this machine or of each worker of a scheduler (0: as many as there
    are); and where files are exchanged (empty: beside the database)."""

    workers: int = 0
    scheduler: str = ""
    partitions: int = 0
    memory: int = 0
    exchange: str = ""


def build_by_parts(asked: Asked, out: Path, who: Who) -> Manifest:
    """Build a database, `asked.start` being as the user wrote it; return what it contains."""
    from prunus.adapters import open_any
    from prunus.databases.building import Interrupted
    from prunus.databases.cluster.building import Shared, build_by
    from prunus.databases.errors import DatabaseError

    if who.workers and who.scheduler:
        raise DatabaseError("either --workers N, for processes of this machine, or --scheduler")
    opened = partial(open_any, asked.game, asked.start)
    game, at = opened()
    if asked.start:
        asked = asked._replace(start=game.format(at.state))
    show = _Show()
    try:
        with _crew(who, show) as crew:
            memory = _memory_of_each(who)
            by_room = memory or not (who.workers or who.scheduler)
            partitions = who.partitions or (MANY if by_room else crew.width)
            shared = Shared(partitions, crew.width, memory, None, show.round, who.exchange)
            built = build_by(crew, opened, out, asked, shared)
    except Interrupted as error:
        show.status.clear()
        typer.echo(f"prunus: {error}", err=True)
        raise
    finally:
        show.status.clear()
    spent = built.spent()
    if spent.tasks:
        typer.echo(
            f"{spent.tasks:,} tasks took {spent.seconds:.1f} s of processor time, the busiest "
            f"worker of each round {spent.busiest:.1f} s, and wrote {spent.bytes:,} bytes for each "
            f"other about {spent.moves:,} moves"
        )
    return built.manifest


class _Show:
    """Shows what is being done."""

    def __init__(self) -> None:
        self.status, self.began, self.doing = Status(), time.perf_counter(), ""

    def round(self, doing: str, number: int) -> None:
        """A round begins."""
        self.doing = f"{doing}: {number:,}"
        self._show("")

    def task(self, done: int, tasks: int) -> None:
        """A task begins."""
        self._show(f", partition {done + 1} of {tasks}")

    def _show(self, more: str) -> None:
        self.status.show(f"{self.doing}{more}, {time.perf_counter() - self.began:.0f} s")


def _crew(who: Who, show: _Show) -> AbstractContextManager[workers.Here | workers.Cluster]:
    """Those who do the tasks."""
    from prunus.databases.cluster import workers

    if who.scheduler:
        return workers.connected(who.scheduler)
    return workers.local(who.workers) if who.workers else nullcontext(workers.Here(show.task))


def _memory_of_each(who: Who) -> int:
    """The most bytes that a process may take which does tasks."""
    from prunus.databases.errors import DatabaseError
    from prunus.databases.limit import resident

    if not who.memory or who.scheduler:
        return who.memory
    each = (who.memory - resident()) // who.workers if who.workers else who.memory
    if not has_room(each):
        raise DatabaseError(
            f"a memory of {who.memory / 1e9:,.2f} GB is too little: a process takes "
            f"{resident() / 1e9:,.2f} GB before it does anything"
        )
    return each


def has_room(memory: int) -> bool:
    """Whether a process that may take so many bytes can begin."""
    from prunus.databases.limit import resident

    return memory - resident() >= LITTLE
