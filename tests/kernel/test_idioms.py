"""Rules as people write them mean the same compiled as in Python, or are refused in words, with
their line. See `battery.py`."""

from __future__ import annotations

import sys

import pytest

from tests.amount import thinned
from tests.kernel.battery import idioms, outcome

BATTERY = idioms()

TRIED = thinned(BATTERY, 6)

REFUSED_LATER = {
    "float_sum": "in a loop",
    "sum_floats": "in a loop",
    "sum_floats_written": "in a loop",
    "sum_of_integers_and_floats": "in a loop",
    "rows_and_floats_in_lists": "in a loop",
    "comprehension_over_a_name_from_around_that_a_lambda_in_it_uses": "give it another name",
}
"""Refused from Python 3.12 on, where floats are summed more exactly, and comprehensions are part of
the function around them: 3.12.1 and 3.13.0 then take its variable for theirs."""


@pytest.mark.parametrize("idiom", TRIED, ids=lambda idiom: idiom.name)
def test_idiom(idiom, tmp_path):
    found = outcome(idiom, tmp_path)
    if idiom.name in REFUSED_LATER and sys.version_info >= (3, 12):
        assert found.kind == "refused" and REFUSED_LATER[idiom.name] in found.message
        return
    if idiom.refused:
        assert found.kind == "refused"
        assert idiom.refused in found.message
        line = int(found.where.rpartition(":")[2].split(",")[0])
        text = idiom.source().splitlines()[line - 1].strip()
        assert text and text in idiom.body + idiom.module + idiom.cls, found.where
    else:
        assert found.kind == ("stops" if idiom.stops else "agrees"), found


def test_the_battery_is_whole():
    names = [idiom.name for idiom in BATTERY]
    assert len(set(names)) == len(names) >= 440
    assert sum(bool(idiom.refused) for idiom in BATTERY) <= 140
