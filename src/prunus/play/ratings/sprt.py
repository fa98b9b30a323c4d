"""The sequential probability ratio test of a match (Wald 1945) over pairs of games.

The two hypotheses are rating differences. The ratio of their likelihoods after the games so far is
the generalised one: each hypothesis is represented by its most likely distribution of a pair's
results (`likelihood.py`). The match ends when the logarithm of the ratio leaves the interval
`Sprt.limits`; the wrong hypothesis is then accepted with at most the chances that were asked for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from prunus.core.errors import PrunusError
from prunus.play.ratings.likelihood import frequencies, moments, with_mean, with_ratio
from prunus.play.ratings.score import Estimate

Scale = Literal["logistic", "normalised"]
SCALES: Final[tuple[Scale, ...]] = ("normalised", "logistic")

UNIT: Final = 800 / math.log(10)
"""Normalised Elo for each standard deviation of a game by which the mean exceeds 1/2 (347.4): for
small differences between equal players who never draw, it equals logistic Elo."""


class SprtError(PrunusError, ValueError):
    """A test that cannot be made; the message says why."""


@dataclass(frozen=True)
class Sprt:
    """A test of the hypothesis that the first player is `low` Elo stronger against the hypothesis
    that it is `high` Elo stronger. `alpha` is the chance to accept `high` although `low` is true,
    `beta` that of the opposite error. On the scale `logistic`, Elo means what the score predicts;
    on `normalised`, the mean score in units of its standard deviation (Van den Bergh), so that the
    length of a test does not depend on how often games are drawn. Raises SprtError for numbers that
    make no test."""

    low: float
    high: float
    scale: Scale = "normalised"
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            raise SprtError(
                f"a test between {self.low:g} and {self.high:g} Elo: the first number must be less "
                f"than the second"
            )
        if self.scale not in SCALES:
            raise SprtError(f"{self.scale!r} is not a scale of Elo: write normalised or logistic")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise SprtError("the chances of an error must lie between 0 and 0.5")

    @property
    def limits(self) -> tuple[float, float]:
        """The ratio (its logarithm) at which `low` is accepted, and that at which `high` is."""
        return (
            math.log(self.beta / (1 - self.alpha)),
            math.log((1 - self.beta) / self.alpha),
        )

    def ratio(self, pairs: Sequence[int]) -> float:
        """The logarithm of the likelihood of `high` divided by that of `low`, after pairs that gave
        0, 1/2, 1, 3/2 and 2 points as often as `pairs` says; 0 without any."""
        total = sum(pairs)
        if not total:
            return 0.0
        seen = frequencies(pairs)
        before, after = (self._likeliest(seen, elo) for elo in (self.low, self.high))
        return total * math.fsum(
            p * math.log(high / low) for p, low, high in zip(seen, before, after, strict=True)
        )

    def verdict(self, pairs: Sequence[int]) -> Literal["low", "high"] | None:
        """The hypothesis that is accepted after these pairs; None: the match goes on."""
        ratio, (low, high) = self.ratio(pairs), self.limits
        return "high" if ratio >= high else "low" if ratio <= low else None

    def _likeliest(self, seen: Sequence[float], elo: float) -> list[float]:
        if self.scale == "logistic":
            return with_mean(seen, 1 / (1 + 10 ** (-elo / 400)))
        # The variance of a pair's points a game is half that of a single game.
        return with_ratio(seen, math.sqrt(2) * elo / UNIT)


def normalised_elo(pairs: Sequence[int]) -> Estimate:
    """The rating difference on the normalised scale after pairs that gave 0, 1/2, 1, 3/2 and 2
    points, with its error to first order: the variance of a mean divided by a standard deviation,
    both estimated, is (1 - skewness t + (kurtosis - 1) t^2 / 4) / n (Mertens 2002). At least one
    pair."""
    seen = frequencies(pairs)
    mean, deviation = moments(seen)
    t = (mean - 0.5) / deviation
    third, fourth = (
        math.fsum(p * ((number / 4 - mean) / deviation) ** power for number, p in enumerate(seen))
        for power in (3, 4)
    )
    variance = max(0.0, 1 - third * t + (fourth - 1) * t * t / 4) / sum(pairs)
    unit = UNIT / math.sqrt(2)
    error = unit * math.sqrt(variance)
    reach = 1.959964 * error
    return Estimate(unit * t, error, unit * t - reach, unit * t + reach)


def read_sprt(text: str) -> Sprt:
    """The test that a text describes: `0,5`, `-2,2,logistic`, `0,5,alpha=0.02,beta=0.1`. Raises
    SprtError."""
    words = [word.strip() for word in text.split(",")]
    numbers: list[float] = []
    chances: dict[str, float] = {}
    scale: Scale = "normalised"
    for word in words:
        name, found, value = word.partition("=")
        try:
            if found and name.strip() in ("alpha", "beta"):
                chances[name.strip()] = float(value)
            elif word in SCALES:
                scale = "logistic" if word == "logistic" else "normalised"
            else:
                numbers.append(float(word))
        except ValueError:
            raise SprtError(f"--sprt {text}: {word!r} is not a number; {EXAMPLE}") from None
    if len(numbers) != 2:
        raise SprtError(f"--sprt {text}: two numbers are needed; {EXAMPLE}")
    return Sprt(numbers[0], numbers[1], scale, **chances)


EXAMPLE: Final = "write it as 0,5 or -2,2,logistic or 0,5,alpha=0.05,beta=0.05"
