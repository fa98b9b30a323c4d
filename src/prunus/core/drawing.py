"""What a page has to know to draw a game. No search asks for any of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Final, Generic

from prunus.core.generic import S

LOOKS: Final = (
    *("stones", "marks", "discs", "draughts", "drop", "hex"),
    *("tiles", "points", "dots", "chess", "piles", "sowing"),
)
"""How a board is drawn: stones on cells; noughts and crosses; discs with two sides; pieces on the
dark cells; discs that drop to the lowest free cell of a column, whose number, from 1, the action's
name is; hexagons between the sides of Hex, each row half a cell further to the right; dominoes;
points, and lines that join some of them (`drawn_lines`); edges between dots; chess pieces, in rows
as of a FEN; piles of objects; holes with counters that are sown."""


class Drawing(Generic[S]):
    """The board of a game as a page draws it. All of it is optional."""

    drawn_as: ClassVar[str] = ""
    """One of `LOOKS`, for a game whose `format` begins with the rows of a board from the top,
    joined by `/`, up to the first blank: `X` and `O` are pieces of the player who moves first in
    the game and of the other, `.` is an empty cell. An action is made on the cells that stand in
    its name, a letter for the column and the number of the row from the top. Without it, the board
    is what `picture` says.

    Two looks have no rows. `piles`: the text begins with the sizes of the piles, `3,5,7`, and an
    action is called `2:1` for one object from the second pile. `sowing`: it begins with both
    players' holes, `4,4,4 4,4,4`, or with their stores, `4,4,4:0 4,4,4:0`; without stores a third
    word that is a number is how much the player to move leads. An action is the number of a hole
    of the player to move, from 1."""

    clear_lead: ClassVar[int] = 0
    """An estimate that is a clear advantage, the scale of what a page shows of estimates; 0 for a
    third of the largest value that `bounds` gives, or 10."""

    def picture(self, state: S, /) -> str:
        """The board as a page draws it: rows from the top, joined by `/` or newlines, a character a
        cell: `X` and `O` for pieces of the player who moves first in the game and of the other, `.`
        empty, `#` covered, a blank for no cell; others are written. Empty if there is no board."""
        return ""

    def drawn_lines(self) -> Iterable[tuple[int, int]]:
        """The lines between `points`: pairs of cells, which are numbered from the top left, row by
        row, those where no point is (`-` in the text) included."""
        return ()

    def clicks(self, state: S, action: int, /) -> Iterable[int]:
        """The cells of `picture` where an action is made, numbered from the top left: one, or where
        a piece comes from and where it goes. Without any, the action is a button."""
        return ()
