"""Ratings of several players against slow searches for the maximum, and against simulation."""

from __future__ import annotations

import itertools
import math
import random

import pytest

from prunus.play.ratings.bradley_terry import Meeting, RatingError, rated
from prunus.play.ratings.score import elo_of


def likelihood(elo, meetings):
    total = 0.0
    for each in meetings:
        expected = 1 / (1 + 10 ** ((elo[each.second] - elo[each.first]) / 400))
        total += each.points * math.log(expected)
        total += (each.games - each.points) * math.log(1 - expected)
    return total


def drawn(strengths, pairs, rng, luck=0.0):
    """Meetings of all pairs of players, `pairs` times; `luck` is how much of each result is decided
    by the opening, for both games alike."""
    found = []
    for first, second in itertools.combinations(strengths, 2):
        for _ in range(pairs):
            expected = 1 / (1 + 10 ** ((strengths[second] - strengths[first]) / 400))
            if rng.random() < luck:
                found.append(Meeting(first, second, 1.0))
                continue
            found.append(Meeting(first, second, float(sum(rng.random() < expected for _ in "ab"))))
    return found


def test_two_players_get_the_elo_of_their_score():
    meetings = [Meeting("a", "b", 2.0), Meeting("a", "b", 1.0), Meeting("b", "a", 0.5)]
    table = rated(meetings)
    best, worst = table.ratings
    assert (best.name, best.games, best.points, worst.points) == ("a", 6, 4.5, 1.5)
    assert best.elo - worst.elo == pytest.approx(elo_of(0.75))
    assert best.elo == pytest.approx(-worst.elo)
    assert not table.helped


def test_the_ratings_are_the_most_likely_ones():
    rng = random.Random(5)
    meetings = drawn({"a": 0, "b": 80, "c": -150, "d": 30}, 12, rng)
    found = {each.name: each.elo for each in rated(meetings).ratings}
    best = likelihood(found, meetings)
    for _ in range(300):
        other = {name: elo + rng.gauss(0, 5) for name, elo in found.items()}
        assert likelihood(other, meetings) <= best + 1e-9
    assert sum(found.values()) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("luck", [0.0, 0.7])
def test_the_errors_are_what_repetition_shows(luck):
    rng = random.Random(11)
    found, errors = [], []
    for _ in range(120):
        table = rated(drawn({"a": 60, "b": 0, "c": -60}, 40, rng, luck))
        best = next(each for each in table.ratings if each.name == "a")
        found.append(best.elo)
        errors.append(best.error)
    middle = sum(found) / len(found)
    spread = math.sqrt(sum((each - middle) ** 2 for each in found) / (len(found) - 1))
    assert spread == pytest.approx(sum(errors) / len(errors), rel=0.2)


def test_anchors_are_kept_and_fix_the_scale():
    meetings = [
        Meeting("new", "old", 1.5),
        Meeting("new", "older", 1.0),
        Meeting("new", "old", 0.5),
    ]
    table = rated(meetings, {"old": 2800.0, "older": 2700.0})
    ratings = {each.name: each for each in table.ratings}
    assert (ratings["old"].elo, ratings["old"].error) == (2800, 0)

    def gain(elo):
        return sum(1 / (1 + 10 ** ((other - elo) / 400)) for other in (2800, 2700, 2800)) * 2

    assert gain(ratings["new"].elo) == pytest.approx(3.0)
    assert not table.helped


def test_ratings_that_the_games_do_not_fix_get_help():
    beaten = rated([Meeting("a", "b", 2.0)] * 3)
    assert beaten.helped
    assert 100 < beaten.ratings[0].elo - beaten.ratings[1].elo < 1000
    apart = rated([Meeting("a", "b", 1.5), Meeting("c", "d", 0.5)])
    assert apart.helped
    assert all(math.isfinite(each.elo) and each.error > 0 for each in apart.ratings)
    cycle = [Meeting("a", "b", 2.0), Meeting("b", "c", 2.0), Meeting("c", "a", 2.0)]
    assert not rated(cycle).helped
    anchored = rated([Meeting("a", "b", 2.0), Meeting("a", "c", 0.0)], {"b": 0, "c": 50})
    assert not anchored.helped  # between the two


def test_what_cannot_be_rated():
    with pytest.raises(RatingError, match="no games"):
        rated([])
    with pytest.raises(RatingError, match="x: this player has played no game"):
        rated([Meeting("a", "b", 1.0)], {"x": 3})
    with pytest.raises(RatingError, match="none is left"):
        rated([Meeting("a", "b", 1.0)], {"a": 3, "b": 5})
