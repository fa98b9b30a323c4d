"""Ways of writing rules, each a small game: the result of `utility` for a State is compared between
Python and compiled code.

The files `idioms/*.txt` hold the idioms, each after a line `=== NAME`: the body of `utility(self,
state)`, where x, y, b, t are the fields of the State. What stands at the top of the module, in the
class and in `__init__` follows `--- module`, `--- class` and `--- init`. An idiom may also have

- `--- refused WORDS`: it is not compiled, and the message contains these words,
- `--- stops`: some numbers need more than 64 bits, so that compiled code raises OverflowError, or
  calls are too deep, which no handler catches in compiled code.

`python -m tests.kernel.battery [NAMES]` runs them and counts how many agree, are refused and
differ.
"""

from __future__ import annotations

import sys
import tempfile
import textwrap
import traceback
import warnings
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from prunus.core.values import ResultError
from prunus.kernel.compiling.compiled import compile_function
from prunus.kernel.memory import Memory
from prunus.kernel.reporting.messages import CannotCompile
from tests.kernel.files import loaded

FOLDER = Path(__file__).parent / "idioms"

TEMPLATE = """
import collections
import enum
import functools
import itertools
import math
import operator
import random
from typing import NamedTuple

import numpy as np

from prunus import Game, i8, i16, i32, i64, u8, u16, u32, u64, u128, u256, with_item

{module}


class G(Game):
{cls}
    class State(NamedTuple):
        x: u16
        y: i16
        b: u64
        t: tuple[u8, ...]
        n: u8{fields}

    def __init__(self):
        self.k = 3
{init}

    def initial(self):
        return self.State(12345, -77, (1 << 63) | 0xABCDEF, (3, 1, 4, 1, 5, 9, 2, 6), 0{start})

    def actions(self, state):
        return (1, 2, 3)

    def result(self, state, action):
        t = with_item(state.t, (state.x + action) % 8, (state.x + action * 5) % 11)
        return self.State(u16(state.x * 31 + action * 77), i16(state.y * 7 - action * 13), state.b * 5 + action, t, state.n + 1{after})

    def is_terminal(self, state):
        return state.n == 4

    def utility(self, state):
        x, y, b, t = state.x, state.y, state.b, state.t
{body}
"""


FIELDS = """
        g: tuple[u8, ...]
        h: tuple[i8, ...]
        w: u128"""
BOARDS = ", (7,) * 25, (-3,) * 9, (1 << 100) + 77"
MOVED = (
    ", with_item(state.g, (state.x + action) % 25, state.x % 200), "
    "with_item(state.h, action, state.y % 100 - 50), state.w * 3 + action"
)
"""Two boards and a wide number, for the idioms that ask for them."""


class Idiom(NamedTuple):
    """One idiom; `refused` is the expected wording if it is not compiled, `stops` says whether
    compiled code may raise OverflowError, `boards` whether the State has boards: g of 25 cells, h
    of 9 signed ones, and a u128, w."""

    name: str
    body: str
    module: str
    cls: str
    init: str
    refused: str
    stops: bool
    boards: bool = False

    def source(self) -> str:
        """The game's file."""
        body, cls, init = (
            textwrap.indent(text, space)
            for text, space in ((self.body, " " * 8), (self.cls, "    "), (self.init, " " * 8))
        )
        fields, start, after = (FIELDS, BOARDS, MOVED) if self.boards else ("", "", "")
        return TEMPLATE.format(
            module=self.module,
            cls=cls,
            init=init,
            body=body,
            fields=fields,
            start=start,
            after=after,
        )


def idioms() -> list[Idiom]:
    """All idioms, in the order of the files."""
    return [
        _parsed(text)
        for path in sorted(FOLDER.glob("*.txt"))
        for text in path.read_text().split("=== ")[1:]
    ]


def _parsed(text: str) -> Idiom:
    name, _, rest = text.partition("\n")
    parts = dict.fromkeys(("body", "module", "class", "init", "refused"), "")
    part, stops = "body", False
    for line in rest.splitlines():
        if line.startswith("--- "):
            part, _, words = line[4:].partition(" ")
            stops |= part == "stops"
            if part in ("refused", "stops"):
                parts["refused"], part = words or parts["refused"], "body"
            continue
        parts[part] += line + "\n"
    return Idiom(
        name, parts["body"], parts["module"], parts["class"], parts["init"], parts["refused"], stops
    )


def load(idiom: Idiom, folder: Path) -> Any:
    """The module of an idiom's game, from a file in the folder."""
    return loaded(idiom.source(), folder / f"idiom_{idiom.name}.py")


def run(game, state, memory):
    """The search that is compiled: it only asks for the utility."""
    memory.out[0] = game.utility(state)
    return 0


def _value(call: Any) -> Any:
    try:
        return int(call())
    except ResultError:  # which compiled code finds without the game
        return "TypeError"
    except Exception as error:
        return type(error).__name__


class Outcome(NamedTuple):
    """The outcome of an idiom: "agrees", "stops", "refused" or "differs", with details for the
    reader."""

    kind: str
    message: str
    where: str


def positions(game: Any) -> list[Any]:
    """A dozen States."""
    states = [game.initial()]
    for i in range(12):
        states.append(game.result(states[-1], 1 + i * 7 % 3))
    return states


STOPS = ("OverflowError", "RecursionError")
"""The errors that compiled code may raise where Python does not."""


def outcome(idiom: Idiom, folder: Path, stops: tuple[str, ...] = STOPS) -> Outcome:
    """Run an idiom on both backends on a dozen States; `stops` are the errors that compiled code
    may raise where Python does not."""
    cls = load(idiom, folder).G
    game = cls()
    game.freeze()
    states = positions(game)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # `~` of a truth value, from Python 3.12 on
        expected = [_value(lambda state=state: game.utility(state)) for state in states]
    memory = Memory({"out": ("i64", 1)})
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compiled = compile_function(run, {"game": game, "state": states[0], "memory": memory})
    except CannotCompile as error:
        return Outcome("refused", error.reason, error.where)

    def call(state: Any) -> int:
        compiled(game, state, memory)
        return memory.out[0]

    found = [_value(lambda state=state: call(state)) for state in states]
    pairs = list(zip(expected, found, strict=True))
    other = [(ours, theirs) for ours, theirs in pairs if ours != theirs]
    is_stop = all(theirs in stops for _, theirs in other)
    kind = "agrees" if not other else "stops" if is_stop else "differs"
    ours, theirs = zip(*(other or pairs)[:4], strict=True)
    return Outcome(kind, f"Python {list(ours)}, compiled {list(theirs)}", "")


def main(names: list[str]) -> None:
    """Run idioms, print those that do not agree, then the counts."""
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for idiom in idioms():
            if names and idiom.name not in names:
                continue
            try:
                found = outcome(idiom, Path(folder))
            except Exception:  # a fault of the idiom itself
                found = Outcome("broken", traceback.format_exc(limit=-1), "")
            counts[found.kind] += 1
            if found.kind != "agrees":
                print(
                    f"{found.kind:8} {idiom.name:24} {found.message} "
                    f"{found.where.rpartition('/')[2]}",
                    flush=True,
                )
    print(", ".join(f"{kind}: {number}" for kind, number in counts.most_common()))


if __name__ == "__main__":
    main(sys.argv[1:])
