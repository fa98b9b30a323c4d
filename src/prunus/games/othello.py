"""Othello on 8 x 8, and on the smaller boards 6 x 6 and 4 x 4."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from prunus.bits import bit_index, lowest_bit, mix, u64
from prunus.evaluation import othello as fitted
from prunus.game import INFINITY, WEIGHT_UNIT, Game, PositionError
from prunus.games.boards import LINES, ends, gathering, is_start, quarters, rays, reached

PASS: Final = 64
"""The action of who cannot move while the opponent can. No board has a square 64, and `u64(1) << PASS` is 0: a pass sets no disc."""

MOVE: Final = re.compile(r"(pass|pa|--|[a-z][0-9]{1,2})[\s,]*", re.IGNORECASE)
"""One move of a transcript and what separates it from the next."""

CORNER, EDGE_TRAP, DIAGONAL_TRAP = 8, 2, 3
"""Weights of `evaluate`, in discs: a corner; a disc beside an empty corner; the same, added where it stands on the diagonal."""


class Othello(Game):
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

    class State(NamedTuple):
        mine: u64
        theirs: u64
        white: bool

    def __init__(self, size: int = 8, patterns: bool = True, weights: str = "") -> None:
        if size not in (4, 6, 8):
            raise ValueError(f"Othello is played on 4 x 4, 6 x 6 or 8 x 8 squares, not on {size} x {size}")
        self.size = int(size)
        self.cells = size * size
        last = size - 1
        self.board = u64((1 << size * size) - 1)
        self.inner = u64(sum(((1 << last) - 2) << row * size for row in range(size)))  # without the first and the last column
        self.corners = u64(1 | 1 << last | 1 << last * size | 1 << last * (size + 1))
        self.diagonals = u64(1 << size + 1 | 1 << 2 * size - 2 | 1 << (last - 1) * size + 1 | 1 << last * size - 2)  # beside the corners

        self.quarters = quarters(size)
        self.rays = rays(size, PASS)
        self.gathering, self.ends = gathering(size), ends(size)

        self.patterns = bool(patterns) and size == fitted.SIZE
        self.feature_count, self.stages = 0, 1
        self._plain_weights = not weights
        if self.patterns:
            self._look_up(weights)

    def _look_up(self, weights: str) -> None:
        self.feature_count, self.stages = fitted.FEATURES, fitted.STAGES
        self.digits, self.starts, self.tied, self.table = fitted.digits(), fitted.starts(), fitted.tied(), fitted.table(weights)

    def initial(self) -> Any:
        foot = (self.size // 2 - 1) * (self.size + 1)
        white = u64(1) << foot | u64(1) << (foot + self.size + 1)
        return self.State(u64(1) << (foot + 1) | u64(1) << (foot + self.size), white, False)

    def moves(self, mine: u64, theirs: u64) -> u64:
        """The empty squares on which a player with the discs `mine` may set one."""
        # A run along a row or a diagonal ends before the outer columns, so that no line runs on into the next row.
        n, inner = self.size, theirs & self.inner
        found = reached(mine, inner, 1) | reached(mine, theirs, n) | reached(mine, inner, n - 1) | reached(mine, inner, n + 1)
        return found & self.board & ~(mine | theirs)

    def actions(self, state: Any) -> Iterator[int]:
        free = self.moves(state.mine, state.theirs)
        if free == 0:
            yield PASS
        while free:
            yield bit_index(free)
            free &= free - 1

    def result(self, state: Any, action: int) -> Any:
        turned = self.turned(state.mine, state.theirs, action)
        return self.State(state.theirs ^ turned, state.mine | turned | u64(1) << action, not state.white)

    def turned(self, mine: u64, theirs: u64, square: int) -> u64:
        """The discs of `theirs` that a disc of the other player turns over on an empty square; none for a pass."""
        turned = u64(0)
        for ray in range(2 * LINES * square, 2 * LINES * square + LINES):
            up, down = self.rays[ray], self.rays[ray + LINES]
            # The first square of a ray that is not theirs: upwards a carry runs to it, downwards it is the highest bit.
            end = ((theirs | ~up) + 1) & up & mine
            turned |= (end - u64(end != 0)) & up
            end = (u64(1) << (((down & ~theirs) | 1).bit_length() - 1)) & down & mine
            turned |= -(end << 1) & down
        return turned

    def is_terminal(self, state: Any) -> bool:
        if state.mine | state.theirs == self.board:
            return True
        return not (self.can_move(state.mine, state.theirs) or self.can_move(state.theirs, state.mine))

    def can_move(self, mine: u64, theirs: u64) -> bool:
        """Whether a player with the discs `mine` may set one; one direction mostly says so."""
        n, inner, empty = self.size, theirs & self.inner, self.board & ~(mine | theirs)
        if reached(mine, inner, 1) & empty or reached(mine, theirs, n) & empty:
            return True
        return ((reached(mine, inner, n - 1) | reached(mine, inner, n + 1)) & empty) != 0

    def utility(self, state: Any) -> int:
        return self.difference(state.mine, state.theirs)

    def difference(self, mine: u64, theirs: u64) -> int:
        """The difference of discs at the end of the game, the empty squares counting for the winner."""
        ours, others = mine.bit_count(), theirs.bit_count()
        if ours == others:
            return 0
        return self.cells - 2 * others if ours > others else 2 * ours - self.cells

    def bounds(self, state: Any) -> tuple[int, int]:
        return (-self.cells, self.cells)

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

    def empties(self, state: Any) -> int:
        """The number of empty squares."""
        return self.cells - (state.mine | state.theirs).bit_count()

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

    # Texts.

    def parse(self, text: str) -> Any:
        if is_start(text):
            return self.initial()
        is_transcript = any(character.isdigit() for character in text) or "pa" in text.lower()
        return self._play_transcript(text.strip()) if is_transcript else self._parse_board(text)

    def _play_transcript(self, text: str) -> Any:
        state, place, number = self.initial(), 0, 0
        while place < len(text):
            found = MOVE.match(text, place)
            number += 1
            if found is None:
                raise PositionError(f"move {number}: {text[place : place + 8]!r} begins with no square (as f5) and no pass")
            state = self._played(state, found[1].lower(), f"move {number} ({found[1]})")
            place = found.end()
        return state

    def _played(self, state: Any, name: str, where: str) -> Any:
        if self.is_terminal(state):
            raise PositionError(f"{where}: the game is already over")
        action = PASS if name in ("pass", "pa", "--") else self._square(name, where)
        legal = list(self.actions(state))
        if legal == [PASS] and action != PASS:
            state = self.result(state, PASS)
            legal = list(self.actions(state))
        if action not in legal:
            raise PositionError(f"{where} is illegal here; legal: {' '.join(self.action_name(state, each) for each in legal)}")
        return self.result(state, action)

    def _square(self, name: str, where: str) -> int:
        column, row = string.ascii_lowercase.index(name[0]), int(name[1:]) - 1
        if not (column < self.size and 0 <= row < self.size):
            raise PositionError(f"{where}: there is no such square; squares are a1 to {self._name(self.cells - 1)}")
        return row * self.size + column

    def _parse_board(self, text: str) -> Any:
        *rows, mover = text.upper().replace("*", "X").split()
        if mover not in ("X", "O") or not rows:
            raise PositionError(f"{text!r} does not end with a blank and the player to move, X (black) or O (white)")
        cells = "".join(rows).replace("/", "").replace(".", "-")
        if len(cells) != self.cells:
            raise PositionError(f"the board has {self.cells} squares, {self.size} rows of {self.size}, not {len(cells)}: {text!r}")
        for place, cell in enumerate(cells):
            if cell not in "XO-":
                raise PositionError(f"square {place + 1} ({self._name(place)}): {cell!r} is none of X, O and '-'")
        black, white = (u64(sum(1 << place for place, cell in enumerate(cells) if cell == player)) for player in "XO")
        return self.State(white, black, True) if mover == "O" else self.State(black, white, False)

    def format(self, state: Any) -> str:
        black, white = (state.theirs, state.mine) if state.white else (state.mine, state.theirs)
        cells = ["X" if black >> place & 1 else "O" if white >> place & 1 else "-" for place in range(self.cells)]
        rows = ("".join(cells[place : place + self.size]) for place in range(0, self.cells, self.size))
        return f"{'/'.join(rows)} {'O' if state.white else 'X'}"

    def action_name(self, state: Any, action: int) -> str:
        return "pass" if action == PASS else self._name(int(action))

    def _name(self, square: int) -> str:
        return f"{string.ascii_lowercase[square % self.size]}{square // self.size + 1}"
