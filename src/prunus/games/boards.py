"""Boards as text: rows from the top, separated by `/` or line breaks; `X` is the first player, `O`
the second, `.` an empty cell. And square boards as bits, one for each square, row by row, with the
lines on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from prunus.core.arrays import View
from prunus.core.bits import MASK64, u64
from prunus.core.game import PositionError

CELLS = "XO."

LINES: Final = 4
"""The lines that run through a square: a row, a column and two diagonals."""

SYMMETRIES: Final = 8
"""The ways to lay a square board on itself: four rotations, and four of its mirror image."""


def read_rows(text: str, rows: int, columns: int) -> list[str]:
    """The rows of a board of this size, in capitals. Raises PositionError for another number of
    rows or columns, another character, or counts of stones that alternating players cannot
    reach."""
    found = [row.strip().upper() for row in text.strip().replace("\n", "/").split("/")]
    if len(found) != rows:
        raise PositionError(f"the board has {rows} rows, not {len(found)}: {text!r}")
    for number, row in enumerate(found, 1):
        if len(row) != columns:
            raise PositionError(f"row {number} ({row!r}) has {len(row)} cells, not {columns}")
        for place, cell in enumerate(row, 1):
            if cell not in CELLS:
                raise PositionError(f"row {number}, column {place}: {cell!r} is not X, O or '.'")
    first, second = count("X", found), count("O", found)
    if first - second not in (0, 1):
        raise PositionError(
            f"{first} X and {second} O: X moves first and the players alternate, so X has as many "
            f"stones or one more"
        )
    return found


def count(cell: str, rows: list[str]) -> int:
    """The number of times that a cell occurs on a board."""
    return sum(row.count(cell) for row in rows)


def joined(cells: Sequence[int], near: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The lines of a drawn board: the cells of any two points that are near each other. Each point
    has its cell and the set of points near it, as bits."""
    for one, cell in enumerate(cells):
        yield from ((cell, cells[other]) for other in range(one) if near[one] >> other & 1)


def split_mover(text: str, players: str, example: str) -> tuple[str, int]:
    """The text of a board that stands before the letter of the player to move, and the number of
    this player, one of two. Raises PositionError, which shows an example, if there is none."""
    board, _, mover = text.strip().rpartition(" ")
    if mover.upper() not in tuple(players) or not board:
        raise PositionError(
            f"{text!r} does not end with a blank and the player to move, {' or '.join(players)}, "
            f"as in {example}"
        )
    return board, players.index(mover.upper())


def is_start(text: str) -> bool:
    """Whether a text means the initial position: nothing, or `start`."""
    return text.strip().lower() in ("", "start")


def rays(size: int, last: int) -> View:
    """For each square of a board of `size` x `size`: the squares of the `LINES` rays from it
    towards higher numbers, then those of the rays towards lower ones, without the square itself.
    For the numbers after the last square, up to `last`, there are none."""
    found = np.zeros((last + 1, 2, LINES), np.uint64)
    for square in range(size * size):
        for line, (rows, columns) in enumerate(((0, 1), (1, 0), (1, -1), (1, 1))):
            for downwards, sign in enumerate((1, -1)):
                row, column = square // size + sign * rows, square % size + sign * columns
                while 0 <= row < size and 0 <= column < size:
                    found[square, downwards, line] |= np.uint64(1 << size * row + column)
                    row, column = row + sign * rows, column + sign * columns
    return View(found.reshape(-1))


def quarters(size: int) -> tuple[u64, ...]:
    """The four quarters of a board of `size` x `size`, an even number."""
    half = size // 2
    corner = sum(((1 << half) - 1) << row * size for row in range(half))
    return tuple(u64(corner << size * row + column) for row in (0, half) for column in (0, half))


def images(size: int) -> View:
    """The squares to which the `SYMMETRIES` of a board of `size` x `size` take each square: all
    squares under the first symmetry (which leaves them where they are), then under the next."""
    numbers = np.arange(size * size).reshape(size, size)
    turned = [np.rot90(numbers, turns) for turns in range(SYMMETRIES // 2)]
    return View(np.array([*turned, *(board.T for board in turned)], np.uint8).reshape(-1))


def gathering(size: int) -> View:
    """The numbers with which a product gathers the discs of a line, in order, in the last row of a
    board of `size` x `size`: for each square and each line through it, the squares of the line, the
    factor, and the beginning of the counts of `ends` for the square's place on the line."""
    found = np.zeros((size * size, LINES, 3), np.uint64)
    lines = rays(size, size * size).array.reshape(-1, 2, LINES)
    bottom = size * (size - 1)
    for square in range(size * size):
        row, column = divmod(square, size)
        spread = sum(1 << size * k for k in range(size))
        factors = (
            1 << bottom - size * row,
            sum(1 << bottom + k - size * k - column for k in range(size)),
            spread,
            spread,
        )
        for line in range(LINES):
            squares = lines[square, 0, line] | lines[square, 1, line] | np.uint64(1 << square)
            found[square, line] = (
                squares,
                factors[line] & MASK64,
                (row if line == 1 else column) << size,
            )
    return View(found.reshape(-1))


def ends(size: int) -> View:
    """For each place on a line of `size` squares, which is its only empty one, and each set of one
    player's discs on the line: the number of discs that a disc of this player on that place turns
    over."""
    found = np.zeros((size, 1 << size), np.uint8)
    for place in range(size):
        for mine in range(1 << size):
            for others in (range(place + 1, size), range(place - 1, -1, -1)):
                run = next((count for count, other in enumerate(others) if mine >> other & 1), 0)
                found[place, mine] += run
    return View(found.reshape(-1))


def runs(start: u64, through: u64, step: int) -> tuple[u64, u64]:
    """The unbroken runs of discs `through` that begin beside a disc of `start`, along a line of
    bits `step` apart: upwards and downwards. Runs have up to six discs, all that fit between two
    squares of a line of eight.

    The run is doubled instead of extended disc by disc, as in a parallel prefix sum (Kogge & Stone
    1973): one disc, two, then two more pairs.
    """
    up = through & (start << step)
    down = through & (start >> step)
    up |= through & (up << step)
    down |= through & (down >> step)
    pairs_up = through & (through << step)
    pairs_down = pairs_up >> step
    up |= pairs_up & (up << (2 * step))
    down |= pairs_down & (down >> (2 * step))
    up |= pairs_up & (up << (2 * step))
    down |= pairs_down & (down >> (2 * step))
    return up, down


def reached(mine: u64, through: u64, step: int) -> u64:
    """The squares one step beyond a run of discs `through` that begins beside a disc of `mine`,
    both ways."""
    up, down = runs(mine, through, step)
    return (up << step) | (down >> step)
