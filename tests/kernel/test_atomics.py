"""Arrays that threads share: the same operations on both backends, and none lost between
threads."""

from __future__ import annotations

import random
import threading

import numpy as np
import pytest

from prunus.core.bits import MASK64
from prunus.kernel.backends import call, prepare
from prunus.kernel.memory import Memory
from prunus.kernel.reporting.messages import CannotCompile
from tests.kernel.subset import Sample


def steps(game, memory) -> int:
    """One of the four operations for each row of the script; their results go to `memory.found`."""
    for i in range(len(memory.what)):
        at, x, y = memory.at[i], memory.x[i], memory.y[i]
        if memory.what[i] == 0:
            memory.found[i] = memory.words.fetch_add(at, x)
            memory.numbers.fetch_add(at, x)
        elif memory.what[i] == 1:
            memory.found[i] = memory.words.compare_exchange(at, x, y)
            memory.numbers.compare_exchange(at, x, y)
        elif memory.what[i] == 2:
            memory.found[i] = memory.words.atomic_load(at)
        else:
            memory.words.atomic_store(at, x)
            memory.numbers.atomic_store(at, y)
            memory.found[i] = memory.numbers.atomic_load(at)
    return 0


def test_the_same_both_ways():
    """Compared with a dictionary: three items, so that expected values are often present; a
    negative number is taken as its word."""
    chance, count = random.Random(2), 600
    values = [0, 1, -1, 5, (1 << 63) - 1, -(1 << 63)]
    script = {
        "what": [chance.randrange(4) for _ in range(count)],
        "at": [chance.randrange(3) for _ in range(count)],
    }
    script |= {name: [chance.choice(values) for _ in range(count)] for name in "xy"}
    words, numbers, expected = {}, {}, []
    for what, at, x, y in zip(script["what"], script["at"], script["x"], script["y"], strict=True):
        word, number = words.get(at, 0), numbers.get(at, 0)
        expected.append(y & MASK64 if what == 3 else word)
        words[at] = [word + x, y if word == x & MASK64 else word, word, x][what] & MASK64
        numbers[at] = [number + x, y if number == x & MASK64 else number, number, y][what] & MASK64
    for compile in (False, True):
        memory = Memory(
            {
                **dict.fromkeys(script, ("i64", count)),
                "found": ("u64", count),
                "words": ("u64", 3),
                "numbers": ("i64", 3),
            }
        )
        for name, items in script.items():
            getattr(memory, name).array[:] = items
        memory.words.array[:] = memory.numbers.array[:] = 0
        call(steps, {"game": Sample(), "memory": memory}, compile)
        assert list(memory.found) == expected
        assert dict(enumerate(memory.words)) == words
        assert {at: int(number) & MASK64 for at, number in enumerate(memory.numbers)} == numbers


def race(game, count, memory) -> int:
    """Count to `count` together, by atomic additions and by exchanges that are retried; what was
    written before is visible."""
    for _ in range(count):
        memory.shared.fetch_add(0, 1)
        done = False
        while not done:
            before = memory.shared.atomic_load(1)
            done = memory.shared.compare_exchange(1, before, before + 1) == before
    return 0


@pytest.mark.parametrize("compile", [False, True])
@pytest.mark.parametrize("threads", [2, 8])
def test_no_step_is_lost_between_threads(compile, threads):
    """The sum is that of all threads; `memory.shared[0] += 1` loses some."""
    count = 200_000 if compile else 500
    first = Memory({"shared": ("i64", 2)})
    first.shared.array[:] = 0
    memories = [first, *(Memory({"shared": first.shared}) for _ in range(1, threads))]
    game = Sample()
    function, _ = prepare(race, {"game": game, "count": count, "memory": first}, compile)
    running = [threading.Thread(target=function, args=(game, count, memory)) for memory in memories]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    assert list(first.shared) == [count * threads] * 2


def test_other_arrays_are_refused():
    def add(game, memory) -> int:
        memory.small.fetch_add(0, 1)
        return 0

    memory = Memory({"small": ("u32", 1)})
    with pytest.raises(CannotCompile, match="only arrays of i64 or u64"):
        call(add, {"game": Sample(), "memory": memory}, True)
    with pytest.raises(TypeError, match="only arrays of i64 or u64"):
        call(add, {"game": Sample(), "memory": memory}, False)


def test_places_outside_raise_interpreted():
    memory = Memory({"words": ("u64", 2)})
    for use in (
        lambda: memory.words.fetch_add(2, 1),
        lambda: memory.words.compare_exchange(-1, 0, 1),
        lambda: memory.words.atomic_load(5),
    ):
        with pytest.raises(IndexError):
            use()
    assert memory.words.array.dtype == np.uint64
