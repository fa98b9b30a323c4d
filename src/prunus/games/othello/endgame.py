"""Certainties about a position of Othello, for searches to the end of the game: stable discs, and
the last four squares."""

from __future__ import annotations

from collections.abc import Iterator

from prunus.core.bits import bit_index, lowest_bit, u64
from prunus.core.knowledge.certainties import Certainties
from prunus.core.rules import INFINITY
from prunus.games.boards import LINES, ends, gathering
from prunus.games.othello.rules import PASS, Board, OthelloRules


class OthelloEndgame(OthelloRules, Certainties):
    """Bounds of values, the order in which endings are searched, and values when at most four
    squares are empty."""

    last_plies = 4

    def _prepare_endgame(self) -> None:
        self.gathering, self.ends = gathering(self.size), ends(self.size)

    def bounds(self, state: Board) -> tuple[int, int]:
        return (-self.cells, self.cells)

    def secured(self, state: Board, alpha: int) -> tuple[int, int]:
        """Bounds from stable discs. A side is examined only if it has a corner, and if three
        quarters of its discs would answer the question: more are hardly ever stable."""
        low, high = -self.cells, self.cells
        if (
            state.theirs & self.corners
        ) != 0 and 2 * high - 3 * state.theirs.bit_count() <= 2 * alpha:
            high -= 2 * self.stable(state.theirs, state.mine).bit_count()
        if (state.mine & self.corners) != 0 and 2 * low + 3 * state.mine.bit_count() > 2 * alpha:
            low += 2 * self.stable(state.mine, state.theirs).bit_count()
        return low, high

    def stable(self, own: u64, others: u64) -> u64:
        """The discs of a side that can never be turned over: each of the four lines through such a
        disc has no empty square, or the disc's neighbour on it is the edge of the board or another
        such disc of that side."""
        n, empty = self.size, self.board & ~(own | others)
        row, column, rising, falling = u64(0), u64(0), u64(0), u64(0)
        while empty:
            ray = 2 * LINES * bit_index(empty)
            row |= self.rays[ray] | self.rays[ray + LINES]
            column |= self.rays[ray + 1] | self.rays[ray + LINES + 1]
            rising |= self.rays[ray + 2] | self.rays[ray + LINES + 2]
            falling |= self.rays[ray + 3] | self.rays[ray + LINES + 3]
            empty &= empty - 1
        # The squares that remain have neighbours on both sides and an empty square on the line, so
        # shifts over the edge do not matter.
        middle = self.board & (self.board << n) & (self.board >> n)
        row &= self.inner
        column &= middle
        rising &= self.inner & middle
        falling &= self.inner & middle
        stable, before = own & ~(row | column | rising | falling), u64(0)
        while stable != before:
            before = stable
            safe = ~row | stable << 1 | stable >> 1
            safe &= ~column | stable << n | stable >> n
            safe &= ~rising | stable << (n - 1) | stable >> (n - 1)
            safe &= ~falling | stable << (n + 1) | stable >> (n + 1)
            stable = own & safe
        return stable

    def worthwhile(self, state: Board) -> Iterator[int]:
        """All actions; first those in quarters of the board with an odd number of empty squares,
        where one can get the last move."""
        free = self.moves(state.mine, state.theirs)
        if free == 0:
            yield PASS
        for square in self.odd_first(free, ~(state.mine | state.theirs)):
            yield square

    def odd_first(self, squares: u64, empty: u64) -> Iterator[int]:
        """The given squares; first those in quarters of the board with an odd number of empty
        squares."""
        odd = squares & self.odd_quarters(empty)
        while squares:
            disc = lowest_bit(odd if odd else squares)
            yield bit_index(disc)
            squares, odd = squares & ~disc, odd & ~disc

    def plies_left(self, state: Board) -> int:
        return self.empties(state)

    def last_value(self, state: Board, alpha: int) -> int:
        empty = self.board & ~(state.mine | state.theirs)
        count = empty.bit_count()
        if count > 3:
            return self.value_of_four(state.mine, state.theirs, empty, alpha)
        if count == 3:
            return self.value_of_three(state.mine, state.theirs, empty, alpha)
        if count == 2:
            return self.value_of_two(state.mine, state.theirs, empty, alpha)
        if count == 1:
            return self.value_of_one(state.mine, state.theirs, bit_index(empty))
        return self.utility(state)

    def value_of_four(self, mine: u64, theirs: u64, empty: u64, alpha: int) -> int:
        """`last_value` when four squares are empty."""
        sign = 1
        for _ in range(2):
            best = -INFINITY
            for square in self.odd_first(empty, empty):
                turned = self.turned(mine, theirs, square)
                if turned:
                    disc = u64(1) << square
                    best = max(
                        best,
                        -self.value_of_three(
                            theirs ^ turned, mine | turned | disc, empty ^ disc, -alpha - 1
                        ),
                    )
                    if best > alpha:
                        break
            if best > -INFINITY:
                return sign * best
            mine, theirs, alpha, sign = theirs, mine, -alpha - 1, -1
        return self.difference(mine, theirs)

    def value_of_three(self, mine: u64, theirs: u64, empty: u64, alpha: int) -> int:
        """`last_value` when three squares are empty."""
        sign = 1
        for _ in range(2):
            best = -INFINITY
            for square in self.odd_first(empty, empty):
                turned = self.turned(mine, theirs, square)
                if turned:
                    disc = u64(1) << square
                    best = max(
                        best,
                        -self.value_of_two(
                            theirs ^ turned, mine | turned | disc, empty ^ disc, -alpha - 1
                        ),
                    )
                    if best > alpha:
                        break
            if best > -INFINITY:
                return sign * best
            mine, theirs, alpha, sign = theirs, mine, -alpha - 1, -1
        return self.difference(mine, theirs)

    def value_of_two(self, mine: u64, theirs: u64, empty: u64, alpha: int) -> int:
        """`last_value` when two squares are empty."""
        sign = 1
        for _ in range(2):
            best, left = -INFINITY, empty
            while left and best <= alpha:
                disc = lowest_bit(left)
                left ^= disc
                turned = self.turned(mine, theirs, bit_index(disc))
                if turned:
                    best = max(
                        best,
                        -self.value_of_one(
                            theirs ^ turned, mine | turned | disc, bit_index(empty ^ disc)
                        ),
                    )
            if best > -INFINITY:
                return sign * best
            mine, theirs, alpha, sign = theirs, mine, -alpha - 1, -1
        return self.difference(mine, theirs)

    def value_of_one(self, mine: u64, theirs: u64, square: int) -> int:
        """The value when one square is empty."""
        turned = self.turned_last(mine, square)
        if turned:
            return self.cells - 2 * (theirs.bit_count() - turned)
        turned = self.turned_last(theirs, square)
        if turned:
            return 2 * (mine.bit_count() - turned) - self.cells
        return self.difference(mine, theirs)

    def turned_last(self, mine: u64, square: int) -> int:
        """The number of discs that a player with the discs `mine` turns over by a disc on the last
        empty square."""
        turned = 0
        for word in range(3 * LINES * square, 3 * LINES * (square + 1), 3):
            # The line's discs, gathered in the last row of the board, are the index of the count.
            line = ((mine & self.gathering[word]) * self.gathering[word + 1]) >> (
                self.cells - self.size
            )
            turned += self.ends[self.gathering[word + 2] + (line & ((1 << self.size) - 1))]
        return turned
