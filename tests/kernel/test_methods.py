"""Methods of lists that are called without an object for the method: the list lives as long as the
call, whatever happens to its name. Lists, sets and dictionaries that are made on the way are freed,
none before its last use."""

import random
from typing import NamedTuple

from numba.core.runtime import _nrt_python, rtsys

from prunus import Game, u8
from prunus.kernel.compiling.compiled import compile_function
from prunus.kernel.memory import Memory

STEPS = [1, 3, 2]


def parted(cells, n):
    made = [[] for _ in range(n)]
    for i, cell in enumerate(cells):
        made[cell % n].append(i)
    return made


def some(cells, k):
    return set() if k % 3 == 0 else {k % 11} if k % 3 == 1 else set(cells)


class Lists(Game):
    """Each method is a way to use a list, a set or a dictionary."""

    class State(NamedTuple):
        cells: tuple[u8, ...]

    def initial(self):
        return self.State((0,) * 30)

    def gathered(self, s, k):
        found = [i for i, c in enumerate(s.cells) if c == k % 3]
        return sum(found) * 100 + len(found)

    def last_use(self, s, k):
        """Nothing uses the list after its last method."""
        found = [k]
        for i, c in enumerate(s.cells):
            if c == 1:
                found.append(i)
        last = found.pop()
        again = [last]
        again.append(k)
        return last

    def at_once(self, s, k):
        return [c for c in s.cells if c].pop() + [k, 3].pop()

    def bound_anew(self, s, k):
        """The list loses its name while the method's argument is computed."""
        found = [k]
        other = found
        found.append((found := [k, 5])[1])
        found.append(len(other))
        return sum(found) * 1000 + sum(other)

    def gone(self, s, k):
        found = [k, k + 1]
        found.extend(found := [1, 2, 3])
        return sum(found)

    def named(self, s, k):
        """A method with a name outlives its list's."""
        found = [k]
        add = found.append
        add(4)
        found = [7]
        add(5)
        return sum(found)

    def stack(self, s, k):
        seen, stack, steps = [False] * 30, [k % 30], 0
        seen[k % 30] = True
        while stack:
            place = stack.pop()
            steps += place
            for near in ((place * 7 + 3) % 30, (place + 11) % 30):
                if not seen[near] and s.cells[near]:
                    seen[near] = True
                    stack.append(near)
        return steps

    def lists_of_lists(self, s, k):
        rows = [[0] for _ in range(3)]
        for i, c in enumerate(s.cells):
            rows[c % 3].append(i)
        rows.pop().append(2)
        rows[k % 2].insert(0, 7)
        return sum(sum(row) * (j + 1) for j, row in enumerate(rows))

    def caught(self, s, k):
        found = [k]
        try:
            found.pop()
            found.append(12 // s.cells[0])
            found.remove(k % 13)
        except (ZeroDivisionError, ValueError):
            found.append(-1)
        return sum(found)

    def of_a_helper(self, s, k):
        groups, total = parted(s.cells, 3), 0
        for cell in s.cells:
            row = groups[cell % len(groups)]
            total += sum(row) + len([k] * (cell + 1))
            groups[cell % 3] = [cell, *row[k % 5 :: -1]]
            total += sum(row)
        return total + sum(len(row) for row in groups)

    def constants(self, s, k):
        found = STEPS + [k]
        found.extend(STEPS[k % 3 :] + STEPS * (k % 4))
        return sum(found) * 10 + len([k, *STEPS] + found)

    def sets(self, s, k):
        left, right = some(s.cells, k), some(s.cells, k + 1)
        both = left | right
        both.discard(k)
        left ^= {k, 2}
        kept = both
        kept.update(right & left)
        return sum(both) + len(left - right) * 100 + len(sorted(kept)) * 1000

    def staying_set(self, s, k):
        seen = set()
        for cell in s.cells:
            seen.add(cell * k * 400 - 3)
        seen.discard(-3)
        other = {k * 1000}
        other.add(k)
        return len(seen) + (k * 400 - 3 in seen) * 100 + len(other) * 1000

    def dictionaries(self, s, k):
        where = {cell: i for i, cell in enumerate(s.cells)}
        names = {"low": k, "high": 0}
        for cell in s.cells:
            names["low" if cell < 2 else "high"] += where[cell]
        where.pop(s.cells[0])
        return sum(where.values()) * 1000 + names["low"] * 10 + names["high"] + len(where | {9: k})

    def empty(self, s, k):
        found = [i for i, c in enumerate(s.cells) if c > 2 + k % 2]
        return found.pop() + found.pop()


WAYS = [
    name
    for name, value in vars(Lists).items()
    if callable(value) and name not in (*dir(Game), "State")
]
FIRST = "def search(game, state, k, way, memory):\n"
EACH = """
    if way == {place}:
        memory.kept[0] = game.{name}(state, k)
"""
# One function, compiled once.
namespace = {}
lines = [EACH.format(place=place, name=name) for place, name in enumerate(WAYS)]
exec(compile(FIRST + "".join(lines) + "    return 0\n", "<methods>", "exec"), namespace)
search = namespace["search"]
search.__module__ = __name__


def told(function, *given):
    try:
        return function(*given)
    except (IndexError, ValueError) as error:
        return type(error)


def test_methods_of_lists():
    game, rng = Lists(), random.Random(3)
    assert len(WAYS) == 15
    memory = Memory({"kept": ("i64", 1)})
    arguments = {"game": game, "state": game.initial(), "k": 0, "way": 0, "memory": memory}
    compiled = compile_function(search, arguments)
    was_counting = _nrt_python.memsys_stats_enabled()
    _nrt_python.memsys_enable_stats()
    taken = 0
    try:
        for _ in range(300):
            state, k = game.State(tuple(rng.randrange(4) for _ in range(30))), rng.randrange(60)
            for way, name in enumerate(WAYS):
                expected = told(getattr(game, name), state, k)
                before = rtsys.get_allocation_stats()
                found = told(compiled, game, state, k, way, memory)
                after = rtsys.get_allocation_stats()
                assert (memory.kept[0] if found == 0 else found) == expected, (name, state, k)
                if found == 0:
                    made = after.alloc - before.alloc
                    assert made == after.free - before.free, (name, state, k)
                    taken += made
        assert taken > 300  # some lists take memory at each call
    finally:
        if not was_counting:
            _nrt_python.memsys_disable_stats()
