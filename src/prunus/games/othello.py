"""Othello on 8 x 8, and on the smaller boards 6 x 6 and 4 x 4."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from prunus.bits import bit_index, lowest_bit, mix, u64
from prunus.evaluation import othello as fitted
from prunus.game import INFINITY, WEIGHT_UNIT, Game
from prunus.games.boards import LINES, SYMMETRIES, ends, gathering, images, quarters
from prunus.games.othello_rules import PASS, OthelloRules

CORNER, EDGE_TRAP, DIAGONAL_TRAP = 8, 2, 3
"""Weights of `evaluate`, in discs: a corner; a disc beside an empty corner; the same, added where it stands on the diagonal."""

FEW: Final = 14
"""Up to so many discs positions are compared with their images."""


class Othello(OthelloRules):
    """Othello on a board of `size` x `size` squares; size is 8, 6 or 4, otherwise ValueError.

    The player to move sets a disc so that at least one run of opposing discs, in any of the eight directions, stands between it and
    another disc of his; all such runs turn over. Who cannot, passes; when neither can, the game is over. The utility is the difference of
    discs, the empty squares counting for the winner: 64 for a wipe-out, 0 for a draw.

    Squares are numbered along the rows from the top left corner (here 4 x 4), bit 0 is a1, and these numbers are the actions; a pass is
    the action `PASS`, legal where there is no other while the opponent could move:

              a  b  c  d
          1   0  1  2  3
          2   4  5  6  7
          3   8  9 10 11
          4  12 13 14 15

    `mine` holds the discs of the player to move, `theirs` the opponent's, and `white` says whether white is to move. Neither the rules nor
    any value look at the colours, but texts do, and because of passes no count of discs would tell them: black, who begins, is X and white
    O in every position of a game. The same discs with the other colour to move are therefore another State, of equal value; a search from
    one position hardly ever meets both, for that takes the same discs after one pass more or less.

    A position is written as its squares, row by row, and the player to move: `OX-/...` with or without the strokes, `.` for `-` and `*` for
    `X`; or as the moves from the start: `f5d6c3`, with passes (`pass`, `pa`, `--`) or without them.
    """

    last_plies = 4

    def __init__(self, size: int = 8, patterns: bool = True, weights: str = "") -> None:
        super().__init__(size)
        last = size - 1
        self.corners = u64(1 | 1 << last | 1 << last * size | 1 << last * (size + 1))
        self.diagonals = u64(1 << size + 1 | 1 << 2 * size - 2 | 1 << (last - 1) * size + 1 | 1 << last * size - 2)  # beside the corners
        self.quarters = quarters(size)
        self.gathering, self.ends = gathering(size), ends(size)
        self.patterns = bool(patterns) and size == fitted.SIZE
        self.feature_count, self.stages = 0, 1
        self._plain_weights = not weights
        if self.patterns:
            self._look_up(weights)

    def _look_up(self, weights: str) -> None:
        self.feature_count, self.stages = fitted.FEATURES, fitted.STAGES
        self.digits, self.starts, self.tied, self.table = fitted.digits(), fitted.starts(), fitted.tied(), fitted.table(weights)

    def solving_game(self) -> Game:
        # A class derived from this one may have rules of its own.
        return _symmetric(self.size) if type(self) is Othello and self.size < fitted.SIZE else self

    def bounds(self, state: Any) -> tuple[int, int]:
        return (-self.cells, self.cells)

    def secured(self, state: Any, alpha: int) -> tuple[int, int]:
        """By stable discs. A side is looked at if it has a corner and three quarters of its discs would answer the question: more are
        hardly ever stable."""
        low, high = -self.cells, self.cells
        if (state.theirs & self.corners) != 0 and 2 * high - 3 * state.theirs.bit_count() <= 2 * alpha:
            high -= 2 * self.stable(state.theirs, state.mine).bit_count()
        if (state.mine & self.corners) != 0 and 2 * low + 3 * state.mine.bit_count() > 2 * alpha:
            low += 2 * self.stable(state.mine, state.theirs).bit_count()
        return low, high

    def stable(self, own: u64, others: u64) -> u64:
        """Discs of a side that can never be turned over: each of the four lines through one has no empty square, or beside it the end of
        the board or another such disc of that side."""
        n, empty = self.size, self.board & ~(own | others)
        row, column, rising, falling = u64(0), u64(0), u64(0), u64(0)
        while empty:
            ray = 2 * LINES * bit_index(empty)
            row |= self.rays[ray] | self.rays[ray + LINES]
            column |= self.rays[ray + 1] | self.rays[ray + LINES + 1]
            rising |= self.rays[ray + 2] | self.rays[ray + LINES + 2]
            falling |= self.rays[ray + 3] | self.rays[ray + LINES + 3]
            empty &= empty - 1
        # What is left has a neighbour on both sides and an empty square on the line, so that shifts over the edge do not matter.
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

    def worthwhile(self, state: Any) -> Iterator[int]:
        """All actions; first those in quarters of the board with an odd number of empty squares, where the last move is to be had."""
        free = self.moves(state.mine, state.theirs)
        if free == 0:
            yield PASS
        for square in self.odd_first(free, ~(state.mine | state.theirs)):
            yield square

    def odd_first(self, squares: u64, empty: u64) -> Iterator[int]:
        """Some squares; first those in quarters of the board with an odd number of empty ones."""
        odd = squares & self.odd_quarters(empty)
        while squares:
            disc = lowest_bit(odd if odd else squares)
            yield bit_index(disc)
            squares, odd = squares & ~disc, odd & ~disc

    def odd_quarters(self, empty: u64) -> u64:
        """The quarters of the board in which the number of empty squares is odd."""
        odd = u64(0)
        for quarter in self.quarters:
            if (empty & quarter).bit_count() & 1:
                odd |= quarter
        return odd

    def odd_regions(self, empty: u64) -> int:
        """The number of those quarters."""
        return self.odd_quarters(empty).bit_count() * 4 // self.cells

    def plies_left(self, state: Any) -> int:
        return self.empties(state)

    def last_value(self, state: Any, alpha: int) -> int:
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
        """`last_value` where four squares are empty."""
        sign = 1
        for _ in range(2):
            best = -INFINITY
            for square in self.odd_first(empty, empty):
                turned = self.turned(mine, theirs, square)
                if turned:
                    disc = u64(1) << square
                    best = max(best, -self.value_of_three(theirs ^ turned, mine | turned | disc, empty ^ disc, -alpha - 1))
                    if best > alpha:
                        break
            if best > -INFINITY:
                return sign * best
            mine, theirs, alpha, sign = theirs, mine, -alpha - 1, -1
        return self.difference(mine, theirs)

    def value_of_three(self, mine: u64, theirs: u64, empty: u64, alpha: int) -> int:
        """`last_value` where three squares are empty."""
        sign = 1
        for _ in range(2):
            best = -INFINITY
            for square in self.odd_first(empty, empty):
                turned = self.turned(mine, theirs, square)
                if turned:
                    disc = u64(1) << square
                    best = max(best, -self.value_of_two(theirs ^ turned, mine | turned | disc, empty ^ disc, -alpha - 1))
                    if best > alpha:
                        break
            if best > -INFINITY:
                return sign * best
            mine, theirs, alpha, sign = theirs, mine, -alpha - 1, -1
        return self.difference(mine, theirs)

    def value_of_two(self, mine: u64, theirs: u64, empty: u64, alpha: int) -> int:
        """`last_value` where two squares are empty."""
        sign = 1
        for _ in range(2):
            best, left = -INFINITY, empty
            while left and best <= alpha:
                disc = lowest_bit(left)
                left ^= disc
                turned = self.turned(mine, theirs, bit_index(disc))
                if turned:
                    best = max(best, -self.value_of_one(theirs ^ turned, mine | turned | disc, bit_index(empty ^ disc)))
            if best > -INFINITY:
                return sign * best
            mine, theirs, alpha, sign = theirs, mine, -alpha - 1, -1
        return self.difference(mine, theirs)

    def value_of_one(self, mine: u64, theirs: u64, square: int) -> int:
        """The value where one square is empty."""
        turned = self.turned_last(mine, square)
        if turned:
            return self.cells - 2 * (theirs.bit_count() - turned)
        turned = self.turned_last(theirs, square)
        if turned:
            return 2 * (mine.bit_count() - turned) - self.cells
        return self.difference(mine, theirs)

    def turned_last(self, mine: u64, square: int) -> int:
        """How many discs a disc of a player with the discs `mine` turns over on the last empty square."""
        turned = 0
        for word in range(3 * LINES * square, 3 * LINES * (square + 1), 3):
            # The line's discs, gathered in the last row of the board, are the place of the count.
            line = ((mine & self.gathering[word]) * self.gathering[word + 1]) >> (self.cells - self.size)
            turned += self.ends[self.gathering[word + 2] + (line & ((1 << self.size) - 1))]
        return turned

    def key(self, state: Any) -> u64:
        """A hash of the three fields, one-to-one in any one of them while the others stay."""
        return mix(mix(state.mine) ^ state.theirs) ^ state.white

    def order(self, state: Any, action: int) -> int:
        """The fewer moves the opponent has afterwards, the better (his corners count three times); a corner is worth eight of them."""
        child = self.result(state, action)
        replies = self.moves(child.mine, child.theirs)
        corner = (u64(1) << action) & self.corners
        return 8 * corner.bit_count() - replies.bit_count() - 2 * (replies & self.corners).bit_count()

    def evaluate(self, state: Any) -> int:
        """What is expected, in discs: by the fitted weights on 8 x 8, otherwise (and without `patterns`) the difference of both sides'
        `prospects`. At most size * size - 1 either way: only a finished game is worth more."""
        if self.patterns:
            difference = (self.weight(state) + WEIGHT_UNIT // 2) // WEIGHT_UNIT
        else:
            difference = self.prospects(state.mine, state.theirs) - self.prospects(state.theirs, state.mine)
        return max(1 - self.cells, min(self.cells - 1, difference))

    def weight(self, state: Any) -> int:
        """The sum of the weights of the `features`, looked up in one table for all that symmetry makes of a pattern."""
        mine, theirs = state.mine, state.theirs
        stage = self.stage(state)
        scalars = stage * fitted.ENTRIES + fitted.NUMBERS
        total = fitted.total_of_patterns(self.digits, self.starts, self.table, mine, theirs, stage)
        total += self.table[scalars + self.mobility(mine, theirs)]
        total += self.table[scalars + fitted.MOBILITY + self.mobility(theirs, mine)]
        empty = ~(mine | theirs)
        total += self.table[scalars + 2 * fitted.MOBILITY + self.odd_regions(empty)]
        return total + self.table[scalars + 2 * fitted.MOBILITY + 5 + empty.bit_count()]

    def probcut_file(self) -> str:
        return str(fitted.PROBCUT) if self.patterns and self._plain_weights else ""

    def mobility(self, mine: u64, theirs: u64) -> int:
        """The moves of a player as far as the evaluation tells their numbers apart."""
        return min(fitted.MOBILITY - 1, self.moves(mine, theirs).bit_count())

    def stage(self, state: Any) -> int:
        """By the number of discs."""
        return fitted.stage_of((state.mine | state.theirs).bit_count()) if self.patterns else 0

    def features(self, state: Any) -> Iterator[tuple[int, int]]:
        """Those of `prunus.evaluation.othello`, where there are `patterns`."""
        if self.patterns:
            mine, theirs = state.mine, state.theirs
            for entry in fitted.entries_of(self.digits, self.starts, mine, theirs):
                yield self.tied[entry], 1
            empty = ~(mine | theirs)
            yield fitted.TIED_PATTERNS + self.mobility(mine, theirs), 1
            yield fitted.TIED_PATTERNS + fitted.MOBILITY + self.mobility(theirs, mine), 1
            yield fitted.TIED_PATTERNS + 2 * fitted.MOBILITY + self.odd_regions(empty), 1
            yield fitted.TIED_PATTERNS + 2 * fitted.MOBILITY + 5 + empty.bit_count(), 1

    def prospects(self, mine: u64, theirs: u64) -> int:
        """What speaks for a player in the middle of a game, in discs: a disc for each move and half of one for each empty square beside an
        opposing disc, a move to come perhaps; corners; less his discs beside empty corners, which give these away."""
        free = self.board & ~(mine | theirs)
        traps = self.around(free & self.corners) & mine
        moves = 2 * self.moves(mine, theirs).bit_count() + (self.around(theirs) & free).bit_count()
        lost = EDGE_TRAP * traps.bit_count() + DIAGONAL_TRAP * (traps & self.diagonals).bit_count()
        return moves // 2 + CORNER * (mine & self.corners).bit_count() - lost

    def around(self, squares: u64) -> u64:
        """The squares beside some of `squares`, in any of the eight directions."""
        n = self.size
        # Onto the outer columns a step sideways comes from within only; from the outer columns it goes to within only.
        beside = ((squares << 1) | (squares >> 1)) & self.inner
        beside |= ((squares & self.inner) << 1) | ((squares & self.inner) >> 1)
        rows = squares | beside
        return (beside | (rows << n) | (rows >> n)) & self.board


class SymmetricOthello(Othello):
    """The boards that are small enough to be solved from the start. Searches that keep actions in their tables do without symmetry: an
    action of an image is none of the position."""

    def __init__(self, size: int = 6) -> None:
        super().__init__(size)
        self.images = images(size)

    def canonical(self, state: Any) -> Any:
        """The least of the images of a position with few discs, comparing `mine`, then `theirs`. Later on hardly any two meet."""
        mine, theirs = state.mine, state.theirs
        if (mine | theirs).bit_count() > FEW:
            return state
        for symmetry in range(1, SYMMETRIES):
            ours, others = self.image(state.mine, symmetry), self.image(state.theirs, symmetry)
            if ours < mine or (ours == mine and others < theirs):
                mine, theirs = ours, others
        return self.State(mine, theirs, state.white)

    def image(self, squares: u64, symmetry: int) -> u64:
        """Where a symmetry takes some squares."""
        image = u64(0)
        while squares:
            image |= u64(1) << self.images[self.cells * symmetry + bit_index(squares)]
            squares &= squares - 1
        return image


@cache
def _symmetric(size: int) -> SymmetricOthello:
    return SymmetricOthello(size)
