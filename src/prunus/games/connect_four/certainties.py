"""Certainties about a position of Connect Four without a search: bounds of its value, and moves
that need not be tried."""

from __future__ import annotations

from collections.abc import Iterator

from prunus.core.bits import u64
from prunus.core.knowledge.certainties import Certainties
from prunus.games.connect_four.rules import Board, ConnectFourRules


class ConnectFourCertainties(ConnectFourRules, Certainties):
    """Answers for searches to the end of the game."""

    def bounds(self, state: Board) -> tuple[int, int]:
        """The values of the earliest possible loss and win. If a win with the next stone or a loss
        with the one after it is certain, both bounds are its value. Nobody wins before their fourth
        stone, which is stone 7 or 8 of the game, nor if their stones and all empty cells together
        hold no four; nor does the player to move win if an opponent who follows up prevents it
        (`followed_up`)."""
        opponent = state.mine ^ state.mask
        stones = state.mask.bit_count()
        cells = self.width * self.height
        if self.has_lost(state):
            lost = -((cells + 2 - stones) // 2)
            return (lost, lost)
        playable = (state.mask + self.foot) & self.full
        if self.wins(state) & playable:
            won = (cells + 1 - stones) // 2
            return (won, won)
        threats = self.threats(state)
        if playable and self.safe(threats, playable) == 0:
            lost = -((cells - stones) // 2)
            return (lost, lost)
        empty = self.full ^ state.mask
        lost_at = max(stones + 4, 8 - stones % 2)
        won_at = max(stones + 3, 8 - (stones + 1) % 2)
        low = -max(0, (cells + 2 - lost_at) // 2) if self.has_four(opponent | empty) else 0
        high = max(0, (cells + 2 - won_at) // 2) if self.has_four(state.mine | empty) else 0
        return (low, min(high, self.followed_up(state.mine, opponent, threats)))

    def followed_up(self, mine: u64, opponent: u64, threats: u64) -> int:
        """The most that the player to move gets from an opponent with these `threats` who only
        follows up (Allis 1988, claimeven), if that denies the player to move every four; otherwise
        a value beyond all others.

        The follower plays on top of the last stone as long as the columns hold even numbers of
        empty cells, and so gets the upper cell of each pair. If two columns hold odd numbers, the
        follower answers the lowest cell of one with that of the other. A column with an odd number
        that ends below one of the follower's threats counts as even without its two last cells:
        whoever takes the cell below the threat loses, and in the end the player to move must take
        it. All of this is certain if the stones of the player to move, with all cells that this
        player may get, hold no four.
        """
        mask = mine | opponent
        empty = self.full ^ mask
        heads = (mask + self.foot) & self.odd  # the lowest empty cells of columns with odd numbers
        uneven = (heads + self.full) & self.roof  # those columns, as cells of the roof
        goals = (threats & self.even) | self.roof
        upto = goals ^ (
            goals - self.foot
        )  # in each column from the bottom to the lowest goal, which may be the roof
        cut = uneven & ~upto
        single = uneven ^ cut
        if single.bit_count() % 2 == 1:
            if cut == 0:
                return self.width * self.height
            single |= cut & (~cut + 1)
            cut &= cut - 1
        closed = cut - (cut >> self.height)  # all cells of columns with a threat that counts
        below = upto & ~goals
        heads &= single - (single >> self.height)
        his = (empty & self.even & ~closed) | (empty & self.odd & below & closed) | heads
        if self.has_four(mine | his):
            return self.width * self.height
        if cut:
            unused = (empty & closed & ~below).bit_count() - 1
            return -((unused + 2) // 2)
        theirs = empty & self.odd & ~heads
        return -1 if self.has_four(opponent | theirs) else 0

    def plies_left(self, state: Board) -> int:
        return self.width * self.height - state.mask.bit_count()

    def safe(self, threats: u64, playable: u64) -> u64:
        """The playable cells after which an opponent with these threats does not win with the next
        stone; if there are none, the opponent wins."""
        forced = threats & playable
        if forced:
            playable = forced if forced & (forced - 1) == 0 else self.one & 0
        return playable & ~(threats >> 1)

    def worthwhile(self, state: Board) -> Iterator[int]:
        """A win with the next stone, or else the moves that do not lose to the opponent's next
        stone, or else all moves."""
        playable = (state.mask + self.foot) & self.full
        cells = self.wins(state) & playable
        if cells == 0:
            cells = self.safe(self.threats(state), playable)
        if cells == 0:
            cells = playable
        for column in self.columns:
            if (cells >> (column * (self.height + 1))) & ((1 << self.height) - 1):
                yield column
