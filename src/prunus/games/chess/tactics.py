"""Which moves of chess disturb the balance, and which to try first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from prunus.core.bits import u64
from prunus.core.knowledge.tactics import Tactics
from prunus.games.chess.moves import EN_PASSANT, LAST_RANK, QUEENS, Board
from prunus.games.chess.rules import ChessRules

WORTH: Final = (1, 3, 3, 5, 9, 10)
"""Pawn, knight, bishop, rook, queen, and the king, which takes last of all."""


class ChessTactics(ChessRules, Tactics):
    """Captures and promotions are noisy. They are tried in the order of what they win, and of two
    captures of equal pieces first that by the lesser piece (MVV-LVA)."""

    def noisy_actions(self, state: Board) -> Iterator[int]:
        theirs = self.occupied(state) & ~state.mine
        passing = u64(1) << state.en_passant if state.en_passant else u64(0)
        for action in self.moves_to(state, theirs, theirs | LAST_RANK | passing):
            yield action

    def order(self, state: Board, action: int) -> int:
        """0 for a quiet action, so that what the search has learnt decides."""
        kind, target = action >> 12, action >> 6 & 63
        won = 0
        if kind == EN_PASSANT:
            won = WORTH[0]
        elif (self.occupied(state) & ~state.mine) >> target & 1:
            won = WORTH[self.piece_on(state, target)]
        if 0 < kind <= QUEENS:
            won += WORTH[kind] - WORTH[0]
        return 16 * won - WORTH[self.piece_on(state, action & 63)] if won else 0

    def piece_on(self, state: Board, square: int) -> int:
        """The piece on a square that is not empty: 0 a pawn, then 1 a knight, 2 a bishop, 3 a rook,
        4 a queen, 5 a king."""
        place = u64(1) << square
        if state.pawns & place:
            return 0
        if state.knights & place:
            return 1
        if state.diagonals & place:
            return 4 if state.straights & place else 2
        return 3 if state.straights & place else 5

    def pass_turn(self, state: Board) -> Board:
        return self.turned(state)
