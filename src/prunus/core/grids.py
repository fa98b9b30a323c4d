"""Boards as text, for `parse` and `format`: rows from the top, separated by `/` or line breaks, one
character a cell.

A board is read as a tuple of numbers, row by row from the top left. Each cell's number is the index
of its character in `cells` (".XO": 0 is empty, 1 is X, 2 is O). `mask` turns such a tuple into
bits, `from_masks` turns bits into a tuple. These functions are for texts; compiled rules do not
need them.
"""

from __future__ import annotations

from collections.abc import Sequence

from prunus.core.game import PositionError

CELLS = ".XO"


def read_grid(text: str, rows: int, columns: int, cells: str = CELLS) -> tuple[int, ...]:
    """The cells of a board of this size. Raises PositionError, with the row and column, for a wrong
    number of rows or columns and for a character that is not in `cells`."""
    lines = [line.strip() for line in text.strip().replace("\n", "/").split("/")]
    if len(lines) != rows:
        raise PositionError(f"the board has {rows} rows, not {len(lines)}: {text.strip()!r}")
    board: list[int] = []
    for number, line in enumerate(lines, 1):
        if len(line) != columns:
            raise PositionError(f"row {number} ({line!r}) has {len(line)} cells, not {columns}")
        for place, cell in enumerate(line, 1):
            if cell not in cells:
                raise PositionError(
                    f"row {number}, column {place}: {cell!r} is none of {' '.join(cells)}"
                )
            board.append(cells.index(cell))
    return tuple(board)


def write_grid(board: Sequence[int], columns: int, cells: str = CELLS, between: str = "/") -> str:
    """The text of a board, which `read_grid` reads; pass a line break as `between` to put each row
    on a line of its own."""
    shown = "".join(cells[cell] for cell in board)
    return between.join(shown[start : start + columns] for start in range(0, len(shown), columns))


def mask(board: Sequence[int], value: int) -> int:
    """The cells that hold this value, as bits: bit i is cell i."""
    return sum(1 << place for place, cell in enumerate(board) if cell == value)


def from_masks(size: int, *masks: int) -> tuple[int, ...]:
    """The board of `size` cells on which the bits of the first mask hold 1, those of the second 2,
    and so on; all others hold 0. Raises ValueError if two masks share a cell."""
    board = [0] * size
    for value, bits in enumerate(masks, 1):
        for place in range(size):
            if bits >> place & 1:
                if board[place]:
                    raise ValueError(f"cell {place} is in two masks")
                board[place] = value
    return tuple(board)


def cell_name(cell: int, columns: int) -> str:
    """The name of a cell: its column as a letter and its row from the top as a number, a1 for cell
    0. Boards have at most 26 columns."""
    row, column = divmod(cell, columns)
    return f"{chr(ord('a') + column)}{row + 1}"


def cell_named(name: str, rows: int, columns: int) -> int:
    """The cell with that name. Raises PositionError if the board has none."""
    letter, number = name.strip().lower()[:1], name.strip()[1:]
    column = ord(letter) - ord("a") if letter else -1
    if not (0 <= column < columns and number.isdecimal() and 1 <= int(number) <= rows):
        raise PositionError(
            f"{name.strip()!r} is not a cell of this board: its cells are a1 to "
            f"{cell_name(rows * columns - 1, columns)}"
        )
    return (int(number) - 1) * columns + column
