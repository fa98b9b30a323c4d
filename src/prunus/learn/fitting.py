"""The parameters of ProbCut, fitted to searches of the game itself (Buro 1995; several shallow
depths: Buro 1999)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from prunus.core.errors import SearchError
from prunus.core.game import Game, S
from prunus.engine.fits import Fit
from prunus.engine.options import FIT_PAIRS, FIT_STAGES
from prunus.learn.selfplay import Player, reach
from prunus.run.driver import analyze
from prunus.run.random_play import play_at_random

ENOUGH: Final = 20
"""The fewest positions to which anything is fitted."""


def shallow_depths(deep: int, pairs: int = 1) -> list[int]:
    """The depths of the searches that predict one of depth `deep`, the least first: about half of
    it for one, and the next lower ones for more. All end with the same player to move as the deep
    search."""
    half = max(1, deep // 2)
    if (deep - half) % 2:
        half += 1 if half + 1 < deep else -1
    return [depth for depth in range(half - 2 * (pairs - 1), half + 1, 2) if depth >= 1]


def positions(game: Game, count: int, rng: random.Random) -> list[object]:
    """Unfinished positions from random play."""
    found: list[object] = []
    for _ in range(100 * count):
        played = play_at_random(game, rng.randrange(2, 40), rng)
        found.append(played.states[-2 if played.is_over and played.actions else -1])
        if len(found) == count:
            break
    return found


def played_positions(
    game: Game, count: int, rng: random.Random, compile: bool | None = None
) -> list[object]:
    """Unfinished positions from games in which each side looks two plies ahead after a random
    opening: the positions that a search meets are rarely as wild as those of random play. In a game
    with several stages, each stage has about the same number of positions."""
    player = Player(game, compile)
    wanted = -(-count // game.stages)
    found: dict[int, list[object]] = {}
    for _ in range(100 * count):
        state = reach(player, rng, rng.randint(2, 20), 2, rng.randrange(60))[-1]
        stage = found.setdefault(int(game.stage(state)), [])
        if len(stage) < wanted:
            stage.append(state)
        if sum(map(len, found.values())) >= count:
            break
    return [state for stage in sorted(found) for state in found[stage]]


def fit_probcut(
    game: Game,
    deepest: int = 8,
    samples: int = 200,
    seed: int = 0,
    pairs: int = 1,
    compile: bool | None = None,
    watch: Callable[[int, int], None] | None = None,
) -> list[Fit]:
    """Fit each depth from 3 to `deepest`, on the same `played_positions` for all, to `pairs`
    shallower depths each (more than one makes Multi-ProbCut; at most FIT_PAIRS). Each stage of the
    game is fitted separately if it has enough positions. Positions whose game is decided within the
    deeper search are left out: nothing is estimated there. Raises SearchError for a game without an
    evaluation, and if too few positions are left."""
    if not 1 <= pairs <= FIT_PAIRS:
        raise SearchError(f"{pairs} shallow depths for each deep one: it can be 1 to {FIT_PAIRS}")
    _expect_evaluation(game)
    states = played_positions(game, samples, random.Random(seed), compile)  # noqa: S311 - a sample, not a secret
    values = _values(game, states, deepest, compile, watch)
    stages = [int(game.stage(state)) for state in states]
    fits = []
    for deep in range(3, deepest + 1):
        for shallow in shallow_depths(deep, pairs):
            known = [
                (stage, x, y)
                for stage, x, y in zip(stages, values[shallow], values[deep], strict=True)
                if x is not None and y is not None
            ]
            if len(known) < ENOUGH:
                raise SearchError(
                    f"only {len(known)} of {len(states)} positions are undecided at depth {deep}: "
                    f"ask for more samples, or less depth"
                )
            fits += _by_stage(game, deep, shallow, known)
    return fits


def _values(
    game: Game[S],
    states: list[S],
    deepest: int,
    compile: bool | None,
    watch: Callable[[int, int], None] | None,
) -> dict[int, list[int | None]]:
    """The value of each State at each depth; None if it is proved."""
    values: dict[int, list[int | None]] = {}
    for number, depth in enumerate(range(1, deepest + 1)):
        values[depth] = []
        for place, state in enumerate(states):
            found = analyze(game, state, "engine", depth, compile=compile, table=16, book=False)
            values[depth].append(None if found.proved else found.value)
            if watch is not None:
                watch(number * len(states) + place + 1, deepest * len(states))
    return values


def _by_stage(game: Game, deep: int, shallow: int, known: list[tuple[int, int, int]]) -> list[Fit]:
    """The fits of (stage, shallow value, deep value): one for all stages or, in a game with several
    stages, one for each; a stage with too few positions gets the fit of all."""
    whole = _regression(deep, shallow, [(x, y) for _, x, y in known])
    if not 1 < game.stages <= FIT_STAGES:
        return [whole]
    fits = []
    for stage in range(game.stages):
        pairs = [(x, y) for where, x, y in known if where == stage]
        fits.append(
            replace(
                _regression(deep, shallow, pairs) if len(pairs) >= ENOUGH else whole, stage=stage
            )
        )
    return fits


def _regression(deep: int, shallow: int, pairs: list[tuple[int, int]]) -> Fit:
    x, y = np.array(pairs, float).T
    spread = float(np.var(x))
    a = float(np.mean((x - x.mean()) * (y - y.mean())) / spread) if spread > 0 else 0.0
    b = float(y.mean() - a * x.mean())
    errors = y - (a * x + b)
    sigma = float(np.sqrt(np.sum(errors**2) / max(1, len(pairs) - 2)))
    correlation = float(np.corrcoef(x, y)[0, 1]) if spread > 0 and float(np.var(y)) > 0 else 0.0
    return Fit(deep, shallow, a, b, sigma, correlation, len(pairs))


def _expect_evaluation(game: Game) -> None:
    if not game.has_evaluate:
        raise SearchError(
            f"{game.title()} has no evaluate(state): there is nothing that a shallow search could "
            f"predict"
        )


class Likelihoods(NamedTuple):
    """How often the best action of a search was of a kind: the frequency among all actions of this
    kind, and their number.

    places: the kind is the place in the order that the engine would begin with: first the best
        action of a search one ply shallower, then the others as the game orders them.
    said: the kind is what the game's own `likelihood` says, which the frequency should equal; empty
        for a game without one."""

    places: list[tuple[float, int]]
    said: dict[float, tuple[float, int]]


def fit_likelihood(
    game: Game,
    depth: int = 6,
    samples: int = 200,
    seed: int = 0,
    compile: bool | None = None,
    watch: Callable[[int, int], None] | None = None,
) -> Likelihoods:
    """Search random positions with more than one action, and count which actions are the best.
    `engine.pruning.RANK_COST` is made from the frequencies of places, and a game's `likelihood`
    from those of what it says. Raises SearchError for a game without an evaluation."""
    _expect_evaluation(game)
    rng = random.Random(seed)  # noqa: S311 - a sample, not a secret
    hits, chances = Counter[int](), Counter[int]()
    said_hits, said = Counter[float](), Counter[float]()
    for number, state in enumerate(positions(game, samples, rng)):
        before, found = (
            analyze(game, state, "engine", plies, compile=compile, table=1, book=False)
            for plies in (depth - 1, depth)
        )
        actions = sorted(
            map(int, game.actions(state)),
            key=lambda action: (action != before.best, -game.order(state, action)),
        )
        if len(actions) > 1 and found.best is not None:
            hits[actions.index(found.best)] += 1
            chances.update(range(len(actions)))
            if game.has_likelihood:
                said.update(float(game.likelihood(state, action)) for action in actions)
                said_hits[float(game.likelihood(state, found.best))] += 1
        if watch is not None:
            watch(number + 1, samples)
    return Likelihoods(
        [(hits[place] / chances[place], chances[place]) for place in sorted(chances)],
        {kind: (said_hits[kind] / said[kind], said[kind]) for kind in sorted(said, reverse=True)},
    )
