"""More lines of the supported subset: how people write loops, and Python's own functions. See
`subset.py`."""

from __future__ import annotations

import functools
import math
from enum import IntEnum

from prunus import u8
from tests.kernel.subset import Sample, snippet


@snippet
def generator_expression(game, state, k):
    """`any(... for ...)`, `all`, `sum`, `min`, `max` (with `key`, `default`), `next`, `list`,
    `set`, `sorted`, `"".join`, `extend`, `update`, `deque` of a generator expression, and `for`
    over one, also in `enumerate`"""
    total = sum(item * game.size for item in state.t if item != k) + sum(
        (1 for i in range(64) if state.x >> i & 1), 3
    )
    if any(all(a <= b + k % 3 for b in state.t) for a in state.t):
        total += 1000
    best = max((item for item in state.t), key=lambda item: item * (k + 1) % 5)
    least = min((item for item in state.t if item > k % 4), default=-1)
    first = next((i for i, item in enumerate(state.t) if item > k % 4), 9)
    return (
        total
        + best * 7
        + least * 11
        + first * 13
        + sorted(item * k % 5 for item in state.t)[1]
        + len(set(item % 2 for item in state.t))  # noqa: C401 - meant
    )


@snippet
def lazy(game, state, k):
    """they stop as early as in Python"""
    return 1 if any(60 // (item - 3) < 0 for item in state.t) else 0


@snippet
def shift_in_comprehension(game, state, k):
    """`[c for c in range(64) if not s.board >> c & 1]`"""
    free = [c for c in range(64) if not state.x >> c & 1]
    return len(free) * 100 + (free[-1] if free else 0)


@snippet
def inner_functions(game, state, k):
    """inner functions and lambdas that use the variables around them, with defaults and keywords"""

    def near(i):
        return any(abs(item - i) <= k % 2 for item in state.t)

    scaled = lambda i, plus=1, by=2: i * by + k * plus  # noqa: E731 - what people write
    return sum(1 << i for i in range(8) if near(i)) + scaled(3) + scaled(5, by=k % 3)


@snippet
def assignment_expression(game, state, k):
    """`if (n := ...) > 3:`"""
    if (n := k % 7) > 3:
        return n
    return n + 100


@snippet
def set_comprehension(game, state, k):
    """`{item % 3 for item in t}`, `[...]`, `{k: v for ...}`"""
    squares = {i: i * i for i in range(5)}
    return (
        len({(item + k) % 3 for item in state.t}) * 100
        + sum([item * k for item in state.t])
        + squares[k % 5]
    )


@snippet
def more_builtins(game, state, k):
    """`any(items)`, `all(items)`, `reversed(items)`, `not items` of tuples, lists and ranges,
    `t.count(x)`, `functools.reduce`"""
    large = [item for item in state.t if item > k % 4]
    total = 0
    if not large:
        total += 5
    for item in reversed(state.t):
        total = total * 3 + item
    for i in reversed(range(2, 9, 3)):
        total = total * 3 + i
    if any(large) and all(state.t):
        total += 1000
    return total + state.t.count(k % 4) + functools.reduce(lambda a, b: a * k + b, state.t, 1)


class Colour:
    RED = 3
    PAIR = (4, 5)


@functools.cache
def remembered(n):
    return n * n % 11


@snippet
def classes(game, state, k):
    """`Colour.RED`, `Othello.SIZE`, class methods and `super()`"""
    return (
        Colour.RED
        + Colour.PAIR[k % 2]
        + Sample.SIZE
        + game.of_class(k)
        + Sample.of_class(3)
        + game.extended(k)
    )


@snippet
def state_members(game, state, k):
    """methods, properties and constants of the State class"""
    return state.total(k) * 100 + state.first + state.ROWS


@snippet
def remembering(game, state, k):
    """functions with `functools.lru_cache`"""
    return remembered(k)


@snippet
def numbers(game, state, k):
    """`bit_length`, `bit_count` of any integer, `math.isqrt(n)`, `pow(a, b, m)`, `int("12")`,
    `bin(n).count("1")`, `t[a > b]`"""
    n = k - 40
    total = (
        n.bit_length() * 1000
        + n.bit_count() * 100
        + (n > 3).bit_count()
        + math.isqrt(k * 1000)
        + math.comb(k + 9, 4)
        + math.lcm(k, 12)
        + pow(n, k, 97)
    )
    return (
        total
        + int("0123456789"[k % 10])
        + bin(state.x).count("1")
        + bin(n).count("0")
        + state.t[n > 0]
    )


@snippet
def maybe_none(game, state, k):
    """a result that may be None, `x is None`, `if x:`, `x or 0`, `x == y`, `x in t`, `x[0]`"""
    found = game.search(k)
    if not found:
        return -7 + (found or 0)
    return -1 if found is None else found


@snippet
def nones(game, state, k):
    """`[None] * 9`, `[None for _ in range(n)]`, `[[None] * 3 for _ in range(3)]`, and integers put
    there"""
    owner, first = [None] * 9, [None for _ in range(9)]
    rows = [[None] * 3 for _ in range(3)]
    for i, v in enumerate(state.t):
        owner[v % 9] = k
        if first[v % 9] is None:
            first[v % 9] = i
        rows[i % 3][k % 3] = v
    total = owner.count(None) + sum(v for v in first if v is not None)
    return total * 9 + sum(row.count(None) for row in rows)


VALUES = {0: 5, 1: -3, 7: 8}
CORNERS = {(0, 1): 4, (1, 0): 6}
PRIMES = {2, 3, 5, 7, 1 << 40}
STEPS = [(0, 1), (1, 0), (-1, 2)]
LINES = ((0, 1, 2), (2, 1), ())
DEEP = ([[1, 2], [3]], [[4], [], [5, 6, 7, 8, 9, 10, 11, 12, 13]])
MASKS = [1, 1 << 63, 0xABC]
ROWS = range(2, 20, 3)


@snippet
def constant_lists(game, state, k):
    """lists and nested tuples of constants, indexed and iterated at any depth, slices of them,
    `in`, `len`, `index`, `count`, `==`"""
    total = 0
    for down, right in STEPS:
        total = total * 3 + down * 2 + right * (k % 3)
    for line in LINES:
        total = total * 5 + sum(state.t[i] for i in line) + len(line)
    for i in reversed(LINES[k % 2]):
        total = total * 3 + i
    for row in DEEP[k % 2][1:]:
        for item in row[::-2]:
            total = total * 3 % 1_000_003 + item
    if (k % 3, 1) in STEPS:
        total += 1000
    if LINES[k % 3] == (2, 1) and LINES[0] != LINES[k % 3] and DEEP[0] == [[1, 2], [3]]:
        total += 2000
    return (
        total
        + STEPS[-1][k % 2]
        + (MASKS[k % 3] >> 3)
        + LINES[0].index(k % 3)
        + LINES[1].count(k % 3)
        + game.rows[k % 2][k % 3]
    )


@snippet
def constant_dictionaries(game, state, k):
    """dictionaries and sets of constants: `d[x]`, `d.get(x, y)`, `x in d`, `len(d)`, loops over
    keys, `items()` and `values()`"""
    total = (
        VALUES.get(k % 9, 50)
        + VALUES[7]
        + CORNERS[k % 2, 1 - k % 2]
        + len(VALUES)
        + game.worth[k % 3]
    )
    for key in VALUES:  # noqa: PLC0206 - meant
        total = total * 3 + VALUES[key]
    for key, value in VALUES.items():
        total = total * 3 + key * value
    for (row, column), value in CORNERS.items():
        total = total * 3 + row * value + column
    for prime in PRIMES:
        total = (total * 3 + prime) % 1_000_003
    if k % 11 in PRIMES or 1 << 40 in PRIMES:
        total += 1000
    return (
        total
        + sum(VALUES.values())
        + (5 if (k % 2, 1) in CORNERS else 6)
        + (7 if k in ROWS else 8)
        + ROWS[k % 6]
    )


class Side(IntEnum):
    LEFT = 3
    RIGHT = 5


@snippet
def enum_members(game, state, k):
    """members of an `IntEnum`, also as the value of a field"""
    changed = state._replace(
        a=Side.RIGHT if k % 2 else Side.LEFT, t=tuple(Side.LEFT for _ in state.t)
    )
    return changed.a * 100 + changed.t[0] * 10 + (1 if changed.a == Side.RIGHT else 0) + Side.LEFT


@snippet
def tuples_of_loops(game, state, k):
    """`tuple(f(item) for item in t)`, `tuple(sorted(t))`, `tuple(list(t))`, `tuple([... for ...])`,
    `(0,) * n`, `[0] * n`"""
    doubled = tuple(item * 2 for item in state.t)
    changed = tuple(k if i == k % 3 else item for i, item in enumerate(state.t))
    squares = tuple([i * i for i in range(game.size)])
    cells = list(state.t)
    cells[k % 3] += 5
    filled = game.fill(cells, k)
    counts = [0] * 3
    for item in state.t:
        counts[item % 3] += 1
    grown = []
    for i in range(len(state.t)):
        grown.append(i + k)
    empty = (0,) * game.size + (k,) * 2
    kinds = {tuple(sorted(state.t)), tuple(sorted(changed)), state.t}
    made = state._replace(t=tuple(u8(item) for item in reversed(cells)))
    total = 0
    for item in (*doubled, *changed, *squares, *filled, *tuple(counts), *tuple(grown), *made.t):
        total = total * 3 % 1_000_003 + item
    return total + len(empty) * 7 + empty[-1] + len(kinds)


@snippet
def arrays(game, state, k):
    """NumPy attributes: `a[i]`, `a[i, j]`, `a[i][j]`, `a[i:j]`, loops, `in`, `len`, `shape`,
    `size`, `sum()`, `max()`, `min()`, `any()`, `all()`"""
    total = (
        game.table[k % 3, 1]
        + game.table[k % 3][0]
        + game.table[1:].sum()
        + game.table[k % 2 : k % 2 + 2].max()
    )
    for row in game.table:
        for item in row:
            total = total * 3 % 1_000_003 + item
    for i, item in enumerate(game.line[: k % 4]):
        total += i * item
    if k % 9 in game.line or game.line[1:].all() or game.line[:1].any():
        total += 1000
    return (
        total
        + game.line.min() * 5
        + game.table.size
        + len(game.line)
        + game.table.shape[0]
        + max(game.line)
        + sum(game.line)
    )


class Refused(ValueError):
    """An error of the rules' own."""


def checked(k):
    if k % 5 == 4:
        raise Refused("four")
    return k


@snippet
def caught(game, state, k):
    """`try`, `except KeyError`, `except (IndexError, ValueError)`, `raise`, `else`, `finally`,
    errors of your own"""
    total = 0
    for i in range(6):
        try:
            try:
                total += state.t[(k + i) % 5] + checked(i + k)
            except IndexError:
                total += 100
            else:
                total += 1
            finally:
                total += 10
            total += state.t.index((i + k) % 4)
        except Refused:
            total += 1000
        except (KeyError, ValueError):
            total -= 7
    return total
