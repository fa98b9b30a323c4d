"""The rules of dobutsu shogi."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final, NamedTuple

from prunus.core.bits import bit_index, lowest_bit, u64
from prunus.core.rules import Rules

COLUMNS, ROWS, SQUARES = 3, 4, 12
CHICK, ELEPHANT, GIRAFFE, LION, HEN = 1, 2, 3, 4, 5
THEIRS: Final = 8
"""Added to a piece of the opponent's."""

STEPS = {
    CHICK: ((-1, 0),),
    ELEPHANT: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    GIRAFFE: ((-1, 0), (1, 0), (0, -1), (0, 1)),
    LION: ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)),
    HEN: ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, 0)),
}
"""The steps of the pieces: rows, which count from the top, and columns."""

ONES: Final = u64(0x111111111111)
BOARD: Final = u64((1 << 48) - 1)
HAND: Final = 48
"""The place of the first count of pieces in hand."""

HELD_AS = tuple(u64(1) << HAND + 2 * kind for kind in (0, 0, 1, 2, 0, 0, 0, 0))
"""What a captured piece adds to the pieces in hand; a hen is a chick there."""

FIRST_DROP: Final = SQUARES * SQUARES
WIN: Final = 64


def _goals(piece: int, square: int) -> int:
    """The squares to which a piece of the player to move can step, as the lowest bits of their four
    bits."""
    row, column = divmod(square, COLUMNS)
    found = 0
    for down, right in STEPS.get(piece, ()):
        if 0 <= row + down < ROWS and 0 <= column + right < COLUMNS:
            found |= 1 << 4 * ((row + down) * COLUMNS + column + right)
    return found


GOALS = tuple(u64(_goals(piece, square)) for square in range(SQUARES) for piece in range(8))
"""Where a piece can step to, at 8 x its square + the piece."""

SOURCES = tuple(
    u64(sum(1 << 4 * source for source in range(SQUARES) if _goals(piece, source) >> 4 * goal & 1))
    for goal in range(SQUARES)
    for piece in range(8)
)
"""Where it can have come from, at 8 x its goal + the piece."""

FAR_ROW: Final = u64(0x111)
HOME_ROW: Final = u64(0x111) << 36
LEFT_COLUMN: Final = u64(0x00F00F00F00F)
RIGHT_COLUMN: Final = LEFT_COLUMN << 8


class DobutsuRules(Rules):
    """The rules alone; the derived class `prunus.games.Dobutsu` describes them."""

    repetition: ClassVar[str] = "draw"
    repetition_count = 3
    exact_key = True

    class State(NamedTuple):
        squares: u64

    def __init__(self, early: bool) -> None:
        self.early = bool(early)

    def key(self, state: State) -> u64:
        return state.squares

    # Squares as the lowest bits of their four bits.

    def taken(self, squares: u64) -> u64:
        """The squares with a piece."""
        any_bit = squares | squares >> 1
        return (any_bit | any_bit >> 2) & ONES

    def mine(self, squares: u64) -> u64:
        """The squares with a piece of the player to move."""
        return self.taken(squares) & ~(squares >> 3)

    def reached(self, squares: u64) -> u64:
        """The squares onto which the player to move can step, those of his own pieces among them.
        The bits of a piece tell how it steps, so all of them step at once."""
        low, middle, high = squares & ONES, squares >> 1 & ONES, squares >> 2 & ONES
        mine = ONES & ~(squares >> 3)
        ahead = mine & (low | high)  # chick, giraffe, lion, hen
        across = mine & (low & middle | high)  # giraffe, lion, hen, and these step back as well
        slanting = mine & (middle & ~low | high)  # elephant, lion, hen, ahead
        retreating = slanting & ~low  # elephant, lion
        to_left, to_right = across & ~LEFT_COLUMN, across & ~RIGHT_COLUMN
        found = ahead >> 12 | across << 12 | to_left >> 4 | to_right << 4
        found |= (slanting & ~LEFT_COLUMN) >> 16 | (slanting & ~RIGHT_COLUMN) >> 8
        found |= (retreating & ~LEFT_COLUMN) << 8 | (retreating & ~RIGHT_COLUMN) << 16
        return found & BOARD

    def lions(self, squares: u64) -> u64:
        """The squares with a lion of either player."""
        return ONES & squares >> 2 & ~squares

    def actions(self, state: State) -> Iterator[int]:
        squares = state.squares
        mine = self.mine(squares)
        pieces = mine
        while pieces:
            place = u64(bit_index(pieces))
            goals = GOALS[place << 1 | squares >> place & 7] & ~mine
            first = int(place // 4) * SQUARES
            while goals:
                yield first + bit_index(goals) // 4
                goals ^= lowest_bit(goals)
            pieces ^= lowest_bit(pieces)
        for kind in range(3):
            if squares >> HAND + 2 * kind & 3:
                free = ONES ^ self.taken(squares)
                while free:
                    yield FIRST_DROP + SQUARES * kind + bit_index(free) // 4
                    free ^= lowest_bit(free)

    def result(self, state: State, action: int) -> State:
        squares = state.squares
        source, square = u64(action) // SQUARES, u64(action) % SQUARES
        goal = square * 4
        if action >= FIRST_DROP:
            kind = source - SQUARES
            squares -= u64(1) << HAND + 2 * kind
            return self.State(self.turned(squares | (kind + 1) << goal))
        start = source * 4
        piece, captured = squares >> start & 15, squares >> goal & 7
        squares &= ~(u64(15) << start | u64(15) << goal)
        if captured and captured != LION:
            squares += HELD_AS[captured]
        if piece == CHICK and goal < 4 * COLUMNS:
            piece = u64(HEN)
        return self.State(self.turned(squares | piece << goal))

    def turned(self, squares: u64) -> u64:
        """The same position as the opponent sees it."""
        board = squares & BOARD
        board ^= self.taken(board) << 3
        board = (board & 0x0F0F0F0F0F0F) << 4 | board >> 4 & 0x0F0F0F0F0F0F
        board = (
            (board & 0xFF) << 40
            | (board & 0xFF00) << 24
            | (board & 0xFF0000) << 8
            | (board >> 8 & 0xFF0000 | board >> 24 & 0xFF00 | board >> 40)
        )
        hands = squares >> HAND
        return board | (hands >> 6 | (hands & 63) << 6) << HAND

    def is_terminal(self, state: State) -> bool:
        squares = state.squares
        lions = self.lions(squares)
        theirs = lions & squares >> 3
        if lions == theirs:
            return True
        reached = self.reached(squares)
        if theirs & reached:
            return self.early
        return theirs & HOME_ROW != 0

    def utility(self, state: State) -> int:
        squares = state.squares
        lions = self.lions(squares)
        theirs = lions & squares >> 3
        if self.early and lions != theirs and theirs & self.reached(squares):
            return WIN
        return -WIN

    def canonical(self, state: State) -> State:
        """The smaller of the position and its mirror image."""
        return self.State(min(state.squares, self.mirrored(state.squares)))

    def mirrored(self, squares: u64) -> u64:
        """The mirror image."""
        image = squares & ~(LEFT_COLUMN | RIGHT_COLUMN)
        return image | (squares & LEFT_COLUMN) << 8 | (squares & RIGHT_COLUMN) >> 8


Board = DobutsuRules.State
