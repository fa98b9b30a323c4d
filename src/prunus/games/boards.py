"""Boards as text: rows from the top, separated by `/` or line breaks; `X` is the first player, `O` the second, `.` an empty cell."""

from __future__ import annotations

from prunus.game import PositionError

CELLS = "XO."


def read_rows(text: str, rows: int, columns: int) -> list[str]:
    """The rows of a board of this size, in capitals. Raises PositionError for another number of rows or columns, another character,
    or counts of stones that alternating players cannot reach."""
    found = [row.strip().upper() for row in text.strip().replace("\n", "/").split("/")]
    if len(found) != rows:
        raise PositionError(f"the board has {rows} rows, not {len(found)}: {text!r}")
    for number, row in enumerate(found, 1):
        if len(row) != columns:
            raise PositionError(f"row {number} ({row!r}) has {len(row)} cells, not {columns}")
        for place, cell in enumerate(row, 1):
            if cell not in CELLS:
                raise PositionError(f"row {number}, column {place}: {cell!r} is none of X, O and '.'")
    first, second = count("X", found), count("O", found)
    if first - second not in (0, 1):
        raise PositionError(f"{first} X and {second} O: X moves first and the players alternate, so X has as many stones or one more")
    return found


def count(cell: str, rows: list[str]) -> int:
    """How often a cell occurs on a board."""
    return sum(row.count(cell) for row in rows)


def is_start(text: str) -> bool:
    """Whether a text means the initial position: nothing, or `start`."""
    return text.strip().lower() in ("", "start")
