"""Weights of a tapered evaluation fitted to the results of games: logistic regression on the sum of
its features, each with a weight for every stage."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, Protocol

import numpy as np

from prunus.core import memory as memories
from prunus.core.arrays import View
from prunus.core.errors import SearchError
from prunus.core.game import Game, S
from prunus.core.knowledge.evaluation import SHARE
from prunus.kernel.backends import prepare
from prunus.kernel.memory import Memory
from prunus.learn.counted import Counted
from prunus.learn.regression import least_squares
from prunus.learn.results import Positions

Array = np.ndarray
Watch = Callable[[str, int, int], None]

AT_ONCE: Final = 4
"""The number of features whose amounts are read from one sum, a digit of `DIGIT` bits each."""

DIGIT: Final = 15

BATCH: Final = 4096
"""The number of positions in a memory."""

HELD_OUT: Final = 10
"""One game in this many is kept out of the fit, to judge it."""

ROUNDS: Final = 6
"""Rounds of reweighted least squares."""

LEAST: Final = 1e-4
"""The least weight of a position in a round."""

SHORTEST: Final = 1e-3
"""The shortest part of a round's step that is tried."""


class SumMemory(Protocol):
    """The memory of `add_up`: positions, how many there are, and what is found for each."""

    state: memories.StateArray
    count: int
    total: memories.Array[int]
    share: memories.Array[int]


def add_up(game: Game[S], state: S, memory: SumMemory) -> int:
    """The weighted sums of the positions in the memory."""
    for i in range(memory.count):
        memory.total[i] = game.weighted_sum(memory.state[i])
    return 0


def share_out(game: Game[S], state: S, memory: SumMemory) -> int:
    """The shares of the stages in the positions in the memory."""
    stages = game.stages
    for i in range(memory.count):
        place = stages * i
        for share in game.shares(memory.state[i]):
            memory.share[place] = share
            place += 1
    return 0


class Counter:
    """Reads from a game's `weighted_sum` how often each feature is present: it runs with weights
    that are powers of a base, so that the sum shows the amounts as its digits."""

    def __init__(self, game: Game, compile: bool | None = None) -> None:
        game.freeze()
        self.game, self.count = game, game.feature_count
        self.base = np.asarray(game.weights.array, np.int64)
        if self.base.shape != (self.count,):
            raise SearchError(
                f"{game.title()}: weights must hold feature_count = {self.count} numbers of 64 "
                f"bits, which weighted_sum adds up"
            )
        self.digits = np.zeros(self.count, np.int64)
        self.probe = copy.copy(game)
        self.probe.__dict__["weights"] = View(self.digits)
        state = game.initial()
        self.memory = Memory(
            {
                "count": "i64",
                "state": ("state", BATCH),
                "total": ("i64", BATCH),
                "share": ("i64", BATCH * game.stages),
            },
            prototype=state,
        )
        arguments = {"game": self.probe, "state": state, "memory": self.memory}
        self.add_up, _ = prepare(add_up, arguments, compile)
        self.share_out, _ = prepare(share_out, {**arguments, "game": game}, compile)

    def amounts(self, states: Array) -> tuple[Array, Array]:
        """The amounts of all features (positions x features) and the shares of the stages
        (positions x stages, of 1) of some positions, at most BATCH rows of fields. Raises
        SearchError if the amounts do not add up to the game's own sum."""
        game, memory, state = self.game, self.memory, self.game.initial()
        memory.count = count = len(states)
        for place, row in enumerate(states.tolist()):
            memory.state[place] = game.State(*row)
        found = np.zeros((count, self.count), np.int16)
        for first in range(0, self.count, AT_ONCE):
            chunk = range(first, min(first + AT_ONCE, self.count))
            self.digits[:] = 0
            for place, feature in enumerate(chunk):
                self.digits[feature] = 1 << DIGIT * place
            self.add_up(self.probe, state, memory)
            total = memory.total.array[:count].copy()
            for feature in chunk:
                low = (total + (1 << DIGIT - 1) & (1 << DIGIT) - 1) - (1 << DIGIT - 1)
                found[:, feature] = low
                total = total - low >> DIGIT
        self.digits[:] = self.base
        self.add_up(self.probe, state, memory)
        wrong = np.flatnonzero(found.astype(np.int64) @ self.base != memory.total.array[:count])
        if len(wrong):
            position = game.format(game.State(*states[wrong[0]].tolist()))
            raise SearchError(
                f"{game.title()}: weighted_sum({position}) is not a sum of amounts times weights"
            )
        self.share_out(game, state, memory)
        shares = memory.share.array[: count * game.stages].reshape(count, game.stages) / SHARE
        return found, shares.astype(np.float32)


def samples_of(
    game: Game, positions: Positions, compile: bool | None = None, watch: Watch | None = None
) -> Counted:
    """The positions as amounts of features and shares of stages. The value is that of the
    search."""
    counter, parts = Counter(game, compile), []
    for first in range(0, len(positions), BATCH):
        rows = slice(first, first + BATCH)
        amounts, shares = counter.amounts(positions.states[rows])
        parts.append(Counted.of(amounts, shares, positions.value[rows], positions.game[rows]))
        if watch is not None:
            watch("positions counted", min(first + BATCH, len(positions)), len(positions))
    return Counted.joined(parts)


@dataclass(frozen=True)
class Fit:
    """How weights are fitted: the weight of the search's values beside that of the results (0 to
    1); the `spread`: how far, in units of value, weights are expected to lie from those that the
    fit begins with; and the features that are `held` there, because the positions that have them
    are left out."""

    values: float = 0.5
    spread: float = 20.0
    held: tuple[int, ...] = ()


@dataclass(frozen=True)
class Fitted:
    """Fitted weights (stages x features), the value at which a win is e times as likely as a loss
    (`slope`), and the mean logarithmic loss of the positions set aside and of all others, with the
    weights that the fit began with and with these."""

    weights: Array
    slope: float
    apart: tuple[float, float]
    others: tuple[float, float]


def chances(values: Array, slope: float) -> Array:
    """The expected results, 0 to 1."""
    clipped = np.clip(values / slope, -30.0, 30.0)
    return 1.0 / (1.0 + np.exp(-clipped))


def loss_of(predicted: Array, target: Array, slope: float) -> float:
    """The mean logarithmic loss; 0 for no positions."""
    if not len(predicted):
        return 0.0
    p = np.clip(chances(predicted, slope), 1e-9, 1 - 1e-9)
    return float(-np.mean(target * np.log(p) + (1 - target) * np.log(1 - p)))


def slope_of(value: Array, result: Array) -> float:
    """The slope with which values predict results best, by trying some."""
    tried = np.geomspace(30, 3000, 93)
    return float(min(tried, key=lambda slope: loss_of(value, result, slope)))


def _aim(predicted: Array, change: Array, target: Array, slope: float, ridge: float) -> float:
    """What a fit makes least: the loss of all positions, and the price of leaving the first
    weights."""
    return loss_of(predicted, target, slope) * len(target) + ridge / 2 * float(change @ change)


def _part(
    predicted: Array,
    farther: Array,
    steps: tuple[Array, Array],
    aim: Callable[[Array, Array], float],
) -> float:
    """The part of a round's step that brings the `aim` down: all, a half, a quarter and so on, or
    nothing. Positions that are judged wrongly with certainty ask for more than should be taken.
    `steps`: the change of the weights so far, and the round's."""
    change, more = steps
    part, before = 1.0, aim(predicted, change)
    while part > SHORTEST and aim(predicted + part * farther, change + part * more) >= before:
        part /= 2
    return part if part > SHORTEST else 0.0


def fit_results(
    samples: Counted, result: Array, start: Array, how: Fit, watch: Watch | None = None
) -> Fitted:
    """Weights near `start` (stages x features) under which positions predict their targets, a
    mixture of results and of the values that searches found: logistic regression by iteratively
    reweighted least squares. One game in HELD_OUT judges them. Raises SearchError if there are too
    few positions."""
    counts = ~samples.present(how.held)
    samples, result = samples[counts], np.asarray(result)[counts]
    known = samples.game % HELD_OUT != HELD_OUT - 1
    if np.count_nonzero(known) < 20:
        raise SearchError(f"{len(samples)} positions are too few to fit: ask for more games")
    score = (result.astype(np.float64) + 1) / 2
    slope = slope_of(samples.value.astype(np.float64), score)
    target = (1 - how.values) * score + how.values * chances(samples.value, slope)
    before = start.reshape(-1).astype(np.float64)
    rows, wanted = samples[known], target[known]
    base = rows.predicted(before)
    change, ridge = np.zeros_like(before), 1.0 / how.spread**2
    aim = partial(_aim, target=wanted, slope=slope, ridge=ridge)
    for number in range(ROUNDS):
        moved = rows.predicted(change)
        chance = chances(base + moved, slope)
        slack = np.maximum(chance * (1 - chance), LEAST)
        found = least_squares(
            replace(rows, value=moved + slope * (wanted - chance) / slack),
            slack / slope**2,
            len(before),
            ridge,
            change,
            40,
        )
        part = _part(base + moved, rows.predicted(found) - moved, (change, found - change), aim)
        change = change + part * (found - change)
        if watch is not None:
            watch("rounds", number + 1, ROUNDS)
    weights = before + change

    def losses(part: Array) -> tuple[float, float]:
        some = samples[part]
        first, last = (
            loss_of(some.predicted(found), target[part], slope) for found in (before, weights)
        )
        return first, last

    return Fitted(weights.reshape(start.shape), slope, losses(~known), losses(known))
