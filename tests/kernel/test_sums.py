"""Sums over boards and constants, computed without a test at each addition: the same numbers
compiled and interpreted, and an error where a number leaves 64 bits."""

import random
from typing import NamedTuple

import numpy as np

from prunus import Game, i8, i32, i64, u8, u16
from prunus.kernel.compiling.compiled import compile_function
from prunus.kernel.memory import Memory
from prunus.kernel.rewriting import sums

spare = sums._spare

LARGE = 1 << 62
WEIGHTS = tuple(i * 7 % 13 - 3 for i in range(90))
HUGE = tuple(LARGE + i for i in range(40))
FLAGS = tuple(i % 3 == 0 for i in range(90))
ORDER = tuple(i * 7 % 90 for i in range(90))
ROWS = tuple(tuple(i * k % 7 for i in range(90)) for k in range(3))


class Boards(Game):
    """Each method is a way to add up."""

    values = (0, 1, -3, 9)

    class State(NamedTuple):
        cells: tuple[u8, ...]
        signs: tuple[i8, ...]
        words: tuple[i64, ...]
        last: u16
        large: i64
        half: i32

    def __init__(self):
        self.side = 9
        self.weights = tuple(i * i % 300 for i in range(90))
        self.near = tuple(tuple(j for j in (i - 1, i + 1) if 0 <= j < 90) for i in range(90))
        self.data = np.arange(90)
        self.small = np.arange(90, dtype=np.int16)

    def initial(self):
        return self.State((0,) * 90, (0,) * 37, (0,) * 20, 0, 0, 0)

    def count(self, s, k):
        return sum(1 for c in s.cells if c == k % 4)

    def truths(self, s, k):
        return sum(c == k % 4 for c in s.cells)

    def difference(self, s, k):
        n = 0
        for c in s.cells:
            if c == 1:
                n += 1
            elif c == 2:
                n -= 2
        return n

    def places(self, s, k):
        n = -5
        for i in range(len(s.cells)):
            if s.cells[i] == k % 3:
                n += i
        return n

    def rows(self, s, k):
        n = 0
        for r in range(self.side):
            for c in range(self.side):
                if s.cells[r * self.side + c] > 1:
                    n += r * c - 4
        return n

    def weighed(self, s, k):
        return sum(w * c for w, c in zip(self.weights, s.cells, strict=True))

    def weighed_by_place(self, s, k):
        w = self.weights
        n = 0
        if k > 3:
            for i, c in enumerate(s.cells):
                if c == 1:
                    n += w[i]
                elif c == 2:
                    n -= WEIGHTS[i]
        return n

    def flags(self, s, k):
        return sum(FLAGS[i] for i in range(90) if s.cells[i])

    def ordered(self, s, k):
        n = 0
        for place in ORDER:
            n = n + s.cells[place] if place > k else n - 1
        return n

    def of_rows(self, s, k):
        n = 0
        for i, c in enumerate(s.cells):
            n += ROWS[c % 3][i]
        return n

    def valued(self, s, k):
        return sum(self.values[c] for c in s.cells)

    def around(self, s, k):
        return sum(s.cells[j] for i in range(90) for j in self.near[i])

    def of_array(self, s, k):
        n = 0
        for i in range(90):
            n += self.data[i] * s.cells[i] - self.small[i]
        return n

    def from_field(self, s, k):
        n = s.half
        for c in s.signs:
            n += c * s.half
        return n

    def nested(self, s, k):
        n = 0
        for a in s.signs:
            m = 0
            for b in s.cells:
                m += a * b
            n += m
        return n

    def items_of_list(self, s, k):
        found = [c for c in s.cells if c]
        n = 0
        for c in found:
            n += c
        return n + len(found)

    def whiles(self, s, k):
        n, i = 0, 0
        while i < 90:
            n += s.cells[i]
            i += 1
        return n

    def drawn(self, s, k):
        """The loop goes on after the last item."""
        items = enumerate(s.cells)
        n = 0
        while n < 300 + k:
            n += 1
            for _, c in items:
                n += c
                break
        return n

    # What may leave 64 bits.

    def from_large(self, s, k):
        n = s.large
        for c in s.cells:
            n += c
        return n - s.large

    def of_words(self, s, k):
        n = 0
        for c in s.words:
            n += c
        return n % 1000

    def doubled(self, s, k):
        n = 1
        for c in s.cells:
            n += n if c else 0
        return n % 1000

    def multiplied(self, s, k):
        n = 1
        for c in s.cells[:30]:
            n *= c + 1
        return n % 1000

    def of_huge(self, s, k):
        n = 0
        for i, number in enumerate(HUGE):
            if i in (s.cells[0], s.cells[1]):
                n += number
        return n % 1000

    def times_large(self, s, k):
        n = 0
        for c in s.cells:
            n += c * s.large
        return n % 1000

    def long_way(self, s, k):
        n = 0
        for i in range(s.large, s.large + 3):
            n += i
        return n % 1000

    def lengths(self, s, k):
        """The length of a range may be any number, and nothing goes over it."""
        n = 0
        for c in s.cells:
            n += len(range(s.large)) * 1000 + c
        return n % 1000

    def fibonacci(self, s, k):
        a, b = 0, 1
        for _ in range(2 * (k % 4 + 44)):
            a, b = b, a + b
        return a % 1000


MAY_STOP = ("from_large", "of_words", "doubled", "multiplied", "of_huge", "times_large", "long_way")
MAY_STOP += ("lengths", "fibonacci")
WAYS = [
    name
    for name, value in vars(Boards).items()
    if callable(value) and name not in ("State", "initial", "__init__")
]

FIRST = "def search(game, state, k, way, memory):\n"
EACH = """
    if way == {place}:
        memory.kept[0] = game.{name}(state, k)
"""
# One function, compiled once.
namespace = {}
lines = [EACH.format(place=place, name=name) for place, name in enumerate(WAYS)]
exec(compile(FIRST + "".join(lines) + "    return 0\n", "<sums>", "exec"), namespace)
search = namespace["search"]
search.__module__ = __name__


def states(game, rng, count):
    """Boards, some with numbers near the ends of 64 bits."""
    for n in range(count):
        large = rng.choice((0, 5, -7, LARGE, 2 * LARGE - 1 - rng.randrange(300), -2 * LARGE))
        words = [rng.choice((1, -5, 1000)) for _ in range(20)]
        if n % 2:
            words[rng.randrange(20)] = rng.choice((LARGE, 2 * LARGE - 1, -2 * LARGE))
        yield game.State(
            tuple(rng.randrange(4) if n % 3 else rng.randrange(256) for _ in range(90)),
            tuple(rng.randrange(-128, 128) for _ in range(37)),
            tuple(words),
            n,
            large,
            rng.choice((0, 1, -(1 << 31), (1 << 31) - 1)),
        )


def told(function, *given):
    try:
        return function(*given)
    except (OverflowError, IndexError) as error:
        return type(error)


def test_sums(monkeypatch):
    spared = []
    monkeypatch.setenv("PRUNUS_CACHE", "off")
    monkeypatch.setattr(sums, "_spare", lambda *given: spared.append(given) or spare(*given))
    game, rng = Boards(), random.Random(7)
    memory = Memory({"kept": ("i64", 1)})
    arguments = {"game": game, "state": game.initial(), "k": 0, "way": 0, "memory": memory}
    compiled = compile_function(search, arguments)
    assert len(spared) >= 20
    stopped = set()
    for way, name in enumerate(WAYS):
        for state in states(game, rng, 60):
            k = rng.randrange(90)
            expected = told(getattr(game, name), state, k)
            found = told(compiled, game, state, k, way, memory)
            if found == 0:
                assert memory.kept[0] == expected, (name, state, k)
            elif found is OverflowError:
                stopped.add(name)
            else:
                assert found is expected, (name, state, k)
    assert stopped == set(MAY_STOP)
