"""Which moves of Othello seem best."""

from __future__ import annotations

from prunus.core.bits import u64
from prunus.core.knowledge.tactics import Tactics
from prunus.games.othello.rules import Board, OthelloRules


class OthelloTactics(OthelloRules, Tactics):
    """An order of moves by what they leave the opponent."""

    def order(self, state: Board, action: int) -> int:
        """The fewer moves the opponent has afterwards, the better (corners among them count three
        times); a corner for oneself is worth eight such moves."""
        child = self.result(state, action)
        replies = self.moves(child.mine, child.theirs)
        corner = (u64(1) << action) & self.corners
        return (
            8 * corner.bit_count() - replies.bit_count() - 2 * (replies & self.corners).bit_count()
        )
