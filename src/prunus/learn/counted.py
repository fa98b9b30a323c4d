"""The features of many positions, as few numbers as possible: which are present and how often, and
the shares of the stages, with which the weights of each stage count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

Array = np.ndarray

CHUNK: Final = 1 << 14
"""The number of positions multiplied at once, few enough for a processor's cache."""


@dataclass(frozen=True)
class Counted:
    """Positions as sparse rows: the features of row i and how often they are present are
    `features[starts[i]:starts[i + 1]]` and `amounts[starts[i]:starts[i + 1]]`; `shares` are those
    of the stages (positions x stages), `value` that of the search, for the player to move, and
    `game` the number of the game."""

    features: Array
    amounts: Array
    starts: Array
    shares: Array
    value: Array
    game: Array

    def __len__(self) -> int:
        return len(self.value)

    def __getitem__(self, rows: Array) -> Counted:
        """The rows that a mask selects."""
        sizes = np.diff(self.starts)
        entries = np.repeat(rows, sizes)
        return Counted(
            self.features[entries],
            self.amounts[entries],
            _starts(sizes[rows]),
            self.shares[rows],
            self.value[rows],
            self.game[rows],
        )

    def present(self, features: Sequence[int]) -> Array:
        """Whether each row has one of some features."""
        found = np.isin(self.features, features)
        row = np.repeat(np.arange(len(self)), np.diff(self.starts))
        return np.bincount(row[found], minlength=len(self)) > 0

    @classmethod
    def of(cls, amounts: Array, shares: Array, value: Array, game: Array) -> Counted:
        """Rows from the amounts of all features (positions x features)."""
        present = amounts != 0
        return cls(
            np.nonzero(present)[1].astype(np.int32),
            amounts[present].astype(np.int16),
            _starts(present.sum(axis=1)),
            shares,
            value,
            game,
        )

    @classmethod
    def joined(cls, parts: Sequence[Counted]) -> Counted:
        """The rows of all parts, one after the other."""
        sizes = np.concatenate([np.diff(part.starts) for part in parts])
        return cls(
            np.concatenate([part.features for part in parts]),
            np.concatenate([part.amounts for part in parts]),
            _starts(sizes),
            np.concatenate([part.shares for part in parts]),
            np.concatenate([part.value for part in parts]),
            np.concatenate([part.game for part in parts]),
        )

    def chunks(self) -> Iterator[tuple[slice, slice, Array]]:
        """The rows in pieces: the rows and the entries of each, and the row in the piece to which
        each entry belongs."""
        for first in range(0, len(self), CHUNK):
            starts = self.starts[first : first + CHUNK + 1]
            rows = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
            yield slice(first, first + len(starts) - 1), slice(starts[0], starts[-1]), rows

    def predicted(self, weights: Array) -> Array:
        """The sum of the weighted features of every row; `weights` are those of the first stage,
        then those of the second, and so on."""
        stages = self.shares.shape[1]
        by_feature = np.ascontiguousarray(weights.reshape(stages, -1).T)
        total = np.zeros(len(self))
        for rows, entries, row in self.chunks():
            found, amounts = by_feature[self.features[entries]], self.amounts[entries]
            count = rows.stop - rows.start
            for stage in range(stages):
                part = np.bincount(row, found[:, stage] * amounts, count)
                total[rows] += self.shares[rows, stage] * part
        return total

    def transposed(self, numbers: Array, count: int) -> Array:
        """For each of `count` weights, the sum of what it is multiplied by in every row, times that
        row's number."""
        return self._transposed(numbers, count, 1)

    def squares(self, importance: Array, count: int) -> Array:
        """The same with the squares of what a weight is multiplied by."""
        return self._transposed(importance, count, 2)

    def _transposed(self, numbers: Array, count: int, power: int) -> Array:
        stages = self.shares.shape[1]
        total = np.zeros((stages, count // stages))
        for rows, entries, row in self.chunks():
            features, amounts = self.features[entries], self.amounts[entries].astype(float) ** power
            for stage in range(stages):
                shared = numbers[rows] * self.shares[rows, stage] ** power
                total[stage] += np.bincount(features, shared[row] * amounts, count // stages)
        return total.reshape(-1)


def _starts(sizes: Array) -> Array:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
