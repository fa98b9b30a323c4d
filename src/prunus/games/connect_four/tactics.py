"""Which moves of Connect Four to try first."""

from __future__ import annotations

from prunus.core.bits import u64
from prunus.core.knowledge.tactics import Tactics
from prunus.games.connect_four.rules import Board, ConnectFourRules

WIN, BLOCK, GIFT = 1 << 16, 1 << 14, 1 << 13
"""The amounts that `order` adds for a win and for a stone that stops one, and subtracts for a stone
that lets the opponent win."""


class ConnectFourTactics(ConnectFourRules, Tactics):
    """An order of moves by what they threaten, stop and leave open."""

    def order(self, state: Board, action: int) -> int:
        """Wins come first, then stones that stop a win; stones that let the opponent win above them
        come last. Among the others these count: the threats that a stone makes or keeps, most of
        all those below which the opponent must not play; fours in the making; how few fours it
        leaves open to the opponent; and its distance from the centre. The weights were tuned on
        node counts."""
        column = ((self.one << self.height) - 1) << (action * (self.height + 1))
        stone = (state.mask + self.foot) & column
        if self.wins_with(state, stone):
            return WIN
        opponent = state.mine ^ state.mask
        mine, mask = state.mine | stone, state.mask | stone
        made = self.completing(mine, mask)
        score = 64 * made.bit_count() + 144 * (made & ((mask + self.foot) << 1)).bit_count()
        score += self.prospects(mine, opponent, self.full ^ mask) - 4 * abs(
            2 * action - self.width + 1
        )
        threats = self.threats(state)
        if stone & threats:
            score += BLOCK
        if (stone << 1) & threats:
            score -= GIFT
        return score

    def prospects(self, mine: u64, opponent: u64, empty: u64) -> int:
        """The worth of the fours still open: those that `mine` fills by half or more, less those
        that the opponent can complete."""
        h = self.height
        count = 0
        free, open_to_him = mine | empty, opponent | empty
        for step in (1, h, h + 1, h + 2):
            second, third, fourth = mine >> step, mine >> (2 * step), mine >> (3 * step)
            half = (mine & second) | (third & fourth) | ((mine | second) & (third | fourth))
            pairs = free & (free >> step)
            count += 10 * (pairs & (pairs >> (2 * step)) & half).bit_count()
            pairs = open_to_him & (open_to_him >> step)
            count -= 4 * (pairs & (pairs >> (2 * step))).bit_count()
        return count
