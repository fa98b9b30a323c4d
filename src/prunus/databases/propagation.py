"""What a decided position means for those it can be reached from.

Whoever decides positions backwards, in the threads of one process or by messages between many, asks
here.
"""

from __future__ import annotations

from typing import Final, Protocol

import numpy as np

from prunus.core.arrays import View
from prunus.core.memory import Array
from prunus.databases.labels import OPEN, WON, ZERO
from prunus.databases.parents import CountingMemory, is_last_child

FOR: Final = 0
AGAINST: Final = 1
"""The items of `given`: the label of a position that one child decides, because it is won for the
player to move there; and of one all of whose children are won for the other player."""


def given_labels(won: int, lost: int) -> View:
    """The labels that positions are given now."""
    return View(np.array([won, lost]))


def is_for(label: int, same: bool, scored: bool) -> bool:
    """Whether a child with this label, which is won or lost, is won for the player to move at its
    parent; `same` tells whether that player is to move in both."""
    won = label > ZERO if scored else label & 3 == WON
    return won == same


def label_after(favourable: bool, place: int, memory: GivenMemory) -> int:
    """Count a child of an open position that has been decided, `favourable` if it is won for the
    player to move there; return the label that the position gets by that, OPEN if it stays
    open."""
    if favourable:
        return memory.given[FOR]
    return memory.given[AGAINST] if is_last_child(place, memory) else OPEN


class GivenMemory(CountingMemory, Protocol):
    """A memory with the labels that positions are given, and counters of open children."""

    given: Array[int]
