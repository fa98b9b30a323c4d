"""A value that is a u64 on one path and a plain integer on another is, on each, the same compiled
as in Python."""

from __future__ import annotations

import functools
import random
from typing import NamedTuple

import pytest

from prunus import Game, i64, u8, u64, with_item
from prunus.kernel.compiling.compiled import compile_function
from prunus.kernel.memory import Memory

PAIR = (u64(3), 0)
ROWS = [u64(3), 0, -2, 2**63 - 1]
WORTH = {0: u64(0), 1: 0, 5: -1}
BODIES = []


class Joined(Game):
    class State(NamedTuple):
        a: u64
        p: i64
        c: u8
        w: tuple[u64, u64, u64]
        v: tuple[u64, ...]
        t: tuple[u8, ...]

    def __init__(self):
        self.mixed = (u64(7), -1)

    def initial(self):
        return self.State(0, 0, 0, (0,) * 3, (0,) * 6, (0,) * 6)

    def clipped(self, state, k):
        return state.a if k > 0 else 0


def body(function):
    BODIES.append(function)
    return function


@body
def on_one_path(game, s, k):
    x = 0
    if k > 0:
        x = s.a
    return x - 1


@body
def beside_negative(game, s, k):
    return (s.a if k > 0 else -1) + k


@body
def of_a_method(game, s, k):
    return game.clipped(s, k) - 1


def less_one(x=0):
    return x - 1


@body
def of_a_default(game, s, k):
    return less_one(s.a) if k > 0 else less_one()


@body
def least(game, s, k):
    return min(s.a, k) - 3


@body
def greatest(game, s, k):
    return max(s.a, s.p) * 2 - 3


@body
def greatest_of_three(game, s, k):
    return max(s.a, k, 2) - min(s.a, 3, s.p)


@body
def shifted_by_one_of_two(game, s, k):
    return ((k - 3) >> max(s.a >> 61, 2)) ^ (-k >> (s.a & 7 if k > 1 else 3))


@body
def greatest_of_a_loop(game, s, k):
    best = -1
    for x in s.w:
        if x > best and x < 1 << 40:
            best = x
    return best - 1


@body
def greatest_of_an_expression(game, s, k):
    return max(x if x > 3 else k for x in s.w) - 7


@body
def one_or_the_other(game, s, k):
    return ((s.a or k) - 1) ^ ((k > 0 and s.a) - 2)


@body
def collected(game, s, k):
    z = 0
    for i in range(k & 3):
        z |= s.a >> i
    return z * 3


@body
def collected_inside(game, s, k):
    z = 0

    def add(i):
        nonlocal z
        z |= s.w[i]

    for i in range(k & 3):
        add(i)
    return z - 1


@body
def hashed_by_31(game, s, k):
    h = 0
    for i in range(k & 3):
        h = h * 31 + s.w[i % 3]
    return h - 1


@body
def swapped(game, s, k):
    a, b = s.a, 0
    for _ in range(k & 3):
        a, b = b, a
    return a - 1


@body
def sums(game, s, k):
    return sum(x for x in s.w if x > 5) - 1 + (sum(s.v) - 1 >> 3)


@body
def reduced(game, s, k):
    return functools.reduce(lambda x, y: x - y, s.w, 0) - 1


@body
def lists(game, s, k):
    made, grown, later = [0, s.a], [], [0]
    grown.append(s.a)
    grown.append(0)
    later.append(s.a)
    chosen = [x if x > k else 0 for x in s.w]
    return (made[k % 2] - 1) ^ (grown[k % 2] - 2) ^ (later[k % 2] - 3) ^ (chosen[k % 3] - 4)


@body
def tuples(game, s, k):
    chosen, rows = tuple(x if x > k else 0 for x in s.w), s.w
    if k > 0:
        rows = (0, 1, 0)
    return (chosen[k % 3] - 1) ^ (rows[k % 3] - 1)


@body
def constants(game, s, k):
    return (PAIR[k % 2] - 4) ^ (ROWS[k % 4] - 4) ^ (game.mixed[k % 2] - 8) ^ (WORTH.get(k, 0) - 1)


@body
def constants_in_loops(game, s, k):
    total = k & 3
    for row in ROWS:
        total = (total - row) >> 1
    for value in WORTH.values():
        total ^= value - 1
    return total


@body
def may_be_none(game, s, k):
    found = None
    for x in s.w:
        if x > 7:
            found = x
    if found is None:
        found = 0
    return found - 1


def _chosen(s, k):
    return s.a if k > 0 else s.p


@body
def operators(game, s, k):
    x = _chosen(s, k)
    return (-(x >> 1)) ^ ~x ^ (x >> 5) ^ (x & 0xFF) ^ (x | k) ^ (x // -3) ^ (s.c - (x >> 9))


@body
def absolute(game, s, k):
    return abs(_chosen(s, k) >> 1) - 5


@body
def shifted(game, s, k):
    x = s.a if k > 0 else s.c
    return (x << 3) - (1 << (x & 31))


@body
def divided(game, s, k):
    return s.c % _chosen(s, k)


@body
def low_bits(game, s, k):
    x = s.a & 15 if k > 0 else s.c & 63
    return (1 << x) - 1


@body
def beside_a_truth_value(game, s, k):
    return (k > 3) * _chosen(s, k) - 1


@body
def counted(game, s, k):
    x = _chosen(s, k)
    return x.bit_count() * 100 + x.bit_length() + hash(x) % 97


@body
def compared(game, s, k):
    x = _chosen(s, k)
    return (x > s.w[0]) * 2 + (x < k) + (x == s.a) * 4 + (not x) * 8 + (x >= -1) * 16


@body
def cast(game, s, k):
    x = _chosen(s, k)
    return u8(x) + i64(x) // 3 + (int(x) > 5) * 1000 + bool(x)


@body
def in_a_state(game, s, k):
    return s._replace(a=_chosen(s, k)).a - 1


@body
def as_an_index(game, s, k):
    x = s.a if k > 0 else s.c
    return s.t[x % 6] + s.v[x % 6] - 3


@body
def as_a_limit(game, s, k):
    total = 0
    for i in range(min(_chosen(s, k), 3)):
        total -= i
    return total


@body
def an_item_of_its_kind(game, s, k):
    """`with_item` keeps the kind of a tuple's items."""
    first = (with_item(s.w, 0, 0)[0] - 1) ^ (with_item(s.v, k % 6, 5)[k % 6] - 6)
    return first ^ (with_item(s.t, 0, s.a & 3)[0] - 5) ^ (with_item((0, 1, 2), 1, s.a & 7)[1] - 9)


@body
def parts_in_a_state(game, s, k):
    i = k % 3
    cells = s.v[:i] + (k & 3,) + s.v[i + 1 :]
    marks = s.t[:i] + (s.a & 3,) + s.t[i + 1 :]
    made = s._replace(v=cells, t=marks)
    return (made.v[i] - 4) ^ (made.t[i] - 9)


@body
def a_quotient_and_a_rest(game, s, k):
    whole, rest = divmod(s.a, 10)
    half, odd = divmod(s.p, 2)
    return (whole - rest) ^ (half * 2 + odd)


EDGES = (0, 1, 2, 3, 5, 2**62, 2**63 - 1, 2**63, 2**64 - 1)


def states(count):
    rng = random.Random(5)

    def unsigned():
        return rng.choice(EDGES) if rng.random() < 0.6 else rng.getrandbits(64)

    for _ in range(count):
        signed = rng.choice((0, 1, 2, -1, -2, 5, -7, 2**63 - 1, -(2**63)))
        words = tuple(unsigned() for _ in range(3)), tuple(unsigned() for _ in range(6))
        yield Joined.State(
            unsigned(),
            signed,
            rng.choice((0, 1, 255)),
            *words,
            tuple(rng.randrange(256) for _ in range(6)),
        )


def runner(functions):
    """A function that stores the result of function number `which`: two words and whether it is
    negative."""
    lines = ["def run(game, s, k, which, memory):"]
    for i in range(len(functions)):
        lines += [
            f"    if which == {i}:",
            f"        value{i} = body{i}(game, s, k)",
            f"        memory.out[0], memory.out[1], memory.out[2] = u64(value{i}), u64(value{i} >> "
            f"64), value{i} < 0",
        ]
    scope = {"u64": u64, **{f"body{i}": function for i, function in enumerate(functions)}}
    exec("\n".join([*lines, "    return 0\n"]), scope)
    return scope["run"]


def outcome(call, memory):
    try:
        call()
    except (ArithmeticError, IndexError, ValueError) as error:
        return type(error)
    return tuple(memory.out)


def test_joins():
    game = Joined()
    run, memory = runner(BODIES), Memory({"out": ("u64", 3)})
    arguments = {"game": game, "s": game.initial(), "k": 0, "which": 0, "memory": memory}
    native = compile_function(run, arguments)
    for which, function in enumerate(BODIES):
        for s in states(60):
            for k in (0, 1, 2, 5, -1, 63):
                expected = outcome(
                    lambda s=s, k=k, which=which: run(game, s, k, which, memory), memory
                )
                found = outcome(
                    lambda s=s, k=k, which=which: native(game, s, k, which, memory), memory
                )
                assert found == expected, (function.__name__, s, k)


@pytest.mark.parametrize("kind", [u64, int, bool])
def test_an_item_becomes_of_the_kind_of_its_place(kind):
    changed = with_item((kind(1), kind(0)), 1, u64(1))
    assert type(changed[1]) is kind and changed == (1, 1)
    if kind is u64:
        for outside in (-1, 1 << 64):
            with pytest.raises(
                OverflowError,
                match=f"with_item: an item of the tuple is a u64, .*: {outside} is outside",
            ):
                with_item(changed, 0, outside)
