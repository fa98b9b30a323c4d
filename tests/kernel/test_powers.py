"""Roots and powers of numbers of every kind, and numbers that do not fit where they are stored: the
same errors on both backends."""

from __future__ import annotations

import math
import random
from typing import NamedTuple

import pytest

from prunus import Game, analyze, i16, i64, u8, u64, u128
from prunus.kernel.compiling.compiled import compile_function
from prunus.kernel.memory import Memory
from prunus.kernel.reporting.locating import located
from prunus.kernel.reporting.messages import CannotCompile
from tests.amount import thinned

ROOTS = (
    "s.a",
    "s.p",
    "s.c",
    "s.f",
    "s.w",
    "1 << s.c % 64",
    "s.a if k > 0 else s.c",
    "s.c * s.c",
    "int(s.a)",
    "2**62 - 1",
)
PLAIN = ("s.p", "s.c", "s.d", "s.f", "k", "3", "-2", "(s.f if k > 0 else 3)")
EXPONENTS = ("2", "3", "s.c % 9", "k", "s.f")
MODULI = ("7", "1", "-5", "2**31 - 1", "s.d", "s.c")
TEXTS = thinned(
    (
        *(f"math.isqrt({x})" for x in ROOTS),
        *(f"{x} ** {y}" for x in PLAIN for y in EXPONENTS),
        *(f"pow({x}, {y})" for x in PLAIN for y in ("2", "k")),
        *(f"pow({x}, s.c, {m})" for x in (*PLAIN, "s.a", "s.w") for m in MODULI),
        *(
            f"pow({x}, {y}, {m})"
            for x in ("s.p", "s.d")
            for y in ("-1", "-k", "s.p")
            for m in MODULI
        ),
    ),
    3,
)


class Powers(Game):
    class State(NamedTuple):
        a: u64
        p: i64
        c: u8
        d: i16
        f: bool
        w: u128

    def initial(self):
        return self.State(1, -3, 2, 5, True, 9)

    def actions(self, state):
        return (1,)

    def result(self, state, action):
        return state

    def is_terminal(self, state):
        return True

    def utility(self, state):
        return state.a - 1


def outcome(call, memory):
    try:
        call()
    except (ArithmeticError, ValueError) as error:
        return type(error)
    return tuple(memory.out)


def run_of(texts):
    lines = ["def run(game, s, k, which, memory):"]
    for i, text in enumerate(texts):
        lines += [
            f"    if which == {i}:",
            f"        v = {text}",
            "        memory.out[0], memory.out[1] = u64(v), v < 0",
        ]
    scope = {"u64": u64, "math": math}
    exec("\n".join([*lines, "    return 0"]), scope)
    return scope["run"]


def states(count):
    rng = random.Random(2)
    edges = (0, 1, 2, 3, 4, 2**32 - 1, 2**32, (2**32 - 1) ** 2, 2**62, 2**63 - 1, 2**63, 2**64 - 1)
    for _ in range(count):
        a, p, c, d = (
            rng.choice(edges),
            rng.choice((0, 1, -1, 5, -7, 2**31, 2**62)),
            rng.choice((0, 1, 2, 30, 255)),
            rng.randrange(-9, 9),
        )
        yield Powers.State(a, p, c, d, rng.random() < 0.5, rng.choice((*edges, 2**100, 2**128 - 1)))


def test_roots_and_powers():
    game, memory, run = Powers(), Memory({"out": ("u64", 2)}), run_of(TEXTS)
    native = compile_function(
        run, {"game": game, "s": game.initial(), "k": 0, "which": 0, "memory": memory}
    )
    exact = 0
    for which, text in enumerate(TEXTS):
        for s in states(15):
            for k in (0, 2, 5, 63):
                expected = outcome(
                    lambda s=s, k=k, which=which: run(game, s, k, which, memory), memory
                )
                found = outcome(
                    lambda s=s, k=k, which=which: native(game, s, k, which, memory), memory
                )
                exact += found == expected
                assert found in (expected, OverflowError), (text, s, k)
                assert found == expected or "isqrt" not in text
    assert exact > 0.8 * len(TEXTS) * 60


FIELDS = {
    "a": ("a u64, 0", (-1, -(2**63))),
    "c": ("a u8, 0", (-1, 256, 2**62)),
    "d": ("an i16, -2", (2**15, -(2**15) - 1)),
}


@pytest.mark.parametrize("field", FIELDS)
def test_a_state_names_the_number_that_does_not_fit(field):
    words, numbers = FIELDS[field]
    scope = {}
    exec(f"def run(game, s, k, memory):\n    return s._replace({field}=k).c\n", scope)
    game, memory = Powers(), Memory({"nodes": "i64"})
    native = compile_function(
        scope["run"], {"game": game, "s": game.initial(), "k": 0, "memory": memory}
    )
    for number in numbers:
        for call in (scope["run"], native):
            with pytest.raises(OverflowError) as caught:
                call(game, game.initial(), number, memory)
            text = str(located(caught.value))
            assert (
                text.startswith(f"State field '{field}' is {words}")
                and f": {number} is outside" in text
            )


def test_a_utility_beyond_63_bits_raises():
    game = Powers()
    state = game.initial()._replace(a=0)
    for backend in (True, False):
        assert (
            analyze(game, game.initial(), algorithm="minimax", depth=1, compile=backend).value == 0
        )
        with pytest.raises(OverflowError, match="utility"):
            analyze(game, state, algorithm="minimax", depth=1, compile=backend)


@pytest.mark.parametrize("text", ["memory.u = s.w", "memory.i = s.w", "memory.i = s.a"])
def test_a_memory_refuses_what_its_scalar_cannot_hold(text):
    scope = {}
    exec(f"def run(game, s, memory):\n    {text}\n    return 0\n", scope)
    game, memory = Powers(), Memory({"nodes": "i64", "u": "u64", "i": "i64"})
    native = compile_function(scope["run"], {"game": game, "s": game.initial(), "memory": memory})
    for call in (scope["run"], native):
        call(game, game.initial()._replace(a=2**63 - 1, w=2**63 - 1), memory)
        with pytest.raises(OverflowError):
            call(game, game.initial()._replace(a=2**63, w=2**64), memory)
    for name, number in (("u", -1), ("u", 2**64), ("i", 2**63), ("i", -(2**63) - 1)):
        with pytest.raises(
            OverflowError, match=f"memory field '{name}' is .*: {number} is outside"
        ):
            setattr(memory, name, number)


def test_sets_that_mix_are_refused_in_words():
    for text in ("{s.a, 0}", "{s.c, s.a if k > 0 else 3}"):
        run = run_of([f"len({text})"])
        with pytest.raises(
            CannotCompile, match="a set cannot hold u64 and plain integers together"
        ):
            compile_function(
                run,
                {
                    "game": Powers(),
                    "s": Powers().initial(),
                    "k": 0,
                    "which": 0,
                    "memory": Memory({"out": ("u64", 2)}),
                },
            )


def caught(game, s, k, memory):
    """Where Python gives a float or a number, no handler catches the error that
    compiled code raises."""
    memory.out[0] = 1
    try:
        if k == 0:
            memory.out[1] = int(s.p ** (s.c - 3) * 0 + 7)
        else:
            memory.out[1] = pow(3, 2, 1 << 40 | s.c)
    except (ValueError, ArithmeticError):
        memory.out[0] = 2
    return 0


def test_what_only_compiled_code_raises_is_not_caught():
    game, memory = Powers(), Memory({"out": ("u64", 2)})
    s = game.initial()
    native = compile_function(caught, {"game": game, "s": s, "k": 0, "memory": memory})
    for k, kind in enumerate((ValueError, OverflowError)):
        assert caught(game, s, k, memory) == 0 and memory.out[0] == 1
        with pytest.raises(kind):
            native(game, s, k, memory)
