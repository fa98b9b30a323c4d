"""The sequential test against published figures, an independent maximum of the likelihood, and
simulated matches."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from prunus.play.ratings.likelihood import POINTS, frequencies, moments, with_mean, with_ratio
from prunus.play.ratings.sprt import UNIT, Sprt, SprtError, normalised_elo, read_sprt
from tests.amount import amount

KNOWN = (379, 10170, 21828, 10640, 343)
"""Pairs of a match whose ratio Fishtest gives as 2.95 for the bounds 0 and 2, normalised."""


def test_the_known_ratio():
    assert round(Sprt(0, 2).ratio(KNOWN), 2) == 2.95
    assert Sprt(0, 2).verdict(KNOWN) == "high"
    assert Sprt(0, 2).limits == pytest.approx((-2.944, 2.944), abs=1e-3)
    assert Sprt(0, 2).verdict((0,) * 5) is None


def test_the_ratio_changes_sign_with_the_sides():
    assert Sprt(-2, 0).ratio(KNOWN[::-1]) == pytest.approx(-Sprt(0, 2).ratio(KNOWN))
    assert Sprt(-2, 0, "logistic").ratio(KNOWN[::-1]) == pytest.approx(
        -Sprt(0, 2, "logistic").ratio(KNOWN)
    )


def most_likely(seen, constraint):
    """The maximum of the likelihood under constraint(p) = 0 by gradient steps with an augmented
    Lagrangian on the softmax of five numbers, with numerical derivatives: slow, and without any of
    the formulas of the fast way."""
    x, price = np.log(seen), 0.0

    def chances(x):
        e = np.exp(x - x.max())
        return e / e.sum()

    for weight in (30.0, 100.0, 300.0, 1000.0, 1000.0, 1000.0, 1000.0):

        def loss(x, weight=weight, price=price):
            p = chances(x)
            c = constraint(p)
            return -float(np.dot(seen, np.log(p))) + price * c + weight * c * c / 2

        matrix = np.eye(5)
        slope = gradient(loss, x)
        for _ in range(300):  # BFGS with halved steps
            step = -matrix @ slope
            size, now = 1.0, loss(x)
            while size > 1e-12 and loss(x + size * step) > now + 1e-4 * size * slope @ step:
                size /= 2
            moved = size * step
            after = gradient(loss, x + moved)
            x, change, slope = x + moved, after - slope, after
            along = change @ moved
            if np.abs(moved).max() < 1e-10 or along <= 1e-18:
                break
            left = np.eye(5) - np.outer(moved, change) / along
            matrix = left @ matrix @ left.T + np.outer(moved, moved) / along
        price += weight * constraint(chances(x))
    return chances(x)


def gradient(f, x, h=1e-6):
    return np.array([(f(x + h * e) - f(x - h * e)) / (2 * h) for e in np.eye(len(x))])


CASES = [(3, 20, 40, 30, 7), (1, 0, 9, 2, 0), (0, 0, 4, 4, 4), (50, 1, 1, 1, 60), KNOWN]


@pytest.mark.parametrize("counts", CASES)
def test_the_fast_maximum_is_the_slow_one(counts):
    seen = np.array(frequencies(counts))
    points = np.array(POINTS)
    for ratio in (-0.3, 0.0, 0.1, 0.5):

        def off(p, ratio=ratio):
            mean = points @ p
            return mean - 0.5 - ratio * math.sqrt(p @ (points - mean) ** 2)

        assert with_ratio(seen, ratio) == pytest.approx(most_likely(seen, off), abs=2e-4)
    for mean in (0.4, 0.5, 0.62):
        found = with_mean(seen, mean)
        assert found == pytest.approx(most_likely(seen, lambda p, m=mean: points @ p - m), abs=2e-4)


def test_any_results_and_any_hypothesis_have_a_ratio():
    rng = random.Random(1)
    for _ in range(amount(60, 300)):
        counts = [rng.choice([0, 0, 1, 3, 10, 100]) for _ in range(5)]
        seen, ratio = frequencies(counts or [1] * 5), rng.uniform(-2.5, 2.5)
        mean, deviation = moments(with_ratio(seen, ratio))
        assert (mean - 0.5) / deviation == pytest.approx(ratio, abs=1e-6)
        if sum(counts):
            assert math.isfinite(Sprt(-3, 40).ratio(counts))


def simulated(sprt, chances, rng, most=20_000):
    """The verdict of a simulated match, looked at after every 20 pairs."""
    pairs, known = [0] * 5, None
    while known is None and sum(pairs) < most:
        for _ in range(20):
            pairs[rng.choices(range(5), chances)[0]] += 1
        known = sprt.verdict(pairs)
    return known


def test_simulated_matches_err_as_rarely_as_asked():
    rng = random.Random(7)
    sprt = Sprt(0, 60, alpha=0.1, beta=0.1)
    base = [0.08, 0.24, 0.4, 0.2, 0.08]
    for ratio, right in ((0.0, "low"), (60 * math.sqrt(2) / UNIT, "high")):
        chances = with_ratio(base, ratio)
        count = amount(60, 300)
        wrong = sum(simulated(sprt, chances, rng) != right for _ in range(count))
        # At most a tenth: more than 3 standard deviations above it would be no chance.
        assert wrong <= 0.1 * count + 3 * math.sqrt(0.09 * count)


def test_the_error_of_normalised_elo_is_what_repetition_shows():
    rng = random.Random(3)
    chances, found = [0.05, 0.2, 0.4, 0.25, 0.1], []
    mean, deviation = moments(chances)
    for _ in range(300):
        drawn = rng.choices(range(5), chances, k=400)
        found.append(normalised_elo([drawn.count(each) for each in range(5)]))
    means = [each.mean for each in found]
    middle = sum(means) / 300
    assert middle == pytest.approx(UNIT / math.sqrt(2) * (mean - 0.5) / deviation, abs=3)
    spread = math.sqrt(sum((each - middle) ** 2 for each in means) / 299)
    assert spread == pytest.approx(found[0].error, rel=0.15)


def test_normalised_elo_of_the_known_match():
    # Fishtest shows nElo 3.05 +- 2.31 for it.
    found = normalised_elo(KNOWN)
    assert found.mean == pytest.approx(3.05, abs=0.01)
    assert found.high - found.mean == pytest.approx(2.31, abs=0.01)


def test_texts():
    assert read_sprt("0,5") == Sprt(0, 5)
    assert read_sprt("-2, 2, logistic, alpha=0.01") == Sprt(-2, 2, "logistic", alpha=0.01)
    for text, says in (
        ("0", "two numbers"),
        ("0,x", "'x' is not a number"),
        ("5,0", "first number must be less"),
        ("0,5,beta=0.9", "between 0 and 0.5"),
        ("nan,5", "first number"),
    ):
        with pytest.raises(SprtError, match=says):
            read_sprt(text)
