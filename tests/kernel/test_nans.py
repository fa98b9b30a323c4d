"""NaNs in lists and tuples: Python finds one there if it is the same object. Compiled code, which
does not know, raises an error that no handler catches; other floats are compared as ever."""

import collections
import math
from typing import NamedTuple

import pytest

from prunus import Game, i16
from prunus.kernel.compiling.compiled import compile_function
from prunus.kernel.memory import Memory

NUMBERS = (math.nan, 1.0)


class Floats(Game):
    """Each method compares or looks for a NaN if k is 0, and else only other floats."""

    class State(NamedTuple):
        k: i16

    def initial(self):
        return self.State(0)

    def made(self, k):
        return k * 0.5 if k else math.nan

    def listed(self, k):
        z = self.made(k)
        return int(z in [z, 1.0]) + [2.0, z, z].count(z)

    def placed(self, k):
        items = [3.0, self.made(k)]
        return items.index(self.made(k))

    def in_tuple(self, k):
        z = self.made(k)
        return int(z in (z, 1.0)) + 2 * int((z, 1.0) == (z, 1.0)) + 4 * int((1, z) < (1, z))

    def in_rows(self, k):
        z = self.made(k)
        return int((1, z) in [(1, z), (2, 1.0)]) + 2 * int([(z, 1)] != [(z, 1)])

    def in_constant(self, k):
        return int(self.made(k) in NUMBERS) + NUMBERS.count(self.made(k))

    def in_deque(self, k):
        return int(self.made(k) in collections.deque([self.made(k), 1.0]))

    def removed(self, k):
        items = [self.made(k), 1.0]
        items.remove(self.made(k))
        return len(items)

    def in_set(self, k):
        found = {1.0}
        found.add(self.made(k))
        return len(found) + int(self.made(k) in found)

    def as_key(self, k):
        return {1.0: 5, 7.0: 3}.get(self.made(k), 4)

    def within_try(self, k):
        try:
            return [1.0, self.made(k)].index(self.made(k))
        except ValueError:
            return -1

    def alone(self, k):
        """The NaN is on one side only."""
        z = math.nan
        return int(z in [k * 0.5, 1.0]) + 2 * int((z, 1.0) == (k * 0.5, 1.0)) + 4 * int(z == z)


WAYS = ["listed", "placed", "in_tuple", "in_rows", "in_constant", "in_deque", "removed", "in_set"]
WAYS += ["as_key", "within_try", "alone"]


@pytest.mark.parametrize("way", WAYS)
def test_nans(way, monkeypatch):
    monkeypatch.setenv("PRUNUS_CACHE", "off")
    namespace = {}
    source = f"def search(game, k, memory):\n    memory.kept[0] = game.{way}(k)\n    return 0\n"
    exec(source, namespace)
    search = namespace["search"]
    search.__module__ = __name__
    game, memory = Floats(), Memory({"kept": ("i64", 1)})
    compiled = compile_function(search, {"game": game, "k": 0, "memory": memory})
    for k in (2, 5, 14):
        compiled(game, k, memory)
        assert memory.kept[0] == getattr(game, way)(k)
    if way == "alone":
        compiled(game, 0, memory)
        assert memory.kept[0] == game.alone(0)
    else:
        with pytest.raises(ValueError, match="a NaN is compared with another"):
            compiled(game, 0, memory)
