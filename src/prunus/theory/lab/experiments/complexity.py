"""The size of games: branching and length, counts compared with textbook bounds, memory, and
expensive evaluations."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from prunus.core.game import Game
from prunus.games import MNK, ConnectFour, EvenWins, Nim, Othello, TicTacToe
from prunus.games.uniform import AnyUniformTree
from prunus.theory.complexity import (
    Played,
    count_games,
    count_positions,
    engine_games,
    positions_held,
    random_games,
)
from prunus.theory.lab.experiment import Experiment, Figure, LabError, Moments, Point, Value, once
from prunus.theory.sizes import leaves_of_objects, leaves_of_turns, nodes_of_objects, nodes_of_turns

GAMES: Final[dict[str, Callable[[], Game]]] = {
    "tic-tac-toe": TicTacToe,
    "connect-four": ConnectFour,
    "connect-four 4 x 3": lambda: ConnectFour(4, 3),
    "connect-four 4 x 4": lambda: ConnectFour(4, 4),
    "3 x 4 cells, 3 in a row": lambda: MNK(3, 4, 3),
    "othello": Othello,
    "othello 4 x 4": lambda: Othello(4),
    "nim": Nim,
    "even-wins": lambda: EvenWins(13),
}
"""The games that are measured, by their names in the tables."""


def game_of(point: Point) -> Game:
    """The game of a row. Raises LabError."""
    if point["game"] not in GAMES:
        raise LabError(f"the games here are {', '.join(GAMES)}, not {point['game']!r}")
    found: Game = GAMES[str(point["game"])]()
    return found


# Branching and length.


def shape_points(quick: bool) -> list[Point]:
    """Games and players; the engine looks `depth` plies ahead."""
    games = (
        ("tic-tac-toe", "connect-four")
        if quick
        else ("tic-tac-toe", "connect-four", "othello", "nim")
    )
    found: list[Point] = [{"game": game, "play": "random", "depth": 0} for game in games]
    depths = {"connect-four": 1} if quick else {"connect-four": 6, "othello": 3}
    return found + [
        {"game": game, "play": "engine", "depth": depth} for game, depth in depths.items()
    ]


def shape_samples(point: Point, quick: bool) -> int:
    """The number of games of a row."""
    if point["play"] == "engine":
        return 2 if quick else 40
    return 500 if quick else 100_000


def check_shape(point: Point) -> None:
    """Raise LabError for other games, players and depths."""
    game_of(point)
    if point["play"] not in ("random", "engine"):
        raise LabError(f"games are played by random or engine, not {point['play']!r}")
    if not 0 <= int(point["depth"]) <= 12 or (
        point["play"] == "engine" and int(point["depth"]) == 0
    ):
        raise LabError(f"the engine looks 1 to 12 plies ahead here, not {point['depth']}")


def shape_cost(point: Point) -> float:
    """The seconds a game takes: an engine needs milliseconds a move, a random game microseconds."""
    return 3e-5 if point["play"] == "random" else 0.2 + 0.01 * 3.0 ** int(point["depth"])


def measure_shape(point: Point, seed: int, count: int) -> Mapping[str, Moments]:
    """The plies, and the mean number of legal actions, of each game."""
    game, depth = game_of(point), int(point["depth"])
    if point["play"] == "random":
        played: Played = random_games(game, count, seed)
    else:
        played = engine_games(game, count, depth, seed, compile=False if depth == 1 else None)
    b = played.branching
    return {
        "plies": Moments(count, sum(played.plies), sum(plies * plies for plies in played.plies)),
        "branching": Moments(count, math.fsum(b), math.fsum(x * x for x in b)),
    }


def shape_finding(rows: Sequence[Mapping[str, Value | None]]) -> str:
    """A sentence with the games' sizes as powers of ten."""
    parts = [
        f"10^{float(row['plies'] or 0) * math.log10(float(row['branching'] or 1)):.0f} for "
        f"{row['game']} by {row['play']} play"
        for row in rows
        if row["plies"] and row["branching"]
    ]
    return f"Branching to the power of length: {', '.join(parts)}."


# True counts.

KNOWN: Final = {
    "tic-tac-toe": (255_168, 549_946, 5_478),
    "connect-four 4 x 4": (None, None, 161_029),
}
"""Published: games, nodes of the tree, positions."""

BOARDS: Final = {"tic-tac-toe": 9, "3 x 4 cells, 3 in a row": 12}
"""Games in which each ply fills one of this many cells, which is also the largest number of
plies."""

COLUMNS: Final = {
    "connect-four 4 x 3": (4, 12),
    "connect-four 4 x 4": (4, 16),
    "even-wins": (4, 13),
}
"""Games with at most m moves and n plies."""


def size_points(quick: bool) -> list[Point]:
    """Games that can be counted."""
    small = ("tic-tac-toe", "even-wins")
    return [
        {"game": game}
        for game in (small if quick else (*small, "connect-four 4 x 3", "connect-four 4 x 4"))
    ]


def check_size(point: Point) -> None:
    """Raise LabError for games whose bounds are not known."""
    game_of(point)
    if point["game"] not in BOARDS and point["game"] not in COLUMNS:
        raise LabError(
            f"games are counted for {', '.join((*BOARDS, *COLUMNS))}, not for {point['game']!r}"
        )


def size_memory(point: Point) -> int:
    """The bytes for the set of positions: a few hundred for each."""
    return 300_000 * 400


def size_cost(point: Point) -> float:
    """The seconds of a row: the largest takes ten."""
    return 10.0 if point["game"] == "connect-four 4 x 4" else 1.0


def measure_size(point: Point, seed: int, count: int) -> Mapping[str, Moments]:
    """Games, nodes of the tree and different positions."""
    game = game_of(point)
    games, nodes = count_games(game)
    return {
        "games": once(games),
        "nodes": once(nodes),
        "positions": once(count_positions(game, 300_000)),
    }


def size_theory(point: Point) -> dict[str, float]:
    """The published counts, and the bounds m**n, n!, (m**(n + 1) - 1)/(m - 1) and e n!."""
    name = str(point["game"])
    known = dict(
        zip(("games", "nodes", "positions"), KNOWN.get(name, (None, None, None)), strict=True)
    )
    found = {quantity: float(value) for quantity, value in known.items() if value is not None}
    if name in BOARDS:
        cells = BOARDS[name]
        return {
            **found,
            "games_high": float(leaves_of_objects(cells)),
            "nodes_high": float(nodes_of_objects(cells)),
        }
    moves, turns = COLUMNS[name]
    return {
        **found,
        "games_high": float(leaves_of_turns(moves, turns)),
        "nodes_high": float(nodes_of_turns(moves, turns)),
    }


def size_finding(rows: Sequence[Mapping[str, Value | None]]) -> str:
    """A sentence with the bounds of tic-tac-toe side by side."""
    if not any(row["game"] == "tic-tac-toe" for row in rows):
        return ""
    return (
        f"For tic-tac-toe m^n with m = n = 9 would allow {leaves_of_turns(9, 9):,} games, n! "
        f"{leaves_of_objects(9):,}, and e n! {nodes_of_objects(9):,} nodes: there are 255,168 "
        f"games with 549,946 nodes, because lines of three end games early."
    )


# Memory.


def held_points(quick: bool) -> list[Point]:
    """Uniform trees."""
    trees = (
        ((2, range(2, 8)), (3, range(2, 5)))
        if quick
        else ((2, range(2, 13)), (3, range(2, 9)), (5, range(2, 6)))
    )
    return [{"d": d, "h": h} for d, heights in trees for h in heights]


def check_held(point: Point) -> None:
    """Raise ValueError unless there is such a tree and a breadth-first search can hold it."""
    d, h = int(point["d"]), int(point["h"])
    AnyUniformTree(d, h)
    if h < 1 or nodes_of_turns(d, h) > 50_000:
        raise LabError(
            f"d={d}, h={h}: {nodes_of_turns(d, h):,} positions; a tree of height 1 or more with at "
            f"most 50,000 is traced"
        )


def held_cost(point: Point) -> float:
    """The seconds of a row: tracing is slow."""
    return 0.1 + nodes_of_turns(int(point["d"]), int(point["h"])) * 5e-5


def measure_held(point: Point, seed: int, count: int) -> Mapping[str, Moments]:
    """The positions that three searches hold at once."""
    d, h = int(point["d"]), int(point["h"])
    found = positions_held(AnyUniformTree(d, h, seed=seed), h, compile=False)
    return {
        "path": once(found.path),
        "open_list": once(found.open_list),
        "breadth_first": once(found.breadth_first),
    }


def held_theory(point: Point) -> dict[str, float]:
    """The path to a leaf; the path with all successors beside it; the whole tree."""
    d, h = int(point["d"]), int(point["h"])
    return {"path": h + 1, "open_list": d * h + 1, "breadth_first": nodes_of_turns(d, h)}


# A cheap evaluation searched deeply, an expensive one searched less deeply.


EXPERIMENTS: Final = (
    Experiment(
        name="game-shape",
        title="How games branch and how long they last",
        source="Shannon 1950; Allis 1994",
        says="The size of a game is estimated as its branching factor to the power of its length. "
        "Both depend on the players: random games end where good players would not let them end, "
        "and have different numbers of legal actions.",
        points=shape_points,
        samples=shape_samples,
        block=5000,
        measure=measure_shape,
        check=check_shape,
        cost=shape_cost,
        finding=shape_finding,
        figure=Figure("game", ("plies", "branching"), ("play",), y_label="plies; legal actions"),
    ),
    Experiment(
        name="game-size",
        title="Games and positions counted, and their bounds",
        source="Di Lena 2022/23; published counts of tic-tac-toe and of 4 x 4 Connect Four",
        says="A game of at most n plies with at most m moves has at most m<sup>n</sup> games; one "
        "in which each ply fills one of n cells has at most n! games and a tree of at most e n! "
        "nodes. The number of different positions is far smaller.",
        points=size_points,
        measure=measure_size,
        theory=size_theory,
        check=check_size,
        cost=size_cost,
        memory=size_memory,
        finding=size_finding,
        figure=Figure("game", ("games", "nodes", "positions"), y_label="count", log_y=True),
    ),
    Experiment(
        name="positions-held",
        title="Positions held in memory by depth-first and breadth-first search",
        source="course notes on adversary search",
        says="A depth-first search holds the path to the current position, h + 1 positions. With "
        "an open list the siblings wait beside the path, d h + 1 positions in all. A breadth-first "
        "search that labels the tree from below holds the whole tree, (d<sup>h+1</sup> - 1)/(d - "
        "1).",
        points=held_points,
        measure=measure_held,
        theory=held_theory,
        check=check_held,
        cost=held_cost,
        figure=Figure(
            "h",
            ("path", "open_list", "breadth_first"),
            (),
            "d",
            x_label="height h",
            y_label="positions held",
            log_y=True,
        ),
    ),
)
