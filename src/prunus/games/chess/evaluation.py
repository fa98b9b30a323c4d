"""Evaluations of chess: a sum of weighted features between middle game and ending, and the balance
of material that textbooks use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final, NamedTuple

import numpy as np

import prunus.games.chess.features as of
from prunus.core.bits import bswap, ctz, i64, u64
from prunus.core.knowledge.evaluation import WEIGHT_UNIT, Evaluation
from prunus.games.chess.activity import ChessActivity
from prunus.games.chess.moves import CASTLING, EN_PASSANT, QUEENS, Board
from prunus.games.chess.rules import DARK, ChessRules
from prunus.games.chess.structure import ChessStructure, passed_pawns

BALANCE: Final = 1000
"""The balance of material if one side has nothing left."""

MOST: Final = 20_000
"""Evaluations lie between -MOST and MOST."""

PHASES: Final = 24
"""The phase of the start: a knight or bishop counts 1, a rook 2, a queen 4; 0 is an ending without
pieces."""

FULL: Final = 64
"""The scale of an ending that is not drawish."""

WORTH: Final = (3, 3, 5, 9)
"""Knight, bishop, rook, queen, to tell drawish endings."""


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


class ChessByHand(ChessStructure, ChessActivity, Evaluation):
    """Centipawns: the weighted sum of the features of `prunus.games.chess.features`. Each has a
    weight for the middle game and one for the ending, between which the pieces that are left
    decide; drawish endings count less. The weights are those that were set by hand.

    What changes little from ply to ply is in the row: the sums of `placed` and of `structure`,
    each in one number (`features.packed`), and the passed pawns.
    """

    held_features = of.HELD

    class Row(NamedTuple):
        placed: i64
        structure: i64
        passed: u64

    def prepare(self) -> None:
        self.feature_count, self.stages = of.COUNT, 2
        self.weights = of.packed(of.HAND)

    def weighted_sum(self, state: Board) -> int:
        row = self.row(state)
        return row.placed + row.structure + self.activity_sum(state, row.passed)

    def placed_sum(self, state: Board) -> int:
        """The weighted sum of material and squares, for the player to move."""
        turned = self.turned(state)
        wing, other = self.wings(state)
        total, left = 0, state.mine
        while left:
            square = ctz(left)
            total += self.worth(self.piece_of(state, square), square, wing)
            left &= left - 1
        left = turned.mine
        while left:
            square = ctz(left)
            total -= self.worth(self.piece_of(turned, square), square, other)
            left &= left - 1
        return total

    def wings(self, state: Board) -> tuple[int, int]:
        """How the player to move and the opponent see the squares: where the features of their
        pieces begin, a multiple of 8, plus 7 if files are mirrored."""
        king, other = ctz(state.kings & state.mine), ctz(state.kings & ~state.mine)
        first = of.PLACES if (king ^ other) & 4 else 0
        return first | (0 if king & 4 else 7), first | (0 if other & 4 else 7)

    def worth(self, kind: int, square: int, wing: int) -> int:
        """The weights of a kind of piece on a square, for whom the wings are like this."""
        place = (wing & ~7) + 64 * kind + (square ^ wing & 7)
        return self.weights[of.MATERIAL + kind] + self.weights[of.SQUARE + place]

    def piece_of(self, state: Board, square: int) -> int:
        """The kind of the piece on a square that is not empty: 0 a pawn to 5 a king."""
        kind = self.kind_on(state, u64(1) << square)
        return 5 if state.kings >> square & 1 else kind

    def passed(self, state: Board) -> u64:
        """The passed pawns of both sides."""
        pawns, theirs = state.pawns & state.mine, state.pawns & ~state.mine
        return passed_pawns(pawns, theirs) | bswap(passed_pawns(bswap(theirs), bswap(pawns)))

    # Rows.

    def row(self, state: Board) -> Row:
        return self.Row(self.placed_sum(state), self.structure_sum(state), self.passed(state))

    def next_row(self, row: Row, state: Board, action: int, child: Board) -> Row:
        source, target, kind = action & 63, action >> 6 & 63, action >> 12
        piece = self.piece_of(state, source)
        if piece == 5:
            king_to = target
            if kind == CASTLING:
                king_to = 2 if target < source else 6
            if (source ^ king_to) & 4:
                # Both players see all squares in another way.
                return self.row(child)
        wing, other = self.wings(state)
        placed = row.placed - self.worth(piece, source, wing)
        if kind == CASTLING:
            king_to, rook_to = (2, 3) if target < source else (6, 5)
            placed += self.worth(5, king_to, wing) + self.worth(3, rook_to, wing)
            placed -= self.worth(3, target, wing)
        else:
            placed += self.worth(kind if 0 < kind <= QUEENS else piece, target, wing)
            if kind == EN_PASSANT:
                placed += self.worth(0, (target - 8) ^ 56, other)
            elif self.occupied(state) >> target & 1:
                placed += self.worth(self.piece_of(state, target), target ^ 56, other)
        if bswap(state.pawns) == child.pawns and piece != 5:
            return self.Row(-placed, -row.structure, bswap(row.passed))
        return self.Row(-placed, self.structure_sum(child), self.passed(child))

    # The sum.

    def evaluate_row(self, state: Board, row: Row) -> int:
        total = row.placed + row.structure + self.activity_sum(state, row.passed)
        value = self.tapered(state, total)
        value = value * self.scale(state, value > 0) // (WEIGHT_UNIT * PHASES * FULL)
        return max(-MOST, min(MOST, value))

    def stage_weights(self) -> np.ndarray:
        return of.unpacked(self.weights) / WEIGHT_UNIT

    def shares(self, state: Board) -> tuple[int, int]:
        phase = self.phase(state)
        value = self.tapered(state, self.weighted_sum(state))
        scale = self.scale(state, value > 0)
        return phase * scale, (PHASES - phase) * scale

    def tapered(self, state: Board, total: int) -> int:
        """A weighted sum between middle game and ending, in 1 / `PHASES`."""
        phase = self.phase(state)
        return of.middle_of(total) * phase + of.ending_of(total) * (PHASES - phase)

    def phase(self, state: Board) -> int:
        """`PHASES` at the start, 0 without pieces."""
        # A queen counts as a bishop, a rook, and one more.
        queens = state.diagonals & state.straights
        pieces = (
            (state.knights | state.diagonals).bit_count()
            + 2 * state.straights.bit_count()
            + queens.bit_count()
        )
        return min(PHASES, pieces)

    def scale(self, state: Board, ahead: bool) -> int:
        """What part of an estimate remains, in 1 / `FULL`, if the player to move is `ahead`, or
        otherwise the opponent."""
        strong = state.mine if ahead else self.occupied(state) & ~state.mine
        pawns = state.pawns & strong
        if pawns & (pawns - 1) and state.diagonals == 0:
            return FULL
        mine, theirs = self.force_of(state, strong), self.force_of(state, ~strong)
        if pawns == 0 and mine - theirs <= WORTH[1]:
            # A minor piece more does not win without pawns, and two knights do not either.
            return 0 if mine < WORTH[2] else 16
        if pawns == 0 and state.knights & strong == strong & ~state.kings and mine == 2 * WORTH[0]:
            return 0
        bishops = state.diagonals & ~state.straights
        ours, others = bishops & strong, bishops & ~strong
        single = ours & (ours - 1) == 0 and others & (others - 1) == 0
        if ours and others and single and (ours & DARK == 0) != (others & DARK == 0):
            return 32 if mine == theirs == WORTH[1] else 52
        return FULL

    def force_of(self, state: Board, side: u64) -> int:
        """The sum of a side's pieces without pawns."""
        queens = state.diagonals & state.straights
        return (
            WORTH[0] * ((state.knights | state.diagonals & ~queens) & side).bit_count()
            + WORTH[2] * (state.straights & ~queens & side).bit_count()
            + WORTH[3] * (queens & side).bit_count()
        )


class ChessEvaluation(ChessByHand):
    """The same with the fitted weights that come with Prunus, or those of a file; and other
    evaluations by name."""

    evaluations: ClassVar[Mapping[str, Evaluation | type[Evaluation]]] = {
        "hand": ChessByHand,
        "material": ChessMaterial,
    }

    weights_file = ""
    """A file of weights, or `features.HAND`; empty: those that come with Prunus."""

    def prepare(self) -> None:
        ChessByHand.prepare(self)
        self.weights = of.packed(self.weights_file)
