"""The evaluation of Othello: by patterns if there are weights for the board, otherwise by
mobility."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from prunus.core.knowledge.evaluation import Evaluation
from prunus.games.othello.mobility import OthelloMobility
from prunus.games.othello.patterned import OthelloPatterns
from prunus.games.othello.patterns import SIZE
from prunus.games.othello.rules import Board


class OthelloEvaluation(OthelloPatterns, OthelloMobility):
    """The fitted weights of patterns on 8 x 8; on smaller boards, and without `patterns`, mobility
    and corners."""

    evaluations: ClassVar[Mapping[str, Evaluation | type[Evaluation]]] = {
        "patterns": OthelloPatterns,
        "mobility": OthelloMobility,
    }

    def _prepare_evaluation(self, patterns: bool, weights: str) -> None:
        OthelloMobility.prepare(self)
        self.patterns = bool(patterns) and self.size == SIZE
        self.feature_count, self.stages, self.weights_file = 0, 1, weights
        if self.patterns:
            OthelloPatterns.prepare(self)

    def evaluate(self, state: Board) -> int:
        return self.by_patterns(state) if self.patterns else self.by_mobility(state)

    def evaluate_behind(self, state: Board) -> int:
        """Mobility and corners, so that a player whom the patterns call lost keeps his moves open.
        Without patterns this is the evaluation itself."""
        return self.by_mobility(state)
