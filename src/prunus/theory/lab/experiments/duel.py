"""A cheap evaluation searched deep against a dear one searched shallow."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import Final

from prunus.core.game import Game
from prunus.core.position import Position
from prunus.games import Othello
from prunus.play.openings import openings
from prunus.play.players import PlayerLimits, SearchPlayer
from prunus.play.referee import Referee
from prunus.theory.lab.experiment import Experiment, Figure, LabError, Moments, Point, Value


class OwnGame(SearchPlayer):
    """An engine that plays with its own game: the rules of the match's, with another evaluation."""

    own: Game

    def begin(self, game: Game, seat: int, state: object = None) -> None:
        super().begin(self.own, seat, state)


def player(patterns: bool, nodes: int, compile: bool | None) -> OwnGame:
    """An engine for Othello with the evaluation by patterns or the simple one, and `nodes` nodes a
    move."""
    made = OwnGame(limits=PlayerLimits(nodes=nodes), megabytes=4, compile=compile)
    made.own = Othello(patterns=patterns)
    return made


def duel_points(quick: bool) -> list[Point]:
    """The expensive evaluation's nodes a move, and the factor by which the cheap one gets more."""
    return (
        [{"nodes": 4, "times": 4}]
        if quick
        else [{"nodes": 500, "times": times} for times in (1, 2, 4, 8, 16, 32)]
    )


def duel_samples(point: Point, quick: bool) -> int:
    """The number of pairs of games."""
    return 2 if quick else 40


def check_duel(point: Point) -> None:
    """Raise LabError unless both numbers are at least 1."""
    if int(point["nodes"]) < 1 or int(point["times"]) < 1:
        raise LabError(f"nodes and times are at least 1, not {point['nodes']} and {point['times']}")


def duel_cost(point: Point) -> float:
    """The seconds a pair takes: two games of thirty moves a side, at about a million nodes a
    second, and a few milliseconds more a move."""
    return 0.5 + 60 * int(point["nodes"]) * (1 + int(point["times"])) * 2e-6


def measure_duel(point: Point, seed: int, count: int) -> Mapping[str, Moments]:
    """The score of the cheap evaluation with `times` times the nodes; a sample is a pair of games
    from one opening."""
    nodes, times = int(point["nodes"]), int(point["times"])
    compile = False if nodes * times <= 100 else None
    players = (player(False, nodes * times, compile), player(True, nodes, compile))
    game = players[0].own
    scores = []
    for number, opening in enumerate(openings(game, 8, count, seed)):
        records = [Referee(game, players, first).play(number, opening) for first in (True, False)]
        failed = next((record for record in records if record.failed is not None), None)
        if failed is not None:
            raise LabError(f"a player failed: {failed.note}")
        scores.append(sum(record.score for record in records) / 2)
    return {"score": Moments(count, sum(scores), sum(score * score for score in scores))}


def duel_finding(rows: Sequence[Mapping[str, Value | None]]) -> str:
    """A sentence on the times that a node of either search takes on this machine; they differ from
    run to run, so no table holds them."""
    if any(int(row["nodes"] or 0) < 100 for row in rows):
        return ""
    searchers = [player(patterns, 30_000, None) for patterns in (False, True)]
    for searcher in searchers:
        searcher.warm_up(searcher.own)
    ratios = []
    for state in _middles():  # in turns, so that both meet the same disturbances
        cheap, dear = (
            searcher._search(Position(state), searcher._limit(None)).statistics
            for searcher in searchers
        )
        ratios.append(dear.seconds / dear.nodes * cheap.nodes / cheap.seconds)
    ratio = statistics.median(ratios)
    return (
        f"On the machine that made this page a node with patterns takes {ratio:.1f} times as long: "
        f"at that factor the two have equal time."
    )


def _middles() -> list[Othello.State]:
    """Positions after 20 random plies."""
    game = Othello(patterns=False)
    found = []
    for opening in openings(game, 20, 15, 1):
        state = game.initial()
        for action in opening:
            state = game.result(state, action)
        found.append(state)
    return found


EXPERIMENTS: Final = (
    Experiment(
        name="cheap-or-dear",
        title="A cheap evaluation searched deep against a dear one searched shallow",
        source="course notes on adversary search, on the trade-off",
        says="In Othello an evaluation that counts corners, mobility and discs plays against one "
        "fitted to thousands of patterns, which knows more and takes longer. The cheap one may "
        "visit several times as many nodes; the figure shows its score, where 1/2 is equality. "
        "Nodes are counted, not seconds, so that the games are the same on every machine.",
        points=duel_points,
        samples=duel_samples,
        block=2,
        measure=measure_duel,
        check=check_duel,
        cost=duel_cost,
        finding=duel_finding,
        figure=Figure(
            "times",
            ("score",),
            ("nodes",),
            x_label="times as many nodes for the cheap evaluation",
            y_label="its score",
            log_x=True,
        ),
    ),
)
