"""Labels: the values of positions in 16 bits each, and what they mean."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

OPEN, WON, LOST, DRAWN = 0, 1, 2, 3
"""The lowest bits of a label: undecided, which in the end means a draw; won or lost for the player
to move; drawn at the end of the game. The other bits are the distance from the end in plies."""

MOST_PLIES: Final = (1 << 14) - 1

ZERO: Final = 1 << 15
"""The label of a score of 0; a label of 0 means that the position is undecided."""

MOST: Final = ZERO - 1
"""The largest score that a label can hold."""

Labels = NDArray[np.uint16]

BLOCK: Final = 1 << 16
"""The labels that are counted together, each as a number of eight bytes."""


class Value(NamedTuple):
    """The value of a position for the player to move: 1 (a win), 0 (a draw) or -1 (a loss), with
    the number of plies to the end (the winner hurries, the loser delays; None for a draw); where
    games are played for scores, the score, without a number of plies."""

    value: int
    plies: int | None

    def __str__(self) -> str:
        return f"{self.value}" + ("" if self.plies is None else f" in {self.plies} plies")


class Counts(NamedTuple):
    """The numbers of positions that are won, drawn and lost for the player to move, and the longest
    win or loss in plies (None for scores)."""

    won: int
    drawn: int
    lost: int
    longest: int | None


def value_of(label: int, scored: bool) -> Value:
    """The meaning of a label."""
    if scored:
        return Value(label - ZERO, None)
    kind = label & 3
    if kind in (WON, LOST):
        return Value(1 if kind == WON else -1, label >> 2)
    return Value(0, None)


def count_labels(labels: Labels, scored: bool) -> Counts:
    """Count what labels mean."""
    counts = np.zeros(1 << 16, np.int64)
    for first in range(0, len(labels), BLOCK):  # arrays as long as all labels would take gigabytes
        counts += np.bincount(labels[first : first + BLOCK], minlength=len(counts))
    if scored:
        won, lost = int(counts[ZERO + 1 :].sum()), int(counts[:ZERO].sum())
        return Counts(won, len(labels) - won - lost, lost, None)
    won, lost = int(counts[WON::4].sum()), int(counts[LOST::4].sum())
    longest = int(np.flatnonzero(counts)[-1]) >> 2 if len(labels) else 0
    return Counts(won, len(labels) - won - lost, lost, longest)
