"""Building a database in parts, by this process or by the workers of a cluster: the same files as
a build in memory makes.

Workers exchange files in `FOLDER.exchange`, or in a store, which all of them must see under this
name. What is done stays there: a build that is stopped goes on, also with another number of
workers.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple
from uuid import uuid4

import numpy as np

from prunus.core.arrays import View
from prunus.core.game import Game
from prunus.core.state import StateLayout
from prunus.databases.backward import expect_values_of_positions
from prunus.databases.building import Asked, Interrupted, manifest_of, plan_of
from prunus.databases.cluster.exchange import (
    PIECES,
    PLAN,
    Exchange,
    Record,
    database_in,
    open_exchange,
    store_at,
)
from prunus.databases.cluster.lease import NAME as LEASE
from prunus.databases.cluster.mending import Crew
from prunus.databases.cluster.merging import Ranks, merged, span_of
from prunus.databases.cluster.ordering import ORDERED
from prunus.databases.cluster.partition import MOST_PARTITIONS, Split, split
from prunus.databases.cluster.rounds import Found, Rounds
from prunus.databases.cluster.stores import ExchangeError, Store, beneath
from prunus.databases.cluster.tasks import Job, Opened, shelf
from prunus.databases.cluster.workers import ClusterError, Here
from prunus.databases.errors import DatabaseError
from prunus.databases.folder import VALUES, Manifest, read_manifest
from prunus.databases.labels import Counts
from prunus.databases.limit import MemoryLimitError
from prunus.databases.numbering import Positions, Watch, expect_machine_state, representative
from prunus.databases.ranking import Ranked
from prunus.databases.workshop import AnyArray, StorageError, Workshop
from prunus.kernel.columns import StateView

BESIDE: Final = "the one beside it"
"""What the database is called in an exchange beside it."""

WHOSE: Final = "whose"
"""The name of a file of the workshop with what it is called in an exchange elsewhere."""

SHARE: Final = 16
"""The part of the memory that the moves of a partition may take in one round."""


class Shared(NamedTuple):
    """How work is shared out: the number of partitions (a build that goes on keeps the one it
    began with), the number of workers, which the manifest tells, the most bytes of memory that each
    may take (0: as many as there are), whether loops are compiled, and the folder or the URL of
    the store in which files are exchanged (empty: beside the database)."""

    partitions: int
    workers: int = 1
    memory: int = 0
    compile: bool | None = None
    watch: Watch | None = None
    exchange: str = ""


class Spent(NamedTuple):
    """What the tasks of a build took: how many there were, the seconds of processor time of all,
    those of the busiest worker of each round, the bytes that were written for other tasks, and the
    moves from one position to another."""

    tasks: int
    seconds: float
    busiest: float
    bytes: int
    moves: int


class Built(NamedTuple):
    """A database that has been built, and the records of all tasks, by rounds."""

    manifest: Manifest
    records: list[list[Record]]

    def spent(self) -> Spent:
        """What it took, with what an earlier run did that was stopped."""
        tasks = [record for records in self.records for record in records]
        busiest = 0.0
        for records in self.records:
            times: dict[str, float] = {}
            for record in records:
                times[record["worker"]] = times.get(record["worker"], 0.0) + record["seconds"]
            busiest += max(times.values(), default=0.0)
        return Spent(
            len(tasks),
            sum(record["seconds"] for record in tasks),
            busiest,
            sum(record["bytes"] for record in tasks),
            sum(sum(record["sent"]) for record in tasks if "ends" in record),
        )


def build_by(crew: Crew, opened: Opened, folder: Path, asked: Asked, shared: Shared) -> Built:
    """Build a database, going on with what an earlier call left in the exchange. `asked.start` is
    empty or the position at which `opened` starts. Raises DatabaseError for games that cannot be
    solved, for folders that exist, and if files or workers are lost; Interrupted at Ctrl-C."""
    if not 1 <= shared.partitions <= MOST_PARTITIONS:
        raise DatabaseError(
            f"{shared.partitions} partitions: 1 ... {MOST_PARTITIONS:,} are possible"
        )
    game, at = opened()
    expect_values_of_positions(game)
    _expect_values_at_ends(game)
    first = representative(game, at.state)
    expect_machine_state(game, first)
    plan = plan_of(game, asked)
    store = _store_for(crew, place_of(folder, shared.exchange))
    with Workshop(folder, plan) as shop, store.held() as expect_held:
        if shop.is_finished():
            shop.publish()
            _clear(store, expect_held)
            return Built(read_manifest(folder), [])
        exchange = _exchange_for(shop, folder, store, shared)
        cut = split(game, first, exchange.partitions, shared.compile)
        job = Job(exchange.place, opened, plan["identity"], exchange.partitions, shared.compile)
        job = job._replace(memory=shared.memory, most=exchange.most)
        rounds = Rounds(job, exchange, crew, shared.watch, expect_held)
        try:
            _solve(rounds, cut, shop, asked, shared.workers)
        except KeyboardInterrupt:
            raise Interrupted(
                f"interrupted: what is done is kept in {store.where}, and the same command goes on"
            ) from None
        except (StorageError, ExchangeError, ClusterError, MemoryLimitError, OSError, MemoryError):
            raise
        except Exception:  # of the rules: other rules cannot go on with what there is
            shop.abandon()
            _clear(store, expect_held)
            raise
        finally:
            shelf.clear()
        _clear(store, expect_held)
    return Built(read_manifest(folder), rounds.records)


def exchange_of(folder: Path) -> Path:
    """The folder that belongs to the build of a database, if no other place is said."""
    return Path(place_of(folder, ""))


def place_of(folder: Path, exchange: str) -> str:
    """The place that belongs to the build of a database: one of its own in `exchange`, a folder or
    the URL of a store, so that nothing else is there that could be removed with it."""
    return beneath(exchange or str(folder.absolute().parent), f"{folder.name}.exchange")


def _exchange_for(shop: Workshop, folder: Path, store: Store, shared: Shared) -> Exchange:
    """The exchange of a database. A place belongs to one: those of several folders may have one
    name. The place beside a folder belongs to it wherever both are moved; of any other, what it was
    called at first is kept in the workshop, which is moved with the folder."""
    most = shared.memory // SHARE
    shop.forget(*(name for name in shop.names("") if name != WHOSE))  # by a build in memory
    if place_of(folder, shared.exchange) == place_of(folder, ""):
        shop.forget(WHOSE)
        return open_exchange(store, {**shop.plan, "database": BESIDE}, shared.partitions, most)
    kept = shop.load(WHOSE)
    text = kept.tobytes().decode() if kept is not None else _name_in(store, shop, folder)
    if kept is None:
        shop.save(WHOSE, [np.frombuffer(text.encode(), np.uint8)])
    try:
        return open_exchange(store, {**shop.plan, "database": text}, shared.partitions, most)
    except DatabaseError:
        if kept is None:
            shop.forget(WHOSE)
        raise


def _name_in(store: Store, shop: Workshop, folder: Path) -> str:
    """What a database is called in an exchange elsewhere: a new name or, if what the workshop had
    kept is damaged, the one that is used there, if it was begun in this folder."""
    end = f", begun as {folder.resolve()}"
    used = database_in(store) if shop.is_damaged else ""
    return used if used.endswith(end) else f"{uuid4().hex[:8]}{end}"


def _store_for(crew: Crew, place: str) -> Store:
    """The store at a place, which has to be one that all see who do tasks."""
    store = store_at(place)
    if store.alone and not isinstance(crew, Here):
        raise ClusterError(
            f"{store.where} is memory of this process, which workers, processes of their own, do "
            f"not see: give an --exchange that all of them see, or no workers"
        )
    return store


def _clear(store: Store, expect_held: Callable[[], None]) -> None:
    """Remove what was exchanged, if it is still this builder's. The database does not depend on
    that."""
    try:
        expect_held()
        if store.has(PLAN):
            store.clear()
        elif any(name != LEASE for name in store.names("")):
            raise ExchangeError(f"its {PLAN} is gone, so it may be somebody else's")
    except ExchangeError as error:
        warnings.warn(f"{store.where} is left over: {error}", stacklevel=2)


def why_not(game: Game) -> str:
    """The name of what makes a database of a game hold more, or other values, than what the ends
    are worth to the positions that lead to them, so that it cannot be split; empty if nothing
    does."""
    if game.has_settled:
        return "has_settled"
    return "every_rank" if game.every_rank else ""


def _expect_values_at_ends(game: Game) -> None:
    name = why_not(game)
    if name:
        raise DatabaseError(
            f"{game.title()} has {name}: such a database is built by one process, in memory, "
            f"without --workers, --scheduler and --partitions"
        )


def _solve(rounds: Rounds, cut: Split, shop: Workshop, asked: Asked, workers: int) -> None:
    found = rounds.find_all()
    scored = len(found.amounts) > 1 and not asked.outcomes
    rounds.job = rounds.job._replace(rounds=found.rounds, scored=scored)
    steps = rounds.decide_all(found)
    counts = rounds.order_all(found, steps)
    _publish(rounds, cut, shop, asked, workers, (found, counts))


def _publish(
    rounds: Rounds,
    cut: Split,
    shop: Workshop,
    asked: Asked,
    workers: int,
    known: tuple[Found, Counts],
) -> None:
    """Put the pieces of all partitions together, and give the folder its name."""
    found, counts = known
    names = ("marks", "hints") if cut.ranks else ("states", "buckets")
    total = sum(found.positions)
    for name in (*names, VALUES):
        ordered = Ordered(rounds.exchange, cut.ranks, name, total)
        rounds.mender.trying(partial(shop.save, name, ordered, total))
    positions = _positions(cut, shop, total)
    made = manifest_of(shop, positions, asked, workers, found.worth(), rounds.job.scored, counts)
    shop.finish(dict(made))


class Ordered:
    """The pieces of one file of the database, each in memory while it is looked at."""

    def __init__(self, exchange: Exchange, ranks: int, name: str, total: int) -> None:
        self.exchange, self.ranks, self.name, self.total = exchange, ranks, name, total

    def __iter__(self) -> Iterator[AnyArray]:
        partitions = range(self.exchange.partitions)
        opened = (
            self.exchange.load(ORDERED, PIECES, partition, briefly=True) for partition in partitions
        )
        if self.ranks:
            ranks = Ranks(self.ranks, self.total, span_of(self.exchange.most))
            return merged(self.name, ranks, list(opened))
        return (arrays[self.name] for arrays in opened)


def _positions(cut: Split, shop: Workshop, total: int) -> Positions:
    """The positions of the database, mapped into memory."""
    if cut.ranks:
        marks, hints = shop.demand("marks"), shop.demand("hints")
        return Ranked(cut.game, cut.first, cut.ranks, View(marks), View(hints), total)
    states, buckets = shop.demand("states"), shop.demand("buckets")
    words = np.asarray(states, np.uint64)
    return Positions(
        cut.game, cut.first, StateView(total, StateLayout(cut.first), words), View(buckets)
    )
