"""The statistics of a match: score, Elo difference and mean utility, each with its error.

The independent unit is the pair of games from one opening, with the sides swapped: both games
depend on the value of the opening, so their results are not independent of each other. All errors
are therefore those of the mean over pairs ("pentanomial": a pair gives one of five results, 0 to 2
points), never of the mean over games.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

NORMAL: Final = 1.959964
"""The 97.5 % quantile of the normal distribution."""

FEW: Final = (12.706, 4.303, 3.182, 2.776)
"""The 97.5 % quantiles of Student's t with 1 to 4 degrees of freedom."""


@dataclass(frozen=True)
class Estimate:
    """A mean, its standard error and its interval of 95 % confidence."""

    mean: float
    error: float
    low: float
    high: float


@dataclass(frozen=True)
class Score:
    """The result for the first player. `pairs` counts the pairs that gave 0, 1/2, 1, 3/2 and 2
    points; `score` is in points a game (0 to 1); `elo` is the rating difference that predicts it,
    infinite at 0 and 1; `utility` is the mean utility a game, over the pairs in which both games
    were played to the end, None without such a pair."""

    wins: int
    draws: int
    losses: int
    pairs: tuple[int, int, int, int, int]
    score: Estimate
    elo: Estimate
    utility: Estimate | None

    @property
    def games(self) -> int:
        """The games counted."""
        return self.wins + self.draws + self.losses


def score_of(
    points: Sequence[tuple[float, float]], utilities: Sequence[tuple[float, float]] = ()
) -> Score:
    """The score of a match from the first player's points (1, 1/2, 0) in both games of each pair,
    at least one pair, and the utilities of the pairs that have them."""
    games = [point for pair in points for point in pair]
    counts = [0] * 5
    for pair in points:
        counts[round(2 * sum(pair))] += 1
    score = _share([sum(pair) / 2 for pair in points])
    elo = Estimate(elo_of(score.mean), _elo_error(score), elo_of(score.low), elo_of(score.high))
    utility = mean_of([sum(pair) / 2 for pair in utilities]) if utilities else None
    wins, losses = games.count(1.0), games.count(0.0)
    return Score(
        wins,
        len(games) - wins - losses,
        losses,
        (counts[0], counts[1], counts[2], counts[3], counts[4]),
        score,
        elo,
        utility,
    )


def mean_of(values: Sequence[float]) -> Estimate:
    """The mean of independent values, with Student's t for the interval; a single value has an
    infinite error."""
    count = len(values)
    mean = math.fsum(values) / count
    if count < 2:
        return Estimate(mean, math.inf, -math.inf, math.inf)
    error = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (count - 1) / count)
    reach = student(count - 1) * error
    return Estimate(mean, error, mean - reach, mean + reach)


def _share(values: Sequence[float]) -> Estimate:
    """The mean of values from 0 to 1. If all are equal their spread says nothing about the error,
    and the interval is Wilson's (1927) for the same number of yes-or-no results."""
    found = mean_of(values)
    if 0 < found.error < math.inf:
        return Estimate(found.mean, found.error, max(0.0, found.low), min(1.0, found.high))
    count, square = len(values), NORMAL**2
    centre = (found.mean + square / (2 * count)) / (1 + square / count)
    reach = (
        NORMAL
        * math.sqrt(found.mean * (1 - found.mean) / count + square / (4 * count**2))
        / (1 + square / count)
    )
    low, high = (
        (0.0 if found.mean == 0 else centre - reach),
        (1.0 if found.mean == 1 else centre + reach),
    )
    return Estimate(found.mean, reach / NORMAL, low, high)


def student(freedom: int) -> float:
    """The 97.5 % quantile of Student's t, correct to 0.003 (expansion in 1/freedom: Abramowitz &
    Stegun 26.7.5)."""
    if freedom <= len(FEW):
        return FEW[freedom - 1]
    z, n = NORMAL, freedom
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / n + second / n**2 + third / n**3


def elo_of(score: float) -> float:
    """The rating difference at which the logistic model of Elo's scale expects this score."""
    if score <= 0 or score >= 1:
        return math.copysign(math.inf, score - 0.5)
    return 400 * math.log10(score / (1 - score))


def _elo_error(score: Estimate) -> float:
    """The standard error of the rating difference, to first order."""
    slope = score.mean * (1 - score.mean) * math.log(10) / 400
    return score.error / slope if slope > 0 else math.inf
