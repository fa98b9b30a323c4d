"""Evaluations of chess: material and the places of the pieces, and the balance of material that
textbooks use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from prunus.core.bits import ctz, u64
from prunus.core.knowledge.evaluation import Evaluation
from prunus.games.chess.moves import NOT_A, NOT_H, Board
from prunus.games.chess.rules import ChessRules

BALANCE: Final = 1000
"""The balance of material if one side has nothing left."""

MOST: Final = 20_000
"""Evaluations lie between -MOST and MOST."""

# In centipawns, in the middle game and in the ending.
PAWN, KNIGHT, BISHOP, ROOK, QUEEN = (85, 110), (330, 290), (345, 310), (490, 540), (1000, 980)
BISHOP_PAIR: Final = (28, 48)
DOUBLED: Final = (-9, -18)
ISOLATED: Final = (-12, -11)
OPEN_FILE: Final = (22, 6)
HALF_OPEN_FILE: Final = (11, 4)
SHELTER: Final = (14, 0)
"""For each pawn on the three files before a king, up to two ranks away."""
TEMPO: Final = 10
PASSED: Final = ((0, 0), (4, 12), (6, 18), (12, 34), (26, 62), (52, 108), (90, 170), (0, 0))
"""For a passed pawn, by its rank."""

PHASES: Final = 24
"""The phase of the start: a knight or bishop counts 1, a rook 2, a queen 4; 0 is an ending without
pieces."""


def _centre(square: int) -> int:
    """How central a square is: 0 in a corner to 6 in the middle."""
    file, rank = square % 8, square // 8
    return min(file, 7 - file) + min(rank, 7 - rank)


def _places(piece: str, square: int) -> tuple[int, int]:
    """What a square adds to a piece's worth, in the middle game and in the ending."""
    centre, rank, file = _centre(square), square // 8, square % 8
    if piece == "P":
        return (3 * rank + 5 * min(file, 7 - file) * (1 <= rank <= 4), 5 * rank)
    if piece == "N":
        return (9 * centre - 30, 7 * centre - 24)
    if piece == "B":
        return (5 * centre - 14 - 6 * (rank == 0), 3 * centre - 9)
    if piece == "R":
        return (2 * min(file, 7 - file) + 16 * (rank == 6), 6 * (rank == 6))
    if piece == "Q":
        return (2 * centre - 6 * (rank > 4), 5 * centre - 12)
    sheltered = (26, 32, 14, -8, -10, 4, 36, 24)
    return (sheltered[file] - 22 * min(rank, 4), 10 * centre - 30)


def _table(piece: str, worth: tuple[int, int], phase: int) -> tuple[int, ...]:
    return tuple(worth[phase] + _places(piece, square)[phase] for square in range(64))


_PIECES: Final = (
    ("P", PAWN),
    ("N", KNIGHT),
    ("B", BISHOP),
    ("R", ROOK),
    ("Q", QUEEN),
    ("K", (0, 0)),
)
MIDDLE: Final = tuple(value for piece, worth in _PIECES for value in _table(piece, worth, 0))
"""The worth of each piece (pawn, knight, bishop, rook, queen, king) on each square in the middle
game, as the owner sees the board."""
ENDING: Final = tuple(value for piece, worth in _PIECES for value in _table(piece, worth, 1))
"""The same in the ending."""


class ChessMaterial(ChessRules, Evaluation):
    """The balance of material (W - B) / (W + B), with queen 9, rook 5, knight and bishop 3, pawn 1,
    in thousandths; 0 without any pieces."""

    def evaluate(self, state: Board) -> int:
        mine, theirs = self.material(state, state.mine), self.material(state, ~state.mine)
        if mine == theirs:
            return 0
        if mine > theirs:
            return BALANCE * (mine - theirs) // (mine + theirs)
        return -(BALANCE * (theirs - mine) // (mine + theirs))

    def material(self, state: Board, side: u64) -> int:
        """The sum of a side's pieces."""
        queens = state.diagonals & state.straights
        return (
            (state.pawns & side).bit_count()
            + 3 * ((state.knights | state.diagonals & ~queens) & side).bit_count()
            + 5 * (state.straights & ~queens & side).bit_count()
            + 9 * (queens & side).bit_count()
        )


class ChessEvaluation(ChessRules, Evaluation):
    """Centipawns: material and places of the pieces, pawns, rooks on open files and the king's
    shelter, each with a value for the middle game and one for the ending, between which the pieces
    that are left decide."""

    evaluations: ClassVar[Mapping[str, Evaluation | type[Evaluation]]] = {"material": ChessMaterial}

    def evaluate(self, state: Board) -> int:
        other = self.turned(state)
        middle, ending = self.side_value(state)
        their_middle, their_ending = self.side_value(other)
        phase = min(PHASES, self.phase(state))
        value = (middle - their_middle) * phase + (ending - their_ending) * (PHASES - phase)
        value = value // PHASES if value >= 0 else -(-value // PHASES)
        return max(-MOST, min(MOST, value + TEMPO))

    def phase(self, state: Board) -> int:
        """`PHASES` at the start, 0 without pieces; more after promotions."""
        # A queen counts as a bishop, a rook, and one more.
        queens = state.diagonals & state.straights
        return (
            (state.knights | state.diagonals).bit_count()
            + 2 * state.straights.bit_count()
            + queens.bit_count()
        )

    def side_value(self, state: Board) -> tuple[int, int]:
        """The worth of what the player to move has, in the middle game and in the ending."""
        mine = state.mine
        queens = state.diagonals & state.straights
        pairs = (
            state.pawns,
            state.knights,
            state.diagonals & ~queens,
            state.straights & ~queens,
            queens,
            state.kings,
        )
        middle, ending = 0, 0
        for piece in range(6):
            left = pairs[piece] & mine
            while left:
                at = 64 * piece + ctz(left)
                middle += MIDDLE[at]
                ending += ENDING[at]
                left &= left - 1
        if (pairs[2] & mine).bit_count() >= 2:
            middle += BISHOP_PAIR[0]
            ending += BISHOP_PAIR[1]
        pawns = state.pawns & mine
        middle_pawns, ending_pawns = self.pawn_value(pawns, state.pawns & ~mine)
        rooks = state.straights & ~queens & mine
        files = filled(pawns)
        half, free = rooks & ~files, rooks & ~files & ~filled(state.pawns)
        middle += HALF_OPEN_FILE[0] * half.bit_count() + OPEN_FILE[0] * free.bit_count()
        ending += HALF_OPEN_FILE[1] * half.bit_count() + OPEN_FILE[1] * free.bit_count()
        king = state.kings & mine
        wall = beside(king) | king
        middle += SHELTER[0] * ((wall << 8 | wall << 16) & pawns).bit_count()
        return middle + middle_pawns, ending + ending_pawns

    def pawn_value(self, pawns: u64, theirs: u64) -> tuple[int, int]:
        """The worth of how pawns stand to one another and to the opponent's."""
        files = filled(pawns)
        doubled = (pawns & above(pawns)).bit_count()
        isolated = (pawns & ~beside(files)).bit_count()
        middle = DOUBLED[0] * doubled + ISOLATED[0] * isolated
        ending = DOUBLED[1] * doubled + ISOLATED[1] * isolated
        # Their pawns stop ours on their own file and on both files beside it, below themselves.
        guarded = below(theirs | beside(theirs))
        passed = pawns & ~guarded & ~below(pawns)
        while passed:
            rank = ctz(passed) >> 3
            middle += PASSED[rank][0]
            ending += PASSED[rank][1]
            passed &= passed - 1
        return middle, ending


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
