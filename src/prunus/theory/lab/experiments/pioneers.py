"""The programs of the history page against each other, with equally many nodes a move."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from prunus.algorithms.repetition import allowed_actions
from prunus.core.game import Game
from prunus.core.position import Position
from prunus.engine.options import Options, OptionValue
from prunus.games import Othello
from prunus.games.othello.rules import Board
from prunus.play.openings import openings
from prunus.play.players import Choice, Player, PlayerLimits, SearchPlayer, Turn
from prunus.play.referee import Referee
from prunus.run.driver import analyze
from prunus.theory.lab.experiment import Experiment, Figure, LabError, Moments, Point, Value

PLAUSIBLE: Final = 4
"""The moves that type B looks at in a position."""

FEWEST: Final = 100
"""Searches with no more nodes are interpreted: they would take longer to compile."""

BARE: Final[Mapping[str, OptionValue]] = {
    "killers": False,
    "counter_moves": False,
    "history": False,
    "etc": 0,
    "iid": 0,
}
"""The engine without what came later than Floyd and can be switched off."""


class Plausible(Othello):
    """Othello in which only the PLAUSIBLE moves exist that the game's order puts first: what a
    program of type B sees."""

    def actions(self, state: Board) -> Iterator[int]:
        for action in super().actions(state):
            mine, better = self.order(state, action), 0
            for other in super().actions(state):
                theirs = self.order(state, other)
                if theirs > mine or (theirs == mine and other < action):
                    better += 1
            if better < PLAUSIBLE:
                yield action


class Program(NamedTuple):
    """A program: its year, the algorithm that stands for it, the engine's options (None: the
    algorithm has none), and whether it sees plausible moves alone."""

    year: int
    algorithm: str
    options: Mapping[str, OptionValue] | None = None
    selects: bool = False


PROGRAMS: Final[Mapping[str, Program]] = {
    "Shannon, type A": Program(1950, "minimax"),
    "Shannon, type B": Program(1950, "minimax", selects=True),
    "Newell, Shaw & Simon": Program(1958, "branch-and-bound"),
    "Brudno": Program(1963, "alphabeta"),
    "Floyd": Program(1965, "engine", {**BARE, "floyd": 1}),
    "Slate & Atkin": Program(1977, "iterative-deepening"),
    "Stockman": Program(1979, "sss-stockman"),
    "Marsland & Campbell": Program(1982, "engine", {}),
    "Buro": Program(1995, "engine", {"probcut": 10}),
}
"""`floyd` stands for the nodes of a move: a line is followed while it is likelier than 1 in them.
The engine without ProbCut, with null windows, stands for principal variation search."""

MEASURE: Final = "Brudno"
"""The program against which all play."""


class Deepener(Player):
    """Searches 1, 2, ... plies deep with an algorithm that does not do so by itself, and plays the
    best move of the last search that its nodes, counted over all depths, sufficed for."""

    clocked = False

    def __init__(self, game: Othello, algorithm: str, nodes: int, compile: bool | None) -> None:
        self.own, self.algorithm, self.nodes, self.compile = game, algorithm, nodes, compile
        self.name = algorithm

    def begin(self, game: Game, seat: int, state: object = None) -> None:
        self.game = game

    def choose(self, position: Position, turn: Turn) -> Choice:
        chosen = Choice(next(iter(allowed_actions(self.game, position.path))), 0)
        left, depth, most = self.nodes, 1, self.own.cells + 2
        while left > 0 and depth <= most:
            found = analyze(
                self.own,
                position.state,
                self.algorithm,
                depth,
                nodes=left,
                compile=self.compile,
                book=False,
            )
            if found.interrupted or found.best is None:
                break
            chosen = Choice(int(found.best), depth)
            if found.proved:
                break
            left -= found.statistics.nodes
            depth += 1
        return chosen


def player(name: str, nodes: int, compile: bool | None) -> Player:
    """The program of a name, with `nodes` nodes a move. All have the same evaluation."""
    program = PROGRAMS[name]
    game = Plausible() if program.selects else Othello()
    if program.algorithm not in ("engine", "iterative-deepening"):
        return Deepener(game, program.algorithm, nodes, compile)
    options = None
    if program.options is not None:
        given = dict(program.options)
        if "floyd" in given:
            given["floyd"] = nodes
        options = Options.of(game, given)
    limits = PlayerLimits(nodes=nodes)
    return SearchPlayer(program.algorithm, limits, options, 4, compile=compile)


def history_points(quick: bool) -> list[Point]:
    """The programs, in the order of their years."""
    names = ("Shannon, type A", "Brudno") if quick else PROGRAMS
    nodes = 40 if quick else 2000
    return [
        {"year": PROGRAMS[name].year, "program": name, "nodes": nodes, "against": MEASURE}
        for name in names
    ]


def history_samples(point: Point, quick: bool) -> int:
    """The number of pairs of games."""
    return 2 if quick else 20


def check_history(point: Point) -> None:
    """Raise LabError unless there are such programs, of this year, and a node at least."""
    for name in (point["program"], point["against"]):
        if name not in PROGRAMS:
            raise LabError(f"the programs are {'; '.join(PROGRAMS)}, not {name}")
    if PROGRAMS[str(point["program"])].year != point["year"]:
        raise LabError(f"{point['program']} is not of {point['year']}")
    if int(point["nodes"]) < 1:
        raise LabError(f"nodes={point['nodes']}: a move has at least 1")


def history_cost(point: Point) -> float:
    """The seconds that a pair takes."""
    return 0.4 + int(point["nodes"]) * 300e-6


def measure_history(point: Point, seed: int, count: int) -> Mapping[str, Moments]:
    """The program's score; a sample is a pair of games from one opening of eight random plies."""
    nodes = int(point["nodes"])
    compile = False if nodes <= FEWEST else None
    names = (str(point["program"]), str(point["against"]))
    players = (player(names[0], nodes, compile), player(names[1], nodes, compile))
    game, scores = Othello(), []
    for number, opening in enumerate(openings(game, 8, count, seed)):
        records = [Referee(game, players, first).play(number, opening) for first in (True, False)]
        failed = next((record for record in records if record.failed is not None), None)
        if failed is not None:
            raise LabError(f"a player failed: {failed.note}")
        scores.append(sum(record.score for record in records) / 2)
    return {"score": Moments(count, sum(scores), sum(score * score for score in scores))}


def history_finding(rows: Sequence[Mapping[str, Value | None]]) -> str:
    """The scores, and which programs differ from alpha-beta by more than chance."""
    said, even = [], []
    for row in rows:
        score, error = float(row["score"] or 0), float(row.get("score_error") or 0)
        if row["program"] == row["against"]:
            continue
        said.append(f"{row['program']} {100 * score:.1f} +- {100 * error:.1f}")
        if abs(score - 0.5) <= 2 * error:
            even.append(str(row["program"]))
    told = f"Of the points, in percent, with the standard error: {'; '.join(said)}."
    if even:
        told += f" Within two standard errors of equality: {'; '.join(even)}."
    return told


EXPERIMENTS: Final = (
    Experiment(
        name="history",
        title="The strength of the pioneers' programs, at equal nodes",
        source="section 8 of the seminar and section 5 before it; docs/history.md",
        says="Nine ways to search, from Shannon's to ProbCut, play Othello against alpha-beta as "
        "Brudno described it, each with 2,000 nodes a move and with the same evaluation, which is "
        "today's: what is compared is the search alone. Every program deepens step by step, and "
        "all its iterations count. Type B is minimax over the four moves that look best. Floyd's "
        "rule, ProbCut and, for Marsland & Campbell, the exact search run in today's engine: for "
        "Floyd everything later that has a switch is off, the probability of a move is guessed "
        "from its place in the order, and a line is followed while it is likelier than 1 in the "
        "nodes of a move. ProbCut is to be compared with the same engine without it, that of 1982. "
        "Alpha-beta against itself must score 1/2 exactly. Neither the machines of their days nor "
        "the memory that SSS\\* needs are part of this.",
        points=history_points,
        samples=history_samples,
        block=2,
        measure=measure_history,
        check=check_history,
        cost=history_cost,
        finding=history_finding,
        figure=Figure(
            "year",
            ("score",),
            ("program",),
            x_label="year",
            y_label="score against alpha-beta at equal nodes",
        ),
    ),
)
