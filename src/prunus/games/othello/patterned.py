"""Othello on 8 x 8 evaluated by fitted weights of patterns (`patterns.py`)."""

from __future__ import annotations

from collections.abc import Iterator

import prunus.games.othello.patterns as fitted
from prunus.core.bits import u64
from prunus.core.knowledge.evaluation import WEIGHT_UNIT, Evaluation
from prunus.games.othello.rules import Board, OthelloRules


class OthelloPatterns(OthelloRules, Evaluation):
    """The sum of the weights of the features of `prunus.games.othello.patterns`, in discs. A game
    that has not been prepared for them has no features and one stage."""

    weights_file = ""
    """A file of weights; empty: those that come with Prunus."""

    def prepare(self) -> None:
        if self.size != fitted.SIZE:
            raise ValueError(
                f"the patterns of Othello are those of {fitted.SIZE} x {fitted.SIZE}, "
                f"not of {self.size} x {self.size}"
            )
        self.feature_count, self.stages = fitted.FEATURES, fitted.STAGES
        self.digits, self.starts, self.tied = fitted.digits(), fitted.starts(), fitted.tied()
        self.table = fitted.table(self.weights_file)

    def evaluate(self, state: Board) -> int:
        return self.by_patterns(state)

    def by_patterns(self, state: Board) -> int:
        """The expected result in discs, at most 63 either way: only a finished game is worth
        more."""
        return max(
            1 - self.cells,
            min(self.cells - 1, (self.weight(state) + WEIGHT_UNIT // 2) // WEIGHT_UNIT),
        )

    def weight(self, state: Board) -> int:
        """The sum of the weights of the `features`, looked up in one table for all images of a
        pattern under symmetry."""
        mine, theirs = state.mine, state.theirs
        stage = self.stage(state)
        scalars = stage * fitted.ENTRIES + fitted.NUMBERS
        total = fitted.total_of_patterns(self.digits, self.starts, self.table, mine, theirs, stage)
        total += self.table[scalars + self.mobility(mine, theirs)]
        total += self.table[scalars + fitted.MOBILITY + self.mobility(theirs, mine)]
        empty = ~(mine | theirs)
        total += self.table[scalars + 2 * fitted.MOBILITY + self.odd_regions(empty)]
        return total + self.table[scalars + 2 * fitted.MOBILITY + 5 + empty.bit_count()]

    def probcut_file(self) -> str:
        return str(fitted.PROBCUT) if self.feature_count and not self.weights_file else ""

    def mobility(self, mine: u64, theirs: u64) -> int:
        """The number of a player's moves, as far as the evaluation distinguishes it."""
        return min(fitted.MOBILITY - 1, self.moves(mine, theirs).bit_count())

    def stage(self, state: Board) -> int:
        """The stage of a position, by its number of discs."""
        return fitted.stage_of((state.mine | state.theirs).bit_count()) if self.stages > 1 else 0

    def features(self, state: Board) -> Iterator[tuple[int, int]]:
        if self.feature_count:
            mine, theirs = state.mine, state.theirs
            for entry in fitted.entries_of(self.digits, self.starts, mine, theirs):
                yield self.tied[entry], 1
            empty = ~(mine | theirs)
            yield fitted.TIED_PATTERNS + self.mobility(mine, theirs), 1
            yield fitted.TIED_PATTERNS + fitted.MOBILITY + self.mobility(theirs, mine), 1
            yield fitted.TIED_PATTERNS + 2 * fitted.MOBILITY + self.odd_regions(empty), 1
            yield fitted.TIED_PATTERNS + 2 * fitted.MOBILITY + 5 + empty.bit_count(), 1
