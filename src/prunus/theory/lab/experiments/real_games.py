"""The family of algorithms on real games, beside the minimal graph."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from prunus.core.game import Game
from prunus.games import ConnectFour, Othello
from prunus.run.random_play import play_at_random
from prunus.theory.comparison import Comparison
from prunus.theory.lab.experiment import Experiment, Figure, LabError, Moments, Point, Value
from prunus.theory.lab.experiments.comparison import COLUMNS, MEGABYTES, NAMES, Gathered, column
from prunus.theory.ordering import minimal_graph, ordering_of

GOOD: Final = 1.5
"""Published: good programs examine at most this many times the leaves of the minimal graph (Plaat
et al. 1996)."""


GAMES: Final[dict[str, tuple[type[Game], int]]] = {
    "connect-four": (ConnectFour, 8),
    "othello": (Othello, 10),
}
"""The games, and the numbers of random plies that lead to the positions searched."""


INTERPRETED: Final = 3
"""Searches at most this many plies deep run interpreted."""


def game_points(quick: bool) -> Sequence[Point]:
    """Games and depths."""
    if quick:
        return [{"game": "connect-four", "depth": 3}, {"game": "othello", "depth": 2}]
    return [
        {"game": "connect-four", "depth": 6},
        {"game": "connect-four", "depth": 8},
        {"game": "othello", "depth": 4},
        {"game": "othello", "depth": 5},
    ]


def distance_points(quick: bool) -> Sequence[Point]:
    """Games and depths for the engine alone."""
    if quick:
        return [{"game": "connect-four", "depth": 3}]
    return [{"game": "connect-four", "depth": depth} for depth in (8, 10, 12)] + [
        {"game": "othello", "depth": depth} for depth in (5, 6, 7)
    ]


def check_game(point: Point) -> None:
    """Raise LabError for other games and for depths that would take minutes."""
    if point["game"] not in GAMES:
        raise LabError(f"the games are {', '.join(GAMES)}, not {point['game']!r}")
    if not 1 <= int(point["depth"]) <= 16:
        raise LabError(f"a depth of 1 to 16 plies can be searched here, not {point['depth']}")


def game_samples(point: Point, quick: bool) -> int:
    """The number of positions of a row."""
    return 2 if quick else 30


def game_cost(point: Point) -> float:
    """The seconds a position takes: minimax with about seven moves a position."""
    return 0.05 + 7.0 ** int(point["depth"]) * 30e-9


def distance_cost(point: Point) -> float:
    """The seconds a position takes: the engine's effective branching factor is about 2."""
    return 0.05 + 2.0 ** int(point["depth"]) * 5e-5


def positions(name: str, seed: int) -> Iterator[tuple[Game, object]]:
    """Positions after random plies, without end."""
    kind, plies = GAMES[name]
    game, rng = kind(), random.Random(seed)  # noqa: S311 - a sample, not a secret
    while True:
        played = play_at_random(game, plies, rng)
        if not played.is_over:
            yield game, played.states[-1]


def measure_games(point: Point, seed: int, count: int) -> Mapping[str, Moments]:
    """The leaves of each algorithm relative to those of the engine's minimal graph."""
    depth, gathered = int(point["depth"]), Gathered()
    compile = False if depth <= INTERPRETED else None
    comparison: Comparison | None = None
    for (game, state), _ in zip(positions(str(point["game"]), seed), range(count), strict=False):
        comparison = comparison or Comparison(game, 64, compile)
        minimal = minimal_graph(game, state, depth, MEGABYTES, compile)
        found = comparison.family(game, state, depth)
        gathered.add(**{column(name): each.leaves / minimal for name, each in found.items()})
    return gathered.moments


def measure_distance(point: Point, seed: int, count: int) -> Mapping[str, Moments]:
    """The engine's leaves, in all iterations, relative to those of its minimal graph; and how often
    the first action cuts off. Positions that are decided within the depth are skipped."""
    depth, gathered = int(point["depth"]), Gathered()
    compile = False if depth <= INTERPRETED else None
    for game, state in positions(str(point["game"]), seed):
        found = ordering_of(game, state, depth, megabytes=MEGABYTES, compile=compile)
        if found is not None:
            gathered.add(ratio=found.leaves / found.minimal, first_cutoffs=found.first)
        if gathered.moments and gathered.moments["ratio"].count == count:
            break
    return gathered.moments


def distance_theory(point: Point) -> dict[str, float]:
    """The minimal graph is the least. The published factor is not a theorem, so it is not a bound
    in this table."""
    return {"ratio_low": 1.0}


def distance_finding(rows: Sequence[Mapping[str, Value | None]]) -> str:
    """A sentence on which rows are within the published factor."""
    parts = []
    for row in rows:
        ratio = float(row["ratio"] or 0)
        parts.append(
            f"{ratio:.2f} ({row['game']}, depth {row['depth']}; "
            f"{'within' if ratio <= GOOD else 'beyond'})"
        )
    return f"Beside the published factor {GOOD}: {', '.join(parts)}."


EXPERIMENTS: Final = (
    Experiment(
        name="family-games",
        title="The family of algorithms on real games",
        source="Plaat, Schaeffer, Pijls & de Bruin 1996",
        says="The same on positions of Connect Four and Othello after random plies, at a fixed "
        "depth, relative to the minimal graph: the part that the engine examines if every node "
        "begins with the action that turned out best. Games have transpositions, so the minimal "
        "graph is smaller than the minimal tree, and algorithms with a table have an advantage "
        "over those without.",
        points=game_points,
        samples=game_samples,
        block=5,
        measure=measure_games,
        check=check_game,
        cost=game_cost,
        figure=Figure(
            "depth",
            COLUMNS,
            (),
            "game",
            x_label="depth",
            y_label="leaves / minimal graph",
            log_y=True,
            names=NAMES,
        ),
    ),
    Experiment(
        name="distance-to-minimal",
        title="How far the engine is from the minimal graph",
        source="Plaat, Schaeffer, Pijls & de Bruin 1996",
        says="Good programs are said to examine at most one and a half times the leaves of the "
        "minimal graph. The engine's leaves are those of all its iterations, not only of the last.",
        points=distance_points,
        samples=game_samples,
        block=5,
        measure=measure_distance,
        theory=distance_theory,
        finding=distance_finding,
        check=check_game,
        cost=distance_cost,
        figure=Figure(
            "depth", ("ratio",), ("game",), x_label="depth", y_label="leaves / minimal graph"
        ),
    ),
)
