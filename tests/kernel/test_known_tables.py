"""What the types of tables tell of their values, which the values must keep to."""

from __future__ import annotations

import random

import pytest
from numba.core import types

from prunus.kernel.containers.known_tables import FURTHEST_PLACE, TableType
from prunus.kernel.containers.table_types import looked_up


@pytest.mark.parametrize(
    ("value", "bounds", "count"),
    [
        ([3, 1, 8], (1, 8), 3),
        ([(3, 1), (0, 24)], (0, 24), 2),
        ([-1, 3], None, 2),
        ([FURTHEST_PLACE + 1], None, 1),
        ([], None, 0),
        (range(4, 9), (4, 8), 5),
        ([True, False], None, 2),
        ([(5, True), (7, False)], (5, 7), 2),
    ],
)
def test_places_and_length(value, bounds, count):
    kind = looked_up(value).kind
    assert (kind.bounds, kind.count) == (bounds, count)


def test_rows():
    kind = looked_up([[1, 2, 3], [4, 5, 30]]).kind
    assert (kind.count, kind.item.count, kind.item.bounds) == (2, 3, (1, 30))
    kind = looked_up([[1], [4, 5]]).kind
    assert (kind.count, kind.item.count, kind.item.bounds) == (2, None, (1, 5))
    kind = looked_up({7: [1, 2], 9: [3, 50]}).kind
    assert (kind.values_table.count, kind.value_type.bounds) == (2, (1, 50))


def test_where_two_tables_meet_only_what_is_known_of_both_is_known():
    rng = random.Random(5)
    for _ in range(200):
        first, second = ([rng.randint(-1, 9) for _ in range(rng.randint(1, 3))] for _ in range(2))
        one, other = looked_up(first).kind, looked_up(second).kind
        both = one.unify(None, other)
        assert both == other.unify(None, one)
        if both.bounds is not None:
            low, high = both.bounds
            assert low == min(first + second) and high == max(first + second)
        assert both.count in (None, len(first)) and both.count in (None, len(second))
        for kind in (one, other):
            assert kind.can_convert_to(None, both) is not None
    assert TableType("list", types.int64).unify(None, TableType("tuple", types.int64)) is None
