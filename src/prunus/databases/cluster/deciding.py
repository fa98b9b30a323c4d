"""Deciding the positions of a partition, round by round.

Each position knows its parents, wherever these are. In each round a partition gets the messages for
its positions: a child has been decided, for the parent or against it. What is decided by that is
told to the parents, most of whom are in other partitions. A message is one number of 32 bits.

The order of the messages of one round does not matter: one child that is won for the parent decides
it whatever the others are, and all have to be against it otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from prunus.core.arrays import View
from prunus.core.game import Game
from prunus.core.memory import Array, Counted
from prunus.databases.cluster.arrays import Arrays, Parted
from prunus.databases.cluster.exchange import (
    ASIDE,
    KEPT,
    LINKS,
    TOLD,
    Exchange,
    Part,
    Pieces,
    Record,
)
from prunus.databases.cluster.finding import AT_ONCE, SAME, round_name
from prunus.databases.cluster.partition import Split
from prunus.databases.cluster.stores import ExchangeError
from prunus.databases.errors import DatabaseError
from prunus.databases.labels import DRAWN, LOST, OPEN, WON, ZERO, Labels
from prunus.databases.parents import counters
from prunus.databases.propagation import GivenMemory, given_labels, is_for, label_after
from prunus.databases.workshop import AnyArray
from prunus.kernel.loops import for_each
from prunus.kernel.memory import Spec

GROUP: Final = 1 << 18
"""The moves of a group of rounds that are linked together."""

Number = TypeVar("Number", bound=np.generic)

GOOD: Final = 1 << 31
"""Marks a message of a child that is decided for the parent."""

ALL: Final = -1
"""The `seed` of a round in which all ends that are not drawn are decided."""


class Step(NamedTuple):
    """What a round does: the labels that it gives, won and lost, and the amount that those ends are
    worth which it decides (0: none of them)."""

    won: int
    lost: int
    seed: int


def told_name(number: int) -> str:
    """The name of a round in the shared folder."""
    return f"told-{number:05}"


class Decider:
    """The labels of a partition before a round. `expect` is told of how many bytes more are taken
    next."""

    def __init__(
        self, cut: Split, partition: int, scored: bool, expect: Callable[[int], None]
    ) -> None:
        self.cut, self.partition, self.scored, self.expect = cut, partition, scored, expect

    def begin(self, exchange: Exchange, rounds: int) -> None:
        """Read the positions from the files of the rounds in which they were found."""
        kept = [exchange.load(round_name(n), KEPT, self.partition) for n in range(rounds)]
        count = sum(arrays.length("branches") for arrays in kept)
        arrived = sum(arrays.length("arrived") for arrays in kept)
        if arrived != count * self.cut.words:
            raise ExchangeError(
                f"{exchange.place} is damaged: of partition {self.partition} {arrived:,} words "
                f"arrived, for {count:,} positions; remove {exchange.home}, and begin again"
            )
        moves = sum(arrays.length("children") for arrays in kept)
        ends = sum(arrays.length("ends") for arrays in kept)
        self.expect(26 * count + 16 * moves + 42 * ends)
        self._ends = _joined(kept, "ends", np.uint32)
        self._worths = _joined(kept, "worths", np.int64)
        branches = _joined(kept, "branches", np.uint16)
        self.labels = View(np.zeros(len(branches), np.uint16))
        self._children = counters(len(branches))
        self._children.array.view(np.uint16)[: len(branches)] = branches
        self._link(exchange, [arrays["children"] for arrays in kept])
        if not self.scored:
            self.labels.array[self._ends[self._worths == 0]] = DRAWN

    def lay_aside(self, exchange: Exchange) -> dict[str, AnyArray]:
        """What changes in a partition; the rest is written, if it has not been."""
        if not exchange.has(ASIDE, LINKS, self.partition):
            links: dict[str, Pieces] = {
                "until": self._until.array,
                "parents": self._parents.array,
                "sources": self._sources.array,
                "ends": self._ends,
                "worths": self._worths,
            }
            exchange.save(ASIDE, LINKS, self.partition, links)
        return {"labels": self.labels.array, "children": self._children.array}

    def resume(self, exchange: Exchange, kept: dict[str, AnyArray]) -> bool:
        """Go on with what was laid aside; whether all of it is whole."""
        try:
            links = exchange.load(ASIDE, LINKS, self.partition, often=True).all()
        except (ExchangeError, OSError):
            exchange.forget_links(self.partition)
            return False
        self.expect(sum(array.nbytes for array in (*kept.values(), *links.values())))
        self._ends = links["ends"].astype(np.uint32, copy=False)
        self._worths = links["worths"].astype(np.int64, copy=False)
        self._until, self._parents = View(links["until"]), View(links["parents"])
        self._sources = View(links["sources"])
        self.labels = View(np.array(kept["labels"]))
        self._children = View(np.array(kept["children"]))
        return True

    def run(
        self, exchange: Exchange, number: int, step: Step, parts: Sequence[Part]
    ) -> tuple[Record, dict[str, Pieces]]:
        """Do a round with these messages; return its record, and what it tells."""
        record, told = self.take(exchange, number, step, parts)
        return record, {"told": Parted.cut(told, record["sent"])}

    def take(
        self, exchange: Exchange, number: int, step: Step, parts: Sequence[Part]
    ) -> tuple[Record, NDArray[np.uint32]]:
        """Do a round with these messages; return its record, and what it tells."""
        heard = np.zeros(0, np.uint32)
        if parts:
            self.expect(16 * sum(part.size for part in parts))
            pieces = exchange.received(told_name(number - 1), TOLD, "told", parts)
            heard = np.concatenate([heard, *pieces])
        decided = self._hear(heard, step)
        if step.seed:
            decided = np.concatenate([decided, self._seed(step)])
        told, sent = self._tell(decided)
        return {"heard": len(heard), "new": len(decided), "sent": sent}, told

    def finished(self) -> Labels:
        """The labels, when there is nothing to tell any more."""
        labels: Labels = self.labels.array.copy()
        if self.scored:
            labels[labels == OPEN] = ZERO
        return labels

    def _link(self, exchange: Exchange, children: list[AnyArray]) -> None:
        """Note the parents of each position, those of one together."""
        tallies = np.zeros(len(self.labels) + 1, np.int64)
        groups = _grouped([len(places) for places in children])
        for group in groups:
            places = np.concatenate([children[number] for number in group])
            tallies[1:] += np.bincount(places, minlength=len(self.labels))
        begins = np.cumsum(tallies)
        total = int(begins[-1])
        if total >= 1 << 32:
            raise DatabaseError(f"a partition has {total:,} moves; give more --partitions")
        # The next free place of each position, in the end the end of its parents.
        self._until = View(begins[:-1].astype(np.uint32))
        self._parents = View(np.zeros(total, np.uint32))
        self._sources = View(np.zeros(total, np.uint16))
        for group in groups:
            self._link_rounds(exchange, {number: children[number] for number in group})

    def _link_rounds(self, exchange: Exchange, children: Mapping[int, AnyArray]) -> None:
        """The same by what was received in these rounds."""
        origins: list[AnyArray] = []
        sources: list[NDArray[np.uint16]] = []
        for number, places in children.items():
            sent = round_name(number - 1)
            parts = exchange.parts(sent, self.partition)
            arrived = sum(part.size for part in parts)
            if len(places) != arrived:
                raise ExchangeError(
                    f"{sent} in {exchange.place} is damaged: {len(places):,} of {arrived:,} "
                    f"moves arrived; remove {exchange.home}, and begin again"
                )
            origins += exchange.received(sent, KEPT, "parents", parts)
            sources += [np.full(part.size, part.source, np.uint16) for part in parts]
        numbers = np.concatenate([*children.values()]).astype(np.uint32, copy=False)
        fields: Spec = {
            "places": View(numbers),
            "origins": View(np.concatenate(origins).astype(np.uint32, copy=False)),
            "origin_sources": View(np.concatenate(sources)),
        }
        self._each(link, len(numbers), {**fields, **self._links()})

    def _links(self) -> Spec:
        return {"until": self._until, "parents": self._parents, "sources": self._sources}

    def _hear(self, heard: NDArray[np.uint32], step: Step) -> NDArray[np.uint32]:
        """Take messages; return the positions that are decided by them."""
        decided = View(np.zeros(len(heard), np.uint32))
        counted = View(np.zeros(1, np.int64))
        fields: Spec = {
            "heard": View(heard),
            "labels": self.labels,
            "children": self._children,
            "decided": decided,
            "counted": counted,
            "given": given_labels(step.won, step.lost),
        }
        self._each(hear, len(heard), fields)
        found: NDArray[np.uint32] = decided.array[: int(counted.array[0])].copy()
        return found

    def _seed(self, step: Step) -> NDArray[np.uint32]:
        """Decide the ends of a round; return them."""
        amounts = np.abs(self._worths)
        chosen = amounts > 0 if step.seed == ALL else amounts == step.seed
        ends, won = self._ends[chosen], self._worths[chosen] > 0
        if self.scored:
            self.labels.array[ends] = (self._worths[chosen] + ZERO).astype(np.uint16)
        else:
            self.labels.array[ends] = np.where(won, WON, LOST)
        return ends

    def _tell(self, decided: NDArray[np.uint32]) -> tuple[NDArray[np.uint32], list[int]]:
        """The messages of positions that have been decided, those for each partition together, and
        how many there are for each."""
        until = self._until.array
        begins = np.where(decided == 0, 0, until[decided.astype(np.int64) - 1])
        total = int((until[decided].astype(np.int64) - begins).sum())
        self.expect(18 * total)
        told, targets = View(np.zeros(total, np.uint32)), View(np.zeros(total, np.uint16))
        fields: Spec = {
            "decided": View(decided),
            "labels": self.labels,
            "scored": self.scored,
            "told": told,
            "targets": targets,
            "counted": View(np.zeros(1, np.int64)),
        }
        self._each(tell, len(decided), {**fields, **self._links()})
        order = np.argsort(targets.array, kind="stable")
        sent = np.bincount(targets.array, minlength=self.cut.partitions)
        return told.array[order], sent.tolist()

    def _each(self, body: Callable[..., object], count: int, fields: Spec) -> None:
        if count:
            cut = self.cut
            for_each(cut.game, body, count, fields, step=AT_ONCE, compile=cut.compile)


def say_nothing(partitions: int) -> tuple[Record, dict[str, Pieces]]:
    """The same for a round in which nothing happens to a partition."""
    nothing = Parted(np.uint32, [[]] * partitions)
    return {"heard": 0, "new": 0, "sent": [0] * partitions}, {"told": nothing}


def _joined(kept: list[Arrays], name: str, kind: type[Number]) -> NDArray[Number]:
    """The arrays of one name, of all rounds."""
    found: NDArray[Number] = np.concatenate([np.zeros(0, kind), *(part[name] for part in kept)])
    return found


def _grouped(sizes: list[int]) -> list[list[int]]:
    """The numbers of rounds in groups of `GROUP` items or more, without those that have none: what
    is done for each group takes its time even for a few."""
    groups: list[list[int]] = []
    size = GROUP
    for number, more in enumerate(sizes):
        if more and size >= GROUP:
            groups.append([])
            size = 0
        if more:
            groups[-1].append(number)
            size += more
    return groups


def link(game: Game, index: int, memory: LinkingMemory) -> None:
    """Note a parent of a position."""
    child = memory.places[index]
    slot = memory.until[child]
    memory.until[child] = slot + 1
    memory.parents[slot] = memory.origins[index]
    memory.sources[slot] = memory.origin_sources[index]


def hear(game: Game, index: int, memory: HearingMemory) -> None:
    """Take one message."""
    word = memory.heard[index]
    place = word & (GOOD - 1)
    if memory.labels[place] != OPEN:
        return
    label = label_after(word >= GOOD, place, memory)
    if label != OPEN:
        memory.labels[place] = label
        memory.decided[memory.counted[0]] = place
        memory.counted[0] += 1


def tell(game: Game, index: int, memory: TellingMemory) -> None:
    """Tell the parents of a position that it is decided."""
    place = memory.decided[index]
    label = memory.labels[place]
    begin = memory.until[place - 1] if place > 0 else 0
    count = memory.counted[0]
    for slot in range(begin, memory.until[place]):
        parent = memory.parents[slot]
        number = parent & (SAME - 1)
        favourable = is_for(label, parent >= SAME, memory.scored)
        memory.told[count] = number + GOOD if favourable else number
        memory.targets[count] = memory.sources[slot]
        count += 1
    memory.counted[0] = count


class LinkedMemory(Protocol):
    """A memory with the parents of positions: their numbers with `SAME`, their partitions, and
    where those of each position end."""

    until: Array[int]
    parents: Array[int]
    sources: Array[int]


class LinkingMemory(LinkedMemory, Protocol):
    """The same with children, and a parent of each."""

    places: Array[int]
    origins: Array[int]
    origin_sources: Array[int]


class HearingMemory(Counted, GivenMemory, Protocol):
    """A memory with messages, and the positions that they decide."""

    heard: Array[int]
    labels: Array[int]
    decided: Array[int]
    counted: Array[int]


class TellingMemory(LinkedMemory, Protocol):
    """A memory with positions that have been decided, and room for what is told."""

    decided: Array[int]
    labels: Array[int]
    scored: bool
    told: Array[int]
    targets: Array[int]
    counted: Array[int]
