"""Features of chess that pawns and kings decide: how pawns stand to one another, passed pawns, the
shelter of a king."""

from __future__ import annotations

from typing import Final

import prunus.games.chess.features as of
from prunus.core.bits import ctz, u64
from prunus.core.knowledge.evaluation import Weights
from prunus.games.chess.moves import NOT_A, NOT_H, Board
from prunus.games.chess.rules import ChessRules

FILE_A: Final = u64(0x0101_0101_0101_0101)


def beside(squares: u64) -> u64:
    """The squares to the left and to the right of some squares."""
    return (squares & NOT_A) >> 1 | (squares & NOT_H) << 1


def above(squares: u64) -> u64:
    """The squares above some squares, up to the last rank."""
    squares |= squares << 8
    squares |= squares << 16
    return (squares | squares << 32) << 8


def below(squares: u64) -> u64:
    """The squares below some squares, down to the first rank."""
    squares |= squares >> 8
    squares |= squares >> 16
    return (squares | squares >> 32) >> 8


def filled(squares: u64) -> u64:
    """The whole files of some squares."""
    return squares | above(squares) | below(squares)


def hit_upwards(pawns: u64) -> u64:
    """What pawns of the player to move attack."""
    return (pawns & NOT_A) << 7 | (pawns & NOT_H) << 9


def hit_downwards(pawns: u64) -> u64:
    """What pawns of the opponent attack."""
    return (pawns & NOT_A) >> 9 | (pawns & NOT_H) >> 7


def passed_pawns(pawns: u64, theirs: u64) -> u64:
    """The pawns of the player to move that no pawn of the opponent can stop or take, the foremost
    of each file."""
    return pawns & ~below(theirs | beside(theirs)) & ~below(pawns)


def steps(one: int, other: int) -> int:
    """The moves that a king needs from one square to another."""
    return max(abs((one >> 3) - (other >> 3)), abs((one & 7) - (other & 7)))


class ChessStructure(ChessRules):
    """The weighted sums of features of pawns and kings."""

    weights: Weights

    def structure_sum(self, state: Board) -> int:
        """All of them for the player to move, less those for the opponent."""
        return self.structure_of(state) - self.structure_of(self.turned(state))

    def structure_of(self, board: Board) -> int:
        """Those of the player to move."""
        pawns, theirs = board.pawns & board.mine, board.pawns & ~board.mine
        king, other = ctz(board.kings & board.mine), ctz(board.kings & ~board.mine)
        return (
            self.pawn_sum(pawns, theirs)
            + self.passed_sum(passed_pawns(pawns, theirs), pawns, king, other)
            + self.shelter_sum(pawns, theirs, king)
        )

    def pawn_sum(self, pawns: u64, theirs: u64) -> int:
        """How the pawns of one side stand to one another."""
        total = 0
        total += (pawns & above(pawns)).bit_count() * self.weights[of.DOUBLED]
        alone = pawns & ~beside(filled(pawns))
        open_to = alone & ~below(theirs)
        total += (alone ^ open_to).bit_count() * self.weights[of.ISOLATED]
        total += open_to.bit_count() * self.weights[of.ISOLATED + 1]
        # A backward pawn cannot be supported where it would step to, and a pawn attacks that place.
        supported = hit_upwards(pawns)
        reachable = supported | above(supported)
        behind = pawns & ~alone & (hit_downwards(theirs) & ~reachable) >> 8
        open_to = behind & ~below(theirs)
        total += (behind ^ open_to).bit_count() * self.weights[of.BACKWARD]
        total += open_to.bit_count() * self.weights[of.BACKWARD + 1]
        left = pawns & beside(pawns)
        while left:
            total += self.weights[of.BESIDE + (ctz(left) >> 3)]
            left &= left - 1
        left = pawns & supported
        while left:
            total += self.weights[of.SUPPORTED + (ctz(left) >> 3)]
            left &= left - 1
        return total

    def passed_sum(self, passed: u64, pawns: u64, king: int, other: int) -> int:
        """Passed pawns, those beside or supported by another pawn, and how far the own king and the
        opponent's are from the square before each."""
        total = 0
        left = passed & (beside(pawns) | hit_upwards(pawns))
        while left:
            total += self.weights[of.PAIRED + (ctz(left) >> 3)]
            left &= left - 1
        while passed:
            square = ctz(passed)
            rank = square >> 3
            total += self.weights[of.PASSING + rank]
            total += steps(king, square + 8) * self.weights[of.NEAR + rank]
            total += steps(other, square + 8) * self.weights[of.FAR + rank]
            passed &= passed - 1
        return total

    def shelter_sum(self, pawns: u64, theirs: u64, king: int) -> int:
        """On the file of a king and those beside it: the rank of the nearest own pawn that is not
        behind him, and of the opponent's nearest, which may be stopped by the own one (0: none)."""
        total = 0
        ahead = ~u64(0) << (king & 56)
        first = max(0, min(5, (king & 7) - 1))
        for file in range(first, first + 3):
            line = (FILE_A << file) & ahead
            ours, storm = pawns & line, theirs & line
            wall = ctz(ours) >> 3 if ours else 0
            total += self.weights[of.SHELTER + wall + (8 if file == king & 7 else 0)]
            near = ctz(storm) >> 3 if storm else 0
            total += self.weights[of.STORM + near + (8 if wall and near == wall + 1 else 0)]
        return total
