"""What compiled code makes of constant sets has Python's order, however they came about: sets of
every history, with each other and with sets that rules make."""

from __future__ import annotations

import random
import sys

import pytest

from prunus.kernel.code.set_orders import adding, copying, is_same
from tests.amount import in_full
from tests.kernel.battery import Idiom, outcome

HISTORIES = """
import random as _random

def made(rng, item):
    \"\"\"A set after random additions, removals and copies.\"\"\"
    found = set()
    for i in range(rng.choice((0, 1, 2, 3, 4, 4, 5, 6, 8, 12, 30))):
        found.add(item(rng))
    if rng.random() < 0.4:
        for each in list(found)[: rng.randrange(9)]:
            found.discard(each)
    if rng.random() < 0.3:
        found = found | {item(rng), item(rng)}
    if rng.random() < 0.3:
        found = set(found)
    if rng.random() < 0.2:
        found.add(item(rng))
    return found

_rng = _random.Random(SEED)
_item = ITEM
SETS = [made(_rng, _item) for i in range(7)] + [{_item(_rng)}]
FROZEN = [*map(frozenset, SETS[:3]), frozenset(list(SETS[3]))]
ITEMS = [_item(_rng) for i in range(40)]
"""

OPERATIONS = """
def fold(r, items):
    for item in items:
        r = (r * 31 + NUMBER) % 1000003
    return r

def more(r, items, i):
    \"\"\"The order now, and after some items were added and taken.\"\"\"
    r = fold(r, items)
    for k in range(3):
        items.add(ITEMS[(i + k * 7) % 40])
    r = fold(r, items)
    items.pop()
    items |= {ITEMS[i % 40], ITEMS[(i + 3) % 40]}
    return fold(r, items)

def asked(r, a, b):
    r = r * 2 + (a <= b)
    r = r * 2 + (a < b)
    r = r * 2 + (a >= b)
    r = r * 2 + (a > b)
    r = r * 2 + (a == b)
    r = r * 2 + (a != b)
    r = r * 2 + a.isdisjoint(b)
    return (r * 4 + a.issubset(b) + 2 * a.issuperset(b)) % 1000003

def constants(r, a, b, i):
    r = asked(r, a, b)
    r = more(r, a - b, i)
    r = more(r, a ^ b, i)
    if a != b:
        r = more(r, a & b, i)
        r = more(r, a | b, i)
    return r

def one_new(r, a, s, i):
    r = asked(asked(r, a, s), s, a)
    for k in range(2):
        r = more(r, s - a, i)
        r = more(r, a - s, i)
        r = more(r, s | a, i)
        r = more(r, a | s, i)
        r = more(r, s & a, i)
        r = more(r, a & s, i)
        r = more(r, s ^ a, i)
        r = more(r, a ^ s, i)
        r = more(r, a.copy(), i)
        r = more(r, set(a), i)
        r = more(r, s.union(a), i)
        r = more(r, a.difference(s), i)
        s.discard(ITEMS[i])
    u = set()
    u |= a
    r = more(r, u, i)
    s |= a
    u = s.copy()
    u -= a
    r = more(r, u, i)
    u ^= a
    r = more(r, u, i)
    u = s.copy()
    u.update(a)
    u &= a
    r = more(r, u, i)
    return more(r, s, i)

def frozen(r, a, b, s, i):
    r = asked(asked(r, a, b), s, a)
    r = fold(r, a - b)
    r = fold(r, a - s)
    r = fold(r, a ^ s)
    r = fold(r, frozenset(a))
    r = fold(r, frozenset(a - b))
    r = fold(r, (a - s) | b)
    c = a
    c |= s
    return fold(fold(fold(r, c), a), a.copy())
"""

BODY = """
r = 0
k = x % 8
s = set(ITEMS[k : k + 9])
for i in range(8):
    r = constants(r, SETS[k], SETS[i], i)
    r = one_new(r, SETS[i], s, i)
for i in range(4):
    r = frozen(r, FROZEN[k % 4], FROZEN[i], set(ITEMS[k : k + 4]), i)
return r
"""

KINDS = {
    "cells": ("lambda rng: rng.randrange(30)", "item"),
    "eights": ("lambda rng: rng.choice((8, 16, 1)) * rng.randrange(12)", "item"),
    "any": ("lambda rng: rng.randrange(-1 << 60, 1 << 60)", "item"),
    "pairs": ("lambda rng: (rng.randrange(9), rng.randrange(9))", "(item[0] * 9 + item[1])"),
}


@in_full
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_made_of_constant_sets_has_pythons_order(kind, tmp_path):
    rng = random.Random(kind)
    item, number = KINDS[kind]
    module = HISTORIES + OPERATIONS
    for name, text in {"SEED": str(rng.random()), "ITEM": item, "NUMBER": number}.items():
        module = module.replace(f"{name}\n", f"{text}\n").replace(f"{name})", f"{text})")
    idiom = Idiom(f"constant_sets_{kind}", BODY, module, "", "", "", False)
    assert outcome(idiom, tmp_path).kind == "agrees"


def of(rng, count):
    kind = rng.randrange(3)
    if kind == 0:
        return [rng.randrange(3 * count) for _ in range(count)]
    if kind == 1:
        return [(rng.randrange(9), rng.randrange(9)) for _ in range(count)]
    return [rng.randrange(-1 << 62, 1 << 62) for _ in range(count)]


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 8, 13, 31, pytest.param(90, marks=in_full)])
def test_orders_of_adding_are_found(count):
    rng = random.Random(count)
    for _ in range(60):
        given = of(rng, count)
        items, made = set(), set()
        for item in given:
            items.add(item)
        for item in adding(frozenset(given)):
            made.add(item)
        assert is_same(made, frozenset(given))
        for item in list(items)[: rng.randrange(3)]:
            items.discard(item)
        for held in (items, frozenset(items), set(items)):
            made = set(dict.fromkeys(copying(held)))
            assert is_same(made, set(held)) and sys.getsizeof(made) == sys.getsizeof(set(held))


def test_sets_that_may_be_one_are_not_joined_and_no_handler_catches_that(tmp_path):
    """Python copies a set that it joins with itself."""
    module = "ROWS = [{1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6}]\n"
    body = "try:\n    return len(ROWS[x % 2] & ROWS[y % 2])\nexcept RuntimeError:\n    return -1\n"
    found = outcome(Idiom("one_set", body, module, "", "", "", False), tmp_path)
    python, compiled = found.message.split(", compiled ")
    assert set(eval(python.removeprefix("Python "))) == {6}
    assert set(eval(compiled)) == {"RuntimeError"}
