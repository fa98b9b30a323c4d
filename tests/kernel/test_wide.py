"""u128 and u256 compiled: what the subset says of u64 holds of them, and any expression gives what Python gives, or raises."""

from __future__ import annotations

import random
from typing import NamedTuple

import pytest

from prunus import i8, i16, i32, i64, u8, u16, u32, u64, u128, u256
from prunus.kernel.compiled import compile_function
from prunus.kernel.memory import Memory
from tests.kernel.subset import SNIPPETS, Sample

KINDS = {128: u128, 256: u256}


class Sample128(Sample):
    """The carrier of the snippets, its words of 128 bits."""

    class State(NamedTuple):
        x: u128
        y: u128
        a: u8
        b: u16
        c: u32
        d: i8
        e: i16
        f: i32
        g: i64
        flag: bool
        t: tuple[u8, ...]
        w: tuple[u128, u128]

    def __init__(self) -> None:
        super().__init__()
        self.mask = 0xFFFF_0000_FFFF_0000 << 64
        self.wide = (1, 1 << 127)


class Sample256(Sample):
    """The same with 256 bits."""

    class State(NamedTuple):
        x: u256
        y: u256
        a: u8
        b: u16
        c: u32
        d: i8
        e: i16
        f: i32
        g: i64
        flag: bool
        t: tuple[u8, ...]
        w: tuple[u256, u256]

    def __init__(self) -> None:
        super().__init__()
        self.mask = 0xFFFF_0000_FFFF_0000 << 192
        self.wide = (1, 1 << 255)


SAMPLES = {128: Sample128, 256: Sample256}
WORDS = 4
LIMITED = {"to_int", "wrap_on_build"}
"""Snippets that have more to say interpreted: compiled, `int(x)` and a State raise where the number does not fit."""


def runner(bodies, names):
    """A function that stores the four words of each result; `bodies` are expressions in the given names."""
    lines = ["def run(game, state, k, memory):"]
    for i, body in enumerate(bodies):
        lines += [f"    r{i} = {body}", f"    for i in range({WORDS}):", f"        memory.out[{WORDS * i} + i] = u64(r{i} >> 64 * i)"]
    scope = {"u64": u64, "u128": u128, "u256": u256, **names}
    exec("\n".join([*lines, "    return 0\n"]), scope)
    return scope["run"]


def prepared(run, game, results):
    memory = Memory({"out": ("u64", WORDS * results)})
    return compile_function(run, {"game": game, "state": game.initial(), "k": 0, "memory": memory}), memory


def outcome(run, game, state, k, memory):
    """The words that a call stores, or the kind of error that it raises."""
    try:
        run(game, state, k, memory)
    except (ArithmeticError, ValueError, IndexError) as error:
        return type(error)
    return [int(word) for word in memory.out]


def states(game, bits, count):
    rng = random.Random(1)
    top = 1 << bits - 1
    for _ in range(count):
        x, w = rng.getrandbits(bits) | top, (rng.getrandbits(bits), rng.getrandbits(bits) | top)
        yield game.initial()._replace(x=x, y=rng.randrange(1, 6), a=rng.randrange(256), d=rng.randrange(-128, 128), w=w)


BATCH = 6
COMMON = [snippet for snippet in SNIPPETS if snippet.__name__ not in LIMITED]


@pytest.mark.parametrize("bits", SAMPLES)
@pytest.mark.parametrize("first", range(0, len(COMMON), BATCH))
def test_the_subset(first, bits):
    game = SAMPLES[bits]()
    batch = COMMON[first : first + BATCH]
    run = runner([f"{s.__name__}(game, state, k)" for s in batch], {s.__name__: s for s in batch})
    compiled, memory = prepared(run, game, len(batch))
    for state in states(game, bits, 60):
        k = random.Random(int(state.x)).randrange(60)
        expected = outcome(run, game, state, k, memory)
        assert isinstance(expected, list), expected
        found = outcome(compiled, game, state, k, memory)
        assert found == expected, [
            (s.__name__, state, k) for i, s in enumerate(batch) if found[4 * i : 4 * i + 4] != expected[4 * i : 4 * i + 4]
        ]


@pytest.mark.parametrize("bits", SAMPLES)
def test_a_plain_integer_from_a_wide_one(bits):
    """`int(x)` gives the number where it fits and raises where it does not."""
    game = SAMPLES[bits]()
    run = runner(["int(state.x) + 1"], {})
    compiled, memory = prepared(run, game, 1)
    state = game.initial()._replace(x=(1 << 62) + 5)
    assert outcome(compiled, game, state, 0, memory) == outcome(run, game, state, 0, memory)
    assert outcome(compiled, game, state._replace(x=1 << 64), 0, memory) is OverflowError
