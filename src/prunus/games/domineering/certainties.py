"""What is certain about a position of Domineering without a search."""

from __future__ import annotations

from prunus.core.knowledge.certainties import Certainties
from prunus.games.domineering.counting import DomineeringCounts
from prunus.games.domineering.rules import WIN, Board


class DomineeringCertainties(DomineeringCounts, Certainties):
    """A player who is sure of as many dominoes as the opponent can place at most wins if the
    opponent is to move; one who is to move needs one more."""

    def bounds(self, state: Board) -> tuple[int, int]:
        if self.safe(state.free, state.turn) > self.most(state.free, 1 - state.turn):
            return (WIN, WIN)
        if self.safe(state.free, 1 - state.turn) >= self.most(state.free, state.turn):
            return (-WIN, -WIN)
        return (-WIN, WIN)
