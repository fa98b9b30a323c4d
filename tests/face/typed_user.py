"""A user's script, as type checkers meet it: `assert_type` fails for a name that they cannot see.
It is only read, never run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, assert_type

import prunus
from prunus import Game, Runtime, i16, u8, u64, with_item


class Squares(Game):
    """Take one or two counters; its author has chosen the names of parameters freely."""

    seed: Runtime[u64]

    class State(NamedTuple):
        left: u8
        score: i16
        seen: u64
        cells: tuple[u8, ...]

    def __init__(self, heap: int = 20) -> None:
        self.heap = heap
        self.seed = 7

    def initial(self) -> State:
        return self.State(self.heap, 0, 0, (0, 1))

    def actions(self, s: State) -> Iterator[int]:
        yield 1
        if s.left > 1:
            yield 2

    def result(self, s: State, n: int) -> State:
        return s._replace(
            left=s.left - n, seen=s.seen | u64(1) << n, cells=with_item(s.cells, 0, n)
        )

    def is_terminal(self, s: State) -> bool:
        return s.left == 0

    def utility(self, s: State) -> int:
        return -1

    def bounds(self, s: State) -> tuple[int, int]:
        return -1, 1

    def key(self, s: State) -> u64:
        return u64(s.left) | s.seen << 8


def steps(progress: prunus.Progress) -> None:
    print(progress.nodes, progress.value)


try:
    found = prunus.solve(Squares(), threads=2, options=prunus.Options(etc=2), watch=steps)
    assert_type(found, prunus.Analysis)
    assert_type(found.value, int | None)
    assert_type(found.line(), list[str])
    assert_type(prunus.analyze(Squares(), "1 2", limit=prunus.Limit(seconds=1)).proved, bool)
    assert_type(prunus.trace(Squares()), prunus.Trace)
    assert_type(prunus.check(Squares()), prunus.Report)
except prunus.PositionError as error:
    print(error)
except prunus.PrunusError as error:
    print(error)
