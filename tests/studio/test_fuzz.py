"""A studio that is sent random messages answers them and lives (`fuzzing.py`)."""

from __future__ import annotations

import pytest

from tests.studio.pages import running

pytest.importorskip("schemathesis", reason="Schemathesis is not installed")


# The server runs in this process, and searches that it interprets need a deeper stack.
@pytest.mark.filterwarnings("ignore:The recursion limit")
def test_random_messages_are_answered():
    from tests.studio import fuzzing

    with running() as address:
        told = fuzzing.fuzzed(address, 12, 1)
    # Messages that the description allows get past it, through both doors.
    assert told.answers["POST /api/position positive: 200"]
    begun = [each for each in told.answers if each.endswith((": started", ": stopped", ": done"))]
    assert begun
    assert told.slowest[0] < fuzzing.PATIENCE
