"""The statistics of a match against values computed by hand."""

from __future__ import annotations

import math

import pytest

from prunus.play.ratings.score import elo_of, mean_of, score_of, student


def test_score_and_error_of_pairs_by_hand():
    # Pair means 1, 0.5, 0.75, 0.25: mean 0.625, squared deviations 0.140625 + 0.015625 twice +
    # 0.140625 = 0.3125, / 3 / 4.
    found = score_of([(1, 1), (1, 0), (1, 0.5), (0, 0.5)], [(10, 2), (4, -6), (6, 0), (-2, 0)])
    assert (found.wins, found.draws, found.losses, found.games) == (4, 2, 2, 8)
    assert found.pairs == (0, 1, 1, 1, 1)
    assert found.score.mean == 0.625
    assert found.score.error == pytest.approx(math.sqrt(0.3125 / 12))
    assert found.score.low == pytest.approx(0.625 - 3.182 * 0.161374, abs=1e-4)
    assert found.score.high == 1.0
    # Means of pairs 6, -1, 3, -1: mean 1.75, squared deviations 18.0625 + 7.5625 + 1.5625 + 7.5625
    # = 34.75.
    assert found.utility is not None
    assert (found.utility.mean, found.utility.error) == (1.75, pytest.approx(math.sqrt(34.75 / 12)))
    assert found.elo.mean == pytest.approx(88.74, abs=0.01)
    assert found.elo.high == math.inf


def test_the_error_is_that_of_pairs_not_of_games():
    # The opening decides every game: each pair is 1 : 1, and nothing separates the players.
    found = score_of([(1, 0), (0, 1)] * 50)
    assert found.score.mean == 0.5
    # Pairs that are won or lost as a whole carry half the information of as many single games.
    whole = score_of([(1, 1), (0, 0)] * 50)
    assert whole.score.error == pytest.approx(0.5 / math.sqrt(99))


def test_equal_pairs_get_wilsons_interval():
    found = score_of([(1, 1)] * 10)
    assert found.score.high == 1.0
    assert found.score.low == pytest.approx(10 / (10 + 1.959964**2))
    assert found.elo.mean == math.inf
    assert found.elo.low == pytest.approx(elo_of(found.score.low))
    assert found.utility is None
    one = score_of([(1, 0)])
    assert 0 < one.score.low < 0.5 < one.score.high < 1


def test_elo():
    assert str(elo_of(0.5)) == "0.0"
    assert elo_of(0.64) == pytest.approx(99.95, abs=0.01)
    assert elo_of(10 / 11) == pytest.approx(400)
    assert elo_of(0) == -math.inf


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [(1, 12.706), (4, 2.776), (5, 2.571), (9, 2.262), (24, 2.064), (99, 1.984)],
)
def test_student(freedom, quantile):
    assert student(freedom) == pytest.approx(quantile, abs=0.004)


def test_one_value_tells_no_error():
    assert mean_of([3]).error == math.inf
