"""`(a * b + c) & CONSTANT` and `% CONSTANT` of plain integers are exact; the sides of every other
operator are exact too, or compiled code raises."""

from __future__ import annotations

import random
from typing import NamedTuple

from prunus import Game, i64, u8, u64, u128
from prunus.kernel.compiling.compiled import compile_function
from prunus.kernel.memory import Memory
from tests.amount import thinned

PRIME = 2**61 - 1
LIMITS = (
    1,
    2,
    3,
    97,
    1 << 20,
    1_000_003,
    2**31 - 1,
    2**31,
    2**32 - 1,
    2**32,
    2**32 + 15,
    998_244_353,
    PRIME,
    2**62 + 57,
    2**63 - 25,
)
MASKS = (0, 1, 5, 0xFF, 0xFFFFFFFF, 2**63 - 1, 2**63, 2**64 - 1)
BODIES = []


class Hashed(Game):
    SIZE = 1_000_003

    class State(NamedTuple):
        a: u64
        p: i64
        q: i64
        c: u8
        w: u128
        t: tuple[u8, ...]

    def initial(self):
        return self.State(1, -3, 5, 2, 9, (1,) * 6)


def body(function):
    BODIES.append(function)
    return function


for _limit in LIMITS:
    for _text in (
        f"(s.p * s.q + k) % {_limit}",
        f"(k - s.p * s.p * s.q) % {_limit}",
        f"-(s.p * (s.q - 1) - s.c) % {_limit}",
    ):
        BODIES.append(eval(f"lambda game, s, k: {_text}"))
for _mask in MASKS:
    for _text in (
        f"(s.p * s.q + k) & {_mask}",
        f"{_mask} & (-(s.p << s.c) ^ ~(s.q * s.q) | k * s.p)",
        f"(s.p - s.q * 3 & s.p * k) & {_mask}",
    ):
        BODIES.append(eval(f"lambda game, s, k: {_text}"))


@body
def a_generator(game, s, k):
    x = s.p
    for _ in range(5):
        x = (x * 1103515245 + 12345) % 2**31
    return x


@body
def a_generator_of_64_bits(game, s, k):
    x = s.p & 0xFFFFFFFFFFFFFFFF
    for _ in range(5):
        x ^= (x << 13) & 0xFFFFFFFFFFFFFFFF
        x ^= x >> 7
        x ^= (x << 17) & 0xFFFFFFFFFFFFFFFF
        x = (x * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
    return x - 1


@body
def a_hash_in_lines(game, s, k):
    h = 2166136261
    for item in s.t:
        h ^= item + k
        h *= 16777619
        h &= 0xFFFFFFFF
    return h - 1


@body
def a_polynomial(game, s, k):
    h = s.q
    for item in s.t:
        h = (h * 1_000_000_007 + item) % PRIME
    return h - 1


@body
def one_in_another(game, s, k):
    return ((s.p * s.q) % game.SIZE * s.p + ((k * k + s.q) & 0xFFFF)) % 998_244_353


@body
def masks(game, s, k):
    return (((1 << s.c % 64) + s.p) * ((1 << s.c % 65) - 1)) % 1_000_003 + (
        (1 << s.c % 64) * 3 & 0xFFFFFFFF
    )


@body
def of_a_u64(game, s, k):
    return ((s.a * 31 + k) & 0xFFFF) - ((k * s.a - 5) % 1_000_003) - 7


@body
def of_a_long_one(game, s, k):
    return ((s.w * 31 + k) & 0xFFFF) - 7


@body
def of_a_truth_value(game, s, k):
    return ((s.c > 1) * s.p * 31 + s.q) % 1_000 - ((s.c > 3) * s.a & 0xFFFF)


@body
def in_loops_of_others(game, s, k):
    return sum(item * s.p * s.q & 1023 for item in s.t) - max(
        [item * s.p * s.p % 97 for item in s.t]
    )


def the_whole_is_used(game, s, k):
    x = s.p * 31
    return (x & 0xFFFF) - x % 7


def run_of(functions):
    lines = ["def run(game, s, k, which, memory):"]
    for i in range(len(functions)):
        lines += [
            f"    if which == {i}:",
            f"        v = body{i}(game, s, k)",
            "        memory.out[0], memory.out[1] = u64(v), v < 0",
        ]
    scope = {"u64": u64, **{f"body{i}": function for i, function in enumerate(functions)}}
    exec("\n".join([*lines, "    return 0"]), scope)
    return scope["run"]


def outcome(call, memory):
    try:
        call()
    except (ArithmeticError, ValueError) as error:
        return type(error)
    return tuple(memory.out)


EDGES = (
    0,
    1,
    -1,
    2,
    31,
    PRIME,
    2**62 + 56,
    2**63 - 1,
    -(2**63),
    1 - 2**63,
    2**32,
    2**31,
    -(2**31) - 1,
)


def states(count):
    rng = random.Random(3)

    def number():
        return rng.choice(EDGES) if rng.random() < 0.6 else rng.getrandbits(64) - 2**63

    for _ in range(count):
        numbers = (
            rng.getrandbits(64),
            number(),
            number(),
            rng.choice((0, 1, 5, 63, 64, 65, 255)),
            rng.getrandbits(128),
        )
        yield Hashed.State(*numbers, tuple(rng.randrange(256) for _ in range(6)))


def test_parts_of_long_numbers():
    game, memory, functions = (
        Hashed(),
        Memory({"out": ("u64", 2)}),
        [*thinned(BODIES, 3), the_whole_is_used],
    )
    run = run_of(functions)
    native = compile_function(
        run, {"game": game, "s": game.initial(), "k": 0, "which": 0, "memory": memory}
    )
    stopped = set()
    for which, function in enumerate(functions):
        for s in states(40):
            for k in (0, 3, -7, 2**40, 2**63 - 1):
                expected = outcome(
                    lambda s=s, k=k, which=which: run(game, s, k, which, memory), memory
                )
                found = outcome(
                    lambda s=s, k=k, which=which: native(game, s, k, which, memory), memory
                )
                if function is the_whole_is_used and found is OverflowError:
                    stopped.add(s.p)
                else:
                    assert found == expected, (function.__name__, which, s, k)
    assert stopped
