"""The moves that a partition sends in one round, each to the partition of its child."""

from __future__ import annotations

from typing import Final

import numpy as np

from prunus.core.arrays import View
from prunus.core.state import StateLayout
from prunus.databases.cluster.arrays import Parted
from prunus.databases.cluster.partition import Split
from prunus.databases.errors import DatabaseError
from prunus.databases.workshop import AnyArray
from prunus.kernel.columns import StateView
from prunus.kernel.memory import Spec

BUFFER: Final = (1 << 16) - 1
"""The moves that are collected before they are sorted by their partitions."""


class Sent:
    """The moves from at most `new` positions, and what is known of each of these, in one round."""

    def __init__(self, cut: Split, new: int) -> None:
        self.cut, layout = cut, StateLayout(cut.first)
        self.over = View(np.zeros(new, np.bool_))
        self.worths = View(np.zeros(new, np.int64))
        self.branches = View(np.zeros(new, np.uint16))
        self.room = StateView(BUFFER, layout, np.zeros(BUFFER * cut.words, np.uint64))
        self.origins = View(np.zeros(BUFFER, np.uint32))
        self.targets = View(np.zeros(BUFFER, np.uint16))
        self.sent = np.zeros(cut.partitions, np.int64)
        self._moves: list[list[AnyArray]] = [[] for _ in range(cut.partitions)]
        self._parents: list[list[AnyArray]] = [[] for _ in range(cut.partitions)]

    def fields(self) -> Spec:
        """The fields of a memory that collects moves."""
        names = ("over", "worths", "branches", "room", "origins", "targets")
        return {name: getattr(self, name) for name in names}

    def keep(self, count: int) -> None:
        """Keep the first moves that were collected, each for its partition."""
        if self.room.has_others():
            raise DatabaseError(
                f"{self.cut.game.title()} has States whose tuples differ in length; a database "
                f"needs tuples of one length"
            )
        targets = self.targets.array[:count]
        order = np.argsort(targets, kind="stable")
        words = self.room.array[: count * self.cut.words].reshape(count, self.cut.words)[order]
        origins = self.origins.array[:count][order]
        ends = np.cumsum(np.bincount(targets, minlength=self.cut.partitions))
        first = 0
        for target, last in enumerate(ends.tolist()):
            if last > first:
                self._moves[target].append(words[first:last].reshape(-1))
                self._parents[target].append(origins[first:last])
                self.sent[target] += last - first
            first = last

    def moves(self) -> Parted:
        """The children of all moves, a part for each partition."""
        return Parted(np.uint64, self._moves)

    def parents(self) -> Parted:
        """The numbers of their parents, with `SAME`."""
        return Parted(np.uint32, self._parents)

    @property
    def bytes(self) -> int:
        """The bytes of the moves that were kept so far."""
        return int(self.sent.sum()) * (8 * self.cut.words + 4)
