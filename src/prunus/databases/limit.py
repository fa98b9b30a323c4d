"""A limit of memory for a build: it is stopped before it needs more."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Final

from prunus.databases.errors import DatabaseError
from prunus.databases.numbering import (
    COUNTING,
    ENDS,
    ENUMERATING,
    LAYERS,
    LISTING,
    NOTING,
    PLACES,
    ROOM,
    SORTING,
    Watch,
)
from prunus.databases.ranking import RANKS
from prunus.tables.positions import PositionSet, room_in

UNITS: Final = {"MB": 10**6, "GB": 10**9, "TB": 10**12}


class MemoryLimitError(DatabaseError):
    """A build would need more memory than it may take, which is `why` it ends; `more` tells what
    else there is to say."""

    def __init__(self, why: str, more: str = "") -> None:
        super().__init__(f"{why}; {more}" if more else why)
        self.why, self.more = why, more


def bytes_of(text: str) -> int:
    """The bytes of a size such as 4GB or 500 MB. Raises DatabaseError."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?) *(MB|GB|TB)", text.strip().upper())
    if found is None:
        raise DatabaseError(f"a memory of {text!r}: write it as in 4GB or 500MB")
    return int(float(found[1]) * UNITS[found[2]])


class Limited:
    """A `Watch` that raises MemoryLimitError when the process would get larger than `most` bytes
    by what a build does next, and otherwise tells `watch`. `known` is a set of the kind that the
    build uses, `size` the number of bytes of a State."""

    def __init__(self, most: int, size: int, known: PositionSet, watch: Watch | None) -> None:
        self.most, self.size, self.watch = most, size, watch
        self.slot = 8 + (0 if known.exact else size)
        self.positions = 0

    def __call__(self, doing: str, number: int) -> None:
        needed = resident() + self._more(doing, number)
        if needed > self.most:
            raise MemoryLimitError(
                f"{doing} needs about {needed / 1e9:,.2f} GB of memory, "
                f"{self.most / 1e9:,.2f} GB are allowed"
            )
        if doing in (ENUMERATING, SORTING, ENDS):
            self.positions = number
        if self.watch is not None:
            self.watch(doing, number)

    def _more(self, doing: str, number: int) -> int:
        """The most bytes that are taken next, besides those that the process has."""
        if doing == ROOM:  # the slots, and the States that fill them
            return number * self.slot + max(0, room_in(number) - self.positions) * self.size
        if doing == RANKS:  # two bits each
            return number // 4
        each = {
            SORTING: self.size + 16 // PLACES + 1,  # States in order, buckets, free places
            ENDS: 4,  # labels, counters
            LAYERS: 6,  # layers, what is certain of values, and of which kind it is
            COUNTING: 8,  # tallies, their sums
            LISTING: 4,  # children
        }
        if doing == NOTING:  # parents; those that wait, and what ends are worth
            return 4 * number + 10 * self.positions
        return each.get(doing, 0) * number


def resident() -> int:
    """The bytes of memory that this process has now; where the system does not tell, the most it
    has had."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        import resource

        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else 1024 * most
