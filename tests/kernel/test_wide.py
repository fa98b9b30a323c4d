"""u128 and u256 compiled: what the subset says of u64 holds for them, and any expression gives
Python's result, or raises."""

from __future__ import annotations

import random
from typing import NamedTuple

import pytest

from prunus import Runtime, i8, i16, i32, i64, u8, u16, u32, u64, u128, u256
from prunus.core.bits import bit_index, bswap, clz, ctz, lowest_bit, mulhi
from prunus.kernel.compiling.compiled import compile_function
from prunus.kernel.memory import Memory
from tests.amount import thinned
from tests.kernel import subset_idioms  # noqa: F401 - more snippets
from tests.kernel.subset import SNIPPETS, Sample

KINDS = {128: u128, 256: u256}


class Sample128(Sample):
    """The carrier of the snippets, with words of 128 bits."""

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

        ROWS = 4
        total = Sample.State.total
        first = Sample.State.first

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

        ROWS = 4
        total = Sample.State.total
        first = Sample.State.first

    def __init__(self) -> None:
        super().__init__()
        self.mask = 0xFFFF_0000_FFFF_0000 << 192
        self.wide = (1, 1 << 255)


SAMPLES = {128: Sample128, 256: Sample256}
WORDS = 4
LIMITED = {"to_int", "wrap_on_build"}
"""Snippets that do more when interpreted: compiled, `int(x)` and a State raise if the number does
not fit."""


def runner(bodies, names):
    """A function that stores the four words of each result; `bodies` are expressions in the given
    names."""
    lines = ["def run(game, state, k, memory):"]
    for i, body in enumerate(bodies):
        lines += [
            f"    r{i} = {body}",
            f"    for i in range({WORDS}):",
            f"        memory.out[{WORDS * i} + i] = u64(r{i} >> 64 * i)",
        ]
    scope = {"u64": u64, "u128": u128, "u256": u256, **names}
    exec("\n".join([*lines, "    return 0\n"]), scope)
    return scope["run"]


def prepared(run, game, results):
    memory = Memory({"out": ("u64", WORDS * results)})
    return compile_function(
        run, {"game": game, "state": game.initial(), "k": 0, "memory": memory}
    ), memory


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
        yield game.initial()._replace(
            x=x, y=rng.randrange(1, 6), a=rng.randrange(256), d=rng.randrange(-128, 128), w=w
        )


BATCH = 6
COMMON = [snippet for snippet in SNIPPETS if snippet.__name__ not in LIMITED]


BATCHES = [
    (first, bits)
    for first in range(0, len(COMMON), BATCH)
    for bits in thinned([*SAMPLES][:: 1 if first // BATCH % 2 else -1], len(SAMPLES))
]
"""In `make test` the lengths take turns."""


@pytest.mark.parametrize(("first", "bits"), BATCHES)
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
            (s.__name__, state, k)
            for i, s in enumerate(batch)
            if found[4 * i : 4 * i + 4] != expected[4 * i : 4 * i + 4]
        ]


@pytest.mark.parametrize("bits", SAMPLES)
def test_a_plain_integer_from_a_wide_one(bits):
    """`int(x)` gives the number if it fits and raises otherwise."""
    game = SAMPLES[bits]()
    run = runner(["int(state.x) + 1"], {})
    compiled, memory = prepared(run, game, 1)
    state = game.initial()._replace(x=(1 << 62) + 5)
    assert outcome(compiled, game, state, 0, memory) == outcome(run, game, state, 0, memory)
    assert outcome(compiled, game, state._replace(x=1 << 64), 0, memory) is OverflowError


class Mixed(Sample):
    """Numbers of every length, and constants of more than 64 bits."""

    class State(NamedTuple):
        x: u128
        y: u128
        z: u64
        f: u256
        n: i64
        b: bool
        t: tuple[u128, ...]

    def __init__(self) -> None:
        self.full, self.huge, self.edge, self.below = (
            (1 << 81) - 1,
            (1 << 200) + 12345,
            1 << 127,
            -(1 << 90) - 7,
        )
        self.tables = (1 << 100, 3, 1 << 65)

    def initial(self):
        return self.State(1 << 127, 3, 5, 1 << 255, -4, True, (1, 2, 1 << 127))


EXPRESSIONS = """
state.x + state.y | state.x * state.y | state.x - state.f | state.f * state.x | state.x // state.y | state.f % state.x | state.x // 9 | state.f % 1000
state.x // state.z | 5 // state.y | -5 % state.f | state.x << k | state.f >> k | state.x >> state.y | 1 << state.x % 140 | state.z << state.t[k % 3] % 70
-state.x | ~state.f | +state.y | abs(state.x) | state.x > state.n | -1 < state.f | state.n == state.x | state.x >= state.f | state.z < state.x
state.x & game.full | state.x & ~game.full | game.full - 5 | game.full * 3 - k | game.full >> k | game.full // 7 | game.full % 1000 | game.huge ^ state.f
game.huge & game.full | game.edge + state.x | ~game.below & state.x | game.below < state.n | game.full == state.x | game.tables[k % 3] >> 1
min(state.x, 7) | max(state.y, k) | min(state.x, state.y) | max(state.f, state.f) | state.x.bit_count() | state.f.bit_length()
hash(state.x) | hash(state.f) | u64(state.x) | u8(state.f) | i8(state.x) | i64(state.f) | u128(state.n) | u256(state.x) | u128(state.f) | bool(state.x)
(state.x != 0) + 1 | state.b * state.x | state.x * state.b | (state.x > state.y) + state.x | not state.x | state.t[k % 3] ^ state.x
state.x or-bit 1 << k | state.x & ~(1 << k) | (1 << k) & state.x | ~(1 << k) & state.x | state.x & (1 << k) - 1 | state.x ^ (1 << k or-bit 1 << k + 1)
state.x & ((1 << k) - (1 << k // 2)) | state.x & ~(1 << k or-bit 1 << k + 1) | state.f or-bit 1 << k + 130 | state.x == 1 << k | state.x - (1 << k)
(state.x if state.b else k) // 3 + 1 | ~(state.x if state.b else k) & state.y | state.x ^ -(state.y if state.b else k) | (state.x if state.b else 0) - 1
"""


BIT_FUNCTIONS = [
    "lowest_bit(state.{0})",
    "bit_index(state.{0})",
    "ctz(state.{0})",
    "clz(state.{0})",
    "bswap(state.{0})",
    "mulhi(state.{0}, state.{1})",
    "mulhi(k, state.{0})",
]
FIELDS = (
    ("x", "f"),
    ("f", "x"),
    ("z", "x"),
    ("x", "z"),
    ("z", "z"),
    ("n", "z"),
    ("n", "x"),
    ("b", "n"),
)


def expressions():
    lines = EXPRESSIONS.strip().replace("\n", " | ").split(" | ")
    plain = [line.strip().replace("or-bit", "|") for line in lines]
    return plain + [body.format(*fields) for body in BIT_FUNCTIONS for fields in FIELDS]


def numbers(chance, bits):
    power = 1 << chance.randrange(bits)
    return chance.choice(
        (
            chance.getrandbits(bits),
            chance.getrandbits(chance.randrange(1, bits)),
            power,
            power - 1,
            (1 << bits) - 1,
            0,
            1,
        )
    )


def test_expressions():
    """Each expression alone: the same words, or the same kind of error, as interpreted. Compiled
    code may raise on its own only if a plain integer would need more bits than it has."""
    game, every = Mixed(), thinned(expressions(), 3)
    chance = random.Random(7)
    for first in range(0, len(every), 10):
        batch = every[first : first + 10]
        names = {
            "u8": u8,
            "i8": i8,
            "i64": i64,
            "ctz": ctz,
            "clz": clz,
            "bswap": bswap,
            "mulhi": mulhi,
            "lowest_bit": lowest_bit,
            "bit_index": bit_index,
        }
        runs = [runner([body], names) for body in batch]
        # One call per result, compiled together.
        lines = [
            f"    if which == {i}:\n        return one{i}(game, state, k, memory)"
            for i in range(len(batch))
        ]
        scope = {f"one{i}": run for i, run in enumerate(runs)}
        exec(
            "\n".join(["def run(game, state, k, which, memory):", *lines, "    return 0\n"]), scope
        )
        memory = Memory({"out": ("u64", WORDS)})
        compiled = compile_function(
            scope["run"],
            {"game": game, "state": game.initial(), "k": 0, "which": 0, "memory": memory},
        )
        for which, run in enumerate(runs):
            stopped = 0
            for _ in range(100):
                words = [numbers(chance, bits) for bits in (128, 128, 64, 256)]
                state = game.State(
                    *words,
                    chance.randrange(-9, 9),
                    chance.random() < 0.5,
                    [numbers(chance, 128) for _ in range(3)],
                )
                k = chance.randrange(126)
                expected = outcome(run, game, state, k, memory)
                found = outcome(
                    lambda g, s, k, m, which=which: compiled(g, s, k, which, m),
                    game,
                    state,
                    k,
                    memory,
                )
                stopped += found is OverflowError and expected is not OverflowError
                assert found == expected or found is OverflowError, (batch[which], state, k)
            assert stopped < 60, batch[which]


def test_masks_in_a_loop():
    """A board collected bit by bit, and taken apart again."""

    def run(game, state, k, memory):
        board = u128(0)
        for i in range(k):
            board |= 1 << 3 * i
        left = 0
        for i in range(k):
            left ^= board & 1 << i
        count = 0
        while left:
            count += 1 if (left & -left) > 5 else 100
            left &= left - 1
        memory.out[0] = u64(board)
        memory.out[1] = u64(board >> 64)
        memory.out[2] = count
        return 0

    game = Mixed()
    compiled, memory = prepared(run, game, 1)
    for k in (0, 5, 42):
        assert outcome(run, game, game.initial(), k, memory) == outcome(
            compiled, game, game.initial(), k, memory
        )
    for call in (run, compiled):
        with pytest.raises(OverflowError):
            call(game, game.initial(), 44, memory)


class Data(Mixed):
    """Numbers handed over at run time."""

    seed: Runtime[u128]
    mask: Runtime[u256]

    def __init__(self, seed: int, mask: int) -> None:
        super().__init__()
        self.seed, self.mask = seed, mask


def test_run_time_data():
    """Other numbers run the same machine code."""
    run = runner(["game.seed ^ state.x", "game.mask + 1"], {})
    for seed, mask in ((5, 7), (1 << 127, (1 << 256) - 1), ((1 << 100) + 3, 1 << 200)):
        game = Data(seed, mask)
        compiled, memory = prepared(run, game, 2)
        assert outcome(compiled, game, game.initial(), 0, memory) == outcome(
            run, game, game.initial(), 0, memory
        )
