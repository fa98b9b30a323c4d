"""Evaluations of Domineering: by moves and by dominoes."""

from __future__ import annotations

from prunus.core.bits import u64
from prunus.core.knowledge.evaluation import Evaluation
from prunus.games.domineering.counting import DomineeringCounts
from prunus.games.domineering.rules import Board, DomineeringRules


class DomineeringMobility(DomineeringRules, Evaluation):
    """The difference of both players' numbers of moves."""

    def evaluate(self, state: Board) -> int:
        return (
            self.places(state.free, state.turn).bit_count()
            - self.places(state.free, 1 - state.turn).bit_count()
        )


class DomineeringRoom(DomineeringCounts, Evaluation):
    """The dominoes that each player can be sure of, and half of those beyond that may fit."""

    def evaluate(self, state: Board) -> int:
        return self.room(state.free, state.turn) - self.room(state.free, 1 - state.turn)

    def room(self, free: u64, turn: int) -> int:
        return (self.safe(free, turn) + self.most(free, turn)) // 2
