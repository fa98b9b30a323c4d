"""Which moves of Domineering to try first."""

from __future__ import annotations

from prunus.core.knowledge.tactics import Tactics
from prunus.games.domineering.counting import DomineeringCounts
from prunus.games.domineering.rules import Board

WEIGHT = 4
"""What a domino that a player is sure of weighs beside a move that he has."""


class DomineeringTactics(DomineeringCounts, Tactics):
    """First the moves that leave the opponent few moves and oneself many, above all sure ones."""

    def order(self, state: Board, action: int) -> int:
        turn = state.turn
        one = (state.free & 0) | 1
        free = state.free ^ (one << action | one << (action + self.step(turn)))
        return (
            self.places(free, turn).bit_count()
            - self.places(free, 1 - turn).bit_count()
            + WEIGHT * (self.safe(free, turn) - self.safe(free, 1 - turn))
        )
