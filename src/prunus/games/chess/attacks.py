"""Which squares chess pieces attack.

Squares are numbered along the ranks from the corner at the bottom left, a1 = 0 to h8 = 63, and are
bits of a u64. Lines of sliding pieces are cut at the first piece by a subtraction, whose borrow
runs to it ("o ^ (o - 2r)"); downwards the same on the board with its ranks in reverse order, which
suits files and diagonals (hyperbola quintessence, Gerd Isenberg and Aleks Peshkov,
chessprogramming.org). A rank is looked up.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from prunus.core.arrays import View
from prunus.core.bits import bswap, ctz, u64

STRAIGHT: Final = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONAL: Final = ((1, 1), (1, -1), (-1, -1), (-1, 1))
LEAPS: Final = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
FURTHEST: Final = 7


def reached(square: int, steps: Iterable[tuple[int, int]], most: int) -> u64:
    """The squares that at most `most` steps in each direction (files, ranks) reach on an empty
    board."""
    found = u64(0)
    for files, ranks in steps:
        for count in range(1, most + 1):
            file, rank = square % 8 + count * files, square // 8 + count * ranks
            if 0 <= file < 8 and 0 <= rank < 8:
                found |= u64(1) << 8 * rank + file
    return found


def _everywhere(steps: Iterable[tuple[int, int]], most: int) -> tuple[u64, ...]:
    return tuple(reached(square, tuple(steps), most) for square in range(64))


KNIGHT: Final = _everywhere(LEAPS, 1)
KING: Final = _everywhere(STRAIGHT + DIAGONAL, 1)
FORWARD: Final = _everywhere(((1, 1), (-1, 1)), 1)
"""What a pawn of the player to move attacks. Looked at from the other end, the squares from which
a pawn of the opponent attacks this one."""
FILE: Final = _everywhere(((0, 1), (0, -1)), FURTHEST)
RISING: Final = _everywhere(((1, 1), (-1, -1)), FURTHEST)
FALLING: Final = _everywhere(((1, -1), (-1, 1)), FURTHEST)


def _along_rank(file: int, inner: int) -> int:
    found = 0
    for places in (range(file + 1, 8), range(file - 1, -1, -1)):
        for place in places:
            found |= 1 << place
            if inner << 1 >> place & 1:
                break
    return found


RANK: Final = tuple(_along_rank(file, inner) for file in range(8) for inner in range(64))
"""What a rook attacks along the first rank, by its file and the six inner squares."""


def cut(occupied: u64, square: int, line: u64) -> u64:
    """The squares of a file or diagonal, given without `square` itself, that a piece there attacks:
    both ways up to the first occupied one."""
    up = occupied & line
    down = bswap(up)
    return ((up - (u64(1) << square)) ^ bswap(down - (u64(1) << (square ^ 56)))) & line


def along_diagonals(occupied: u64, square: int) -> u64:
    """What a bishop on the square attacks."""
    return cut(occupied, square, RISING[square & 63]) | cut(occupied, square, FALLING[square & 63])


def along_files(occupied: u64, square: int) -> u64:
    """What a rook on the square attacks."""
    first = square & 56
    inner = int((occupied >> (first + 1)) & 63)
    rank = u64(RANK[(square & 7) << 6 | inner]) << first
    return cut(occupied, square, FILE[square & 63]) | rank


def between() -> View:
    """For each pair of squares, at 64 * first + second: the squares between them, if they share a
    line; otherwise none."""
    found = np.zeros((64, 64), np.uint64)
    for square in range(64):
        for step in STRAIGHT + DIAGONAL:
            ray, passed = reached(square, (step,), FURTHEST), u64(0)
            for _ in range(ray.bit_count()):
                # The nearest square left is the lowest or the highest.
                upwards = step[0] + 8 * step[1] > 0
                end = ctz(ray) if upwards else ray.bit_length() - 1
                found[square, end] = passed
                passed |= u64(1) << end
                ray ^= u64(1) << end
    return View(found.reshape(-1))


def lines() -> View:
    """For each pair of squares, at 64 * first + second: the whole line through both, if they share
    one; otherwise none."""
    found = np.zeros((64, 64), np.uint64)
    for square in range(64):
        for step in (*STRAIGHT[:2], *DIAGONAL[:2]):
            both = (step, (-step[0], -step[1]))
            line = reached(square, both, FURTHEST)
            for end in range(64):
                if line >> end & 1:
                    found[square, end] = line | u64(1) << square
    return View(found.reshape(-1))
