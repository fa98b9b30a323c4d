"""The distribution of a pair's result that is the most likely one under a condition.

A pair of games gives one of five results: 0, 1/4, 1/2, 3/4 or 1 point a game. Nothing else is
assumed about their probabilities, so a test needs the maximum of the likelihood over all
distributions that satisfy a hypothesis: those of a given mean (`with_mean`), or those whose mean
lies a given number of standard deviations above 1/2 (`with_ratio`).

Source: M. Van den Bergh, "Comments on Normalized Elo" and "A practical introduction to the GSPRT"
(cantate.be/Fishtest, 2020-2021). The conditions for a maximum are derived again below.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

POINTS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The points a game of the five results of a pair."""

EMPTY: Final = 1e-3
"""What a result that has not occurred counts: it might yet occur."""

ROUNDS: Final = 10_000
CLOSE: Final = 1e-12
STEEPEST: Final = 200.0


def frequencies(counts: Sequence[int]) -> list[float]:
    """The relative frequencies of the five results, none of them 0 (`EMPTY`)."""
    raised = [max(float(count), EMPTY) for count in counts]
    total = math.fsum(raised)
    return [count / total for count in raised]


def moments(chances: Sequence[float]) -> tuple[float, float]:
    """The mean and the standard deviation of a pair's points a game."""
    mean = math.fsum(p * a for p, a in zip(chances, POINTS, strict=True))
    variance = math.fsum(p * (a - mean) ** 2 for p, a in zip(chances, POINTS, strict=True))
    return mean, math.sqrt(max(0.0, variance))


def with_mean(seen: Sequence[float], mean: float) -> list[float]:
    """The most likely distribution with a mean strictly between 0 and 1, after results of these
    frequencies (none of them 0)."""
    return _tilted(seen, [a - mean for a in POINTS])


def with_ratio(seen: Sequence[float], ratio: float) -> list[float]:
    """The most likely distribution with (mean - 1/2) / (standard deviation) = `ratio`, after
    results of these frequencies (none of them 0).

    With Lagrange's multipliers the maximum has the form p_i = seen_i / (1 + x g_i) where g is the
    derivative of mean - ratio * deviation, shifted so that its mean under p is 0:
    g_i = a_i - 1/2 - ratio * s * (1 + ((a_i - m) / s)^2) / 2 with m and s the moments of p itself.
    So p is a fixed point: from p come m and s, from these g, from g the next p.
    """
    chances = _with_ratio_near(seen, ratio)
    for _ in range(ROUNDS):
        mean, deviation = moments(chances)
        slopes = [
            a - 0.5 - ratio * deviation * (1 + ((a - mean) / deviation) ** 2) / 2 for a in POINTS
        ]
        after = _tilted(seen, slopes)
        if max(abs(p - q) for p, q in zip(chances, after, strict=True)) < CLOSE:
            break
        chances = after
    return chances


def _with_ratio_near(seen: Sequence[float], ratio: float) -> list[float]:
    """A distribution of this ratio that resembles the frequencies: they times exp(k points), for
    the k that gives the ratio, which grows with k."""

    def tilted(k: float) -> list[float]:
        weights = [p * math.exp(k * (a - (k > 0))) for p, a in zip(seen, POINTS, strict=True)]
        total = math.fsum(weights)
        return [weight / total for weight in weights]

    low, high = -STEEPEST, STEEPEST
    for _ in range(100):
        middle = (low + high) / 2
        mean, deviation = moments(tilted(middle))
        if mean - 0.5 < ratio * deviation:
            low = middle
        else:
            high = middle
    return tilted(low)


def _tilted(seen: Sequence[float], slopes: Sequence[float]) -> list[float]:
    """seen_i / (1 + x slope_i) for the x that makes the mean slope 0. The slopes have both signs;
    their mean falls steadily as x grows, between the two x where a denominator becomes 0."""
    low, high = -1 / max(slopes), -1 / min(slopes)

    def mean_slope(x: float) -> float:
        return math.fsum(p * g / (1 + x * g) for p, g in zip(seen, slopes, strict=True))

    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if mean_slope(middle) > 0:
            low = middle
        else:
            high = middle
    found = [p / (1 + low * g) for p, g in zip(seen, slopes, strict=True)]
    total = math.fsum(found)
    return [p / total for p in found]
