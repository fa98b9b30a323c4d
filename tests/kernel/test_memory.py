"""Memory: one syntax, one behaviour, checked bounds; stopping from outside; run-time data of
games."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from typing import NamedTuple

import numpy as np
import pytest

import prunus
from prunus import Game, Runtime, i8, i64, u8, u16, u64, u128, u256
from prunus.kernel.backends import call, prepare
from prunus.kernel.memory import KINDS, Memory, Stopped
from tests.amount import amount, thinned
from tests.kernel.subset import Sample


def both(function, fields, prototype=None, check=None, **more):
    """Run a function on both backends, each with a new memory; return what `check` reads from
    it."""
    results = []
    for compile in (False, True):
        memory = Memory(fields, prototype=prototype)
        value, _ = call(function, {"game": Sample(), "memory": memory, **more}, compile)
        results.append((value, check(memory) if check else None))
    assert results[0] == results[1]
    return results[0]


@pytest.mark.parametrize("kind", KINDS)
def test_items_of_every_kind_wrap_alike(kind):
    def fill(game, memory):
        for i in range(8):
            memory.items[i] = (i - 4) * 1_000_003 * 70_001
        total = 0
        for i in range(8):
            total += memory.items[i] * (i + 1)
        return int(total) if total >= 0 else 0 - int(0 - total)

    both(fill, {"items": (kind, 8)}, check=lambda memory: memory.items.array.tolist())


def test_scalars():
    def work(game, memory):
        memory.a -= 5
        memory.b -= 1
        memory.b >>= 1
        return memory.a

    value, rest = both(work, {"a": "i64", "b": "u64"}, check=lambda memory: (memory.a, memory.b))
    assert (value, rest) == (-5, (-5, (1 << 63) - 1))


def test_states_are_stored_whole():
    def store(game, state, memory):
        memory.states[1] = state
        memory.states[0] = state._replace(x=7, d=-3, t=(9, 9, 9))
        again = memory.states[1]
        same = again == state
        return memory.states[0].d + (100 if same else 0)

    state = Sample().initial()
    value, stored = both(
        store,
        {"states": ("state", 2)},
        state,
        lambda memory: [memory.states[0], memory.states[1]],
        state=state,
    )
    assert value == 97
    assert stored == [state._replace(x=7, d=-3, t=(9, 9, 9)), state]


def test_interpreted_indices_are_checked():
    memory = Memory({"items": ("i64", 3)})
    for index in (-1, 3):
        with pytest.raises(IndexError):
            memory.items[index]
        with pytest.raises(IndexError):
            memory.items[index] = 1


def test_compiled_indices_are_checked_on_request(tmp_path):
    program = (
        "from prunus.kernel.backends import call\nfrom prunus.kernel.memory import Memory\nfrom "
        "tests.kernel.subset import Sample\ndef read(game, k, memory):\n    return "
        "memory.items[k]\ntry:\n    call(read, {'game': Sample(), 'k': 3, 'memory': "
        "Memory({'items': ('i64', 3)})}, True)\nexcept IndexError:\n    print('checked')\n"
    )
    environment = os.environ | {"NUMBA_BOUNDSCHECK": "1", "PYTHONPATH": os.getcwd()}
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "checked\n", done.stderr


def test_unknown_fields_are_named():
    from prunus.kernel.reporting.messages import CannotCompile

    def wrong(game, memory):
        return memory.nothing

    with pytest.raises(CannotCompile, match="memory has no field 'nothing'"):
        prepare(wrong, {"game": Sample(), "memory": Memory({"a": "i64"})}, True)


def spin(game, memory):
    while memory.nodes >= 0:
        memory.nodes += 1
    return 0


@pytest.mark.parametrize("compile", [False, True])
def test_another_thread_can_stop_a_search(compile):
    memory = Memory({"nodes": "i64"})
    run, _ = prepare(spin, {"game": Sample(), "memory": memory}, compile)
    threading.Timer(0.05, memory.stop).start()
    with pytest.raises(Stopped):
        run(Sample(), memory)


def test_a_larger_memory_does_not_recompile():
    from prunus.kernel.compiling.compiled import compile_function

    def read(game, k, memory):
        return memory.items[k]

    small, large = (Memory({"items": ("i64", n)}) for n in (4, 4_000_000))
    first = compile_function(read, {"game": Sample(), "k": 0, "memory": small})
    assert compile_function(read, {"game": Sample(), "k": 0, "memory": large}) is first


class Data(Game):
    """A game whose rules read run-time data of every kind."""

    class State(NamedTuple):
        at: u16

    seed: Runtime[u64]
    weight: Runtime[i64]

    def __init__(self, seed, weight, table, matrix):
        self.seed, self.weight = u64(seed), weight
        self.table, self.matrix = table, matrix
        self.size = 3

    def initial(self):
        return self.State(0)

    def actions(self, state):
        for action in range(self.size):
            yield action

    def result(self, state, action):
        return self.State(state.at * self.size + action + 1)

    def is_terminal(self, state):
        return state.at >= len(self.table)

    def utility(self, state):
        row = state.at % self.matrix.shape[0]
        return (
            int((self.seed >> (state.at % 60)) & 7)
            + self.weight * self.table[state.at % len(self.table)]
            + self.matrix[row, 1]
        )


@pytest.mark.parametrize(
    "dtype",
    thinned(["int8", "uint8", "int16", "uint32", "int32", "uint16", "int64", "bool"], 3),
)
def test_data_of_a_game_is_the_same_both_ways_and_never_recompiles(dtype):
    from prunus.kernel.compiling.gametype import type_of_game

    rng = np.random.default_rng(1)
    kinds = set()
    for seed in range(5):
        table = rng.integers(0, 100, 20 + seed).astype(dtype)
        matrix = rng.integers(-100, 100, (3 + seed, 2))
        game = Data(int(rng.integers(1 << 62)) + (1 << 63), seed - 2, table, matrix)
        values = [
            prunus.analyze(game, algorithm="alphabeta", compile=compile, depth=4).value
            for compile in (False, True)
        ]
        assert values[0] == values[1]
        kinds.add(type_of_game(game))
    assert len(kinds) == 1


def test_runtime_attributes_are_cast_when_they_are_set():
    game = Data(-1, 2, np.zeros(3, np.int64), np.zeros((1, 2), np.int64))
    assert type(game.seed) is u64
    assert game.seed == (1 << 64) - 1


class Sized(Game):
    class State(NamedTuple):
        at: u8

    def __init__(self, size):
        self._size = size

    @property
    def limit(self):
        return self._size * 2

    @staticmethod
    def double(value):
        return value * 2

    def initial(self):
        return self.State(0)

    def actions(self, state):
        yield 1
        yield 2

    def result(self, state, action):
        return self.State(state.at + action)

    def is_terminal(self, state):
        return state.at >= self.limit

    def utility(self, state):
        return self.double(state.at) - self.limit


def test_properties_and_static_methods_are_constants_and_calls():
    for size in range(2, amount(4, 5)):
        values = {
            prunus.analyze(Sized(size), algorithm="alphabeta", depth=None, compile=compile).value
            for compile in (False, True)
        }
        assert len(values) == 1


def test_numbers_outside_a_field_raise_when_a_state_is_built():
    class Narrow(Game):
        class State(NamedTuple):
            a: u8
            b: i8
            t: tuple[u8, ...]

    state = Narrow.State(255, -128, (0, 255))
    assert state == (255, -128, (0, 255))
    assert Narrow.State._make((1, 2, (3, 4))) == (1, 2, (3, 4))
    for wrong in (
        (256, 0, (0,)),
        (-1, 0, (0,)),
        (0, 128, (0,)),
        (0, -129, (0,)),
        (0, 0, (0, 256)),
        (0, 0, (-1,)),
    ):
        with pytest.raises(OverflowError, match="State field '[abt]' is .* is outside"):
            Narrow.State(*wrong)
        with pytest.raises(OverflowError):
            Narrow.State._make(wrong)
    with pytest.raises(OverflowError, match="State field 'a'"):
        state._replace(a=-1)
    with pytest.raises(ValueError, match="no field named"):
        state._replace(z=1)


def test_numbers_of_more_than_64_bits():
    """Scalars and items of u128 and u256: a stored number is cut to the bits of its place, whatever
    it was before."""

    def work(game, memory):
        memory.a = u128(1) << 100 | 5
        memory.b = u256(memory.a) << 100
        memory.b -= 1
        memory.a = memory.b >> 80
        for i in range(len(memory.longs)):
            memory.longs[i] = memory.a << i
            memory.longer[i] = memory.b >> 3 * i
        memory.longs[1] = memory.longer[0]
        memory.longs[2] = -1
        memory.longer[2] = 7
        memory.longer[3] = u64((1 << 64) - 3)
        memory.words[0] = memory.longer[1]
        memory.words[1] = memory.longs[2]
        memory.small[0] = memory.longer[1]
        memory.flags[0] = memory.longer[1]
        memory.flags[1] = memory.longs[3] & 0
        memory.count = u64(memory.longer[4])
        return memory.longs[0].bit_count()

    def seen(memory):
        longs = [[int(item) for item in items] for items in (memory.longs, memory.longer)]
        return (
            memory.a,
            memory.b,
            longs,
            [items.array.tolist() for items in (memory.words, memory.small, memory.flags)],
            memory.count,
        )

    fields = {
        "a": "u128",
        "b": "u256",
        "longs": ("u128", 5),
        "longer": ("u256", 5),
        "words": ("u64", 2),
        "small": ("i8", 1),
    }
    value, (a, b, longs, rest, count) = both(
        work, {**fields, "flags": ("bool", 2), "count": "u64"}, check=seen
    )
    whole = (((1 << 100) + 5) << 100) - 1
    cut = whole >> 80
    assert (a, b, type(a).__name__) == (cut, whole, "u128")
    assert longs[0] == [
        cut,
        whole % (1 << 128),
        (1 << 128) - 1,
        (whole >> 80 << 3) % (1 << 128),
        (whole >> 80 << 4) % (1 << 128),
    ]
    assert longs[1] == [whole, whole >> 3, 7, (1 << 64) - 3, whole >> 12]
    assert rest[0] == [(whole >> 3) % (1 << 64), (1 << 64) - 1]
    assert rest[2] == [True, False]
    assert count == (whole >> 12) % (1 << 64)
    assert value == cut.bit_count()

    def overflow(game, memory):
        memory.a = memory.b
        return 0

    for compile in (False, True):
        memory = Memory({"a": "u128", "b": "u256"})
        memory.b = 1 << 128
        with pytest.raises(OverflowError):
            call(overflow, {"game": Sample(), "memory": memory}, compile)
    shared = Memory({"longs": ("u128", 2)})
    again = Memory({"longs": shared.longs, "n": "u256"})
    again.longs[1] = 3
    assert shared.longs[1] == 3
    for wrong in (-1, 2):
        with pytest.raises(IndexError):
            again.longs[wrong]
    with pytest.raises(TypeError, match="a scalar is"):
        Memory({"n": "u32"})
