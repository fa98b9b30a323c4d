"""Othello on 8 x 8, and on the smaller boards 6 x 6 and 4 x 4."""

from __future__ import annotations

from functools import cache
from typing import Final

from prunus.core.bits import bit_index, u64
from prunus.core.game import Game
from prunus.games.boards import SYMMETRIES, images
from prunus.games.othello.endgame import OthelloEndgame
from prunus.games.othello.evaluation import OthelloEvaluation
from prunus.games.othello.notation import OthelloNotation
from prunus.games.othello.patterns import SIZE
from prunus.games.othello.rules import Board
from prunus.games.othello.tactics import OthelloTactics

FEW: Final = 14
"""Positions with at most this many discs are compared with their images."""


class Othello(OthelloNotation, OthelloEvaluation, OthelloTactics, OthelloEndgame, Game):
    """Othello on a board of `size` x `size` squares; size is 8, 6 or 4, otherwise ValueError.

    The player to move places a disc so that at least one run of opposing discs, in any of the eight
    directions, stands between it and another disc of this player; all such runs are turned over. A
    player who cannot do so passes; when neither can, the game is over. The utility is the
    difference of discs, with the empty squares counted for the winner: 64 for a wipe-out, 0 for a
    draw.

    Squares are numbered along the rows from the top left corner (here 4 x 4), bit 0 is a1, and
    these numbers are the actions; a pass is the action `PASS`, legal if there is no other action
    but the opponent could move:

              a  b  c  d
          1   0  1  2  3
          2   4  5  6  7
          3   8  9 10 11
          4  12 13 14 15

    `mine` holds the discs of the player to move, `theirs` the opponent's, and `white` says whether
    white is to move. Neither the rules nor any value depends on the colours, but texts do, and
    because of passes the number of discs does not tell them: black, who begins, is X and white is O
    in every position of a game. The same discs with the other colour to move are therefore another
    State of equal value. A search from one position hardly ever meets both, because that takes the
    same discs after one pass more or less.

    A position is written as its squares, row by row, and the player to move: `OX-/...`, with or
    without the slashes, where `.` may stand for `-` and `*` for `X`; or as the moves from the
    start: `f5d6c3`, with passes (`pass`, `pa`, `--`) or without them.
    """

    def __init__(self, size: int = 8, patterns: bool = True, weights: str = "") -> None:
        super().__init__(size)
        self._prepare_endgame()
        self._prepare_evaluation(patterns, weights)

    def solving_game(self) -> Game:
        # A class derived from this one may have rules of its own.
        return _symmetric(self.size) if type(self) is Othello and self.size < SIZE else self


class SymmetricOthello(Othello):
    """The boards that are small enough to be solved from the start. Searches that keep actions in
    their tables do without symmetry: an action of an image is not an action of the position."""

    def __init__(self, size: int = 6) -> None:
        super().__init__(size)
        self.images = images(size)

    def canonical(self, state: Board) -> Board:
        """The least of the images of a position with few discs, comparing `mine`, then `theirs`.
        Later positions hardly ever meet their images."""
        mine, theirs = state.mine, state.theirs
        if (mine | theirs).bit_count() > FEW:
            return state
        for symmetry in range(1, SYMMETRIES):
            ours, others = self.image(state.mine, symmetry), self.image(state.theirs, symmetry)
            if ours < mine or (ours == mine and others < theirs):
                mine, theirs = ours, others
        return self.State(mine, theirs, state.white)

    def image(self, squares: u64, symmetry: int) -> u64:
        """The squares to which a symmetry takes some squares."""
        image = u64(0)
        while squares:
            image |= u64(1) << self.images[self.cells * symmetry + bit_index(squares)]
            squares &= squares - 1
        return image


@cache
def _symmetric(size: int) -> SymmetricOthello:
    return SymmetricOthello(size)
