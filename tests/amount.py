"""How much is tried at random: `make test` tries fewer cases than CI, which runs `make test
FULL=1`."""

from __future__ import annotations

import os

import pytest

FULL = os.environ.get("PRUNUS_TEST_FULL", "") not in ("", "0")


def amount(usual: int, full: int) -> int:
    """The number of cases, in `make test` and in CI."""
    return full if FULL else usual


in_full = pytest.mark.skipif(not FULL, reason="runs with FULL=1, as in CI")
"""A test that takes long and rarely fails alone."""
