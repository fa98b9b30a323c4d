"""Compiled sets keep their items in the order of Python's sets, whatever was done before."""

from __future__ import annotations

import random

import numba
import pytest

from prunus.kernel.compiling import compiled  # noqa: F401 - teaches Numba
from tests.amount import in_full

OPERATIONS = 28


def run(steps, items):
    """The order of two sets after each of several operations with one of the items."""
    s, t = {items[0]}, {items[1], items[2]}
    seen = []
    for what, i in steps:
        a, b, c, d, e, f = items[i : i + 6]
        if what == 0:
            s.add(a)
        elif what == 1:
            t.add(a)
        elif what == 2:
            s.discard(a)
        elif what == 3:
            t.discard(a)
        elif what == 4:
            s, t = t, s
        elif what == 5:
            if s:
                seen.append([s.pop()])
        elif what == 6:
            if t:
                seen.append([t.pop()])
        elif what == 7:
            s = s | t
        elif what == 8:
            s |= t
        elif what == 9:
            s = s & t
        elif what == 10:
            s &= t
        elif what == 11:
            s = s - t
        elif what == 12:
            s -= t
        elif what == 13:
            s = s ^ t
        elif what == 14:
            s ^= t
        elif what == 15:
            s = set(t)
        elif what == 16:
            s = s.copy()
        elif what == 17:
            s = {a, b, c, d, e, f}
        elif what == 18:
            s.update(items[i : i + 9])
        elif what == 19:
            s = {item for item in t if item != a}
        elif what == 20:
            s = (s | s) & (s | s)
        elif what == 21:
            s &= s
        elif what == 22:
            s.clear()
        elif what == 23:
            s -= s
        elif what == 24:
            s ^= s
        elif what == 25:
            if a in s:
                s.remove(a)
        elif what == 26:
            s = set([a, b, c, a, d, b]) | {e}  # noqa: C405 - made from a list
        else:
            s.update(s)
        seen.append(list(s))
        seen.append(list(t))
    return seen


COMPILED = numba.njit(run)


def numbers(rng, span):
    """Integers of one of several kinds: dense, signed, with equal hashes, far beyond the hashes."""
    prime = (1 << 61) - 1
    kinds = (
        lambda: rng.randrange(span),
        lambda: rng.randrange(-span, span),
        lambda: rng.choice((-1, -2, 0, 1, prime, -prime)),
        lambda: rng.randrange(-(1 << 63), 1 << 63),
        lambda: prime * rng.randrange(-3, 4) + rng.randrange(-3, 3),
    )
    kinds = rng.choice((kinds[:1], kinds[:2], kinds))
    return [rng.choice(kinds)() for _ in range(rng.choice((20, 100, 1000)))]


@pytest.mark.filterwarnings("ignore::numba.core.errors.NumbaPendingDeprecationWarning")
@pytest.mark.parametrize("form", ["numbers", pytest.param("pairs", marks=in_full)])
def test_order(form):
    for seed in range(60):
        rng = random.Random(seed)
        items = numbers(rng, rng.choice((10, 100, 1000)))
        if form == "pairs":
            items = [(item, rng.choice(items)) for item in items]
        weights = [1.0] * OPERATIONS
        weights[0] = weights[1] = rng.choice((2, 20, 60))
        weights[2] = weights[3] = weights[5] = weights[6] = rng.choice((1, 10))
        weights[18] = rng.choice((1, 5))
        weights[22] = weights[23] = weights[24] = 0.2
        steps = [
            (what, rng.randrange(len(items) - 10))
            for what in rng.choices(range(OPERATIONS), weights, k=300)
        ]
        assert COMPILED(steps, items) == run(steps, items)


def many(count):
    """Sets of more than 50,000 items grow more slowly."""
    s = set()
    for i in range(count):
        s.add(i * 977)
    t = {i * 977 for i in range(0, count, 7)}
    return list(s - t)[::101], list(s ^ t)[::101], [s.pop(), s.pop()]


def test_many():
    assert numba.njit(many)(60_000) == many(60_000)
