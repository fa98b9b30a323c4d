"""What a position of Othello seems to be worth, and which moves seem best."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import prunus.games.othello.patterns as fitted
from prunus.core.bits import u64
from prunus.core.game import WEIGHT_UNIT
from prunus.games.othello.rules import OthelloRules

CORNER, EDGE_TRAP, DIAGONAL_TRAP = 8, 2, 3
"""Weights of `evaluate`, in discs: a corner; a disc beside an empty corner; the same, added where
it stands on the diagonal."""


class OthelloEvaluation(OthelloRules):
    """The fitted weights of patterns on 8 x 8; on smaller boards, and without `patterns`, mobility
    and corners."""

    def _prepare_evaluation(self, patterns: bool, weights: str) -> None:
        size = self.size
        last = size - 1
        self.diagonals = u64(
            1 << size + 1 | 1 << 2 * size - 2 | 1 << (last - 1) * size + 1 | 1 << last * size - 2
        )  # beside the corners
        self.patterns = bool(patterns) and size == fitted.SIZE
        self.feature_count, self.stages = 0, 1
        self._plain_weights = not weights
        if self.patterns:
            self.feature_count, self.stages = fitted.FEATURES, fitted.STAGES
            self.digits, self.starts, self.tied, self.table = (
                fitted.digits(),
                fitted.starts(),
                fitted.tied(),
                fitted.table(weights),
            )

    def order(self, state: Any, action: int) -> int:
        """The fewer moves the opponent has afterwards, the better (his corners count three times);
        a corner is worth eight of them."""
        child = self.result(state, action)
        replies = self.moves(child.mine, child.theirs)
        corner = (u64(1) << action) & self.corners
        return (
            8 * corner.bit_count() - replies.bit_count() - 2 * (replies & self.corners).bit_count()
        )

    def evaluate(self, state: Any) -> int:
        """What is expected, in discs: by the fitted weights on 8 x 8, otherwise (and without
        `patterns`) the difference of both sides' `prospects`. At most size * size - 1 either way:
        only a finished game is worth more."""
        if self.patterns:
            difference = (self.weight(state) + WEIGHT_UNIT // 2) // WEIGHT_UNIT
        else:
            difference = self.prospects(state.mine, state.theirs) - self.prospects(
                state.theirs, state.mine
            )
        return max(1 - self.cells, min(self.cells - 1, difference))

    def weight(self, state: Any) -> int:
        """The sum of the weights of the `features`, looked up in one table for all that symmetry
        makes of a pattern."""
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
        return str(fitted.PROBCUT) if self.patterns and self._plain_weights else ""

    def mobility(self, mine: u64, theirs: u64) -> int:
        """The moves of a player as far as the evaluation tells their numbers apart."""
        return min(fitted.MOBILITY - 1, self.moves(mine, theirs).bit_count())

    def stage(self, state: Any) -> int:
        """By the number of discs."""
        return fitted.stage_of((state.mine | state.theirs).bit_count()) if self.patterns else 0

    def features(self, state: Any) -> Iterator[tuple[int, int]]:
        """Those of `prunus.games.othello.patterns`, where there are `patterns`."""
        if self.patterns:
            mine, theirs = state.mine, state.theirs
            for entry in fitted.entries_of(self.digits, self.starts, mine, theirs):
                yield self.tied[entry], 1
            empty = ~(mine | theirs)
            yield fitted.TIED_PATTERNS + self.mobility(mine, theirs), 1
            yield fitted.TIED_PATTERNS + fitted.MOBILITY + self.mobility(theirs, mine), 1
            yield fitted.TIED_PATTERNS + 2 * fitted.MOBILITY + self.odd_regions(empty), 1
            yield fitted.TIED_PATTERNS + 2 * fitted.MOBILITY + 5 + empty.bit_count(), 1

    def prospects(self, mine: u64, theirs: u64) -> int:
        """What speaks for a player in the middle of a game, in discs: a disc for each move and half
        of one for each empty square beside an opposing disc, a move to come perhaps; corners; less
        his discs beside empty corners, which give these away."""
        free = self.board & ~(mine | theirs)
        traps = self.around(free & self.corners) & mine
        moves = 2 * self.moves(mine, theirs).bit_count() + (self.around(theirs) & free).bit_count()
        lost = EDGE_TRAP * traps.bit_count() + DIAGONAL_TRAP * (traps & self.diagonals).bit_count()
        return moves // 2 + CORNER * (mine & self.corners).bit_count() - lost

    def around(self, squares: u64) -> u64:
        """The squares beside some of `squares`, in any of the eight directions."""
        n = self.size
        # Onto the outer columns a step sideways comes from within only; from the outer columns it
        # goes to within only.
        beside = ((squares << 1) | (squares >> 1)) & self.inner
        beside |= ((squares & self.inner) << 1) | ((squares & self.inner) >> 1)
        rows = squares | beside
        return (beside | (rows << n) | (rows >> n)) & self.board
