"""Boards mapped through small tables: the same result compiled and interpreted, errors included,
for every way to write the table."""

import random
from typing import NamedTuple

import numpy as np

from prunus import Game, i8, i16, u8, u16, with_item
from prunus.kernel.compiling.compiled import compile_function
from prunus.kernel.memory import Memory
from prunus.kernel.rewriting import looking_up

chosen = looking_up._chosen

TUPLE = (0, 2, 1, 250)
LIST = [0, 2, 1, 250]
DICT = {0: 0, 1: 2, 2: 1, 3: 250}
HOLES = {0: 7, 2: 1, -1: 3, 5: 9}
WIDE = (3, 300, 70_000, -1)
FLAGS = (False, True, True, False)
SIGNS = [4, -128, 127, 0, -5]
ARRAY = np.array([0, 2, 1, 250])
ROWS = ((0, 1, 2, 3), (0, 2, 1, 3))
MANY = tuple(i * 5 % 32 for i in range(32))


def other(cell):
    return TUPLE[cell]


def swapped(cells):
    return tuple([LIST[c] for c in cells])


class Boards(Game):
    """Each method is a way to write a map."""

    own = (0, 2, 1, 250)
    words = {0: 0, 1: 2, 2: 1, 3: 250}

    class State(NamedTuple):
        cells: tuple[u8, ...]
        signs: tuple[i8, ...]
        halves: tuple[i16, ...]
        flags: tuple[bool, ...]
        last: u16

    def __init__(self):
        self.table = [0, 2, 1, 250]
        self.data = np.array([0, 2, 1, 250])
        self.small = np.array([0, 2, 1, 250], dtype=np.uint8)
        self.wide = np.array([3, 300, 70_000, -1])
        self.long = np.arange(12)
        self.truths = np.array([False, True, True, False])
        self.none = np.array([], dtype=np.int64)
        self.rows = np.array([[0, 1, 2, 3], [0, 2, 1, 3]])

    def initial(self):
        return self.State((0,) * 90, (0,) * 37, (0,) * 20, (False,) * 33, 0)

    def by_tuple(self, s, k):
        return s._replace(cells=tuple(TUPLE[c] for c in s.cells))

    def by_list(self, s, k):
        return s._replace(cells=tuple([LIST[c] for c in with_item(s.cells, k % 90, 1)]))

    def by_dict(self, s, k):
        return s._replace(cells=tuple(DICT[c] for c in s.cells), last=k)

    def with_holes(self, s, k):
        return s._replace(signs=tuple(HOLES[c] for c in s.signs))

    def too_wide(self, s, k):
        return s._replace(cells=tuple(WIDE[c] for c in s.cells))

    def wide_enough(self, s, k):
        return s._replace(halves=tuple(SIGNS[c] for c in s.halves))

    def signed(self, s, k):
        return s._replace(signs=tuple(SIGNS[c] for c in s.signs))

    def to_flags(self, s, k):
        return s._replace(flags=tuple(FLAGS[s.cells[i]] for i in range(33)))

    def from_flags(self, s, k):
        return s._replace(cells=tuple((k, 2)[c] for c in (*s.flags, *s.flags, *s.flags[:24])))

    def of_class(self, s, k):
        return s._replace(cells=tuple(Boards.own[c] for c in s.cells))

    def of_game(self, s, k):
        return s._replace(cells=tuple(self.words[c] for c in s.cells))

    def of_instance(self, s, k):
        cells = [self.table[c] for c in s.cells]
        cells[k % 90] = 9
        return s._replace(cells=tuple(cells))

    def of_data(self, s, k):
        return s._replace(cells=tuple(self.data[c] for c in s.cells))

    def of_small(self, s, k):
        return s._replace(cells=tuple(self.small[c] for c in s.cells))

    def of_wide(self, s, k):
        return s._replace(cells=tuple(self.wide[c] for c in s.cells))

    def of_wide_halves(self, s, k):
        wide = self.wide
        return s._replace(halves=tuple(wide[c] // 3 for c in s.halves))

    def of_signs(self, s, k):
        return s._replace(signs=tuple(self.data[c] % 99 for c in s.signs))

    def of_long(self, s, k):
        return s._replace(cells=tuple(self.long[c] for c in s.cells))

    def of_truths(self, s, k):
        return s._replace(flags=tuple(self.truths[c] for c in s.cells[:33]))

    def of_none(self, s, k):
        return s._replace(cells=tuple(self.none[c] if c > k else 0 for c in s.cells))

    def of_row(self, s, k):
        row = self.rows[k % 2]
        return s._replace(cells=tuple(row[c] if c != k else 1 for c in s.cells))

    def of_known_row(self, s, k):
        return s._replace(cells=tuple(ROWS[-1][c] for c in s.cells))

    def got(self, s, k):
        return s._replace(cells=tuple(DICT.get(c, k) for c in s.cells))

    def got_itself(self, s, k):
        return s._replace(signs=tuple(HOLES.get(c, c) for c in s.signs))

    def got_elsewhere(self, s, k):
        found = HOLES.get(k, -1) + DICT.get(s.last, 4) + DICT.get(s.flags[0], 9)
        return s._replace(last=found + {3: True, 4: False}.get(k, True))

    def got_too_large(self, s, k):
        return s._replace(cells=tuple(DICT.get(c, 300 - k) for c in s.cells))

    def of_array(self, s, k):
        return s._replace(cells=tuple(int(ARRAY[c]) for c in s.cells))

    def by_function(self, s, k):
        return s._replace(cells=tuple(other(c) for c in s.cells))

    def by_helper(self, s, k):
        return s._replace(cells=swapped(s.cells))

    def chosen_row(self, s, k):
        return s._replace(cells=tuple(ROWS[k % 2][c] for c in s.cells))

    def written(self, s, k):
        mine = (k % 5, 2, 1, 77)
        return s._replace(cells=tuple(mine[c] for c in s.cells))

    def written_list(self, s, k):
        mine = [0, 2, 1, 77]
        return s._replace(cells=tuple(mine[c] for c in s.cells))

    def written_mapping(self, s, k):
        return s._replace(cells=tuple({0: 0, 2: 1, 1: 2, 3: 8}[c] for c in s.cells))

    def stone_or_table(self, s, k):
        return s._replace(cells=tuple(k if i == k else LIST[c] for i, c in enumerate(s.cells)))

    def by_place(self, s, k):
        b = s.cells
        return s._replace(cells=tuple(k if i == k % 90 else TUPLE[b[i]] for i in range(len(b))))

    def two_tables(self, s, k):
        return s._replace(cells=tuple(TUPLE[c] + SIGNS[-c] for c in s.cells))

    def divides(self, s, k):
        """Another error may come first."""
        return s._replace(cells=tuple(12 // (k - c) + TUPLE[c] for c in s.cells))

    def divides_by(self, s, k):
        return s._replace(cells=tuple(12 // TUPLE[c] for c in s.cells))

    def zipped(self, s, k):
        return s._replace(
            signs=tuple(SIGNS[a] if b < 3 else TUPLE[b % 3] for a, b in zip(s.signs, s.cells))
        )

    def appended(self, s, k):
        new = []
        for c in s.cells:
            if c == k:
                new.append(3)
            else:
                new.append(DICT[c])
        return s._replace(cells=tuple(new))

    def caught(self, s, k):
        try:
            new = tuple(LIST[c] for c in s.cells)
        except IndexError:
            return s._replace(last=999)
        return s._replace(cells=new)

    def many(self, s, k):
        return s._replace(cells=tuple(MANY[c] for c in s.cells))

    def then_item(self, s, k):
        cells = tuple(TUPLE[c] for c in s.cells)
        return s._replace(cells=with_item(cells, k % 90, 9), last=7)

    def then_items(self, s, k):
        cells = tuple(LIST[c] for c in s.cells)
        for i in range(k % 4):
            cells = with_item(cells, (i + k) % 90, i)
        return s._replace(cells=cells)

    def then_slices(self, s, k):
        cells = tuple(TUPLE[c] for c in s.cells)
        i = k % 90
        return s._replace(cells=cells[:i] + (9,) + cells[i + 1 :])

    def replaced_twice(self, s, k):
        t = s._replace(cells=with_item(s.cells, k % 90, 1), last=k)
        return t._replace(cells=tuple(TUPLE[c] for c in t.cells))

    def in_place(self, s, k):
        cells = list(s.cells)
        for i in range(len(cells)):
            cells[i] = LIST[cells[i]]
        return s._replace(cells=tuple(cells))

    def changed_item(self, s, k):
        return s._replace(cells=tuple(LIST[c % 4] for c in s.cells))

    def summed(self, s, k):
        return s._replace(last=sum(TUPLE[c] for c in s.cells) % 1000)

    def counted(self, s, k):
        n = 0
        for c in s.cells:
            n += LIST[c] > k
        return s._replace(last=n)


WAYS = [name for name in vars(Boards) if not name.startswith("_") and name not in dir(Game)]
WAYS = [name for name in WAYS if callable(vars(Boards)[name]) and name not in ("State", "initial")]


FIRST = """
def search(game, state, k, way, memory):
"""
EACH = """
    if way == {place}:
        memory.kept[0] = game.{name}(state, k)
"""
# One function, compiled once.
namespace = {}
lines = [EACH.format(place=place, name=name) for place, name in enumerate(WAYS)]
exec(compile(FIRST + "".join(lines) + "    return 0\n", "<maps>", "exec"), namespace)
search = namespace["search"]
search.__module__ = __name__


def states(game, rng, count):
    """Boards with items that are keys of most tables, and some with one that is not."""
    start = game.initial()
    for n in range(count):
        cells = [rng.randrange(4) for _ in start.cells]
        signs = [
            rng.choice((0, 2, -1, 5, 2)) if n % 2 else rng.randrange(-5, 5) for _ in start.signs
        ]
        halves = [rng.randrange(-5, 5) for _ in start.halves]
        flags = tuple(rng.random() < 0.5 for _ in start.flags)
        if n % 3 == 2:
            cells[rng.randrange(len(cells))] = rng.choice((4, 5, 31, 32, 128, 255))
            signs[rng.randrange(len(signs))] = rng.choice((1, 3, 6, -6, -128, 127))
            halves[rng.randrange(len(halves))] = rng.choice((6, -6, 32767, -32768))
        yield game.State(tuple(cells), tuple(signs), tuple(halves), flags, n)


def told(function, *given):
    try:
        return function(*given)
    except (IndexError, KeyError, ZeroDivisionError, OverflowError) as error:
        return type(error), str(error).splitlines()[0].split(" (")[0]


def test_maps(monkeypatch):
    quick = []
    monkeypatch.setattr(looking_up, "_chosen", lambda *given: quick.append(given) or chosen(*given))
    game, rng = Boards(), random.Random(7)
    memory = Memory({"kept": ("state", 1)}, prototype=game.initial())
    arguments = {"game": game, "state": game.initial(), "k": 0, "way": 0, "memory": memory}
    compiled = compile_function(search, arguments)
    assert len(quick) >= 30
    errors = set()
    for way, name in enumerate(WAYS):
        for state in states(game, rng, 40):
            k = rng.randrange(90)
            expected = told(getattr(game, name), state, k)
            found = told(compiled, game, state, k, way, memory)
            if found == 0:
                assert memory.kept[0] == expected, (name, state, k)
            else:
                errors.add(found[0])
                assert found[0] is expected[0], (name, state, k, expected, found)
    assert errors == {IndexError, KeyError, ZeroDivisionError, OverflowError}


class Turned(Game):
    """Every action turns all stones over."""

    class State(NamedTuple):
        cells: tuple[u8, ...]

    other = (0, 2, 1)

    def initial(self):
        return self.State((0, 1, 2) * 50)

    def result(self, state, action):
        return self.State(tuple(self.other[c] for c in state.cells))


def turned_often(game, state, times):
    for _ in range(times):
        state = game.result(state, 0)
    return state.cells[1] * 10 + state.cells[149]


def test_a_map_by_a_table_runs_in_vectors(optimised):
    arguments = {"game": Turned(), "state": Turned().initial(), "times": 3}
    assert compile_function(turned_often, arguments)(*arguments.values()) == 21
    assert "xor <" in optimised[-1] or "select <" in optimised[-1]
