"""How much is tried at random: `make test` tries fewer cases than CI, which runs `make test
FULL=1`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

import pytest

T = TypeVar("T")
FULL = os.environ.get("PRUNUS_TEST_FULL", "") not in ("", "0")


def amount(usual: int, full: int) -> int:
    """The number of cases, in `make test` and in CI."""
    return full if FULL else usual


def thinned(items: Sequence[T], one_in: int) -> Sequence[T]:
    """Every `one_in`-th item in `make test`, all items in CI."""
    return items[:: amount(one_in, 1)]


def few(items: Sequence[T], count: int) -> Sequence[T]:
    """The first `count` items in `make test`, all items in CI."""
    return items[: amount(count, len(items))]


in_full = pytest.mark.skipif(not FULL, reason="runs with FULL=1, as in CI")
"""A test that takes long and rarely fails alone."""
