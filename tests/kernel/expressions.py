"""Random expressions on integers of every kind, compared with Python's results. `python -m
tests.kernel.expressions SECONDS SEED` runs many."""

from __future__ import annotations

import random
import sys
import time
from typing import Any, NamedTuple

import numpy as np

from prunus import Game, i16, i64, u8, u64, with_item
from prunus.core.bits import bit_index, i8, i32, lowest_bit, mix, u16, u32, u128
from prunus.kernel.compiling.compiled import compile_function
from prunus.kernel.memory import Memory
from prunus.kernel.reporting.messages import CannotCompile

NAMES: dict[str, Any] = {
    kind.__name__: kind
    for kind in (u8, u16, u32, u64, u128, i8, i16, i32, i64, lowest_bit, bit_index, mix, with_item)
}
EDGES = (
    0,
    1,
    2,
    3,
    7,
    62,
    63,
    64,
    65,
    127,
    255,
    2**31 - 1,
    2**31,
    2**32,
    2**62,
    2**63 - 1,
    2**63,
    2**63 + 1,
    2**64 - 1,
)
NUMBERS = (
    "0",
    "1",
    "2",
    "3",
    "7",
    "63",
    "64",
    "-1",
    "-2",
    "-7",
    "255",
    "2147483648",
    "4611686018427387904",
    "9223372036854775807",
)

JOINS = (
    "({0} if {2} else {1})",
    "({0} or {1})",
    "({0} and {1})",
    "min({0}, {1})",
    "max({0}, {1})",
    "max({0}, {1}, {2})",
    "[{0}, {1}][bool({2})]",
    "sum([{0}, {1}])",
    "max(v for v in [{0}, {1}])",
    "plus_one({0} if {2} else {1})",
    "any([{0}, {1}, {2}])",
    "(5 if {0} and {2} or {1} else 8)",
)
"""Values that are a u64 on one path and a plain integer on another, or items of a list of both."""


def plus_one(x=0):
    """A helper that is called with numbers of any kind."""
    return x + 1


class Carrier(Game):
    """A game whose State has integers of every kind."""

    class State(NamedTuple):
        a: u64
        b: i64
        c: u8
        d: i16
        f: bool
        t: tuple[u8, u8, u8, u8]
        w: tuple[u64, u64, u64]
        z: tuple[i32, i32, i32]
        h: u128
        g: tuple[bool, bool, bool]

    def __init__(self) -> None:
        self.p = 7
        self.m = -3
        self.wide = 2**63 + 5
        self.flag = True
        self.tup = (3, -4, 5)
        self.masks = (1, 2**64 - 1)
        self.bytes = np.array([3, 250, 0], np.uint8)
        self.words = np.array([1, 2**64 - 1, 2**63], np.uint64)
        self.signs = np.array([True, False, True])

    def initial(self):
        return self.State(0, 0, 0, 0, False, (0,) * 4, (0,) * 3, (0,) * 3, 0, (False,) * 3)


def random_state(rng):
    def unsigned():
        return rng.choice(EDGES) if rng.random() < 0.6 else rng.getrandbits(64)

    def signed():
        number = rng.choice(EDGES) if rng.random() < 0.6 else rng.getrandbits(rng.choice((8, 63)))
        return rng.choice((1, -1)) * number

    tuples = (
        tuple(u8(signed()) for _ in range(4)),
        tuple(unsigned() for _ in range(3)),
        tuple(i32(signed()) for _ in range(3)),
    )
    more = (
        rng.choice((unsigned(), rng.getrandbits(128))),
        tuple(rng.random() < 0.5 for _ in range(3)),
    )
    return Carrier.State(
        unsigned(), i64(signed()), u8(signed()), i16(signed()), rng.random() < 0.5, *tuples, *more
    )


NAMES["plus_one"] = plus_one


class Generator:
    """Makes expressions as text; `parts` are their sub-expressions. Kinds: "u" a u64, "m" a mask,
    "p" plain, "b" a truth value, "h" a u128."""

    def __init__(self, rng):
        self.rng, self.parts = rng, []

    def any_of(self, depth, kinds):
        for _ in range(30):
            before = len(self.parts)
            text, kind = self.expression(depth)
            if kind in kinds:
                return text, kind
            del self.parts[before:]
        return {
            "u": ("s.a", "u"),
            "p": ("s.b", "p"),
            "m": ("(1 << s.c % 64)", "m"),
            "b": ("s.f", "b"),
            "h": ("s.h", "h"),
        }[kinds[0]]

    def noted(self, text, kind):
        self.parts.append(text)
        return text, kind

    def leaf(self):
        index = self.rng.choice(
            ("s.c % 3", "s.a % 3", "s.b % 3", "0", "-1", "s.d % 3 - 3", "k % 3")
        )
        choices = (
            ("u", ("s.a", "s.w[2]", f"s.w[{index}]", f"game.words[{index}]")),
            ("b", ("s.f", "game.flag", "True", f"game.signs[{index}]", f"s.g[{index}]")),
            ("h", ("s.h", "u128(s.a)", "(s.h >> 64)")),
            (
                "m",
                (
                    f"(1 << {self.rng.choice(('k', 's.c'))} % 64)",
                    "game.wide",
                    f"game.masks[{index} % 2]",
                    "int(s.a)",
                ),
            ),
            (
                "p",
                (
                    "s.b",
                    "s.c",
                    "s.d",
                    "s.t[1]",
                    f"s.z[{index}]",
                    "game.p",
                    "game.m",
                    "k",
                    f"game.tup[{index}]",
                    f"game.bytes[{index}]",
                ),
            ),
            ("p", NUMBERS),
        )
        kind, texts = self.rng.choices(choices, (3, 2, 1, 2, 4, 3))[0]
        return self.noted(self.rng.choice(texts), kind)

    def expression(self, depth):
        rng = self.rng
        if depth == 0 or rng.random() < 0.12:
            return self.leaf()
        return rng.choices(
            (
                self.binary,
                self.shift,
                self.unary,
                self.compared,
                self.chosen,
                self.called,
                self.counted,
                self.divided,
                self.powered,
            ),
            (10, 4, 2, 2, 3, 2, 1, 1, 1),
        )[0](depth - 1)

    def binary(self, depth):
        left, a = self.expression(depth)
        right, b = self.expression(depth)
        return self.noted(
            f"({left} {self.rng.choice('+-*&|^') if self.rng.random() < 0.7 else self.rng.choice(('//', '%'))} {right})",
            joined(a, b),
        )

    def shift(self, depth):
        left, a = self.expression(depth)
        text, b = self.any_of(depth, "upb")
        right = self.rng.choice((text, f"({text} & 63)", f"({text} % 70)", "1", "63", "64"))
        return self.noted(f"({left} {self.rng.choice(('<<', '>>'))} {right})", joined(a, b))

    def unary(self, depth):
        text, kind = self.expression(depth)
        sign = self.rng.choice(("-", "~", "not ", "+"))
        return self.noted(
            f"({sign}{text})", "b" if sign == "not " else "p" if kind in "bm" else kind
        )

    def compared(self, depth):
        (left, _), (right, _) = self.expression(depth), self.expression(depth)
        if self.rng.random() < 0.3:
            return self.noted(
                f"({left} <= {right} {self.rng.choice(('<', '!='))} {self.expression(depth)[0]})",
                "b",
            )
        return self.noted(
            f"({left} {self.rng.choice(('<', '<=', '>', '>=', '==', '!='))} {right})", "b"
        )

    def chosen(self, depth):
        kinds = self.rng.choice(("u", "pm", "upm", "upmb", "b", "bp", "h", "hb"))
        (yes, a), (no, b), (condition, _) = (
            self.any_of(depth, kinds),
            self.any_of(depth, kinds),
            self.expression(depth),
        )
        return self.noted(self.rng.choice(JOINS).format(yes, no, condition), joined(a, b))

    def called(self, depth):
        text, kind = self.expression(depth)
        name = self.rng.choice(
            (
                "u8",
                "u16",
                "u32",
                "u64",
                "i8",
                "i16",
                "i32",
                "i64",
                "bool",
                "int",
                "abs",
                "mix",
                "lowest_bit",
                "bit_index",
            )
        )
        made = "u" if name in ("u64", "mix", "lowest_bit") else "b" if name == "bool" else "p"
        return self.noted(f"{name}({text})", "u" if name == "abs" and kind == "u" else made)

    def divided(self, depth):
        (left, a), (right, b) = self.expression(depth), self.expression(depth)
        return self.noted(f"divmod({left}, {right} | 1)[{self.rng.choice('01')}]", joined(a, b))

    def powered(self, depth):
        (left, _), (right, _) = self.any_of(depth, "pb"), self.any_of(depth, "pb")
        return self.noted(
            self.rng.choice((f"({left} ** ({right} & 7))", f"pow({left}, {right} & 15, 1009)")), "p"
        )

    def counted(self, depth):
        text, _ = self.expression(depth)
        return self.noted(f"({text}).bit_count()", "p")


def joined(a, b):
    return "h" if "h" in (a, b) else "u" if "u" in (a, b) else "m" if (a, b) == ("m", "m") else "p"


def source(texts):
    """A function that stores the result of expression number `which`: its low 64 bits and whether
    it is negative."""
    lines = ["def run(game, s, k, which, memory):"]
    for i, text in enumerate(texts):
        lines += [
            f"    if which == {i}:",
            f"        value = {text}",
            "        memory.out[0] = u64(value)",
            "        memory.out[1] = value < 0",
            "        memory.out[2] = u64(value >> 64)",
        ]
    return "\n".join([*lines, "    return 0", ""])


def outcome(call, memory):
    """What a call stores, or the type of its error."""
    try:
        call()
    except (ArithmeticError, IndexError, ValueError, MemoryError) as error:
        return type(error)
    return memory.out[0], memory.out[1], memory.out[2]


def is_small(text, scope):
    """Whether a sub-expression has a value and, if it is a plain integer, fits 63 bits."""
    try:
        value = eval(text, dict(NAMES), scope)  # noqa: S307 - our own text
    except (ArithmeticError, IndexError, ValueError, MemoryError):
        return False
    return isinstance(value, u64 | u128) or -(2**63) <= value < 2**63


def difference(text, parts, scope, interpreted, compiled):
    """What is wrong with a pair of outcomes; None if they agree or compiled code rightly refuses a
    number of more than 64 bits."""
    if interpreted == compiled or interpreted is MemoryError:
        # `(1 << 2**40) & 7` needs no memory in compiled code.
        return None
    if compiled is OverflowError and any("s.h" in part or "u128" in part for part in parts):
        return (
            None  # a plain integer of more than 64 bits, or a value that is a u128 on one path only
        )
    if compiled is OverflowError and not all(is_small(part, scope) for part in parts):
        return None
    return (
        f"{text}: interpreted {interpreted}, compiled {compiled}, {tuple(scope['s'])}, "
        f"k={scope['k']}"
    )


def compiled_group(expressions, game):
    """The expressions that compile, with their function on both backends and its memory, and the
    number of refused ones."""
    scope = dict(NAMES)
    exec(compile(source([text for text, _ in expressions]), "<expressions>", "exec"), scope)  # noqa: S102
    memory = Memory({"nodes": "i64", "out": ("u64", 3)})
    arguments = {"game": game, "s": game.initial(), "k": 5, "which": 0, "memory": memory}
    try:
        return [(expressions, scope["run"], compile_function(scope["run"], arguments), memory)], []
    except CannotCompile as error:
        if len(expressions) == 1:
            return [], [(expressions[0][0], error.reason)]
    half = len(expressions) // 2
    first, second = (
        compiled_group(expressions[:half], game),
        compiled_group(expressions[half:], game),
    )
    return first[0] + second[0], first[1] + second[1]


def differences(seed, count=14, states=40, depth=3):
    """(number of outcomes compared, number of expressions refused, differences) for random
    expressions from this seed."""
    rng = random.Random(seed)
    expressions = []
    for _ in range(count):
        generator = Generator(rng)
        text, _ = generator.expression(depth)
        expressions.append((text, generator.parts))
    game = Carrier()
    game.freeze()
    groups, refused = compiled_group(expressions, game)
    compared, found = 0, []
    for texts, run, native, memory in groups:
        for _ in range(states):
            state, k = (
                random_state(rng),
                rng.choice((0, 1, 3, 5, 63, 64, -1, -5, 2**40, 2**63 - 1, -(2**63))),
            )
            for which, (text, parts) in enumerate(texts):
                arguments = (game, state, k, which, memory)
                interpreted = outcome(lambda: run(*arguments), memory)
                native_outcome = outcome(lambda: native(*arguments), memory)
                wrong = difference(
                    text, parts, {"game": game, "s": state, "k": k}, interpreted, native_outcome
                )
                compared += 1
                found += [wrong] if wrong else []
    return compared, refused, found


ROOM = 4 << 30
"""The bytes that a process of `main` may use: `1 << 2**40` is a number to Python, which would
compute it until memory runs out."""


def main(seconds, seed):
    import resource  # Unix only

    resource.setrlimit(resource.RLIMIT_AS, (ROOM, ROOM))
    end, compared, refused = time.time() + seconds, 0, 0
    while time.time() < end:
        more, out, found = differences(seed)
        compared, refused = compared + more, refused + len(out)
        for text, reason in out:
            print("refused", text, "|", reason, flush=True)
        for line in found[:5]:
            print(seed, line, flush=True)
        seed += 1
    print(f"{compared} outcomes compared, {refused} expressions refused, next seed {seed}")


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[2]))
