"""An evaluation fitted to a game: positions of games that the engine plays against itself, their
features, and the weights that predict their values."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Final, Protocol

import numpy as np

from prunus.core import memory as memories
from prunus.core.errors import SearchError
from prunus.core.game import Game, S
from prunus.kernel.backends import prepare
from prunus.kernel.memory import Memory
from prunus.learn.regression import (
    Array,
    Calibration,
    Samples,
    buckets,
    calibrations,
    fit_stages,
    predictions,
)
from prunus.learn.selfplay import Player, play_game

Watch = Callable[[str, int, int], None]
"""Called with what is counted, how many of them are done, and how many there are."""

MOST: Final = 1024
"""The most features that a position may name."""

HELD_OUT: Final = 10
"""One game in this many is kept out of the fit, to judge it."""

FEW: Final = 20
"""The fewest positions to which anything is fitted."""


def collect(game: Game[S], state: S, memory: FeatureMemory) -> int:
    """Write the features of a State into the memory; the result is their number, or -1 if one is
    out of range."""
    number = 0
    for feature, amount in game.features(state):
        if feature < 0 or feature >= game.feature_count or number >= len(memory.feature):
            return -1
        memory.feature[number] = feature
        memory.amount[number] = amount
        number += 1
    return number


class Collector:
    """Collects positions as numbers."""

    def __init__(self, game: Game, compile: bool | None = None) -> None:
        self.game = game
        self.memory = Memory({"nodes": "i64", "feature": ("i32", MOST), "amount": ("i32", MOST)})
        self.collect, _ = prepare(
            collect, {"game": game, "state": game.initial(), "memory": self.memory}, compile
        )
        self.rows: list[tuple[Array, Array]] = []
        self.facts: list[tuple[int, int, int, bool]] = []

    def add(self, state: object, value: int, number: int, exact: bool) -> None:
        """Add one position of game `number`. Raises SearchError if its features or its stage are
        outside the range that the game declares."""
        length = self.collect(self.game, state, self.memory)
        stage = int(self.game.stage(state))
        if length < 0:
            raise SearchError(
                f"features({self.game.format(state)}) names a feature outside 0 ... feature_count "
                f"- 1 = {self.game.feature_count - 1}, or more than {MOST}"
            )
        if not 0 <= stage < self.game.stages:
            raise SearchError(
                f"stage({self.game.format(state)}) is {stage}; it must be 0 ... stages - 1 = "
                f"{self.game.stages - 1}"
            )
        self.rows.append(
            (self.memory.feature.array[:length].copy(), self.memory.amount.array[:length].copy())
        )
        self.facts.append((stage, value, number, exact))

    def samples(self) -> Samples:
        """Everything gathered so far."""
        width = max((len(features) for features, _ in self.rows), default=0)
        features = np.zeros((len(self.rows), width), np.int32)
        amounts = np.zeros((len(self.rows), width), np.float32)
        for place, (named, amount) in enumerate(self.rows):
            features[place, : len(named)] = named
            amounts[place, : len(named)] = amount
        facts = np.array(self.facts, np.int64).reshape(-1, 4)
        return Samples(
            features, amounts, facts[:, 0], facts[:, 1].astype(float), facts[:, 2], facts[:, 3] == 1
        )


@dataclass(frozen=True)
class Plan:
    """How games are played and fitted: `games` of them, each with a random opening whose number of
    plies lies in the range `opening`, followed by moves of searches `depth` plies deep; the `nodes`
    that solving a position near the end may take; the `ridge` of the regression (see
    `regression.least_squares`); and the `seed` of everything drawn."""

    games: int = 1000
    opening: tuple[int, int] = (4, 20)
    depth: int = 4
    nodes: int = 20000
    ridge: float = 5.0
    seed: int = 0


@dataclass(frozen=True)
class Evaluation:
    """Fitted weights (stages x features, in units of the value), the numbers of games and positions
    that they come from, the number of positions with exact values, and how good the weights are on
    the games set aside: figures for each stage and for all, and the buckets of
    `regression.buckets`."""

    weights: Array
    plan: Plan
    games: int
    positions: int
    exact: int
    calibration: list[Calibration]
    buckets: list[tuple[float, float, int]]
    interrupted: bool

    def provenance(self) -> dict[str, object]:
        """The facts about the weights for a manifest."""
        facts = {
            "games": self.games,
            "positions": self.positions,
            "exact": self.exact,
            "interrupted": self.interrupted,
        }
        return {
            "plan": asdict(self.plan),
            **facts,
            "validation": [asdict(part) for part in self.calibration],
            "buckets": self.buckets,
        }


def fit_evaluation(
    game: Game, plan: Plan, compile: bool | None = None, watch: Watch | None = None
) -> Evaluation:
    """Play games, and fit the weights of the game's features to their values. Ctrl-C during the
    games ends them, and the fit uses those already played. Raises SearchError for a game without
    features, and if too few positions are found."""
    samples, interrupted = gather(game, plan, compile, watch)
    return fit_samples(game, samples, plan, interrupted, watch)


def expect_features(game: Game) -> None:
    """Raise SearchError for a game without features."""
    if not game.has_features or game.feature_count < 1:
        missing = "feature_count is 0" if game.has_features else "no features(state)"
        raise SearchError(
            f"{game.title()} has nothing to fit weights to ({missing}): define features(state), "
            f"which yields pairs of a feature and its "
            "amount, and feature_count, the number of features"
        )
    if game.players > 2:
        raise SearchError(
            f"{game.title()} has {game.players} players: an evaluation is fitted for two"
        )


def gather(
    game: Game,
    plan: Plan,
    compile: bool | None = None,
    watch: Watch | None = None,
    playing: Game | None = None,
) -> tuple[Samples, bool]:
    """The positions of the games of a plan, and whether Ctrl-C ended it early. `playing` is the
    game that the engine plays, if not `game` itself: the same rules with another evaluation. Raises
    SearchError like `fit_evaluation`."""
    expect_features(game)
    playing = game if playing is None else playing
    if playing.initial() != game.initial() or type(playing).State is not type(game).State:
        raise SearchError(
            f"{playing.title()} cannot play for {game.title()}: its positions are different"
        )
    rng = random.Random(plan.seed)  # noqa: S311 - a sample, not a secret
    collector = Collector(game, compile)
    player = Player(playing, compile) if plan.games else None
    try:
        for number in range(plan.games):
            assert player is not None
            found = play_game(player, rng, plan.opening, plan.depth, plan.nodes)
            for place, (state, value) in enumerate(zip(found.states, found.values, strict=True)):
                collector.add(state, value, number, place >= len(found.states) - found.exact)
            if watch is not None:
                watch("games", number + 1, plan.games)
    except KeyboardInterrupt:
        return collector.samples(), True
    return collector.samples(), False


def fit_samples(
    game: Game, samples: Samples, plan: Plan, interrupted: bool = False, watch: Watch | None = None
) -> Evaluation:
    """The weights for some positions; one game in HELD_OUT judges them. Raises SearchError if there
    are too few positions."""
    played = len(np.unique(samples.game))
    apart = samples.game % HELD_OUT == HELD_OUT - 1
    if np.count_nonzero(~apart) < FEW:
        raise SearchError(
            f"{len(samples)} positions of {played} games are too few to fit: ask for more games"
        )
    shape = (game.stages, game.feature_count)

    def told(done: int, total: int) -> None:
        if watch is not None:
            watch("stages fitted", done, total)

    weights = fit_stages(samples[~apart], shape, plan.ridge, watch=told)
    judges = samples[apart]
    figures = calibrations(judges, weights) if len(judges) else []
    groups = buckets(predictions(judges, weights), judges.value) if len(judges) else []
    exact = int(np.count_nonzero(samples.exact))
    return Evaluation(weights, plan, played, len(samples), exact, figures, groups, interrupted)


class FeatureMemory(Protocol):
    """The memory of `collect`: the features of a State and their amounts."""

    feature: memories.Array[int]
    amount: memories.Array[int]
