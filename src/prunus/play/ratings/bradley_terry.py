"""Ratings of several players from their games, by the model of Zermelo (1929) and Bradley & Terry
(1952) on Elo's scale: a player scores 1 / (1 + 10^(-difference / 400)) a game against another.

A draw counts as half a win and half a loss. The errors do not trust the model's spread: they come
from the spread of what was observed (the "sandwich" of Huber 1967 and White 1982), where a pair of
games from one opening is one observation.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from prunus.core.errors import PrunusError
from prunus.play.ratings.score import NORMAL

Numbers = NDArray[np.float64]
Places = NDArray[np.int64]

SCALE: Final = math.log(10) / 400
STEPS: Final = 200
LONGEST: Final = 400.0
"""The most Elo by which a step of Newton's method changes a rating."""


class RatingError(PrunusError, ValueError):
    """Ratings that cannot be computed; the message says why."""


@dataclass(frozen=True)
class Meeting:
    """One observation: `games` games of two different players, usually the two games of a pair, in
    which the first got `points` points."""

    first: str
    second: str
    points: float
    games: int = 2


@dataclass(frozen=True)
class Rating:
    """A player's rating, its standard error and its interval of 95 % confidence; `points` in
    `games` games. A rating that was given (an anchor) has the error 0."""

    name: str
    elo: float
    error: float
    low: float
    high: float
    games: int
    points: float


@dataclass(frozen=True)
class Table:
    """The ratings of all players, the best first. `helped`: some player won all its games, or lost
    all, or the players fall into groups that have not met, so that the games alone fix no ratings;
    each player then has one more drawn game against a player of average strength."""

    ratings: tuple[Rating, ...]
    helped: bool


def rated(meetings: Sequence[Meeting], anchors: Mapping[str, float] | None = None) -> Table:
    """The most likely ratings of all players that have met. `anchors` are ratings that are known
    and kept; without any, the mean of all ratings is 0, and the errors are relative to that mean.
    Raises RatingError without any game, or if nobody is left to rate."""
    fixed = dict(anchors or {})
    names = sorted({name for each in meetings for name in (each.first, each.second)})
    if not names:
        raise RatingError("no games, no ratings")
    unknown = sorted(set(fixed) - set(names))
    if unknown:
        raise RatingError(f"{', '.join(unknown)}: this player has played no game")
    place = {name: number for number, name in enumerate(names)}
    free = [place[name] for name in names if name not in fixed]
    if not free:
        raise RatingError("the ratings of all players are given; none is left to be computed")
    first = np.array([place[each.first] for each in meetings])
    second = np.array([place[each.second] for each in meetings])
    games = np.array([float(each.games) for each in meetings])
    points = np.array([each.points for each in meetings])
    helped = not _are_fixed(names, meetings, set(fixed))
    middle = sum(fixed.values()) / len(fixed) if fixed else 0.0
    data = _Data(first, second, games, points, middle if helped else None)
    elo = np.array([fixed.get(name, middle) for name in names], dtype=float)
    errors = np.zeros(len(names))
    errors[free] = _fitted(data, elo, free, centred=not fixed)
    return Table(_listed(names, elo, errors, data, set(fixed)), helped)


@dataclass(frozen=True)
class _Data:
    """The observations as arrays; `middle` is the rating of the player of average strength, None
    if it does not play."""

    first: Places
    second: Places
    games: Numbers
    points: Numbers
    middle: float | None

    def slope(self, elo: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """The gradient of the log-likelihood, its negative second derivative, and the outer product
        of the observations' gradients, all in units of Elo."""
        count = len(elo)
        expected = 1 / (1 + np.exp(-SCALE * (elo[self.first] - elo[self.second])))
        each = SCALE * (self.points - self.games * expected)
        weight = SCALE * SCALE * self.games * expected * (1 - expected)
        gradient = np.zeros(count)
        curvature, spread = np.zeros((count, count)), np.zeros((count, count))
        np.add.at(gradient, self.first, each)
        np.add.at(gradient, self.second, -each)
        for matrix, value in ((curvature, weight), (spread, each * each)):
            np.add.at(matrix, (self.first, self.first), value)
            np.add.at(matrix, (self.second, self.second), value)
            np.add.at(matrix, (self.first, self.second), -value)
            np.add.at(matrix, (self.second, self.first), -value)
        if self.middle is not None:
            chance = 1 / (1 + np.exp(-SCALE * (elo - self.middle)))
            gradient += SCALE * (0.5 - chance)
            curvature += np.diag(SCALE * SCALE * chance * (1 - chance))
        return gradient, curvature, spread


def _fitted(data: _Data, elo: Numbers, free: Sequence[int], centred: bool) -> Numbers:
    """Bring the free ratings in `elo` to the maximum of the likelihood by Newton's method, which
    has one; return their standard errors."""
    among = np.ix_(free, free)
    for _ in range(STEPS):
        gradient, curvature, _ = data.slope(elo)
        step = _inverse(curvature[among]) @ gradient[free]
        longest = np.abs(step).max()
        elo[free] += step * min(1.0, LONGEST / longest) if longest else 0.0
        if longest < 1e-9:
            break
    if centred:
        elo -= elo.mean()
    _, curvature, spread = data.slope(elo)
    inverse = _inverse(curvature[among])
    count = len(data.games)
    seen = inverse @ spread[among] @ inverse * (count / max(1, count - 1))
    assumed = np.diag(inverse)
    variance = np.diag(seen)
    # Results that never differ show no spread; then the model has to say how uncertain they are.
    found: Numbers = np.sqrt(np.where(variance > 1e-6 * assumed, variance, assumed)).astype(
        np.float64
    )
    return found


def _inverse(matrix: Numbers) -> Numbers:
    """The inverse; without anchors, of the part that is left when all ratings may shift alike."""
    found: Numbers = np.linalg.pinv(matrix, rcond=1e-10, hermitian=True).astype(np.float64)
    return found


def _listed(
    names: Sequence[str], elo: Numbers, errors: Numbers, data: _Data, fixed: set[str]
) -> tuple[Rating, ...]:
    found = []
    for number, name in enumerate(names):
        one, other = data.first == number, data.second == number
        games = int(data.games[one].sum() + data.games[other].sum())
        points = float(data.points[one].sum() + (data.games - data.points)[other].sum())
        error = 0.0 if name in fixed else float(errors[number])
        at, reach = float(elo[number]), NORMAL * error
        found.append(Rating(name, at, error, at - reach, at + reach, games, points))
    return tuple(sorted(found, key=lambda rating: -rating.elo))


def _are_fixed(names: Sequence[str], meetings: Sequence[Meeting], fixed: set[str]) -> bool:
    """Whether the games fix all ratings: from each player a chain of opponents, each of whom took
    something from the next, leads to every other (Ford 1957). Players whose ratings are given count
    as one."""

    def one(name: str) -> str:
        return "" if name in fixed else name

    took: dict[str, set[str]] = {one(name): set() for name in names}
    gave: dict[str, set[str]] = {one(name): set() for name in names}
    for each in meetings:
        pairs = [(each.first, each.second)] * (each.points > 0)
        pairs += [(each.second, each.first)] * (each.points < each.games)
        for winner, loser in pairs:
            took[one(winner)].add(one(loser))
            gave[one(loser)].add(one(winner))
    return all(_reached(graph) == took.keys() for graph in (took, gave))


def _reached(graph: Mapping[str, set[str]]) -> set[str]:
    start = next(iter(graph))
    seen, waiting = {start}, [start]
    while waiting:
        new = graph[waiting.pop()] - seen
        seen |= new
        waiting += new
    return seen
