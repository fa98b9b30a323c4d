"""Lines with errors: each is answered with a clear error, soon."""

from __future__ import annotations

import pytest

from tests.amount import amount
from tests.fuzz.lines import attempt, kinds


@pytest.mark.parametrize("kind", kinds())
def test_lines_with_errors(kind):
    if kind == "pgn":
        pytest.importorskip("chess")
    few = kind in ("uci", "ugi", "gtp", "pgn")
    assert not attempt(kind, amount(100, 500) if few else amount(400, 1500), 1)
