"""The features of Othello on 8 x 8: patterns, mobility and parity, with a table of weights for each
stage of the game (after Buro 1998).

The active features of a position, each an index into the tables of its stage, are: the numbers of
all placements of the patterns; the number of moves of either player; the number of quarters of the
board with an odd number of empty squares; the number of empty squares.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from prunus.core.arrays import View
from prunus.core.bits import i64, u64
from prunus.evaluation.patterns import LANES, family, packed_digits, placed
from prunus.evaluation.weights import load_weights

SIZE: Final = 8

PATTERNS: Final = (
    (0, 1, 2, 3, 4, 5, 6, 7, 9, 14),  # an edge with its two X-squares
    (0, 1, 2, 8, 9, 10, 16, 17, 18),  # a corner, 3 x 3
    (0, 1, 2, 3, 4, 8, 9, 10, 11, 12),  # a corner, 2 x 5
    *(
        tuple(9 * k + offset for k in range(SIZE - offset)) for offset in range(5)
    ),  # diagonals of 8 to 4 squares
    *(tuple(range(SIZE * row, SIZE * row + SIZE)) for row in (1, 2, 3)),
)

STAGES: Final = 6
STAGE_DISCS: Final = 10
"""The number of discs played in a stage."""

MOBILITY: Final = 32
"""The number of different move counts that are distinguished; the last one stands for all larger
ones."""

SCALARS: Final = 2 * MOBILITY + 5 + SIZE * SIZE + 1
"""The number of weights that do not belong to patterns."""

FAMILIES: Final = tuple(family(squares, SIZE) for squares in PATTERNS)
PLACEMENTS: Final = tuple(placement for each in FAMILIES for placement in each.placements)
COUNT: Final = len(PLACEMENTS)
WORDS: Final = -(-COUNT // LANES)

TIED_PATTERNS: Final = sum(each.weights for each in FAMILIES)
FEATURES: Final = TIED_PATTERNS + SCALARS
"""The number of weights of a stage; weights that symmetry makes equal count once."""

NUMBERS: Final = sum(each.numbers for each in FAMILIES)
ENTRIES: Final = NUMBERS + SCALARS + 1
"""The number of entries of a stage in the lookup table, where such weights are separate; the last
entry is 0."""

FITTED: Final = Path(__file__).with_name("othello.json")
"""The weights that come with Prunus."""

PROBCUT: Final = Path(__file__).with_name("probcut.json")
"""The parameters of ProbCut that were fitted to searches with them."""


@cache
def digits() -> View:
    """The amounts that discs add to the numbers of the placements (`packed_digits`)."""
    return View(packed_digits(PLACEMENTS))


@cache
def starts() -> View:
    """For each placement, the index at which its family's entries begin; the unused places of the
    last word point to the entry that is 0."""
    begins, found = 0, []
    for each in FAMILIES:
        found += [begins] * len(each.placements)
        begins += each.numbers
    return View(np.array(found + [ENTRIES - 1] * (LANES * WORDS - len(found)), np.int32))


@cache
def tied() -> View:
    """For each entry, the index of its weight."""
    parts, begins = [], 0
    for each in FAMILIES:
        parts.append(begins + each.tied)
        begins += each.weights
    return View(np.concatenate([*parts, begins + np.arange(SCALARS + 1)]).astype(np.int32))


@cache
def table(path: str = "") -> View:
    """The entries of all stages, from a file of weights or, with an empty path, those that come
    with Prunus. Raises WeightsError."""
    weights = load_weights(path or (FITTED if FITTED.exists() else ""), FEATURES, STAGES)
    return expanded(weights)


def expanded(weights: View) -> View:
    """The entries of the lookup table for the given weights."""
    stages = weights.array.reshape(STAGES, FEATURES)
    return View(
        np.hstack([stages, np.zeros((STAGES, 1), stages.dtype)])[:, tied().array].reshape(-1)
    )


def stage_of(discs: int) -> int:
    """The stage of a position with this many discs."""
    return min(STAGES - 1, (discs - 4) // STAGE_DISCS)


def entries_of(view: View, begins: View, mine: u64, theirs: u64) -> Iterator[int]:
    """The entries that the placements look up in the table of their stage, in order; views of
    `digits` and `starts`."""
    for word in range(WORDS):
        numbers = placed(view, mine, theirs, word, WORDS)
        for placement in range(LANES * word, min(COUNT, LANES * word + LANES)):
            yield begins[placement] + i64((numbers >> (16 * (placement % LANES))) & 0xFFFF)


def total_of_patterns(
    view: View, begins: View, entries: View, mine: u64, theirs: u64, stage: int
) -> int:
    """The sum of the entries of all placements; views of `digits`, `starts` and `table`."""
    total, base = 0, stage * ENTRIES
    for word in range(WORDS):
        numbers = placed(view, mine, theirs, word, WORDS)
        first = LANES * word
        total += entries[base + begins[first] + i64(numbers & 0xFFFF)]
        total += entries[base + begins[first + 1] + i64((numbers >> 16) & 0xFFFF)]
        total += entries[base + begins[first + 2] + i64((numbers >> 32) & 0xFFFF)]
        total += entries[base + begins[first + 3] + i64(numbers >> 48)]
    return total
