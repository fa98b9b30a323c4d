"""Whatever rules can raise interpreted, they raise compiled: the same class at the same line, even
if one of the kernel's own functions finds the fault; and in the same words except for those in
`OWN_WORDS`, mostly messages in which Python names a key."""

from __future__ import annotations

import inspect
import math
import re
from functools import reduce
from typing import NamedTuple

import numpy as np
import pytest

from prunus import Game, i8, u8, u64, with_item
from prunus.kernel.compiling.compiled import compile_function
from prunus.kernel.memory import Memory
from prunus.kernel.threads import run
from tests.kernel.battery import Idiom, outcome

TABLE = {1: 5, 3: 7, 900: 2}
ROWS = ((1, 2, 3), (4, 5, 6))
LISTED = [4, 5, 6]
GAPS = {(0, 1): 2, (5, 9): 3}


class Refused(Exception):
    pass


class Rules(Game):
    """Each method raises for n = 9, and is a line or two."""

    class State(NamedTuple):
        n: u8
        y: i8
        t: tuple[u8, ...]
        b: u64

    def __init__(self):
        self.grid = np.arange(6).reshape(2, 3)

    def initial(self):
        return self.State(0, 0, (3, 1, 4, 1, 5, 9, 2, 6), u64(5))

    def index_of_tuple(self, s, n):
        return s.t.index(n + 10)

    def tuple_item(self, s, n):
        return s.t[n]

    def negative_item(self, s, n):
        return s.t[-n]

    def constant_item(self, s, n):
        return ROWS[1][n]

    def row_of_constants(self, s, n):
        return ROWS[n][0]

    def listed_item(self, s, n):
        return LISTED[n]

    def array_item(self, s, n):
        return self.grid[1, n]

    def array_row(self, s, n):
        return self.grid[n][0]

    def missing_key(self, s, n):
        return TABLE[n]

    def missing_pair(self, s, n):
        return GAPS[n, n]

    def made_key(self, s, n):
        made = {i: i + 1 for i in range(n)}
        return made[n]

    def popped_key(self, s, n):
        made = {i: i + 1 for i in range(n)}
        return made.pop(n)

    def deleted_key(self, s, n):
        made = {i: i + 1 for i in range(n)}
        del made[n]
        return 0

    def item_changed(self, s, n):
        t = with_item(s.t, n, 1)
        return t[0]

    def empty_list(self, s, n):
        found = [i for i in range(n) if i > n]
        return found.pop()

    def popped_place(self, s, n):
        found = list(range(n))
        return found.pop(n)

    def own_list(self, s, n):
        found = list(s.t)
        found[n] = 1
        return found[0]

    def index_of_list(self, s, n):
        found = [i * 2 for i in range(n)]
        return found.index(n)

    def removed(self, s, n):
        found = [i * 2 for i in range(n)]
        found.remove(n)
        return found[0]

    def removed_of_set(self, s, n):
        found = {i * 2 for i in range(n)}
        found.remove(n)
        return 0

    def popped_of_set(self, s, n):
        found = {i * 2 for i in range(n - 9)}
        return found.pop()

    def divided(self, s, n):
        return 5 // (n - 9)

    def remainder(self, s, n):
        return 5 % (n - 9)

    def of_both(self, s, n):
        return divmod(5, n - 9)[0]

    def wide_divided(self, s, n):
        return int(s.b // (n - 9))

    def floating(self, s, n):
        return int(5 / (n - 9))

    def shifted_left(self, s, n):
        return n << (5 - n)

    def shifted_right(self, s, n):
        return s.b >> (5 - n)

    def field(self, s, n):
        t = self.State(n + 250, 0, s.t, s.b)
        return t.n

    def replaced(self, s, n):
        t = s._replace(y=n * 20)
        return t.y

    def negative_word(self, s, n):
        t = s._replace(b=5 - n)
        return int(t.b)

    def greatest(self, s, n):
        return max(i for i in range(n) if i > n)

    def least(self, s, n):
        return min([i for i in range(n) if i > n])

    def least_by_key(self, s, n):
        return min((i for i in range(n) if i > n), key=lambda i: -i)

    def greatest_slice(self, s, n):
        return max(s.t[8:])

    def first(self, s, n):
        return next(i for i in range(n) if i > n)

    def reduced(self, s, n):
        return reduce(lambda a, b: a * b, [i for i in range(n) if i > n])

    def unpacked(self, s, n):
        a, b, c = list(range(n))
        return a + b + c

    def of_nan(self, s, n):
        return int(math.nan * n)

    def root(self, s, n):
        return math.isqrt(5 - n)

    def steps(self, s, n):
        return sum(i for i in range(0, 5, n - 9))

    def letters(self, s, n):
        return int("1x") + n

    def power(self, s, n):
        return pow(3, n, n - 9)

    def by_key(self, s, n):
        return max(s.t, key=lambda i: 5 // (i + 4 - n))

    def raised(self, s, n):
        if n == 9:
            raise ValueError("nine")
        return n

    def raised_own(self, s, n):
        if n == 9:
            raise Refused("nine")
        return n

    def raised_number(self, s, n):
        if n == 9:
            raise ValueError(n)
        return n

    def deeper(self, s, n):
        return self.index_of_tuple(s, n) + 1

    def caught_again(self, s, n):
        try:
            v = s.t.index(n + 10)
        except IndexError:
            v = 4
        return v

    def after_finally(self, s, n):
        try:
            v = TABLE[n]
        finally:
            v = LISTED[n - 8]
        return v

    def in_handler(self, s, n):
        try:
            v = TABLE[n]
        except KeyError:
            v = s.t.index(n + 10)
        return v

    def unbound(self, s, n):
        for k in range(n - 9):
            m = k
        return m

    def unbound_after_del(self, s, n):
        m = n
        if n == 9:
            del m
        return m

    def unbound_inside(self, s, n):
        def part(v):
            if v != 9:
                inside = v
            return inside + 1

        return part(n - 1) + part(n)

    def unbound_outside(self, s, n):
        def part(v):
            return outside + v

        if n != 9:
            outside = 5
        return part(3)

    def unbound_items(self, s, n):
        for k in range(n - 9):
            last = k
        yield last

    def unbound_in_loop(self, s, n):
        total = 0
        for item in self.unbound_items(s, n):
            total += item
        return total

    def items(self, s, n):
        for i in range(3):
            yield TABLE[n + i]

    def in_generator(self, s, n):
        return sum(self.items(s, n))

    def in_loop(self, s, n):
        total = 0
        for item in self.items(s, n):
            total += item
        return total


METHODS = [
    name
    for name, value in vars(Rules).items()
    if inspect.isfunction(value)
    and name not in ("initial", "items", "unbound_items")
    and not name.startswith(("_", "has_"))
]

NO_KEY = "'the dictionary has no such key'"
OWN_WORDS = {
    "array_item": "index outside the array",
    "array_row": "index outside the array",
    "missing_key": NO_KEY,
    "missing_pair": NO_KEY,
    "after_finally": NO_KEY,
    "in_generator": NO_KEY,
    "in_loop": NO_KEY,
    "popped_key": "",
    "deleted_key": "",
    "index_of_list": "value not in list",
    "popped_of_set": "'set.pop(): empty set'",
    "remainder": "integer division or modulo by zero",
    "letters": "int() of a text that is no number",
}
"""Compiled code's messages that differ from Python's."""


def searching(names):
    """A search that calls the method with a number."""
    calls = [
        f"    if which == {i}:\n        memory.out = int(game.{name}(s, n))\n"
        for i, name in enumerate(names)
    ]
    namespace = {"__name__": __name__}
    text = f"def search(game, s, which, n, memory):\n{''.join(calls)}    return 0\n"
    exec(compile(text, "<searching>", "exec"), namespace)
    return namespace["search"]


def error_of(call, game, which, memory):
    with pytest.raises(Exception) as caught:
        run(lambda: call(game, game.initial(), which, 9, memory), memory)
    return caught.value


def described(error):
    """Class, message and line of what was raised."""
    text = " ".join((str(error), *getattr(error, "__notes__", ())))
    place = re.search(r"test_raising.py:(\d+), in ", text)
    return type(error), re.sub(r" \(\S*test_raising.py:.*", "", str(error)), place and int(place[1])


def test_errors_are_those_of_python():
    game, memory, plain = Rules(), Memory({"out": "i64"}), searching(METHODS)
    game.freeze()
    native = compile_function(
        plain, {"game": game, "s": game.initial(), "which": 0, "n": 0, "memory": memory}
    )
    wrong = []
    for which, name in enumerate(METHODS):
        kind, words, line = described(error_of(plain, game, which, memory))
        first = Rules.__dict__[name].__code__.co_firstlineno
        assert line is not None and (
            line > first or name in ("deeper", "in_generator", "in_loop", "unbound_in_loop")
        ), name
        found = described(error_of(native, game, which, memory))
        if found != (kind, OWN_WORDS.get(name, words), line):
            wrong.append((name, (kind, words, line), found))
    assert wrong == []


def test_what_only_compiled_code_raises_is_not_caught(tmp_path):
    """A power that would be a float is not compiled; a handler of the rules must not take that for
    an error of theirs."""
    body = """
try:
    v = (x % 3 + 2) ** (0 - y % 3 - 1)
except Exception:
    return -5
return 3
"""
    found = outcome(Idiom("power", body, "", "", "", "", False), tmp_path)
    assert found.message.endswith("compiled " + str(["ValueError"] * 4))
