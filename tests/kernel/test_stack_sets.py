"""Sets on the stack: which ones they are, and that their memory is given back. That they mean the
same is tested by the battery (`idioms/staying_sets.txt`)."""

from __future__ import annotations

import resource
import sys
from types import SimpleNamespace

import pytest
from numba.core import ir, types
from numba.core.registry import cpu_target

from prunus.core.game import Game
from prunus.kernel.backends import prepare
from prunus.kernel.containers.stack_sets import StackSet, stack_set
from prunus.kernel.memory import Memory
from prunus.kernel.reporting.messages import CannotCompile
from prunus.kernel.rewriting.closures import inline_closures
from prunus.kernel.rewriting.handling import intermediate
from prunus.kernel.rewriting.short_sets import ShortSets


def on_stack(function):
    """How many of a function's sets are made on the stack."""
    func_ir = intermediate(function)
    inline_closures(func_ir)
    ShortSets().run_pass(SimpleNamespace(func_ir=func_ir, args=()))
    return sum(
        isinstance(statement.value, ir.Global) and statement.value.value is stack_set
        for block in func_ir.blocks.values()
        for statement in block.find_insts(ir.Assign)
    )


def put(seen, v):
    """A helper that keeps nothing."""
    seen.add(v)
    return len(seen)


def kept(seen):
    """A helper that returns the set itself."""
    return seen


def first_of(seen):
    """A helper that asks for the order."""
    for v in seen:
        return v
    return 0


def looked_up(t):
    seen = set()
    for v in t:
        if v not in seen:
            seen.add(v)
    return len(seen)


def compared(t, lines):
    return any({t[c] for c in line} == {t[0]} for line in lines)


def helped(t):
    seen = {1}
    return sum(put(seen, v) for v in t)


def of_a_generator(t):
    return len(set(v % 3 for v in t))  # noqa: C401 - as newcomers write it


@pytest.mark.parametrize(
    ("function", "count"), [(looked_up, 1), (compared, 2), (helped, 1), (of_a_generator, 1)]
)
def test_stays(function, count):
    assert on_stack(function) == count


def gone_through(t):
    seen = {v for v in t}  # noqa: C416
    return [v * 2 for v in seen]


def popped(t):
    seen = {v % 3 for v in t}
    return seen.pop()


def sorted_out(t):
    return sorted({v % 3 for v in t})


def returned(t):
    return {v % 3 for v in t}


def in_a_tuple(t):
    seen = {v % 3 for v in t}
    return (seen, 1)


def returned_by_a_helper(t):
    return len(kept({v % 3 for v in t}))


def gone_through_by_a_helper(t):
    return first_of({v % 3 for v in t})


def compared_with_one_that_is_popped(t):
    one, other = {v % 3 for v in t}, {v % 5 for v in t}
    return one == other, other.pop()


def of_the_round_before(t):
    total, old = 0, {7}
    for v in t:
        seen = {v}
        total += len(old)
        old = seen
    return total


def method_of_the_round_before(t):
    total = 0
    for v in t:
        seen = {v}
        if v:
            add(99)  # noqa: F821 - of the round before
        add = seen.add  # noqa: F841
        total += len(seen)
    return total


@pytest.mark.parametrize(
    "function",
    [
        gone_through,
        popped,
        sorted_out,
        returned,
        in_a_tuple,
        returned_by_a_helper,
        gone_through_by_a_helper,
        compared_with_one_that_is_popped,
        method_of_the_round_before,
    ],
)
def test_does_not_stay(function):
    assert on_stack(function) == 0


def test_a_set_that_outlives_its_round_does_not_stay():
    assert on_stack(of_the_round_before) <= 1  # the first one, which is made once


class Sets(Game):
    def far_ones(self, n):
        """Sets of large numbers, made again in a loop."""
        total = 0
        for k in range(n):
            seen = set()
            for i in range(k % 700):
                seen.add(i * 1000 + k)
            seen.discard(k)
            total += len(seen)
        return total

    def first_of(self, k):
        """A set of large numbers, left by a result from inside its loop."""
        for start in range(3):
            seen = set()
            for i in range(500):
                if i * k * 1000 in seen:
                    return i
                seen.add((i + start + 7) * 1000)
        return 0

    def with_results_inside(self, n):
        """The same again and again."""
        total = 0
        for k in range(n):
            total += self.first_of(k % 5)
        return total

    def by_a_helper(self, n):
        """Sets that a helper fills, and empties."""
        total = 0
        for k in range(n):
            seen = set()
            self.fill(seen, k)
            total += len(seen)
            seen.clear()
            self.fill(seen, k + 1)
            total += len(seen)
        return total

    def fill(self, seen, k):
        """Adds numbers and pairs of them."""
        for i in range(300):
            seen.add(i * k * 100)


def work(game, kind, n, memory):
    """One of the three, by its number."""
    if kind == 0:
        return game.far_ones(n)
    if kind == 1:
        return game.with_results_inside(n)
    return game.by_a_helper(n)


@pytest.mark.parametrize("kind", range(3))
def test_memory_is_given_back(kind):
    game, memory = Sets(), Memory({"nodes": "i64"})
    arguments = {"game": game, "kind": kind, "n": 100, "memory": memory}
    compiled, _ = prepare(work, arguments, True)
    assert compiled(game, kind, 100, memory) == work(game, kind, 100, memory)
    compiled(game, kind, 1000, memory)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    compiled(game, kind, 10_000, memory)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 8000 * (1024 if sys.platform == "darwin" else 1)


def test_types_meet():
    context = cpu_target.typing_context
    one, other = StackSet(types.int64), StackSet(types.int64)
    assert one == other and one.unify(context, other) == one
    assert one != types.Set(types.int64)
    assert one.unify(context, types.Set(types.int64)) is None


def number_among_truths(game, n, memory):
    seen = {n > 3}
    for _ in seen:
        n += 1
    return 2 in seen


def number_among_truths_that_stay(game, n, memory):
    seen = {(n > 3, 1)}
    seen.add((n > 5, n))
    return (2, 1) in seen


def test_a_number_is_not_made_a_truth_value():
    """It would be one of only two."""
    game, memory = Sets(), Memory({"nodes": "i64"})
    arguments = {"game": game, "n": 1, "memory": memory}
    compiled, _ = prepare(number_among_truths, arguments, True)
    assert not compiled(game, 1, memory)
    with pytest.raises(CannotCompile, match="looked for among truth values"):
        prepare(number_among_truths_that_stay, arguments, True)
