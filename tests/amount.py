"""How much is tried.

`make test` tries a part of what takes long, always the same. `make test TURN=N` tries another part
for each N: CI takes the number of the hour, so that a few runs try everything. `make test FULL=1`
tries all of it at once.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Sequence
from typing import TypeVar

import pytest

T = TypeVar("T")
FULL = os.environ.get("PRUNUS_TEST_FULL", "") not in ("", "0")
TURN = os.environ.get("PRUNUS_TEST_TURN", "")
TURNS = 6
"""So many turns in succession run each long test once."""

in_full = pytest.mark.in_full
"""A test that takes long and rarely fails alone. It runs with FULL=1, and when it is its turn."""


def amount(usual: int, full: int) -> int:
    """The number of cases, usually and in full."""
    return full if FULL else usual


def thinned(items: Sequence[T], one_in: int) -> Sequence[T]:
    """Every `one_in`-th item, other ones at each turn; in full all items."""
    if FULL:
        return items
    first = int(TURN or 0) % max(1, min(one_in, len(items)))
    return items[first::one_in]


def few(items: Sequence[T], count: int) -> Sequence[T]:
    """The first `count` items, at each turn the next ones; in full all items."""
    if FULL or not items:
        return items
    first = int(TURN or 0) * count % len(items)
    return [*items[first:], *items[:first]][:count]


def is_left_out(name: str) -> bool:
    """Whether the long test of this name is not run this time."""
    return not FULL and (not TURN or zlib.crc32(name.encode()) % TURNS != int(TURN) % TURNS)
