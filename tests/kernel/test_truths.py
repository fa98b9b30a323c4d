"""A value that is a truth value on one path and a number on another is a plain integer, but is
refused to the left of a u64.

There Python tries the truth value's operator first, which makes both plain integers, but the plain
integer's last, so that the result is a u64.
"""

from __future__ import annotations

import dataclasses
import functools
import random
import sys
from typing import NamedTuple

import numpy as np
import pytest

from prunus import Game, i64, u8, u64, u128, with_item
from prunus.kernel.compiling.compiled import compile_function
from prunus.kernel.memory import Memory
from prunus.kernel.reporting.messages import CannotCompile
from tests.amount import in_full, thinned

# Python 3.12 and later warn about `~` on a truth value, which still gives the same result.
pytestmark = pytest.mark.filterwarnings("ignore:Bitwise inversion:DeprecationWarning")

TABLE = [True, 3, 0]
WORTH = {0: True, 1: 5}


class Truths(Game):
    class State(NamedTuple):
        a: u64
        b: u64
        p: i64
        c: u8
        f: bool
        t: tuple[u8, ...]
        g: tuple[bool, ...]
        w: u128

    def __init__(self):
        self.flags = np.array([True, False, True])
        self.bytes = np.array([3, 250, 0], np.uint8)

    def initial(self):
        return self.State(5, 7, -3, 2, True, (1,) * 6, (True,) * 6, 9)

    def chosen(self, s, k):
        if k > 0:
            return s.c > 1
        return s.p


@dataclasses.dataclass
class Noted:
    """Python generates its methods, in a text that has the name of the functions below."""

    first: int
    second: int


def given(x=True):
    return x


def some(s, k):
    yield s.f
    yield k


def asked(first, second):
    return first and second


def rounds(s):
    """A variable that is only tested for truth, through loops and branches."""
    found, held = 0, s.f and s.w
    while held:
        found += 1
        held = found < 3 and s.w & 8 or found < s.c and s.a
    last = False
    for i in range(3):
        last = last or s.w & 1 << i * 50
    if last and not held:
        found += 10
    return found


def put(items, value):
    items[0] = value


def stored(s, k):
    """Truth values stored in lists of numbers, which are read as numbers."""
    found = [0, 1]
    filled = [0] * 6
    cells = list(s.t)
    made = [i * 2 for i in range(6)]
    flags = list(s.g)
    found[k % 2] = s.c > 2
    filled[k % 6] = s.f
    cells[k % 6] = s.c > k
    made[k % 6] = not filled[0]
    flags[k % 6] = 1
    ordered = sorted(cells)
    ordered[0] = s.f
    there = s._replace(t=tuple(cells), g=tuple(flags))
    numbers = (
        found[0]
        + sum(filled) * 2
        + sum(there.t) * 4
        + sum(there.g) * 8
        + made[k % 6] * 16
        + ordered[0] * 32
        + max(filled)
    )
    return numbers + (there.g[k % 6] * s.a - 1) % 5 + (there.t[k % 6] * s.a - 1) % 7


NAMES = {
    "put": put,
    "stored": stored,
    "asked": asked,
    "rounds": rounds,
    "u64": u64,
    "u8": u8,
    "with_item": with_item,
    "functools": functools,
    "TABLE": TABLE,
    "WORTH": WORTH,
    "given": given,
    "some": some,
}

EITHER = "(s.f if k > 0 else s.c)"
OPERATORS = ("+", "-", "*", "//", "%", "&", "|", "^", "<<", ">>")
AGREEING = (
    *(f"(s.f {op} s.a) - 1" for op in OPERATORS),
    *(f"(s.a {op} s.f) - 1" for op in OPERATORS),
    *(f"(s.a {op} {EITHER}) - 1" for op in OPERATORS),
    *(f"({EITHER} {op} s.p) - 1" for op in OPERATORS),
    *(f"(s.p {op} {EITHER}) - 1" for op in OPERATORS),
    *(f"(s.w {op} {EITHER}) & 255" for op in OPERATORS),
    f"~{EITHER} ^ -{EITHER} ^ +{EITHER} ^ abs({EITHER})",
    f"({EITHER} & s.f) + ({EITHER} | s.f) * 2 + ({EITHER} ^ s.f) * 4",
    f"int({EITHER}) * s.a - 1",
    f"({EITHER} + 0) * s.a - 1",
    f"({EITHER} < s.a) + ({EITHER} == s.w) * 2 + ({EITHER} > k) * 4 + (not {EITHER}) * 8",
    f"s.t[{EITHER} % 2] + len(range({EITHER})) + hash({EITHER}) + {EITHER}.bit_count()",
    f"s._replace(c={EITHER}, f={EITHER}, p={EITHER}, a={EITHER}).a - 1",
    f"u64({EITHER}) - u8({EITHER}) - bool({EITHER}) - 5",
    f"divmod({EITHER}, 2)[0] - pow({EITHER}, 2) - {EITHER} ** 2",
    "sum(x for x in some(s, k)) - max(x for x in some(s, k)) * 3 + min(s.f, k) - max(s.f, s.c, k)",
    "sum(s.g) * s.a - 1",
    "sum([True, s.f, 3]) * s.a - 1",
    "game.chosen(s, k) - 5",
    "given(s.f) * s.a - given(k)",
    "((s.f and k) - 3) ^ ((s.p or s.f) - 1) ^ ((s.f and s.a) - 2) ^ ((s.a or s.f) - 1)",
    "(s.f if k > 0 else 1 << s.c % 64) - 1",
    "s.a ^ (s.f if k > 0 else 1 << s.c % 64)",
    "TABLE[k % 3] - WORTH[k % 2] * 2 - [s.f, k][k % 2]",
    "game.flags[k % 3] * s.a - game.bytes[k % 3]",
    "with_item(s.t, 0, s.f)[0] * s.a - 1",
    "((s.f, 3) if k > 0 else (5, 7))[0] - 7",
    "(3 if s.c > 1 and s.w else 1) + 2 * (not (s.f and s.w & 1 << 127)) + 4 * bool(s.c > 1 and s.w "
    "& 7 or s.f and s.p)",
    "stored(s, k) - 1",
    "(3 if asked(s.f, s.w) else 1) + rounds(s) + s._replace(f=s.f and s.w).f + any(s.f and s.w & i "
    "for i in range(3))",
)
LEFT = (
    "a value that is a truth value or a member of an IntEnum on one path and a number on another "
    "stands left of a u64: .* write int"
)
ASKED = (
    "a value that is a truth value on one path and a number of more than 64 bits on another "
    "can only be tested for truth"
)
REFUSED = {
    **{f"({EITHER} {op} s.a) - 1": LEFT for op in OPERATORS},
    f"{EITHER} * s.w - 1": LEFT,
    f"{EITHER} * (s.a if k > 0 else s.p)": LEFT,
    "(True if k > 0 else 3) * s.a": LEFT,
    "game.chosen(s, k) * s.a": LEFT,
    "[True, k][k % 2] * s.a": LEFT,
    "TABLE[k % 3] * s.a": LEFT,
    "WORTH.get(k, 0) * s.a": LEFT,
    "max(s.f, k) * s.a": LEFT,
    "min(s.f, s.c, k) * s.a": LEFT,
    "(s.f and k) * s.a": LEFT,
    "(s.f or s.a) * s.b": LEFT,
    "(True | (s.f if k > 0 else s.a)) - s.b": LEFT,
    "(s.f if k > 0 else 1 << s.c % 64) ^ s.a": LEFT,
    "max(x for x in some(s, k)) * s.a": LEFT,
    "((s.f, 3) if k > 0 else (5, 7))[0] * s.a": LEFT,
    "([0] + [s.f])[k % 2] * s.a": LEFT,
    "functools.reduce(lambda x, y: x + y, s.t, False) * s.a": LEFT,
    "(s.f if k > 0 else s.w) - 1": ASKED,
    "int(s.f and s.w) - 1": ASKED,
    "(s.f and s.w) == 4": ASKED,
    "[1, 2][asked(s.f, s.w)]": ASKED,
    "s._replace(c=s.f and s.w).c": "field 'c' of Truths.State is declared u8 but is given a value "
    "of type bool or more than 64 bits",
}
STATEMENTS = {
    "for i in range(6): x = x + (s.t[i] > 0)\n    x * s.a": LEFT,
    "x = [0]\n    x.append(s.f)\n    x[k % 2] * s.a": LEFT,
    "x = list(s.g)\n    x[k % 6] = 1\n    x[0] * s.a": LEFT,
    "x = [0, 1]\n    x[k % 2] = s.f\n    x[0] * s.a": LEFT,
    "x = [0] * 6\n    x[k % 6] = s.c > 2\n    tuple(x)[0] * s.a": LEFT,
    "x = list(s.t)\n    x[k % 6] = s.c > 2\n    tuple(x)[0] * s.a": LEFT,
    "x = list(s.g)\n    x[k % 6] = 1\n    tuple(x)[0] * s.a": LEFT,
    "x = [[0, 1], [2]]\n    x[k % 2][0] = s.f\n    x[0][0]": "a truth value is put among numbers: "
    "write int",
    "x = [0, 1]\n    put(x, s.f)\n    x[0] * s.a": "a truth value is put among numbers: write int",
    "x = {0: 1}\n    x[k % 2] = s.f\n    x[0]": "a truth value is put among numbers: write int",
    "x = [False, True]\n    x[k % 2] = s.c\n    x[0]": "a number is put among truth values: write "
    "bool",
}
EDGES = (0, 1, 2, 3, 2**62, 2**63 - 1, 2**63, 2**64 - 1)


def states(count):
    rng = random.Random(1)
    for _ in range(count):
        words = (
            rng.choice(EDGES),
            rng.choice(EDGES),
            rng.choice((0, 1, -1, 5, -7, 2**62)),
            rng.choice((0, 1, 2, 255)),
            rng.random() < 0.5,
        )
        items = (
            tuple(rng.choice((0, 1, 2)) for _ in range(6)),
            tuple(rng.random() < 0.5 for _ in range(6)),
        )
        yield Truths.State(*words, *items, rng.choice((*EDGES, 2**127)))


def storing(value):
    return (
        f"memory.out[0], memory.out[1], memory.out[2] = u64({value}), u64({value} >> 64), "
        f"{value} < 0"
    )


def run_of(texts):
    """A function that stores the result of expression number `which`: two words and whether it is
    negative."""
    lines = ["def run(game, s, k, which, memory):"]
    for i, text in enumerate(texts):
        lines += [
            f"    if which == {i}:",
            f"        value{i} = {text}",
            f"        {storing(f'value{i}')}",
        ]
    return defined([*lines, "    return 0"])


def defined(lines):
    scope = {**NAMES, "__name__": __name__}
    exec("\n".join(lines), scope)
    return scope["run"]


def outcome(call, memory):
    try:
        call()
    except MemoryError:  # a shift by 2**63 places
        return OverflowError
    except (ArithmeticError, IndexError, ValueError) as error:
        return type(error)
    return tuple(memory.out)


def test_such_a_value_is_a_plain_integer():
    game, memory = Truths(), Memory({"out": ("u64", 3)})
    texts = thinned(AGREEING, 3)
    run = run_of(texts)
    native = compile_function(
        run, {"game": game, "s": game.initial(), "k": 0, "which": 0, "memory": memory}
    )
    stopped = 0
    for which, text in enumerate(texts):
        for s in states(25):
            for k in (0, 1, 2, 5, -1):
                expected = outcome(
                    lambda s=s, k=k, which=which: run(game, s, k, which, memory), memory
                )
                found = outcome(
                    lambda s=s, k=k, which=which: native(game, s, k, which, memory), memory
                )
                stopped += found != expected and found is OverflowError
                assert found in (expected, OverflowError), (text, s, k)
    assert stopped < 1500


@in_full
@pytest.mark.parametrize("start", range(4))
def test_left_of_a_u64_it_is_refused(start, monkeypatch):
    game, memory = Truths(), Memory({"out": ("u64", 3)})
    bodies = {f"x = {text}\n    x": words for text, words in REFUSED.items()} | {
        f"x = False\n    {text}": w for text, w in STATEMENTS.items()
    }
    for text, words in list(bodies.items())[start::4]:
        *before, last = text.split("\n")
        run = defined(
            [
                "def run(game, s, k, memory):",
                "    " + "\n".join(before),
                f"    y ={last}",
                f"    {storing('y')}",
                "    return 0",
            ]
        )
        monkeypatch.setattr(sys.modules[__name__], "run", run, raising=False)
        with pytest.raises(CannotCompile, match=words) as caught:
            compile_function(run, {"game": game, "s": game.initial(), "k": 0, "memory": memory})
        assert caught.value.where.endswith((", in run", ", in put")), text
