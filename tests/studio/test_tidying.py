"""What finished searches leave behind does not stay with the server."""

from __future__ import annotations

import sys

import pytest

from prunus.studio.tidying import Tidying


@pytest.mark.skipif(sys.platform != "linux", reason="malloc_trim is the C library's of Linux")
def test_memory_goes_back_once_in_a_while():
    tidying = Tidying(every=0.0)
    assert tidying.after_search() and tidying.after_search()
    seldom = Tidying(every=3600.0)
    assert not seldom.after_search()


def test_without_the_function_nothing_is_done():
    tidying = Tidying(every=0.0)
    tidying.trim = None
    assert not tidying.after_search()
