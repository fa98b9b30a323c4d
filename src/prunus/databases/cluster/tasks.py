"""What workers do: each task is a function from files of the shared folder to others there.

A worker keeps the partitions it worked on in memory, and goes on with them in the next round. That
saves time and changes nothing: a partition that it does not have, because another worker had it and
died, is read from the files of the rounds before.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeVar

from prunus.core.game import Game
from prunus.core.position import Position
from prunus.databases.cluster.deciding import Decider, Step, told_name
from prunus.databases.cluster.exchange import Exchange, Record
from prunus.databases.cluster.finding import Finder, round_name
from prunus.databases.cluster.ordering import ORDERED, PIECES, Whole, pieces
from prunus.databases.cluster.partition import Split, split
from prunus.databases.errors import DatabaseError
from prunus.databases.folder import identity_of
from prunus.databases.labels import count_labels
from prunus.databases.numbering import expect_machine_state, representative

Opened = Callable[[], tuple[Game, Position]]
"""Makes the game and the position at which it starts, in any process."""

Kind = TypeVar("Kind", Finder, Decider)


class Job(NamedTuple):
    """What all tasks of a build have in common. `scored` is known when positions are decided."""

    folder: str
    opened: Opened
    identity: str
    partitions: int
    compile: bool | None
    rounds: int = 0
    scored: bool = False


def find(job: Job, number: int, partition: int) -> Record:
    """Do a round in which positions are found."""
    exchange, began = _begin(job)
    name = round_name(number)
    done = exchange.done(name, partition)
    if done is not None:
        return done
    finder = _kept(job, Finder, partition, number)
    restored = finder is None and number > 0
    if finder is None:
        finder = Finder(_split(job), partition)
        finder.restore(exchange, number)
    record = finder.run(exchange, number)
    _keep(job, finder, partition, number + 1)
    return _finish(exchange, name, partition, record, began, restored)


def decide(job: Job, steps: tuple[Step, ...], partition: int) -> Record:
    """Do the last of these rounds, in which positions are decided."""
    exchange, began = _begin(job)
    number = len(steps) - 1
    name = told_name(number)
    done = exchange.done(name, partition)
    if done is not None:
        return done
    decider, restored = _decider(job, steps[:-1], partition, exchange)
    record = decider.run(exchange, number, steps[-1])
    _keep(job, decider, partition, number + 1)
    return _finish(exchange, name, partition, record, began, restored)


def order(job: Job, steps: tuple[Step, ...], whole: Whole, partition: int) -> Record:
    """Write the pieces of a partition when all rounds are over."""
    exchange, began = _begin(job)
    done = exchange.done(ORDERED, partition)
    if done is not None:
        return done
    decider, restored = _decider(job, steps, partition, exchange)
    labels = decider.finished()
    made = pieces(_split(job), partition, exchange, job.rounds, labels, whole)
    exchange.save(ORDERED, PIECES, partition, made)
    counts = count_labels(labels, job.scored)
    record: Record = {"new": len(labels), "counts": (*counts,)}
    return _finish(exchange, ORDERED, partition, record, began, restored)


def _decider(
    job: Job, steps: tuple[Step, ...], partition: int, exchange: Exchange
) -> tuple[Decider, bool]:
    """A partition after these rounds, and whether it was read from files."""
    kept = _kept(job, Decider, partition, len(steps))
    if kept is not None:
        return kept, False
    decider = Decider(_split(job), partition, exchange, job.rounds, job.scored)
    for number, step in enumerate(steps):
        decider.take(exchange, number, step)
    return decider, bool(steps)


def _begin(job: Job) -> tuple[Exchange, float]:
    return Exchange(Path(job.folder), job.partitions), time.process_time()


def _finish(
    exchange: Exchange, name: str, partition: int, record: Record, began: float, restored: bool
) -> Record:
    done: Record = {
        **record,
        "bytes": exchange.written,
        "seconds": time.process_time() - began,
        "worker": f"{platform.node()} {os.getpid()}",
        "restored": restored,
    }
    exchange.finish(name, partition, done)
    return done


_splits: dict[tuple[str, str], Split] = {}
_partitions: dict[tuple[str, str, str, int], tuple[int, Finder | Decider]] = {}
"""The game of this process, and its partitions, each with the number of rounds it has done; those
of one build at a time."""


def _split(job: Job) -> Split:
    """The game, opened once in each process. Raises DatabaseError if it has other rules here."""
    key = job.folder, job.identity
    if key not in _splits:
        game, at = job.opened()
        found = identity_of(game)
        if found != job.identity:
            raise DatabaseError(f"on {platform.node()} the game is {found}, not {job.identity}")
        first = representative(game, at.state)
        expect_machine_state(game, first)
        _splits.clear()
        _splits[key] = split(game, first, job.partitions, job.compile)
    return _splits[key]


def _kept(job: Job, kind: type[Kind], partition: int, rounds: int) -> Kind | None:
    """A partition that has done so many rounds, if it is here. It is no longer kept: a task that
    fails in the middle leaves nothing that is half done."""
    for key in [key for key in _partitions if key[:2] != (job.folder, job.identity)]:
        _partitions.pop(key, None)
    _partitions.pop(_key(job, Finder if kind is Decider else Decider, partition), None)
    done, found = _partitions.pop(_key(job, kind, partition), (-1, None))
    return found if done == rounds and isinstance(found, kind) else None


def _keep(job: Job, worked: Finder | Decider, partition: int, rounds: int) -> None:
    _partitions[_key(job, type(worked), partition)] = rounds, worked


def _key(job: Job, kind: type[Finder | Decider], partition: int) -> tuple[str, str, str, int]:
    return job.folder, job.identity, kind.__name__, partition
