"""Orders in which the items of a set are to be added so that the same set comes out.

The order of a set depends on the size of its table, and on what came first where two items want one
place of it (CPython's `Objects/setobject.c`). Two sets with the same order may even part when
something is added to both. Code that makes a set anew, item by item, needs an order that leads to
the same table.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterable
from typing import Any, Final, TypeAlias

AnySet: TypeAlias = "set[Any] | frozenset[Any]"

ATTEMPTS: Final = 5_000
FEW: Final = 200
"""Of a set with more items only one order is tried, and fewer items are added to compare it."""

_PROBES: Final = 64
_PATIENCE: Final = 300
_STEADY: Final = 0.7


def adding(items: AnySet) -> list[Any] | None:
    """An order in which adding the items one by one makes a set like this one, which was made so.
    None if none is found, which is hardly possible."""
    return _found(items, _one_by_one)


def copying(items: AnySet) -> list[Any] | None:
    """An order in which adding the items to an empty set that has room for all of them makes what
    `set(items)` makes. None if none is found, which is hardly possible."""
    return _found(set(items), lambda order: set(dict.fromkeys(order)), list(items))


def _one_by_one(order: Iterable[Any]) -> set[Any]:
    made: set[Any] = set()
    for item in order:
        made.add(item)
    return made


def _found(
    wanted: AnySet, make: Callable[[list[Any]], set[Any]], first: list[Any] | None = None
) -> list[Any] | None:
    rng = random.Random(len(wanted))  # noqa: S311 - no secret
    in_order = list(wanted)
    order = in_order if first is None else first
    for attempt in range(ATTEMPTS if len(wanted) <= FEW else 1):
        made = make(order)
        if is_same(made, wanted):
            return order
        order = list(order)
        differ = [i for i, item in enumerate(made) if item != in_order[i]]
        if differ and attempt % _PATIENCE:
            # What stands where another item belongs was added too early, or the other too late.
            place = differ[0] if rng.random() < _STEADY else rng.choice(differ)
            late, early = in_order[place], list(made)[place]
            order.remove(late)
            order.insert(order.index(early), late)
        else:
            rng.shuffle(order)
    return None


def is_same(one: AnySet, other: AnySet) -> bool:
    """Whether two equal sets have the same order, and keep it when another item is added."""
    if list(one) != list(other) or sys.getsizeof(one) != sys.getsizeof(other):
        return False
    probes = range(_PROBES if len(one) <= FEW else 1)
    return all(list(one | {item}) == list(other | {item}) for item in probes)
