"""How fast a board kept as a tuple is in each style in which people write the next board:
`python -m benchmarks.board_styles`.

Each style is the game `Cells` of `value_states.py` with another `result`. The same alpha-beta runs
on it and on a board in memory that is made and undone; node counts and values must agree. The
processor time of the first compilation stands beside the speeds.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from benchmarks.common import Mismatch, in_deep_stack, interleaved, say, table
from benchmarks.value_states import Case, Cells, by_value, prepared, undoing_cells
from prunus.core.bits import u8, u16, with_item
from prunus.kernel.reporting.messages import CannotCompile

# ruff: noqa: C416, RUF005 - written as newcomers write it
DEPTHS = {5: 7, 7: 7, 9: 7, 13: 6, 19: 6}
"""The boards by side, and the depth of the search on each."""


class Item(Cells):
    """`with_item`."""


class Replace(Cells):
    """`_replace` and `with_item`."""

    def result(self, state: Any, action: int) -> Any:
        cells = with_item(state.cells, action, 1 + state.stones % 2)
        return state._replace(cells=cells, last=action, stones=state.stones + 1)


class Slices(Cells):
    """Slices joined."""

    def result(self, state: Any, action: int) -> Any:
        cells = state.cells[:action] + (1 + state.stones % 2,) + state.cells[action + 1 :]
        return self.State(cells, action, state.stones + 1)


class Starred(Cells):
    """Slices with stars."""

    def result(self, state: Any, action: int) -> Any:
        stone = 1 + state.stones % 2
        cells = (*state.cells[:action], stone, *state.cells[action + 1 :])
        return self.State(cells, action, state.stones + 1)


class Copied(Cells):
    """`list`, changed, `tuple`."""

    def result(self, state: Any, action: int) -> Any:
        cells = list(state.cells)
        cells[action] = 1 + state.stones % 2
        return self.State(tuple(cells), action, state.stones + 1)


class CopiedItems(Cells):
    """A comprehension that copies, changed."""

    def result(self, state: Any, action: int) -> Any:
        cells = [cell for cell in state.cells]
        cells[action] = 1 + state.stones % 2
        return self.State(tuple(cells), action, state.stones + 1)


class Appended(Cells):
    """A list filled in a loop."""

    def result(self, state: Any, action: int) -> Any:
        cells = []
        for i in range(self.side * self.side):
            if i == action:
                cells.append(1 + state.stones % 2)
            else:
                cells.append(state.cells[i])
        return self.State(tuple(cells), action, state.stones + 1)


class Enumerated(Cells):
    """`enumerate` in a comprehension."""

    def result(self, state: Any, action: int) -> Any:
        stone = 1 + state.stones % 2
        cells = tuple(stone if i == action else cell for i, cell in enumerate(state.cells))
        return self.State(cells, action, state.stones + 1)


class Indexed(Cells):
    """`range(len(...))` in a comprehension."""

    def result(self, state: Any, action: int) -> Any:
        b = state.cells
        stone = 1 + state.stones % 2
        cells = tuple(b[i] if i != action else stone for i in range(len(b)))
        return self.State(cells, action, state.stones + 1)


class Counted(Cells):
    """`range(rows * columns)` in a comprehension."""

    def result(self, state: Any, action: int) -> Any:
        cells = tuple(
            1 + state.stones % 2 if i == action else state.cells[i]
            for i in range(self.side * self.side)
        )
        return self.State(cells, action, state.stones + 1)


class HelperItem(Cells):
    """A helper that returns `with_item`."""

    def place(self, cells: Any, at: int, stone: int) -> Any:
        """The board with a stone."""
        return with_item(cells, at, stone)

    def result(self, state: Any, action: int) -> Any:
        cells = self.place(state.cells, action, 1 + state.stones % 2)
        return self.State(cells, action, state.stones + 1)


class HelperSlices(HelperItem):
    """A helper that returns slices joined."""

    def place(self, cells: Any, at: int, stone: int) -> Any:
        """The board with a stone."""
        return cells[:at] + (stone,) + cells[at + 1 :]


class HelperCopied(HelperItem):
    """A helper that returns `tuple(list)`."""

    def place(self, cells: Any, at: int, stone: int) -> Any:
        """The board with a stone."""
        new = list(cells)
        new[at] = stone
        return tuple(new)


class HelperEnumerated(HelperItem):
    """A helper that returns a comprehension."""

    def place(self, cells: Any, at: int, stone: int) -> Any:
        """The board with a stone."""
        return tuple(stone if i == at else cell for i, cell in enumerate(cells))


def placed(cells: Any, at: int, stone: int) -> Any:
    """The board with a stone."""
    return tuple(cells[i] if i != at else stone for i in range(len(cells)))


class HelperFunction(Cells):
    """The same, a function of the module."""

    def result(self, state: Any, action: int) -> Any:
        cells = placed(state.cells, action, 1 + state.stones % 2)
        return self.State(cells, action, state.stones + 1)


class Turned(Cells):
    """A map: own stones 1, theirs 2."""

    def initial(self) -> Any:
        # In `Cells` the player to move has made the first stone too.
        cells, last, stones = super().initial()
        return self.State(tuple(3 - c if c else 0 for c in cells), last, stones)

    def result(self, state: Any, action: int) -> Any:
        cells = with_item(state.cells, action, 1)
        return self.State(tuple(3 - c if c else 0 for c in cells), action, state.stones + 1)


class TurnedFunction(Turned):
    """The same, by a method."""

    def turned(self, cell: int) -> int:
        """The cell as the other player sees it."""
        if cell == 0:
            return 0
        return 3 - cell

    def result(self, state: Any, action: int) -> Any:
        cells = with_item(state.cells, action, 1)
        return self.State(tuple(self.turned(c) for c in cells), action, state.stones + 1)


class TurnedList(Turned):
    """The same, a list that is changed."""

    def result(self, state: Any, action: int) -> Any:
        cells = [3 - c if c else 0 for c in state.cells]
        cells[action] = 2
        return self.State(tuple(cells), action, state.stones + 1)


class TurnedTable(Turned):
    """The same, by a table."""

    def __init__(self, side: int) -> None:
        super().__init__(side)
        self.other = (0, 2, 1)

    def result(self, state: Any, action: int) -> Any:
        cells = with_item(state.cells, action, 1)
        return self.State(tuple(self.other[c] for c in cells), action, state.stones + 1)


class TurnedMapping(Turned):
    """The same, by a dictionary written there."""

    def result(self, state: Any, action: int) -> Any:
        other = {0: 0, 1: 2, 2: 1}
        cells = tuple(other[c] for c in state.cells)
        return self.State(with_item(cells, action, 2), action, state.stones + 1)


class TurnedGet(Turned):
    """The same, by `get` of a dictionary."""

    def __init__(self, side: int) -> None:
        super().__init__(side)
        self.other = {1: 2, 2: 1}

    def result(self, state: Any, action: int) -> Any:
        cells = with_item(state.cells, action, 1)
        cells = tuple(self.other.get(c, 0) for c in cells)
        return self.State(cells, action, state.stones + 1)


class Weighed(Cells):
    """Each node also weighs all cells."""

    def __init__(self, side: int) -> None:
        super().__init__(side)
        self.weights = tuple(i * 7 % 13 for i in range(side * side))

    def is_terminal(self, state: Any) -> bool:
        weight = sum(w * c for w, c in zip(self.weights, state.cells, strict=True))
        return weight > 1 << 20 or super().is_terminal(state)

    def result(self, state: Any, action: int) -> Any:
        cells = with_item(state.cells, action, 1 + state.stones % 2)
        return self.State(cells, action, state.stones + 1)


class TurnedHelper(Turned):
    """The same, by a helper for the board."""

    def swapped(self, cells: Any) -> Any:
        """The board as the other player sees it."""
        return tuple(0 if c == 0 else 3 - c for c in cells)

    def result(self, state: Any, action: int) -> Any:
        cells = self.swapped(with_item(state.cells, action, 1))
        return self.State(cells, action, state.stones + 1)


class Rows(Cells):
    """Rows, `list` of each, changed, `tuple` of each."""

    class State(NamedTuple):
        rows: tuple[tuple[u8, ...], ...]
        last: u16
        stones: u16

    def initial(self) -> Any:
        side, middle = self.side, self.side * self.side // 2
        rows = tuple(
            tuple(2 if r * side + c == middle else 0 for c in range(side)) for r in range(side)
        )
        return self.State(rows, middle, 1)

    def actions(self, state: Any) -> Iterator[int]:
        row, column = state.last // self.side, state.last % self.side
        for r in range(max(0, row - self.reach), min(self.side, row + self.reach + 1)):
            for c in range(max(0, column - self.reach), min(self.side, column + self.reach + 1)):
                if state.rows[r][c] == 0:
                    yield r * self.side + c

    def run(self, state: Any, down: int, right: int) -> int:
        own = state.rows[state.last // self.side][state.last % self.side]
        r, c = state.last // self.side + down, state.last % self.side + right
        length = 0
        while 0 <= r < self.side and 0 <= c < self.side and state.rows[r][c] == own:
            length += 1
            r += down
            c += right
        return length

    def result(self, state: Any, action: int) -> Any:
        rows = [list(row) for row in state.rows]
        rows[action // self.side][action % self.side] = 1 + state.stones % 2
        return self.State(tuple(tuple(row) for row in rows), action, state.stones + 1)


class RowsOneRow(Rows):
    """Rows, of which one is made anew."""

    def result(self, state: Any, action: int) -> Any:
        rows, row = list(state.rows), list(state.rows[action // self.side])
        row[action % self.side] = 1 + state.stones % 2
        rows[action // self.side] = tuple(row)
        return self.State(tuple(rows), action, state.stones + 1)


class RowsItem(Rows):
    """Rows, `with_item` twice."""

    def result(self, state: Any, action: int) -> Any:
        r, c = divmod(action, self.side)
        row = with_item(state.rows[r], c, 1 + state.stones % 2)
        return self.State(with_item(state.rows, r, row), action, state.stones + 1)


class RowsEnumerated(Rows):
    """Rows, each cell asked whether it is the one."""

    def result(self, state: Any, action: int) -> Any:
        at, stone = divmod(action, self.side), 1 + state.stones % 2
        rows = tuple(
            tuple(stone if (r, c) == at else cell for c, cell in enumerate(row))
            for r, row in enumerate(state.rows)
        )
        return self.State(rows, action, state.stones + 1)


class Letters(Cells):
    """A text, slices joined."""

    class State(NamedTuple):
        cells: str
        last: u16
        stones: u16

    def initial(self) -> Any:
        middle = self.side * self.side // 2
        return self.State("." * middle + "O" + "." * middle, middle, 1)

    def actions(self, state: Any) -> Iterator[int]:
        row, column = state.last // self.side, state.last % self.side
        for r in range(max(0, row - self.reach), min(self.side, row + self.reach + 1)):
            for c in range(max(0, column - self.reach), min(self.side, column + self.reach + 1)):
                if state.cells[r * self.side + c] == ".":
                    yield r * self.side + c

    def result(self, state: Any, action: int) -> Any:
        board = state.cells
        board = board[:action] + "XO"[state.stones % 2] + board[action + 1 :]
        return self.State(board, action, state.stones + 1)


class LettersJoined(Letters):
    """A text, `list`, changed, joined."""

    def result(self, state: Any, action: int) -> Any:
        cells = list(state.cells)
        cells[action] = "XO"[state.stones % 2]
        return self.State("".join(cells), action, state.stones + 1)


STYLES: tuple[type[Cells], ...] = (
    Item,
    Replace,
    Slices,
    Starred,
    Copied,
    CopiedItems,
    Appended,
    Enumerated,
    Indexed,
    Counted,
    HelperItem,
    HelperSlices,
    HelperCopied,
    HelperEnumerated,
    HelperFunction,
    Turned,
    TurnedFunction,
    TurnedList,
    TurnedTable,
    TurnedMapping,
    TurnedGet,
    TurnedHelper,
    Weighed,
    Rows,
    RowsOneRow,
    RowsItem,
    RowsEnumerated,
    Letters,
    LettersJoined,
)


def compare(side: int, styles: tuple[type[Cells], ...], pairs: int) -> dict[str, tuple[float, ...]]:
    """For each style its speed divided by that of make and undo, and the seconds that compiling
    took. Raises Mismatch if it visits another tree."""
    runs: list[Callable[[], Any]] = []
    seconds, compiled = [], []
    for style in (Cells, *styles):
        game, undo = style(side), style is Cells
        case = Case(style.__name__, game, "", DEPTHS[side], undoing_cells, "")
        began = time.process_time()
        try:
            runs.append(prepared(case, undoing_cells if undo else by_value))
        except CannotCompile as refused:
            say(str(refused))
            continue
        seconds.append(time.process_time() - began)
        compiled.append(style)
    styles = tuple(compiled[1:])
    undone, *found = interleaved(f"{side} x {side}", runs, pairs)
    for style, times in zip(styles, found, strict=True):
        if times[0][:2] != undone[0][:2]:
            raise Mismatch(f"{style.__name__}: {times[0]}, make and undo {undone[0]}")
    least = min(run[2] for run in undone)
    return {
        style.__name__: (
            statistics.median(b[2] / a[2] for a, b in zip(times, undone, strict=True)),
            least / min(run[2] for run in times),
            second,
        )
        for style, times, second in zip(styles, found, seconds[1:], strict=True)
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("--sides", default="5,7,9,13,19", help="the sides of the boards")
    parser.add_argument("--styles", default="", help="names of classes (all)")
    parser.add_argument("--pairs", type=int, default=7, help="interleaved rounds")
    options = parser.parse_args()
    names = options.styles.split(",") if options.styles else []
    styles = tuple(style for style in STYLES if not names or style.__name__ in names)
    sides = [int(side) for side in options.sides.split(",")]
    found = {}
    for side in sides:
        say(f"board styles: {side} x {side}")
        found[side] = in_deep_stack(partial(compare, side, styles, options.pairs))
    rows = [("the next board", *(f"{side**2} cells" for side in sides), "compiling, s")]
    for style in styles:
        name = style.__name__
        each = [found[side].get(name, (0.0, 0.0, 0.0)) for side in sides]
        speeds = (f"{median:.2f} / {least:.2f}" for median, least, _ in each)
        times = " ".join(f"{seconds:.1f}" for _, _, seconds in each)
        rows.append(((style.__doc__ or "").rstrip("."), *speeds, times))
    print(table(rows))


if __name__ == "__main__":
    main()
