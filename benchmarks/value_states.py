"""What value states cost: copy-make compared with make and undo, both compiled by the kernel:
`python -m benchmarks.value_states`.

The same fail-soft alpha-beta runs twice on the same rules: once on States that each action copies,
as games of Prunus are written, and once on a board in memory that each action changes and then
restores, as engines in C are often written. Node counts and values must agree.
"""

from __future__ import annotations

import argparse
import inspect
import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from benchmarks.common import Mismatch, Ratio, in_deep_stack, interleaved, say, table
from prunus.core.bits import i8, u8, u16, u64, with_item
from prunus.core.game import INFINITY, Game
from prunus.games.connect_four import ConnectFour
from prunus.kernel.backends import prepare
from prunus.kernel.memory import Memory

FIELDS: dict[str, Any] = {
    "nodes": "i64",
    "mine": "u64",
    "mask": "u64",
    "last": "i64",
    "stones": "i64",
    "cells": ("u8", 512),
    "spare": ("u8", 512),
    "waiting": ("i64", 512),
    "top": "i64",
}


class Cells(Game):
    """k in a row on a square board kept as a tuple of cells: 0 for empty, 1 and 2 for the players.
    Actions are cells; only those within `reach` rows and columns of the last stone are generated,
    so that large boards have trees of moderate size."""

    class State(NamedTuple):
        cells: tuple[u8, ...]
        last: u16
        stones: u16

    def __init__(self, side: int, k: int = 4, reach: int = 2) -> None:
        self.side, self.k, self.reach = side, k, reach
        self.steps = ((0, 1), (1, 0), (1, 1), (1, -1))

    def initial(self) -> Any:
        middle = self.side * self.side // 2
        return self.State(
            tuple(2 if i == middle else 0 for i in range(self.side * self.side)), middle, 1
        )

    def actions(self, state: Any) -> Iterator[int]:
        row, column = state.last // self.side, state.last % self.side
        for r in range(max(0, row - self.reach), min(self.side, row + self.reach + 1)):
            for c in range(max(0, column - self.reach), min(self.side, column + self.reach + 1)):
                if state.cells[r * self.side + c] == 0:
                    yield r * self.side + c

    def result(self, state: Any, action: int) -> Any:
        return self.State(
            with_item(state.cells, action, 1 + state.stones % 2), action, state.stones + 1
        )

    def has_line(self, state: Any) -> bool:
        """Whether the last stone completes a line."""
        for down, right in self.steps:
            if 1 + self.run(state, down, right) + self.run(state, -down, -right) >= self.k:
                return True
        return False

    def run(self, state: Any, down: int, right: int) -> int:
        """The number of stones like the last one that follow it in a direction."""
        own = state.cells[state.last]
        r, c = state.last // self.side + down, state.last % self.side + right
        length = 0
        while 0 <= r < self.side and 0 <= c < self.side and state.cells[r * self.side + c] == own:
            length += 1
            r += down
            c += right
        return length

    def is_terminal(self, state: Any) -> bool:
        return state.stones == self.side * self.side or self.has_line(state)

    def utility(self, state: Any) -> int:
        return -1 if self.has_line(state) else 0


class SignedCells(Cells):
    """The same with the players' stones 1 and -1."""

    class State(NamedTuple):
        cells: tuple[i8, ...]
        last: u16
        stones: u16

    def initial(self) -> Any:
        middle = self.side * self.side // 2
        return self.State(
            tuple(-1 if i == middle else 0 for i in range(self.side * self.side)), middle, 1
        )

    def result(self, state: Any, action: int) -> Any:
        return self.State(
            with_item(state.cells, action, 1 if state.stones % 2 == 0 else -1),
            action,
            state.stones + 1,
        )


class TwoBoards(Cells):
    """The same with a board of truth values for each player."""

    class State(NamedTuple):
        first: tuple[bool, ...]
        second: tuple[bool, ...]
        last: u16
        stones: u16

    def initial(self) -> Any:
        middle = self.side * self.side // 2
        return self.State(
            (False,) * self.side**2,
            tuple(i == middle for i in range(self.side * self.side)),
            middle,
            1,
        )

    def actions(self, state: Any) -> Iterator[int]:
        row, column = state.last // self.side, state.last % self.side
        for r in range(max(0, row - self.reach), min(self.side, row + self.reach + 1)):
            for c in range(max(0, column - self.reach), min(self.side, column + self.reach + 1)):
                if not state.first[r * self.side + c] and not state.second[r * self.side + c]:
                    yield r * self.side + c

    def result(self, state: Any, action: int) -> Any:
        if state.stones % 2 == 0:
            return state._replace(
                first=with_item(state.first, action, True), last=action, stones=state.stones + 1
            )
        return state._replace(
            second=with_item(state.second, action, True), last=action, stones=state.stones + 1
        )

    def run(self, state: Any, down: int, right: int) -> int:
        """The number of stones like the last one that follow it in a direction."""
        second = state.second[state.last]
        r, c = state.last // self.side + down, state.last % self.side + right
        length = 0
        while 0 <= r < self.side and 0 <= c < self.side:
            cell = r * self.side + c
            if not (state.second[cell] if second else state.first[cell]):
                break
            length += 1
            r += down
            c += right
        return length


class Written(Cells):
    """The same as newcomers write it: the actions as a list, the new board joined from slices of
    the old one."""

    def actions(self, state: Any) -> Any:
        row, column = state.last // self.side, state.last % self.side
        rows = range(max(0, row - self.reach), min(self.side, row + self.reach + 1))
        columns = range(max(0, column - self.reach), min(self.side, column + self.reach + 1))
        return [
            r * self.side + c for r in rows for c in columns if state.cells[r * self.side + c] == 0
        ]

    def result(self, state: Any, action: int) -> Any:
        cells = state.cells[:action] + (1 + state.stones % 2,) + state.cells[action + 1 :]  # noqa: RUF005 - meant
        return self.State(cells, action, state.stones + 1)


def by_value(game: Game, state: Any, depth: int, alpha: int, beta: int, memory: Any) -> int:
    """Fail-soft alpha-beta on States: each action makes another State."""
    memory.nodes += 1
    if game.is_terminal(state):
        return game.utility(state)
    if depth == 0:
        return 0
    best = -INFINITY
    for action in game.actions(state):
        value = -by_value(
            game, game.result(state, action), depth - 1, -beta, -max(alpha, best), memory
        )
        best = max(best, value)
        if value >= beta:
            break
    return best


def undoing_four(game: Any, depth: int, alpha: int, beta: int, memory: Any) -> int:
    """The same on Connect Four with the bitboards in memory: an action changes them and is
    undone."""
    memory.nodes += 1
    theirs = memory.mine ^ memory.mask
    if memory.mask == game.full or game.has_four(theirs):
        return (
            -((game.width * game.height + 2 - memory.mask.bit_count()) // 2)
            if game.has_four(theirs)
            else 0
        )
    if depth == 0:
        return 0
    best = -INFINITY
    for column in game.columns:
        if (memory.mask >> (column * (game.height + 1) + game.height - 1)) & 1 == 0:
            stone = (memory.mask + (u64(1) << (column * (game.height + 1)))) & ~memory.mask
            memory.mine ^= memory.mask
            memory.mask |= stone
            value = -undoing_four(game, depth - 1, -beta, -max(alpha, best), memory)
            memory.mask ^= stone
            memory.mine ^= memory.mask
            best = max(best, value)
            if value >= beta:
                break
    return best


def run_from(game: Any, down: int, right: int, memory: Any) -> int:
    """`Cells.run` on the board in memory."""
    own = memory.cells[memory.last]
    r, c = memory.last // game.side + down, memory.last % game.side + right
    length = 0
    while 0 <= r < game.side and 0 <= c < game.side and memory.cells[r * game.side + c] == own:
        length += 1
        r += down
        c += right
    return length


def line_in_memory(game: Any, memory: Any) -> bool:
    """`Cells.has_line` on the board in memory."""
    for down, right in game.steps:
        if (
            1 + run_from(game, down, right, memory) + run_from(game, -down, -right, memory)
            >= game.k
        ):
            return True
    return False


def undoing_cells(game: Any, depth: int, alpha: int, beta: int, memory: Any) -> int:
    """The same on `Cells` with the board in memory: an action writes one cell and is undone."""
    memory.nodes += 1
    if memory.stones == game.side * game.side or line_in_memory(game, memory):
        return -1 if line_in_memory(game, memory) else 0
    if depth == 0:
        return 0
    best = -INFINITY
    last = memory.last
    row, column = last // game.side, last % game.side
    for r in range(max(0, row - game.reach), min(game.side, row + game.reach + 1)):
        for c in range(max(0, column - game.reach), min(game.side, column + game.reach + 1)):
            cell = r * game.side + c
            if memory.cells[cell] == 0:
                memory.cells[cell] = 1 + memory.stones % 2
                memory.stones += 1
                memory.last = cell
                value = -undoing_cells(game, depth - 1, -beta, -max(alpha, best), memory)
                memory.cells[cell] = 0
                memory.stones -= 1
                memory.last = last
                best = max(best, value)
                if value >= beta:
                    return best
    return best


@dataclass(frozen=True)
class Case:
    """A game, a position and a depth, and the function that makes and undoes."""

    name: str
    game: Game
    text: str
    depth: int
    undoing: Callable[..., int]
    size: str


def load(game: Any, state: Any, memory: Memory) -> None:
    """Put a State's board into memory."""
    if isinstance(game, ConnectFour):
        memory.mine, memory.mask = state.mine, state.mask
        return
    for i in range(game.side * game.side):
        memory.cells[i] = 2 if i == state.last else 0
    memory.last, memory.stones = state.last, state.stones


def prepared(case: Case, function: Callable[..., int]) -> Callable[[], tuple[int, int, float]]:
    """A compiled search that returns value, nodes and seconds of processor time."""
    from time import thread_time

    game, memory = case.game, Memory(FIELDS)
    state = game.parse(case.text) if case.text else game.initial()
    load(game, state, memory)
    arguments = {
        "game": game,
        "state": state,
        "depth": case.depth,
        "alpha": -INFINITY,
        "beta": INFINITY,
        "memory": memory,
    }
    ready, _ = prepare(function, arguments, True)
    ordered = [arguments[name] for name in inspect.signature(function).parameters]

    def run() -> tuple[int, int, float]:
        memory.nodes = 0
        began = thread_time()
        value = ready(*ordered)
        return value, memory.nodes, thread_time() - began

    return run


def compare(case: Case, pairs: int) -> Ratio:
    """The speed of value states divided by that of make and undo."""
    values, undone = interleaved(
        case.name, [prepared(case, by_value), prepared(case, case.undoing)], pairs
    )
    if values[0][:2] != undone[0][:2]:
        raise Mismatch(f"{case.name}: by value {values[0]}, make and undo {undone[0]}")
    nodes = values[0][1]
    detail = {
        "state": case.size,
        "nodes": nodes,
        "value_nodes_per_s": nodes / statistics.median(run[2] for run in values),
        "undo_nodes_per_s": nodes / statistics.median(run[2] for run in undone),
    }
    meaning = "nodes/s with value states divided by nodes/s with make and undo"
    return Ratio(
        case.name, meaning, [b[2] / a[2] for a, b in zip(values, undone, strict=True)], detail
    )


def cases(quick: bool) -> list[Case]:
    """Connect Four, and boards of cells of increasing size."""
    text = "742234173564774116613357"
    found = [
        Case(
            "Connect Four, two bitboards, to the end",
            ConnectFour(),
            text,
            18,
            undoing_four,
            "16 bytes",
        )
    ]
    for side, depth in (
        ((5, 8), (9, 7), (19, 6)) if quick else ((5, 8), (7, 8), (9, 8), (11, 7), (13, 7), (19, 7))
    ):
        game = Cells(side)
        found.append(
            Case(
                f"{side} x {side} cells, depth {depth}",
                game,
                "",
                depth,
                undoing_cells,
                f"{side * side} cells",
            )
        )
    for game, words in (
        (SignedCells(9), "9 x 9 cells, signed"),
        (TwoBoards(9), "9 x 9 cells, a bool for each player"),
        (TwoBoards(19), "19 x 19 cells, a bool for each player"),
        (Written(9), "9 x 9 cells, lists and slices"),
    ):
        boards = 2 if isinstance(game, TwoBoards) else 1
        found.append(
            Case(f"{words}, depth 6", game, "", 6, undoing_cells, f"{boards * game.side**2} cells")
        )
    return found


def measure(quick: bool = False, pairs: int = 0) -> list[Ratio]:
    """All ratios. Raises Mismatch if the two ways visit different trees."""
    found = []
    for case in cases(quick):
        say(f"value states: {case.name}")
        found.append(in_deep_stack(partial(compare, case, pairs or (5 if quick else 11))))
    return found


def show(ratios: list[Ratio]) -> str:
    """The ratios as a table."""
    rows = [
        (
            "work",
            "state",
            "nodes",
            "value states, million nodes/s",
            "make and undo, million nodes/s",
            "value / undo",
        )
    ]
    for r in ratios:
        d = r.detail
        speeds = (f"{d['value_nodes_per_s'] / 1e6:.1f}", f"{d['undo_nodes_per_s'] / 1e6:.1f}")
        rows.append((r.name, d["state"], f"{d['nodes']:,}", *speeds, r.text()))
    return table(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("--quick", action="store_true", help="smaller boards, fewer pairs")
    parser.add_argument("--pairs", type=int, default=0, help="interleaved rounds (11; quick: 5)")
    options = parser.parse_args()
    print(show(measure(options.quick, options.pairs)))


if __name__ == "__main__":
    main()
