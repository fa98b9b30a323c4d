"""The tests that are left out: those marked `slow` without `--slow`, those marked `measured` outside
`make reference` (`-m reference`), and long ones whose turn it is not (`amount.py`). The longest
files are the first: each file runs in one process, which compiles a game once, and short files fill
the time of the other processes."""

from __future__ import annotations

import signal

import pytest

from prunus.run import soon
from prunus.tables import book as books
from tests import processes
from tests.amount import is_left_out

LONGEST = (
    "tests/kernel/test_cache.py",
    "tests/kernel/test_idioms.py",
    "tests/cli/test_commands.py",
    "tests/test_algorithms.py",
    "tests/test_book.py",
    "tests/test_wide_games.py",
    "tests/test_games_boards.py",
    "tests/test_prove.py",
    "tests/fuzz/test_fuzz.py",
)

soon.NODES = 0  # tests compile unless they say otherwise; `soon` is tested in test_soon.py


def pytest_configure(config):
    # A job in the background ignores Ctrl-C, and so would the tests that press it.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_unconfigure(config):
    processes.end()


def pytest_addoption(parser):
    parser.addoption("--slow", action="store_true", help="also run the tests marked slow (minutes)")


def pytest_collection_modifyitems(config, items):
    wanted = config.getoption("-m")
    marks = []
    if not config.getoption("--slow") and "slow" not in wanted:
        marks.append("slow")
    if "reference" not in wanted and "measured" not in wanted:
        marks.append("measured")
    left_out = [item for item in items if any(item.get_closest_marker(mark) for mark in marks)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in set(left_out)]
    for item in items:
        if item.get_closest_marker("in_full") and is_left_out(item.nodeid):
            item.add_marker(pytest.mark.skip(reason="runs with FULL=1, or when it is its turn"))
    first = {path: place for place, path in enumerate(LONGEST)}
    items.sort(key=lambda item: first.get(item.nodeid.partition("::")[0], len(LONGEST)))


@pytest.fixture
def users_books(tmp_path, monkeypatch):
    """An empty folder of books for each test."""
    monkeypatch.setenv("PRUNUS_BOOKS", str(tmp_path / "books"))
    books.forget_books()
    yield tmp_path / "books"
    books.forget_books()
