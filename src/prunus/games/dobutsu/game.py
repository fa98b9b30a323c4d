"""Dobutsu shogi (Kitao & Fujita 2008), shogi on 3 x 4 squares, solved by Tanaka (2009)."""

from __future__ import annotations

from typing import Final

from prunus.core.bits import u64
from prunus.core.game import Game, PositionError
from prunus.core.grids import cell_name, read_grid, write_grid
from prunus.games.boards import is_start
from prunus.games.dobutsu.numbers import DobutsuNumbers
from prunus.games.dobutsu.rules import (
    COLUMNS,
    FIRST_DROP,
    HAND,
    HOME_ROW,
    LION,
    ROWS,
    SQUARES,
    THEIRS,
    WIN,
    Board,
)

LETTERS: Final = ".CEGLH???ceglh"
WIDTH: Final = 2 * COLUMNS + 1
"""The cells of a row of the picture: those of the board, a gap, and three of a hand."""

IN_HAND: Final = [row * WIDTH + cell for row in (3, 2) for cell in range(COLUMNS + 1, WIDTH)]
"""The cells of the picture where the hand of the player to move is shown."""

WORTH: Final = (0, 2, 6, 6, 0, 8)
"""What a piece on the board is worth to the evaluation."""


class Dobutsu(DobutsuNumbers, Game):
    """Two players with a lion, a giraffe (a step across, ahead or back), an elephant (a step along
    a diagonal) and a chick (a step ahead) each; the lion steps any way. A captured piece is the
    capturer's, who may drop it on a free square in place of a move. A chick that steps onto the
    last row becomes a hen, which steps any way but diagonally back; captured, it is a chick.
    Whoever captures the lion wins, and so does a lion on the last row that cannot be captured at
    once. A position's third time is a draw.

    With `early` the game is over, and won, when the player to move can capture the lion: the same
    values, a ply sooner. Utility, for the player to move at the end: -64 or, with `early`, 64.

    A State is the board as the player to move sees it, who goes up, and the pieces in hand. A
    square has four bits, row by row from the top left: 0 free, 1 to 5 chick, elephant, giraffe,
    lion and hen of the player to move, 9 to 13 those of the opponent. From bit 48 on there are two
    bits each for the chicks, elephants and giraffes in his hand, then in the opponent's.

    An action is 12 x the square of the piece + its goal, or 144 + 12 x (0 chick, 1 elephant, 2
    giraffe) + the goal for a drop; in text `b3-b2` and `C*b2`. Positions are the rows as the player
    to move sees them, his pieces in capitals, and both hands: `gle/.c./.C./ELG -/-`.
    """

    def __init__(self, early: bool = False) -> None:
        super().__init__(early)

    def initial(self) -> Board:
        return self.parse("gle/.c./.C./ELG -/-")

    def bounds(self, state: Board) -> tuple[int, int]:
        """Whoever can capture the lion wins."""
        squares = state.squares
        lions = self.lions(squares)
        theirs = lions & squares >> 3
        if lions == theirs:
            return (-WIN, -WIN)
        if theirs & self.reached(squares):
            return (WIN, WIN)
        return (-WIN, -WIN) if theirs & HOME_ROW else (-WIN, WIN)

    def evaluate(self, state: Board) -> int:
        """Material, and half as much again for a piece in hand, which may go anywhere."""
        squares, total = state.squares, 0
        for square in range(SQUARES):
            piece = int(squares >> 4 * square & 15)
            total += WORTH[piece] if piece < THEIRS else -WORTH[piece - THEIRS]
        for kind in range(3):
            here = int(squares >> HAND + 2 * kind & 3)
            there = int(squares >> HAND + 6 + 2 * kind & 3)
            total += (here - there) * WORTH[kind + 1] * 3 // 2
        return total

    def order(self, state: Board, action: int) -> int:
        """Captures first, of the lion above all; then other steps, then drops."""
        if action >= FIRST_DROP:
            return 0
        captured = int(state.squares >> 4 * (action % SQUARES) & 7)
        return 100 if captured == LION else 1 + WORTH[captured]

    # Texts.

    def parse(self, text: str) -> Board:
        if is_start(text):
            return self.initial()
        board, _, hands = text.strip().rpartition(" ")
        if hands.count("/") != 1 or not board:
            raise PositionError(
                f"{text!r} does not end with a blank and both hands, as in gle/.c./.C./ELG -/-"
            )
        cells = read_grid(board.replace("?", "!"), ROWS, COLUMNS, LETTERS)
        squares = sum(piece << 4 * square for square, piece in enumerate(cells))
        for number, hand in enumerate(hands.upper().split("/")):
            for letter in hand.replace("-", ""):
                if letter not in "CEG" or hand.count(letter) > 2:
                    raise PositionError(f"{hand!r} is no hand of C, E and G, two of each at most")
                squares += 1 << HAND + 6 * number + 2 * "CEG".index(letter)
        both = board.upper() + hands.upper()
        for letters, most in (("CH", 2), ("E", 2), ("G", 2), ("L", 2)):
            if sum(map(both.count, letters)) > most:
                raise PositionError(f"there are more than {most} of {letters}: {text!r}")
        if board.count("l") != 1:
            raise PositionError(f"the opponent has one lion, not {board.count('l')}: {text!r}")
        return self.State(u64(squares))

    def format(self, state: Board) -> str:
        squares = int(state.squares)
        board = write_grid([squares >> 4 * i & 15 for i in range(SQUARES)], COLUMNS, LETTERS)
        hands = [
            "".join(
                letter * (squares >> HAND + start + 2 * kind & 3)
                for kind, letter in enumerate(letters)
            )
            for start, letters in ((0, "CEG"), (6, "ceg"))
        ]
        return f"{board} {hands[0] or '-'}/{hands[1] or '-'}"

    def picture(self, state: Board) -> str:
        """The board, and at its right the pieces in hand: above the opponent's, below those of the
        player to move."""
        board, hands = self.format(state).split(" ")
        mine, theirs = (f"{hand.strip('-'):{2 * COLUMNS}}" for hand in hands.split("/"))
        beside = theirs[:COLUMNS], theirs[COLUMNS:], mine[COLUMNS:], mine[:COLUMNS]
        rows = zip(board.split("/"), beside, strict=True)
        return "/".join(f"{row} {hand}" for row, hand in rows)

    def clicks(self, state: Board, action: int) -> list[int]:
        """Whoever drops a piece clicks it in his hand."""
        square, goal = divmod(int(action), SQUARES)
        cells = [WIDTH * row + column for row in range(ROWS) for column in range(COLUMNS)]
        if action < FIRST_DROP:
            return [cells[square], cells[goal]]
        shown, letter = self.picture(state).replace("/", ""), "CEG"[square - SQUARES]
        return [next(cell for cell in IN_HAND if shown[cell] == letter), cells[goal]]

    def action_name(self, state: Board, action: int) -> str:
        square, goal = divmod(int(action), SQUARES)
        if action >= FIRST_DROP:
            return f"{'CEG'[square - SQUARES]}*{cell_name(goal, COLUMNS)}"
        return f"{cell_name(square, COLUMNS)}-{cell_name(goal, COLUMNS)}"
