"""A studio, and visits to it in a browser. Its searches begin interpreted, as for its users."""

from __future__ import annotations

import pytest

from prunus.run import soon
from tests.studio.pages import Visit, chromium, running

USUAL = 2_000


@pytest.fixture(autouse=True)
def soon_as_usual(monkeypatch):
    monkeypatch.setattr(soon, "NODES", USUAL)


@pytest.fixture(scope="module")
def studio():
    with running() as address, chromium() as browser:
        yield browser, address


@pytest.fixture
def visit(studio, request):
    opened = Visit(*studio, **getattr(request, "param", {}))
    yield opened
    opened.close()
    assert opened.complaints == []
