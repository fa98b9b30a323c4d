"""Finding the positions of a partition, round by round.

In each round a partition gets the children that were met in the round before, by all partitions. It
keeps the new ones, in the order in which they arrive, and sends their children on. The number of
arrival is what a position is known by from then on: with each child goes its parent's number, so
that the parents of all positions lie in the files when the last round is over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from prunus.core.arrays import View
from prunus.core.bits import i64, mix, mulhi
from prunus.core.game import Game
from prunus.core.memory import Array, Counted, StateArray
from prunus.core.state import StateLayout
from prunus.databases.cluster.exchange import KEPT, Exchange, Part, Pieces, Record, parts_of
from prunus.databases.cluster.partition import (
    Split,
    SplitMemory,
    has_right_rank,
    partition_of,
)
from prunus.databases.cluster.sending import BUFFER, Sent
from prunus.databases.errors import DatabaseError
from prunus.databases.limit import MemoryLimitError
from prunus.databases.numbering import representative
from prunus.databases.parents import MOST_CHILDREN, too_many
from prunus.databases.ranking import wrong_rank
from prunus.databases.workshop import AnyArray
from prunus.kernel.columns import StateView
from prunus.kernel.loops import for_each
from prunus.kernel.memory import Memory, Spec
from prunus.run.limits import dead_end_error

SAME: Final = 1 << 31
"""Marks the parent of a move after which the same player is to move; numbers are below it."""

MOVES: Final = "moves"
"""The name of a file with the children that a round has sent, needed in the next round alone. All
else is in `KEPT`: the positions that arrived in a round (`arrived`), those of them at which the
game is over and what these are worth (`ends`, `worths`), their numbers of moves (`branches`), the
numbers of all children that were received (`children`), and the parents of those that were sent
(`parents`)."""

SMALLEST: Final = 1 << 10

AT_ONCE: Final = 1 << 10


def round_name(number: int) -> str:
    """The name of a round in the shared folder."""
    return f"found-{number:05}"


class Finder:
    """The positions of a partition that have arrived before a round, of which the first have been
    expanded. `expect` is told of how many bytes more are taken next. A round ends when the moves
    that it sends take `most` bytes (0: any number); what is left is expanded in the next one."""

    def __init__(
        self, cut: Split, partition: int, expect: Callable[[int], None], most: int = 0
    ) -> None:
        self.cut, self.partition, self.expect, self.most = cut, partition, expect, most
        self.layout = StateLayout(cut.first)
        self.count = self.expanded = 0
        self._arrived = self._states(SMALLEST)
        self._slots = np.zeros(2 * SMALLEST, np.uint32)

    def restore(self, exchange: Exchange, rounds: int) -> None:
        """Read what arrived in the first rounds."""
        aside = exchange.aside(type(self).__name__, rounds, self.partition)
        before = aside[0] if aside is not None else 0
        kept = [exchange.load(round_name(n), KEPT, self.partition) for n in range(rounds)]
        self.expanded = sum(arrays.length("branches") for arrays in kept)
        sizes = [arrays.length("arrived") // self.cut.words for arrays in kept]
        self._grow(sum(sizes))
        for number, arrays in enumerate(kept):
            begin, more = self.count * self.cut.words, arrays.length("arrived")
            self._arrived.array[begin : begin + more] = arrays["arrived"]
            self.count += sizes[number]
            if aside is not None and number + 1 == before:
                self.expect(aside[1]["slots"].nbytes)
                self._slots = np.array(aside[1]["slots"])
        known = sum(sizes[:before])
        if 3 * self.count > 2 * len(self._slots):
            self._spread(known)
        self._settle(known, self.count - known)

    def lay_aside(self, exchange: Exchange) -> dict[str, AnyArray]:
        """What has to be kept of it: where its positions are in the table."""
        return {"slots": self._slots}

    def run(
        self, exchange: Exchange, number: int, sent: Sequence[int]
    ) -> tuple[Record, dict[str, Pieces]]:
        """Do a round, before which the partitions have sent so many moves to this one; return its
        record, and what is to be kept."""
        before, name = self.count, round_name(number)
        children = self._receive(exchange, number, parts_of(sent, self.partition))
        words, first = self.cut.words, self.expanded
        found = Sent(self.cut, self.count - first)
        self._expand(found)
        expanded = self.expanded - first
        over = np.flatnonzero(found.over.array[:expanded])
        worths = found.worths.array[over]
        kept: dict[str, Pieces] = {
            "arrived": self._arrived.array[before * words : self.count * words],
            "children": children,
            "ends": (over + first).astype(np.uint32),
            "worths": worths,
            "branches": found.branches.array[:expanded],
            "parents": found.parents(),
        }
        exchange.save(name, MOVES, self.partition, {"moves": found.moves()})
        amounts = np.unique(np.abs(worths))
        record: Record = {
            "heard": len(children),
            "new": self.count - before,
            "left": self.count - self.expanded,
            "ends": len(over),
            "amounts": [int(amount) for amount in amounts if amount],
            "sent": found.sent.tolist(),
        }
        return record, kept

    def send_again(self, exchange: Exchange, number: int) -> None:
        """Write the moves again that a round has sent."""
        self.restore(exchange, number + 1)
        self.expanded -= exchange.load(round_name(number), KEPT, self.partition).length("branches")
        found = Sent(self.cut, self.count - self.expanded)
        self._expand(found)
        exchange.save(round_name(number), MOVES, self.partition, {"moves": found.moves()})

    def _receive(
        self, exchange: Exchange, number: int, parts: Sequence[Part]
    ) -> NDArray[np.uint32]:
        """Take what was sent in the round before; return the numbers of these positions."""
        if number == 0:
            if _home(self.cut) == self.partition:
                self._take(_words_of(self.cut))
            return np.zeros(0, np.uint32)
        before = round_name(number - 1)
        self.expect((8 * self.cut.words + 4) * sum(part.size for part in parts))
        pieces = exchange.received(before, MOVES, "moves", parts, self.cut.words)
        groups = _in_fewer(pieces, BUFFER * self.cut.words)
        return np.concatenate([np.zeros(0, np.uint32), *(self._take(group) for group in groups)])

    def _take(self, words: NDArray[np.uint64]) -> NDArray[np.uint32]:
        """The numbers of positions, of which the new ones get theirs now."""
        size = self.cut.words
        total = len(words) // size
        places = np.zeros(total, np.uint32)
        for first in range(0, total, BUFFER):
            last = min(total, first + BUFFER)
            self._make_room(last - first)
            incoming = StateView(last - first, self.layout, words[first * size : last * size])
            numbers = View(np.zeros(last - first, np.uint32))
            counted = View(np.array([self.count]))
            fields: Spec = {"incoming": incoming, "places": numbers, "counted": counted}
            self._each(receive, last - first, {**fields, **self._table()})
            self.count = int(counted.array[0])
            places[first:last] = numbers.array
        return places

    def _make_room(self, more: int) -> None:
        """Have room for so many more positions."""
        needed = self.count + more
        if needed > self._arrived.shape[0]:
            try:
                self._grow(max(needed, min(2 * self._arrived.shape[0], SAME - 1)))
            except MemoryLimitError:
                self._grow(needed)
        if 3 * needed > 2 * len(self._slots):
            self._spread(self.count, needed)

    def _grow(self, needed: int) -> None:
        """Have room for the States of so many positions."""
        if needed >= SAME:
            raise DatabaseError(
                f"a partition has {needed:,} positions or more; give more --partitions"
            )
        words, old = self.cut.words, self._arrived
        if needed > old.shape[0]:
            self.expect(8 * words * needed)
            self._arrived = self._states(needed)
            self._arrived.array[: self.count * words] = old.array[: self.count * words]

    def _spread(self, known: int, needed: int = 0) -> None:
        """Put the first positions into a larger table, which has room for so many."""
        size = max(2 * max(needed, self.count), 2 * len(self._slots))
        self.expect(4 * size)
        self._slots = np.zeros(size, np.uint32)
        self._settle(0, known)

    def _settle(self, first: int, count: int) -> None:
        begin = View(np.array([first]))
        self._each(settle, count, {"begin": begin, **self._table()})

    def _expand(self, found: Sent) -> None:
        """Collect the moves from the positions that have not been expanded."""
        origin = self.expanded
        while self.expanded < self.count and not (self.most and found.bytes > self.most):
            stopped = View(np.array([-1]))
            taken = View(np.zeros(1, np.int64))
            begin = View(np.array([self.expanded, origin]))
            count = min(BUFFER, self.count - self.expanded)
            fields: Spec = {"begin": begin, "stopped": stopped, "taken": taken}
            wrong = View(np.zeros(2, np.int64))
            fields = {**fields, **found.fields(), **self.cut.fields(), **self._table()}
            self._each(expand, count, {**fields, "wrong": wrong})
            _expect_right(self.cut.game, self._arrived, found.room, wrong)
            self.expect(found.room.array.nbytes)
            found.keep(int(taken.array[0]))
            halted = int(stopped.array[0])
            self.expanded = self.expanded + count if halted < 0 else halted

    def _table(self) -> Spec:
        return {"arrived": self._arrived, "slots": View(self._slots)}

    def _states(self, count: int) -> StateView:
        # Bytes between fields are 0, so that the same positions are the same files.
        return StateView(count, self.layout, np.zeros(count * self.layout.size // 8, np.uint64))

    def _each(self, body: Callable[..., object], count: int, fields: Spec) -> None:
        if count:
            cut = self.cut
            for_each(cut.game, body, count, fields, step=AT_ONCE, compile=cut.compile)


def _in_fewer(pieces: list[AnyArray], size: int) -> Iterator[NDArray[np.uint64]]:
    """The same words in fewer pieces, of about this size: each piece takes its time."""
    group: list[AnyArray] = []
    for number, piece in enumerate(pieces):
        group.append(piece)
        if sum(len(part) for part in group) >= size or number + 1 == len(pieces):
            yield np.concatenate(group).astype(np.uint64, copy=False)
            group = []


def _words_of(cut: Split) -> NDArray[np.uint64]:
    """The words of the first position."""
    view = StateView(1, StateLayout(cut.first), np.zeros(cut.words, np.uint64))
    view[0] = cut.first
    words: NDArray[np.uint64] = view.array
    return words


def _home(cut: Split) -> int:
    """The partition of the first position, whose rank has to be right."""
    memory = Memory(cut.fields())
    if not has_right_rank(cut.game, cut.first, memory):
        raise DatabaseError(f"{cut.game.title()}: {wrong_rank(cut.game, cut.first)}")
    return partition_of(cut.game, cut.first, memory)


def _expect_right(game: Game, arrived: StateView, room: StateView, wrong: View) -> None:
    """Raises the error that a loop has noted: its kind, and a place."""
    kind, place = wrong.array.tolist()
    if kind == STUCK:
        raise dead_end_error(game, arrived[place])
    if kind == MANY:
        raise too_many(game, arrived[place])
    if kind == RANK:
        raise DatabaseError(f"{game.title()}: {wrong_rank(game, room[place])}")


STUCK: Final = 1
MANY: Final = 2
RANK: Final = 3
"""The kinds of errors: a position without a move in which the game is not over, one with too many,
a rank that is not right."""


def slot_of(game: Game, home: object, memory: TableMemory) -> int:
    """The slot of a position: the one with its number, or the free one for it."""
    slots = len(memory.slots)
    # The mixed keys of a partition lie close together, so they are mixed once more.
    slot = i64(mulhi(mix(mix(game.key(home))), slots))
    while True:
        found = memory.slots[slot]
        if found == 0 or memory.arrived[found - 1] == home:
            return slot
        slot = slot + 1 if slot + 1 < slots else 0


def settle(game: Game, index: int, memory: SettlingMemory) -> None:
    """Put a position that has arrived into the table."""
    place = memory.begin[0] + index
    memory.slots[slot_of(game, memory.arrived[place], memory)] = place + 1


def receive(game: Game, index: int, memory: ReceivingMemory) -> None:
    """Take a position that was sent."""
    home = memory.incoming[index]
    slot = slot_of(game, home, memory)
    if memory.slots[slot] == 0:
        count = memory.counted[0]
        memory.arrived[count] = home
        memory.counted[0] = count + 1
        memory.slots[slot] = count + 1
    memory.places[index] = memory.slots[slot] - 1


def expand(game: Game, index: int, memory: ExpandingMemory) -> None:
    """Collect the moves from a position, or all of them later if there is no room."""
    if memory.stopped[0] >= 0 or memory.wrong[0] != 0:
        return
    place = memory.begin[0] + index
    new = place - memory.begin[1]
    state = memory.arrived[place]
    memory.nodes += 1
    if game.is_terminal(state):
        memory.over[new] = True
        memory.worths[new] = game.utility(state)
        return
    first = memory.taken[0]
    taken = first
    for action in game.actions(state):
        if taken == len(memory.origins):
            memory.stopped[0] = place
            return
        if taken - first == MOST_CHILDREN:
            memory.wrong[0] = MANY
            memory.wrong[1] = place
            return
        child = representative(game, game.result(state, action))
        memory.room[taken] = child
        if not has_right_rank(game, child, memory):
            memory.wrong[0] = RANK
            memory.wrong[1] = taken
            return
        memory.targets[taken] = partition_of(game, child, memory)
        memory.origins[taken] = place + SAME if game.keeps_turn(state, child) else place
        taken += 1
    if taken == first:
        memory.wrong[0] = STUCK
        memory.wrong[1] = place
    memory.branches[new] = taken - first
    memory.taken[0] = taken


class TableMemory(Protocol):
    """A memory with the positions that have arrived, and where each of them is."""

    arrived: StateArray
    slots: Array[int]


class SettlingMemory(TableMemory, Protocol):
    """The same with the first of the positions that are put into it."""

    begin: Array[int]


class ReceivingMemory(TableMemory, Protocol):
    """The same with positions that were sent, and how many have arrived."""

    incoming: StateArray
    places: Array[int]
    counted: Array[int]


class ExpandingMemory(Counted, SettlingMemory, SplitMemory, Protocol):
    """The same with room for moves, of which some are `taken`, the position at which it was full,
    and what went wrong."""

    stopped: Array[int]
    taken: Array[int]
    wrong: Array[int]
    over: Array[bool]
    worths: Array[int]
    branches: Array[int]
    room: StateArray
    origins: Array[int]
    targets: Array[int]
