"""Regularised least squares for evaluations: thousands of weights, of which each position uses only
a few."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Protocol

import numpy as np

Array = np.ndarray

CHUNK: Final = 1 << 16
"""The number of positions multiplied at once."""


@dataclass(frozen=True)
class Samples:
    """Positions as numbers, one in each row: `features` and `amounts` (padded with amounts of 0),
    `stage`, `value` (for the player to move), `game` (the number of the game it comes from), and
    whether the value is `exact`."""

    features: Array
    amounts: Array
    stage: Array
    value: Array
    game: Array
    exact: Array

    def __len__(self) -> int:
        return len(self.value)

    def __getitem__(self, rows: Array) -> Samples:
        return Samples(*(getattr(self, name)[rows] for name in self.__dataclass_fields__))

    def joined(self, others: Samples) -> Samples:
        """These positions followed by `others`, whose game numbers continue from these."""
        width = max(self.features.shape[1], others.features.shape[1])
        numbered = replace(others, game=others.game + 1 + int(self.game.max(initial=-1)))
        ours, theirs = self._wide(width), numbered._wide(width)
        return Samples(
            *(
                np.concatenate([getattr(ours, name), getattr(theirs, name)])
                for name in self.__dataclass_fields__
            )
        )

    def _wide(self, width: int) -> Samples:
        more = ((0, 0), (0, width - self.features.shape[1]))
        return replace(
            self, features=np.pad(self.features, more), amounts=np.pad(self.amounts, more)
        )

    def save(self, path: Path, sources: list[object]) -> None:
        """Save the positions and their sources in an `.npz` file, which is written completely or
        not at all."""
        part = path.with_name(f".{path.stem}.part.npz")
        np.savez_compressed(
            part,
            **{name: getattr(self, name) for name in self.__dataclass_fields__},
            sources=np.array(json.dumps(sources)),
        )
        part.replace(path)

    @classmethod
    def load(cls, path: Path) -> tuple[Samples, list[object]]:
        """The positions and their sources from a file written by `save`. Raises ValueError."""
        try:
            with np.load(path, allow_pickle=False) as kept:
                return cls(*(kept[name] for name in cls.__dataclass_fields__)), json.loads(
                    str(kept["sources"])
                )
        except (KeyError, ValueError, zipfile.BadZipFile):
            raise ValueError(
                f"{path}: this file holds no positions written by `prunus fit evaluation "
                f"--positions`"
            ) from None

    def chunks(self) -> Iterator[slice]:
        """The rows in pieces."""
        return (slice(first, first + CHUNK) for first in range(0, len(self), CHUNK))

    def predicted(self, weights: Array) -> Array:
        """The sum of the weighted features of every row; `weights` are those of one stage."""
        if not len(self):
            return np.zeros(0)
        return np.concatenate(
            [
                np.einsum("ij,ij->i", weights[self.features[rows]], self.amounts[rows])
                for rows in self.chunks()
            ]
        )

    def transposed(self, numbers: Array, count: int) -> Array:
        """For each of `count` features, the sum of its amounts times `numbers`, which has one
        number for each row."""
        total = np.zeros(count)
        for rows in self.chunks():
            part = numbers[rows, None] * self.amounts[rows]
            total += np.bincount(self.features[rows].ravel(), part.ravel(), count)
        return total

    def squares(self, importance: Array, count: int) -> Array:
        """The same with the squares of the amounts."""
        amounts = self.amounts.astype(np.float64) ** 2
        return replace(self, amounts=amounts).transposed(importance, count)


class Rows(Protocol):
    """Positions with their values, as a linear problem: `Samples`, or with stages
    `counted.Counted`."""

    @property
    def value(self) -> Array:
        """What the weights are to predict, one number for each row."""
        ...

    def predicted(self, weights: Array) -> Array:
        """The weighted sum of every row."""
        ...

    def transposed(self, numbers: Array, count: int) -> Array:
        """For each weight, the sum of what it is multiplied by times the row's number."""
        ...

    def squares(self, importance: Array, count: int) -> Array:
        """The same with squares of what it is multiplied by."""
        ...


def least_squares(
    samples: Rows,
    importance: Array,
    count: int,
    ridge: float,
    start: Array | None = None,
    iterations: int = 60,
) -> Array:
    """The weights that minimise the sum of importance x squared error over all rows, plus `ridge`
    times the sum of squared weights: by conjugate gradients on the normal equations, preconditioned
    by their diagonal (Hestenes & Stiefel 1952). `start` are the weights to begin with."""
    diagonal = samples.squares(importance, count) + ridge
    weights = np.zeros(count) if start is None else start.copy()

    def applied(vector: Array) -> Array:
        return samples.transposed(importance * samples.predicted(vector), count) + ridge * vector

    residual = samples.transposed(importance * samples.value, count) - applied(weights)
    conditioned = residual / diagonal
    direction, product = conditioned, float(residual @ conditioned)
    first = product
    for _ in range(iterations):
        if product <= 1e-10 * first or product == 0:
            break
        image = applied(direction)
        step = product / float(direction @ image)
        weights += step * direction
        residual = residual - step * image
        conditioned = residual / diagonal
        before, product = product, float(residual @ conditioned)
        direction = conditioned + product / before * direction
    return weights


def fit_stages(
    samples: Samples,
    shape: tuple[int, int],
    ridge: float,
    neighbours: float = 0.5,
    iterations: int = 30,
    watch: Callable[[int, int], None] | None = None,
) -> Array:
    """The weights of all stages, `shape` = (stages, features), in two steps: weights for the
    positions of a stage together with those of the stages next to it, which have the importance
    `neighbours`; then corrections from the stage's own positions. A feature that is rare in a stage
    is thus learnt from its neighbours, and one that is frequent is fitted to the stage alone."""
    stages, count = shape
    weights = np.zeros(shape)
    before = np.zeros(count)
    for stage in range(stages):
        near = samples[np.abs(samples.stage.astype(int) - stage) <= 1]
        own = near[near.stage == stage]
        if len(own):
            before = least_squares(
                near,
                np.where(near.stage == stage, 1.0, neighbours),
                count,
                ridge,
                before,
                iterations,
            )
            left = replace(own, value=own.value - own.predicted(before))
            weights[stage] = before + least_squares(
                left, np.ones(len(own)), count, ridge, None, iterations
            )
        if watch is not None:
            watch(stage + 1, stages)
    return weights


@dataclass(frozen=True)
class Calibration:
    """How well predictions agree with values on positions that the fit has not seen, for one stage
    or for all (stage None)."""

    stage: int | None
    samples: int
    correlation: float
    rms: float
    mean: float
    spread: float

    @staticmethod
    def of(stage: int | None, predicted: Array, value: Array) -> Calibration:
        """The figures of some positions: correlation, the root of the mean squared error, the mean
        error (predicted less true), and the standard deviation of the values, which is the error of
        always predicting their mean."""
        if not len(value):
            return Calibration(stage, 0, 0.0, 0.0, 0.0, 0.0)
        error = predicted - value
        varies = min(np.std(predicted), np.std(value)) > 0
        correlation = float(np.corrcoef(predicted, value)[0, 1]) if varies else 0.0
        return Calibration(
            stage,
            len(value),
            correlation,
            float(np.sqrt(np.mean(error**2))),
            float(error.mean()),
            float(np.std(value)),
        )


def predictions(samples: Samples, weights: Array) -> Array:
    """The prediction for every row, with the weights of its stage."""
    found = np.zeros(len(samples))
    for stage in range(len(weights)):
        mine = samples.stage == stage
        found[mine] = samples[mine].predicted(weights[stage])
    return found


def calibrations(samples: Samples, weights: Array) -> list[Calibration]:
    """The figures of each stage, and of all."""
    found, value = predictions(samples, weights), samples.value.astype(float)
    parts = [
        Calibration.of(stage, found[samples.stage == stage], value[samples.stage == stage])
        for stage in range(len(weights))
    ]
    return [*parts, Calibration.of(None, found, value)]


def buckets(predicted: Array, value: Array, count: int = 10) -> list[tuple[float, float, int]]:
    """Positions in `count` groups of equal size, by prediction: the mean prediction, the mean value
    and the size of each group."""
    order = np.argsort(predicted, kind="stable")
    groups = [group for group in np.array_split(order, count) if len(group)]
    return [
        (float(predicted[group].mean()), float(value[group].mean()), len(group)) for group in groups
    ]
