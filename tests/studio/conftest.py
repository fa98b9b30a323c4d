"""The studio's searches begin interpreted, as they do for its users."""

from __future__ import annotations

import pytest

from prunus.run import soon

USUAL = 2_000


@pytest.fixture(autouse=True)
def soon_as_usual(monkeypatch):
    monkeypatch.setattr(soon, "NODES", USUAL)
