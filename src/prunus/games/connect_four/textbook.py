"""Connect Four evaluated as in textbooks: by the fours that each side can still complete."""

from __future__ import annotations

from prunus.core.bits import u64
from prunus.core.knowledge.evaluation import Evaluation
from prunus.games.connect_four.rules import Board, ConnectFourRules


class ConnectFourTextbook(ConnectFourRules, Evaluation):
    """A point for each line of four cells that holds no stone of the opponent, one more for each
    stone of one's own beyond the first in it. The value is in units of four points, and less than
    the earliest win is worth."""

    def evaluate(self, state: Board) -> int:
        opponent, empty = state.mine ^ state.mask, self.full ^ state.mask
        difference = self.open_lines(state.mine, state.mine | empty) - self.open_lines(
            opponent, opponent | empty
        )
        most = max(0, (self.width * self.height - 5) // 2 - 1)
        return max(-most, min(most, difference // 4))

    def open_lines(self, stones: u64, free: u64) -> int:
        """The points of a side with these stones, to which these cells are open: empty or its
        own."""
        h, points = self.height, 0
        for step in (1, h, h + 1, h + 2):
            pairs = free & (free >> step)
            lines = pairs & (pairs >> (2 * step))
            second, third, fourth = stones >> step, stones >> (2 * step), stones >> (3 * step)
            two = (stones & second) | (third & fourth) | ((stones | second) & (third | fourth))
            three = (stones & second & (third | fourth)) | (third & fourth & (stones | second))
            points += lines.bit_count() + (lines & two).bit_count() + (lines & three).bit_count()
        return points
