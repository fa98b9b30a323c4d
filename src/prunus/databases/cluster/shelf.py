"""The partitions that a process has in memory from round to round, and those that it puts aside,
into files, because it may take only so much memory.

Partitions are worked on in turn, round after round. So the one that was used last is the one that
will not be needed for longest, and it is put aside first: the others stay where they are, and only
what does not fit is written and read again in each round.
"""

from __future__ import annotations

import ctypes
from typing import Final, Protocol, TypeVar

from prunus.databases.cluster.exchange import Exchange
from prunus.databases.limit import MemoryLimitError, resident
from prunus.databases.workshop import AnyArray

CAREFUL: Final = 0.95
"""The part of the memory that is allowed which is used: little things are not counted."""


class Partition(Protocol):
    """A partition that can be put aside; `partition` is its number."""

    partition: int

    def lay_aside(self, exchange: Exchange) -> dict[str, AnyArray]:
        """What has to be kept of it besides the files that all rounds leave."""


Kind = TypeVar("Kind", bound=Partition)


class Shelf:
    """The partitions of one build at a time, each with the number of rounds that it has done."""

    def __init__(self) -> None:
        self.exchange = Exchange.nowhere()
        self.most = 0
        self._held: dict[tuple[str, int], tuple[int, Partition]] = {}

    def begin(self, exchange: Exchange, most: int) -> None:
        """Work for the build with this folder from now on, with at most so many bytes of memory (0:
        as many as there are)."""
        if exchange.place != self.exchange.place:
            self.clear()
        self.exchange, self.most = exchange, most

    def clear(self) -> None:
        """Let go of all partitions in memory."""
        self._held.clear()

    def take(self, kind: type[Kind], partition: int, rounds: int) -> Kind | None:
        """A partition that has done so many rounds, if it is in memory. It is no longer there: a
        task that fails in the middle leaves nothing that is half done. Nobody goes back to another
        kind of partition."""
        for name, number in [key for key in self._held if key[0] != kind.__name__]:
            del self._held[name, number]
        done, found = self._held.pop((kind.__name__, partition), (-1, None))
        return found if done == rounds and isinstance(found, kind) else None

    def put(self, worked: Partition, rounds: int) -> None:
        """Keep a partition that has done so many rounds."""
        self._held[type(worked).__name__, worked.partition] = rounds, worked

    def skip(self, kind: type[Partition], partition: int, rounds: int) -> None:
        """Note that nothing happened to a partition in the last of so many rounds."""
        key = kind.__name__, partition
        if key in self._held and self._held[key][0] == rounds - 1:
            self._held[key] = rounds, self._held[key][1]

    def expect(self, more: int) -> None:
        """Make sure that there is room for so many more bytes: put partitions aside, if there is
        not. Raises MemoryLimitError if there is not enough in all."""
        if not self.most:
            return
        while self._held and resident() + more > CAREFUL * self.most:
            self._put_aside()
            _give_back()
        needed = resident() + more
        if needed > CAREFUL * self.most:
            _give_back()
            needed = resident() + more
        if needed > CAREFUL * self.most:
            raise MemoryLimitError(
                f"one of the {self.exchange.partitions:,} partitions needs about "
                f"{needed / 1e9:,.2f} GB of memory, {self.most / 1e9:,.2f} GB are allowed",
                f"with more --memory the same command goes on; or remove "
                f"{self.exchange.home}, and give more --partitions",
            )

    def _put_aside(self) -> None:
        (name, partition), (rounds, worked) = self._held.popitem()
        self.exchange.put_aside(name, rounds, partition, worked.lay_aside(self.exchange))


def _give_back() -> None:
    """Have memory that has been freed given back to the system, where that can be asked for."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
