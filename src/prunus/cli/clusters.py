"""`prunus db build` by the workers of a cluster."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import typer

from prunus.cli.status import Status

if TYPE_CHECKING:
    from prunus.databases.building import Asked
    from prunus.databases.folder import Manifest


class Who(NamedTuple):
    """Who builds: so many processes of this machine, or the workers of a scheduler, and the number
    of partitions (0: two for each worker)."""

    workers: int
    scheduler: str
    partitions: int


def build_by_workers(asked: Asked, out: Path, who: Who) -> Manifest:
    """Build a database, `asked.start` being as the user wrote it; return what it contains."""
    from prunus.adapters import open_any
    from prunus.databases.building import Interrupted
    from prunus.databases.cluster import workers
    from prunus.databases.cluster.building import Shared, build_by
    from prunus.databases.errors import DatabaseError

    if bool(who.workers) == bool(who.scheduler):
        raise DatabaseError("either --workers N, for processes of this machine, or --scheduler")
    opened = partial(open_any, asked.game, asked.start)
    game, at = opened()
    if asked.start:
        asked = asked._replace(start=game.format(at.state))
    crew = workers.connected(who.scheduler) if who.scheduler else workers.local(who.workers)
    status, began = Status(), time.perf_counter()

    def watch(doing: str, number: int) -> None:
        status.show(f"{doing}: {number:,}, {time.perf_counter() - began:.0f} s")

    try:
        with crew as cluster:
            shared = Shared(who.partitions or 2 * cluster.width, cluster.width, watch=watch)
            built = build_by(cluster, opened, out, asked, shared)
    except Interrupted as error:
        status.clear()
        typer.echo(f"prunus: {error}", err=True)
        raise
    finally:
        status.clear()
    spent = built.spent()
    if spent.tasks:
        typer.echo(
            f"{spent.tasks:,} tasks took {spent.seconds:.1f} s of processor time, the busiest "
            f"worker of each round {spent.busiest:.1f} s, and wrote {spent.bytes:,} bytes for each "
            f"other about {spent.moves:,} moves"
        )
    return built.manifest
