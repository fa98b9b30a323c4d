"""Lists of any length on the stack: their memory is given back, however long they were."""

from __future__ import annotations

import resource
import sys

import pytest
from numba.core import types
from numba.core.registry import cpu_target

from prunus.core.game import Game
from prunus.kernel.backends import prepare
from prunus.kernel.containers.stack_lists import StackList
from prunus.kernel.memory import Memory


class Lists(Game):
    def long_ones(self, n):
        """Lists that get longer than the stack holds, made again in a loop."""
        total = 0
        for k in range(n):
            found = []
            for i in range(k % 3000):
                found.append(i ^ k)
            for v in found:
                total += v & 1
        return total

    def left_early(self, n):
        """The same, left from inside the loop that goes through one."""
        total = 0
        for k in range(n):
            found = [k]
            while len(found) < 2000:
                found.append(len(found) * k % 7)
            for v in found:
                if v == 3:
                    break
                total += v
            if total % 5 == 4:
                continue
            found += [k, 1]
            total += len(found)
        return total

    def by_a_helper(self, n):
        """The same, filled by a helper."""
        total = 0
        for k in range(n):
            found = []
            self.fill(found, k)
            total += found[-1]
        return total

    def fill(self, found, k):
        """Adds 2,000 items."""
        for i in range(2000):
            found.append(i * k % 11)

    def first_of(self, k):
        """A long list, left by a result from inside its loop."""
        for start in range(3):
            found = []
            for i in range(2000):
                found.append(i * k + start)
                if found[-1] == 1500:
                    return sum(found)
        return 0

    def with_results_inside(self, n):
        """The same again and again."""
        total = 0
        for k in range(n):
            total += self.first_of(k % 5)
        return total


def work(game, kind, n, memory):
    """One of the four, by its number."""
    if kind == 0:
        return game.long_ones(n)
    if kind == 1:
        return game.left_early(n)
    if kind == 2:
        return game.with_results_inside(n)
    return game.by_a_helper(n)


@pytest.mark.parametrize("kind", range(4))
def test_memory_is_given_back(kind):
    game, memory = Lists(), Memory({"nodes": "i64"})
    arguments = {"game": game, "kind": kind, "n": 400, "memory": memory}
    compiled, _ = prepare(work, arguments, True)
    assert compiled(game, kind, 400, memory) == work(game, kind, 400, memory)
    compiled(game, kind, 3000, memory)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    compiled(game, kind, 30_000, memory)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 8000 * (1024 if sys.platform == "darwin" else 1)


def test_types_meet():
    context = cpu_target.typing_context
    one, other = StackList(types.int64), StackList(types.int64)
    assert one == other and one.unify(context, other) == one
    assert one != types.List(types.int64)
    assert one.unify(context, types.List(types.int64)) is None
