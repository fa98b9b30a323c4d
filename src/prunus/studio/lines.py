"""The best lines of a position, deeper and deeper: several actions, each with its value and with
how play is expected to go on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter

from prunus.algorithms.repetition import is_over
from prunus.core.analysis import Analysis
from prunus.core.game import Game
from prunus.core.generic import Json
from prunus.core.position import Position
from prunus.engine.options import Options
from prunus.run.algorithm import Algorithm
from prunus.run.driver import analyze
from prunus.run.limits import Limit, Stop
from prunus.run.progress import Watch
from prunus.studio import maxima
from prunus.studio.values import LEAST
from prunus.tables.transposition import TranspositionTable


@dataclass
class Lines:
    """What is asked for: the `count` best actions of a position, to a depth (None: as deep as
    `seconds` allow). `compile`: as for `prunus.analyze`."""

    game: Game
    position: Position
    algorithm: Algorithm
    count: int
    depth: int | None
    seconds: float
    stop: Stop
    watch: Watch
    options: Options | None = None
    compile: bool | None = None
    end: float = 0.0

    def found(self) -> Iterator[Json]:
        """`Analysis.to_dict` of one depth after another, each with `lines`: for each action its
        name, its value and bound, whether that is proved, and the names of the expected line. A
        depth that was stopped is not told, unless nothing else is known."""
        began, table = perf_counter(), None
        if self.algorithm.table:
            table = TranspositionTable(maxima.TABLE, self.game, self.position.state)
        depth = first = 1 if self.algorithm.deepens else self.depth or 1
        self.end = began + (self.seconds if self.algorithm.deepens else maxima.SECONDS)
        while depth <= (self.depth or maxima.DEPTH):
            found = self._searched(self.position, depth, table, self.count)
            if depth == first or not found.interrupted:
                yield {**found.to_dict(), "lines": [*self._lines(found, depth, table)]}
            if found.interrupted or (found.proved and found.bound == "exact"):
                return
            depth += 1

    def _searched(
        self, position: Position, depth: int, table: TranspositionTable | None, count: int
    ) -> Analysis:
        left = max(LEAST, self.end - perf_counter())
        return analyze(
            self.game,
            position,
            self.algorithm.name,
            limit=Limit(depth, seconds=left),
            multi_pv=count,
            table=table,
            stop=self.stop,
            watch=self.watch,
            compile=self.compile,
            options=self.options,
            book=False,
        )

    def _lines(
        self, found: Analysis, depth: int, table: TranspositionTable | None
    ) -> Iterator[Json]:
        for move in found.moves or ():
            after = self.position.after(self.game, move.action)
            line = [found.action_name(move.action)]
            proved = move.action == found.best and found.proved and found.bound == "exact"
            if move.action == found.best:
                line = list(found.line())
            elif is_over(self.game, after.path):
                proved = move.bound == "exact"
            elif depth > 1 and not self.stop.requested:
                known = self._searched(after, depth - 1, table, 1)
                line += known.line()
                kept = self.game.keeps_turn(self.position.state, after.state)
                same = known.value is not None and move.value == known.value * (1 if kept else -1)
                proved = same and known.proved and known.bound == move.bound == "exact"
            yield {
                "action": line[0],
                "value": move.value,
                "bound": move.bound,
                "proved": proved,
                "line": line,
            }
