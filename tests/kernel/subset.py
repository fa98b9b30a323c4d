"""The supported subset of Python, a function a line. Each docstring is the line of docs/subset.md
that the function stands for."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from prunus import Game, i8, i16, i32, i64, u8, u16, u32, u64, with_item

LOW = 5
HIGH = 0xF000_0000_0000_0001
STEPS = (1, 7, 8, 9)
WIDE = (1, 1 << 63)


class Base(Game):
    """What the sample derives from."""

    def extended(self, value):
        return value * 3 + self.size


class Sample(Base):
    """A game whose State has every kind of field; only a carrier for the snippets."""

    SIZE = 7

    class State(NamedTuple):
        x: u64
        y: u64
        a: u8
        b: u16
        c: u32
        d: i8
        e: i16
        f: i32
        g: i64
        flag: bool
        t: tuple[u8, ...]
        w: tuple[u64, u64]

        ROWS = 4

        def total(self, factor):
            return sum(self.t) * factor

        @property
        def first(self):
            return self.t[0] + self.y % 5

    def __init__(self) -> None:
        self.size = 9
        self.mask = 0xFFFF_0000_FFFF_0000
        self.order = (3, 2, 4, 1, 5)
        self.wide = (1, 1 << 63)
        self.deep = True
        self.rows = [[3, 1, 4], [1, 5, 9]]
        self.worth = {0: 5, 1: -3, 2: 8}
        self.table = np.array([[5, 1], [-3, 2], [8, 3]])
        self.line = np.array([4, 0, 7, 250], dtype=np.uint8)

    def initial(self):
        return self.State(1 << 63, 3, 255, 65535, 7, -1, -2, -3, -4, True, (1, 2, 3), (1, 1 << 63))

    def helper(self, value):
        return value * 2 + self.size

    def bits(self, word):
        while word:
            yield word & -word
            word &= word - 1

    @classmethod
    def of_class(cls, value):
        return value * cls.SIZE

    def extended(self, value):
        return super().extended(value) + 1

    def fill(self, cells, value):
        cells[0] = value
        return tuple(cells)

    def search(self, value):
        return None if value % 3 == 0 else value

    def has_bits(self, word):
        for _ in self.bits(word):
            return True
        return False


def helper(value):
    return value + LOW


SNIPPETS = []


def snippet(function):
    SNIPPETS.append(function)
    return function


@snippet
def shift_literal(game, state, k):
    """`1 << n`"""
    return 1 << k


@snippet
def shift_literal_back(game, state, k):
    """`(1 << 63) >> 3` on plain integers"""
    n = 63 if k >= 0 else 0
    return (1 << n) >> 3


@snippet
def shift_beyond(game, state, k):
    """`x << 64` and more is 0, `x >> 64` too"""
    return (state.x << (k + 64)) + (state.x >> (k + 64)) + (state.y << 64)


@snippet
def full_mask(game, state, k):
    """`u64((1 << 64) - 1)`, `(1 << n) - 1` for n up to 64"""
    n = 64 if k >= 0 else 0
    return u64((1 << n) - 1) ^ u64((1 << 64) - 1) ^ state.x


@snippet
def clear_bit(game, state, k):
    """`x & ~(1 << k)`"""
    return state.x & ~(1 << k)


@snippet
def test_bit(game, state, k):
    """`(x >> k) & 1`"""
    return (state.x >> k) & 1


@snippet
def collect(game, state, k):
    """`turned = 0` and then `turned |= ...`"""
    turned = 0
    for i in range(64):
        if (state.x >> i) & 1:
            turned |= 1 << (63 - i)
    return turned


@snippet
def collect_compare(game, state, k):
    """a collected mask compares, shifts and divides as a number that is not negative"""
    turned = 0
    for i in range(64):
        if (state.x >> i) & 1:
            turned |= 1 << i
    total = turned >> 3
    if turned > 0:
        total += 1
    if turned > k:
        total += 2
    return total + turned // 3 + turned % 1000


@snippet
def negative_mask(game, state, k):
    """`-(1 << n)` is negative"""
    value = -(1 << (k % 20))
    return 1 if value < 0 else 2


@snippet
def mask_difference(game, state, k):
    """`a - (1 << n)` may be negative"""
    value = 3 - (1 << (k % 20))
    return value if value < 0 else 100 + value


@snippet
def isolate(game, state, k):
    """`x & -x`, `x & (x - 1)`"""
    return (state.x & -state.x) + (state.x & (state.x - 1))


@snippet
def arithmetic(game, state, k):
    """`+ - * // %` of u64 with any integer, modulo 2**64"""
    x = state.x
    return (
        (x + 5) ^ (x - 7) ^ (x * 3) ^ (x // 9) ^ (x % 1000) ^ (5 - x) ^ (3 * x) ^ (x + k) ^ (x - k)
    )


@snippet
def bitwise(game, state, k):
    """`& | ^ ~` of u64 with any integer"""
    return (state.x & 0xFF) | (state.x ^ 0xF0) ^ (~state.x & 0xF0F0) ^ (12 & state.x)


@snippet
def inplace(game, state, k):
    """`+= -= *= //= %= &= |= ^= <<= >>=`"""
    x = state.x
    x += 3
    x -= k
    x *= 5
    x ^= 9
    x |= 1
    x &= 0xFFFF_FFFF_FFFF_FFF0
    x <<= 1
    x >>= 2
    x //= 3
    x %= 1_000_003
    return x


@snippet
def high_constant(game, state, k):
    """constants beyond 2**63, written out or named"""
    return (state.x & 0xFFFF_FFFF_FFFF_FFF0) ^ HIGH ^ game.mask


@snippet
def compare_negative(game, state, k):
    """`x > -1`, comparisons with negative numbers"""
    count = 0
    if state.x > -1:
        count += 1
    if state.x == -1:
        count += 2
    if -5 < state.x:
        count += 4
    if state.x <= k - 100:
        count += 8
    if state.x != k:
        count += 16
    return count


@snippet
def compare_words(game, state, k):
    """`x < y` of two u64 with bit 63 set in one"""
    return (state.x < state.y) * 1 + (state.x >= state.y) * 2 + (state.x == state.y) * 4


@snippet
def chained(game, state, k):
    """`0 < x < y`"""
    return 1 if 0 < state.y < state.x else 0


@snippet
def conditional(game, state, k):
    """`x if b else 0`"""
    return state.x if state.flag else 0


@snippet
def truth(game, state, k):
    """`if x:`, `not x`, `x and y`, `x or y`"""
    count = 1 if state.x else 0
    if not state.x:
        count += 2
    if state.x and state.y:
        count += 4
    if state.x & 2 or state.y & 1:
        count += 8
    return count


@snippet
def to_int(game, state, k):
    """`int(x)`"""
    return int(state.x) >> 3


@snippet
def minimum(game, state, k):
    """`min(x, 2)`, `max(x, y)`"""
    return min(state.x, 2) + max(state.y, state.x) + min(k, 3) + max(state.y, 2)


@snippet
def ranges(game, state, k):
    """`range(x)`, `range(a, b)`, `range(a, b, step)`"""
    total = 0
    for i in range(state.y):
        total += i
    for i in range(1, state.y):
        total += i
    for i in range(6, k % 3, -2):
        total += i
    return total


@snippet
def index_tuple(game, state, k):
    """`t[x]`, `t[i]`, `len(t)`, `for item in t`"""
    total = state.t[state.y % 3] + state.t[k % 3] + len(state.t) + state.t[-1]
    for item in state.t:
        total += item
    return total


@snippet
def index_wide(game, state, k):
    """tuples of u64, as fields, attributes and constants"""
    return (state.w[k % 2] >> 1) ^ game.wide[k % 2] ^ (WIDE[k % 2] >> 2)


@snippet
def counting(game, state, k):
    """`x.bit_count()`, `x.bit_length()`"""
    return state.x.bit_count() * 100 + state.x.bit_length() + (state.x ^ state.y).bit_count()


@snippet
def absolute(game, state, k):
    """`abs(x)`, `hash(x)`"""
    return abs(state.x) + abs(k - 50) + hash(state.x) % 97


@snippet
def casts(game, state, k):
    """`u64(n)`, `u8(n)` ... `i64(n)`, `bool(n)`"""
    n = k - 40
    return (
        u64(n)
        ^ (u8(n) + u16(n) + u32(n))
        ^ (i8(n * 7) + i16(n * 1000) + i32(n) + i64(n))
        ^ (1 if bool(n) else 0)
    )


@snippet
def narrow(game, state, k):
    """narrow fields compute as plain integers: u8 0 - u8 1 is -1"""
    value = state.t[0] - state.a
    return value if value < 0 else 1000 + value


@snippet
def wrap_on_build(game, state, k):
    """a State checks its fields when it is built; casts say that wrapping is meant"""
    s = state._replace(a=u8(state.a + 1), d=i8(state.d - 200), x=u64(-1), flag=2)
    return s.a * 7 + s.d + (s.x >> 60) + (1 if s.flag else 0)


@snippet
def replace(game, state, k):
    """`state._replace(field=value)`"""
    s = state._replace(x=state.x >> 1, t=(9, 8, 7))
    return s.x ^ (s.t[0] * 100 + s.t[2])


@snippet
def change_item(game, state, k):
    """`with_item(t, i, value)`"""
    t = with_item(state.t, k % 3, 77)
    return t[0] * 10000 + t[1] * 100 + t[2]


@snippet
def build_state(game, state, k):
    """`self.State(...)`, by position or by name"""
    s = game.State(1, 2, 3, 4, 5, 6, 7, 8, 9, flag=True, t=(u8(300), 2, 255), w=(state.x, 1))
    return s.t[0] * 1000 + s.t[2] + (s.w[0] >> 8)


@snippet
def states_equal(game, state, k):
    """`state == other`"""
    return 1 if state == state._replace(y=state.y) and state != state._replace(y=4) else 0


@snippet
def mixed(game, state, k):
    """Python integers mixed with u64 fields"""
    total = 0
    for i in range(3):
        total = total + (state.x >> (60 + i)) * (i + 1)
    return total


@snippet
def call_method(game, state, k):
    """`self.helper(x)`, helper functions and constants of the module"""
    return game.helper(k) + helper(k) + LOW


@snippet
def generator(game, state, k):
    """generator methods, `for _ in self.actions(state): return False`"""
    count = 0
    for bit in game.bits(state.x | 5):
        count += bit.bit_count()
    return count * 2 + (1 if game.has_bits(state.x) else 0)


@snippet
def attributes(game, state, k):
    """`self.size`, `self.flag`, `self.order[i]`: attributes are constants"""
    total = game.size
    if game.deep:
        total += game.order[k % 5]
    for step in STEPS:
        total += step
    return total


@snippet
def loops(game, state, k):
    """`while`, `for`, `break`, `continue`, `else`, `pass`"""
    total = 0
    word = state.x
    while word:
        word &= word - 1
        total += 1
        if total > 40:
            break
    for i in range(10):
        if i == 3:
            continue
        if i == 8:
            break
        total += i
    else:
        total += 1000
    return total


@snippet
def unpack(game, state, k):
    """tuple unpacking, `a, b = b, a`, `a, *rest = t`, `enumerate`, `zip`"""
    a, b = state.w
    a, b = b, a
    total = a ^ (b << 1)
    first, *rest = state.t
    total += first * 3 + sum(rest)
    for i, item in enumerate(state.t):
        total += i * item
    for left, right in zip(state.t, game.order):
        total += left * right
    return total


@snippet
def floor_division(game, state, k):
    """`//` and `%` of negative plain integers round down"""
    n = k - 60
    return (n // 7) * 1000 + n % 7


@snippet
def plain_shift(game, state, k):
    """shifts of plain integers by any number of places"""
    n = k - 40
    return (n >> 3) + (n >> 70) + (n << 2)


Probe = Any
