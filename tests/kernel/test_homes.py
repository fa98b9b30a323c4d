"""Boards are passed on from where they lie: random rules that keep, exchange, change and hand on
boards give the same compiled and interpreted."""

from __future__ import annotations

import random
import re
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from prunus.kernel.backends import call
from prunus.kernel.reporting.messages import CannotCompile
from tests.amount import thinned
from tests.kernel.files import loaded

HEAD = """
from typing import NamedTuple

from prunus import Game, i8, i32, u8, u16, with_item


def marked(cells, i, v):
    return with_item(cells, i % SIZE, v)


def listed(cells, i, v):
    new = list(cells)
    new[i % SIZE] = v
    for j in (1, 3, 7):
        new[(i * j) % SIZE] = (new[(i + j) % SIZE] + v) % 100
    return tuple(new)


def perhaps(cells, i, v):
    if v % 3 == 0:
        return cells
    if v % 3 == 1:
        return listed(cells, i, v)
    return cells[: i % SIZE] + (v,) + cells[i % SIZE + 1 :]


def deeper(cells, i, v):
    if v < 3:
        return cells
    below = deeper(listed(cells, i + v, v), i + 1, v - 3)
    return marked(below, i, cells[i % SIZE])


def both(cells, i, v):
    new = list(cells)
    first = tuple(new)
    new[i % SIZE] = v
    return tuple(new), first


def tried(cells, i, v):
    try:
        return marked(cells, 100 // (v % 4), v)
    except ZeroDivisionError:
        return listed(cells, i, v)


def total_of(cells):
    total = 7
    for cell in cells:
        total = (total * 31 + cell) % 1000003
    return total


class Boards(Game):
    class State(NamedTuple):
        before: u16
        cells: tuple[KIND, ...]
        turn: bool
        other: tuple[KIND, ...]

    def initial(self):
        cells = tuple(i * i % 90 for i in range(SIZE))
        return self.State(3, cells, False, tuple(reversed(cells)))

    def result(self, state, action):
        new = list(state.cells)
        new[action % SIZE] = (new[action % SIZE] + 1 + state.before) % 100
        return self.State(action, tuple(new), not state.turn, state.cells)

    def turned(self, state, action):
        if state.turn:
            return state._replace(cells=state.other, other=state.cells, turn=False)
        return self.result(self.result(state, action), action + 5)

    def total(self, state):
        return total_of(state.cells) * 3 + total_of(state.other) + state.before + state.turn

    def walk(self, state, depth):
        if depth == 0:
            return self.total(state)
        found, first = 0, self.total(state)
        for action in range(depth, depth + 2):
            child = self.turned(state, action) if action % 2 else self.result(state, action)
            found = (found * 5 + self.walk(child, depth - 1)) % 1000003
            if self.total(state) != first:
                return -1
        return found


def work(game, state, k):
    a, b, c = state.cells, state.other, marked(state.cells, 2, 5)
    s = t = state
    n = 0
"""

TAIL = """
    found = (total_of(a) * 49 + total_of(b) * 7 + total_of(c)) % 1000003
    return (found * 11 + game.total(s) + 3 * game.total(t) + n) % 1000003
"""


class Writer:
    """Writes one random program."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def board(self) -> str:
        """A variable with a board, or a field with one."""
        return self.rng.choice(("a", "b", "c", "a", "b", "c", "s.cells", "t.other"))

    def number(self) -> str:
        """A small number."""
        return self.rng.choice(("k", "n % 50", "(k + n) % 50", str(self.rng.randrange(40))))

    def made(self) -> str:
        """A board that an expression makes."""
        helper = self.rng.choice(("marked", "listed", "perhaps", "deeper", "tried"))
        return f"{helper}({self.board()}, {self.number()}, {self.number()})"

    def line(self, depth: int) -> list[str]:
        """One statement."""
        x, y = self.rng.sample(("a", "b", "c"), 2)
        s, t = self.rng.sample(("s", "t"), 2)
        simple = [
            [f"{x} = {self.board()}"],
            [f"{x} = {self.made()}"],
            [f"{x}, {y} = {y}, {x}"],
            [f"{x}, {y} = both({self.board()}, {self.number()}, {self.number()})"],
            [f"{s} = game.State({self.number()}, {self.board()}, n % 2 == 0, {self.made()})"],
            [f"{s} = {t}._replace(cells={self.board()})", f"{x} = {t}.cells"],
            [f"{s} = game.result({t}, {self.number()})"],
            [f"{s} = game.turned({s}, {self.number()})"],
            [f"{s}, {t} = {t}, {s}"],
            [f"n = (n * 3 + total_of({self.board()})) % 10007"],
            [f"n = (n + game.walk({s}, 3)) % 10007"],
            [
                f"line = list({self.board()})",
                f"line[{self.number()} % SIZE] = {self.number()}",
                f"{x} = tuple(line)",
                f"line[{self.number()} % SIZE] = 77",
                f"{y} = tuple(line)",
            ],
            [f"n += 1 if {x} == {y} else 2"],
        ]
        if depth == 0 or self.rng.random() < 0.6:
            return self.rng.choice(simple)
        inner = self.block(depth - 1)
        return self.rng.choice(
            (
                [f"for j in range({self.rng.randint(2, 4)}):", *inner],
                [f"old = {x}", "for j in range(3):", *inner, f"    if j == n % 3: {y} = old"],
                [f"if n % {self.rng.randint(2, 3)}:", *inner, "else:", *self.block(depth - 1)],
                ["for j in range(4):", *inner, "    if n % 5 == j:", "        break"],
            )
        )

    def block(self, depth: int) -> list[str]:
        """Some statements, indented."""
        lines = [line for _ in range(self.rng.randint(2, 4)) for line in self.line(depth)]
        return ["    " + line for line in lines]

    def program(self) -> str:
        """The whole program."""
        kind = self.rng.choice(("u8", "i8", "u16", "i32"))
        size = self.rng.choice((9, 25, 40, 81, 130, 361))
        lines = [line for _ in range(7) for line in self.line(2)]
        body = textwrap.indent("\n".join(lines), "    ")
        return (
            HEAD.replace("SIZE", str(size)).replace("KIND", kind)
            + body.replace("SIZE", str(size))
            + TAIL
        )


def outcomes(seed: int, folder: Path) -> list[tuple[Any, Any]]:
    """What a random program answers compiled and in Python, for a few numbers."""
    rules = loaded(Writer(seed).program(), folder / f"boards_{seed}.py")
    game = rules.Boards()
    given = [{"game": game, "state": game.initial(), "k": k} for k in (0, 7, 23)]
    return [(call(rules.work, each, True)[0], rules.work(**each)) for each in given]


REFUSED = {45, 57}
"""Programs in which a list holds boards of items of different widths, which is refused in words."""


@pytest.mark.parametrize("seed", thinned(range(60), 12))
def test_boards_are_what_they_were(seed, tmp_path):
    if seed in REFUSED:
        with pytest.raises(CannotCompile, match="line is list of .* on one path .* one type"):
            outcomes(seed, tmp_path)
        return
    for compiled, expected in outcomes(seed, tmp_path):
        assert compiled == expected


def visited(game, state, depth):
    """The number of positions to a depth."""
    count = 1
    if depth > 0:
        for action in range(3):
            count += visited(game, game.result(state, action), depth - 1)
    return count


LISTED = """
from typing import NamedTuple
from prunus import Game, u8, u16

class Listed(Game):
    class State(NamedTuple):
        cells: tuple[u8, ...]
        last: u16

    def initial(self):
        return self.State((0,) * 361, 0)

    def placed(self, cells, action):
        new = list(cells)
        for i in range(action, action + 5):
            new[i] = new[i] + 1 if new[i] < 200 else 0
        return tuple(new)

    def result(self, state, action):
        return self.State(self.placed(state.cells, action), action)
"""


def test_a_board_that_a_list_becomes_is_copied_once(tmp_path, optimised):
    rules = loaded(LISTED, tmp_path / "listed.py")
    game = rules.Listed()
    assert call(visited, {"game": game, "state": game.initial(), "depth": 3}, True)[0] == 40
    (search,) = re.findall(r"^define [^\n]*visited.*?^}", optimised[-1], re.DOTALL | re.MULTILINE)
    assert re.findall(r"llvm\.memcpy[^\n]*i64 (\d+)", search) == ["384"]
    assert "store <" not in search


if __name__ == "__main__":
    first, last = map(int, sys.argv[1:])
    for seed in range(first, last):
        found = outcomes(seed, Path())
        if any(compiled != expected for compiled, expected in found):
            print("differs:", seed, found)
