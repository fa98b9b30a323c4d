"""What workers do: each task is a function from files of the exchange to others there.

A worker keeps the partitions it worked on in memory, as far as there is room, and goes on with them
in the next round. That saves time and changes nothing: a partition that it does not have, because
another worker had it and died, is read from the files of the rounds before.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from prunus.core.game import Game
from prunus.core.position import Position
from prunus.databases.cluster.deciding import Decider, Step, say_nothing, told_name
from prunus.databases.cluster.exchange import Exchange, Pieces, Record, allow_files, parts_of
from prunus.databases.cluster.finding import Finder, round_name
from prunus.databases.cluster.ordering import ORDERED, Whole, pieces
from prunus.databases.cluster.partition import Split, split
from prunus.databases.cluster.shelf import Shelf
from prunus.databases.errors import DatabaseError
from prunus.databases.folder import identity_of
from prunus.databases.labels import count_labels
from prunus.databases.numbering import expect_machine_state, representative

Opened = Callable[[], tuple[Game, Position]]
"""Makes the game and the position at which it starts, in any process."""


class Job(NamedTuple):
    """What all tasks of a build have in common. `memory` is the most bytes that a process may take,
    `most` those that the moves of a partition take in a round (0: as many as there are). `scored`
    is known when positions are decided."""

    place: str
    opened: Opened
    identity: str
    partitions: int
    compile: bool | None
    memory: int = 0
    most: int = 0
    rounds: int = 0
    scored: bool = False


def find(job: Job, number: int, sent: Sequence[int], partition: int) -> Record:
    """Do a round in which positions are found, before which each partition has sent so many moves
    to this one."""
    exchange, began = _begin(job)
    name = round_name(number)
    done = exchange.done(name, partition)
    if done is not None:
        return done
    finder = shelf.take(Finder, partition, number)
    restored = finder is None and number > 0
    if finder is None:
        finder = Finder(_split(job), partition, shelf.expect, job.most)
        finder.restore(exchange, number)
    done = _finish(exchange, name, partition, finder.run(exchange, number, sent), began, restored)
    shelf.put(finder, number + 1)
    return done


def send_again(job: Job, number: int, partition: int) -> Record:
    """Write the moves again that a round has sent in which positions are found; what else it did
    stays."""
    exchange, _ = _begin(job)
    finder = Finder(_split(job), partition, shelf.expect, job.most)
    finder.send_again(exchange, number)
    return {}


def decide(job: Job, steps: tuple[Step, ...], sent: Sequence[int], partition: int) -> Record:
    """Do the last of these rounds, in which positions are decided, before which each partition has
    sent so many messages to this one."""
    exchange, began = _begin(job)
    number = len(steps) - 1
    name = told_name(number)
    done = exchange.done(name, partition)
    if done is not None:
        return done
    if not steps[-1].seed and not any(sent):
        said = say_nothing(job.partitions)
        done = _finish(exchange, name, partition, said, began, restored=False)
        shelf.skip(Decider, partition, number + 1)
        return done
    decider, restored = _decider(job, steps[:-1], partition, exchange)
    ran = decider.run(exchange, number, steps[-1], parts_of(sent, partition))
    done = _finish(exchange, name, partition, ran, began, restored)
    shelf.put(decider, number + 1)
    return done


def order(job: Job, steps: tuple[Step, ...], whole: Whole, partition: int) -> Record:
    """Write the pieces of a partition when all rounds are over."""
    exchange, began = _begin(job)
    done = exchange.done(ORDERED, partition)
    if done is not None:
        return done
    decider, restored = _decider(job, steps, partition, exchange)
    labels = decider.finished()
    del decider
    cut = _split(job)
    shelf.expect(len(labels) * (24 * cut.words + 48))
    made = pieces(cut, partition, exchange, job.rounds, labels, whole)
    counts = count_labels(labels, job.scored)
    record: Record = {"new": len(labels), "counts": (*counts,)}
    return _finish(exchange, ORDERED, partition, (record, made), began, restored)


def _decider(
    job: Job, steps: tuple[Step, ...], partition: int, exchange: Exchange
) -> tuple[Decider, bool]:
    """A partition after these rounds, and whether it was read from files."""
    kept = shelf.take(Decider, partition, len(steps))
    if kept is not None:
        return kept, False
    decider = Decider(_split(job), partition, job.scored, shelf.expect)
    before = 0
    aside = exchange.aside(Decider.__name__, len(steps), partition)
    if aside is not None and decider.resume(exchange, aside[1]):
        before = aside[0]
    else:
        exchange.forget_aside(Finder.__name__, partition)
        decider.begin(exchange, job.rounds)
    for number in range(before, len(steps)):
        parts = exchange.parts(told_name(number - 1), partition) if number else []
        decider.take(exchange, number, steps[number], parts)
    return decider, bool(steps)


def _begin(job: Job) -> tuple[Exchange, float]:
    allow_files()
    exchange = Exchange(job.place, job.partitions, job.most)
    began = time.process_time()
    shelf.begin(Exchange(job.place, job.partitions), job.memory)
    return exchange, began


def _finish(
    exchange: Exchange,
    name: str,
    partition: int,
    made: tuple[Record, Mapping[str, Pieces]],
    began: float,
    restored: bool,
) -> Record:
    """Write the last file of a task; return the record, which also tells what that took."""
    record, arrays = made
    done: Record = {
        **record,
        **_spent(exchange, began),
        "worker": f"{platform.node()} {os.getpid()}",
        "restored": restored,
    }
    exchange.finish(name, partition, arrays, done)
    return {**done, **_spent(exchange, began)}


def _spent(exchange: Exchange, began: float) -> Record:
    return {"bytes": exchange.written, "seconds": time.process_time() - began}


_splits: dict[tuple[str, str], Split] = {}
"""The game of this process, opened once."""

shelf: Final = Shelf()
"""The partitions that this process has in memory."""


def _split(job: Job) -> Split:
    """The game, opened once in each process. Raises DatabaseError if it has other rules here."""
    key = job.place, job.identity
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
