"""Othello evaluated by mobility and corners, on boards of any size."""

from __future__ import annotations

from prunus.core.bits import u64
from prunus.core.knowledge.evaluation import Evaluation
from prunus.games.othello.rules import Board, OthelloRules

CORNER, EDGE_TRAP, DIAGONAL_TRAP = 8, 2, 3
"""Weights in discs: a corner; a disc beside an empty corner; an addition if that disc stands on the
diagonal."""


class OthelloMobility(OthelloRules, Evaluation):
    """The difference of both sides' `prospects`."""

    def prepare(self) -> None:
        size = self.size
        last = size - 1
        self.diagonals = u64(
            1 << size + 1 | 1 << 2 * size - 2 | 1 << (last - 1) * size + 1 | 1 << last * size - 2
        )  # beside the corners

    def evaluate(self, state: Board) -> int:
        return self.by_mobility(state)

    def by_mobility(self, state: Board) -> int:
        """The expected result in discs, at most size * size - 1 either way: only a finished game is
        worth more."""
        difference = self.prospects(state.mine, state.theirs) - self.prospects(
            state.theirs, state.mine
        )
        return max(1 - self.cells, min(self.cells - 1, difference))

    def prospects(self, mine: u64, theirs: u64) -> int:
        """A player's prospects in the middle of a game, in discs: one for each move; half a disc
        for each empty square beside an opposing disc, which may become a move; the corners; less
        the player's discs beside empty corners, which give the corners away."""
        free = self.board & ~(mine | theirs)
        traps = self.around(free & self.corners) & mine
        moves = 2 * self.moves(mine, theirs).bit_count() + (self.around(theirs) & free).bit_count()
        lost = EDGE_TRAP * traps.bit_count() + DIAGONAL_TRAP * (traps & self.diagonals).bit_count()
        return moves // 2 + CORNER * (mine & self.corners).bit_count() - lost

    def around(self, squares: u64) -> u64:
        """The squares beside some of `squares`, in any of the eight directions."""
        n = self.size
        # A step sideways onto an outer column only comes from inside the board, and from an outer
        # column it only goes inside.
        beside = ((squares << 1) | (squares >> 1)) & self.inner
        beside |= ((squares & self.inner) << 1) | ((squares & self.inner) >> 1)
        rows = squares | beside
        return (beside | (rows << n) | (rows >> n)) & self.board
