"""Games on boards of cells that do more at each node than put a stone, for `board_work.py`: lines
that are tested, cells that are changed, boards that are turned. Each game says the same work for a
board in memory too, which is made and undone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.value_states import Cells, line_in_memory
from prunus.core.bits import with_item
from prunus.core.game import INFINITY


def lines_of(side: int, k: int = 4) -> tuple[tuple[int, ...], ...]:
    """The cells of all lines of `k`."""
    found = []
    for r in range(side):
        for c in range(side):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                ends = r + (k - 1) * down, c + (k - 1) * right
                if 0 <= ends[0] < side and 0 <= ends[1] < side:
                    found.append(tuple((r + i * down) * side + c + i * right for i in range(k)))
    return tuple(found)


def undoing_work(game: Any, depth: int, alpha: int, beta: int, memory: Any) -> int:
    """The alpha-beta of `by_value` on the board in memory: the game says how an action is made
    there and undone."""
    memory.nodes += 1
    if game.is_over(memory):
        return game.worth(memory)
    if depth == 0:
        return 0
    best = -INFINITY
    last = memory.last
    row, column = last // game.side, last % game.side
    for r in range(max(0, row - game.reach), min(game.side, row + game.reach + 1)):
        for c in range(max(0, column - game.reach), min(game.side, column + game.reach + 1)):
            cell = r * game.side + c
            if memory.cells[cell] == 0:
                changed = game.make(memory, cell)
                memory.last = game.now_at(cell)
                memory.stones += 1
                value = -undoing_work(game, depth - 1, -beta, -max(alpha, best), memory)
                memory.stones -= 1
                memory.last = last
                game.undo(memory, cell, changed)
                best = max(best, value)
                if value >= beta:
                    return best
    return best


class Work(Cells):
    """`Cells`, whose rules are said for a board in memory too."""

    def now_at(self, cell: int) -> int:
        """Where the stone that was put on a cell lies after the action."""
        return cell

    def make(self, memory: Any, cell: int) -> int:
        """Put a stone; the number that `undo` needs."""
        memory.cells[cell] = 1 + memory.stones % 2
        return 0

    def undo(self, memory: Any, cell: int, changed: int) -> None:
        """Take it away again."""
        memory.cells[cell] = 0

    def is_over(self, memory: Any) -> bool:
        """`is_terminal` of the board in memory."""
        return memory.stones == self.side * self.side or self.line_in(memory)

    def worth(self, memory: Any) -> int:
        """`utility` of the board in memory."""
        return -1 if self.line_in(memory) else 0

    def line_in(self, memory: Any) -> bool:
        """`has_line` of the board in memory."""
        return line_in_memory(self, memory)


class Lines(Work):
    """`any(all(b[c] == p for c in line) for line in lines)`."""

    def __init__(self, side: int) -> None:
        super().__init__(side)
        self.lines = lines_of(side)

    def has_line(self, state: Any) -> bool:
        own = 2 - state.stones % 2
        return any(all(state.cells[c] == own for c in line) for line in self.lines)

    def line_in(self, memory: Any) -> bool:
        """`has_line` of the board in memory."""
        own = 2 - memory.stones % 2
        for line in self.lines:
            for c in line:
                if memory.cells[c] != own:
                    break
            else:
                return True
        return False


class LoopedLines(Lines):
    """The same lines in loops."""

    def has_line(self, state: Any) -> bool:
        own = state.cells[state.last]
        for line in self.lines:
            for c in line:
                if state.cells[c] != own:
                    break
            else:
                return True
        return False


class UnpackedLines(Lines):
    """The same, `for a, b, c, d in lines`."""

    def has_line(self, state: Any) -> bool:
        cells, own = state.cells, state.cells[state.last]
        for a, b, c, d in self.lines:
            if cells[a] == own and cells[b] == own and cells[c] == own and cells[d] == own:
                return True
        return False


class NearLines(Lines):
    """The lines through the last stone, from a table."""

    def __init__(self, side: int) -> None:
        super().__init__(side)
        self.through = tuple(
            tuple(line for line in self.lines if cell in line) for cell in range(side * side)
        )

    def has_line(self, state: Any) -> bool:
        own = state.cells[state.last]
        return any(all(state.cells[c] == own for c in line) for line in self.through[state.last])

    def line_in(self, memory: Any) -> bool:
        """`has_line` of the board in memory."""
        own = memory.cells[memory.last]
        for line in self.through[memory.last]:
            for c in line:
                if memory.cells[c] != own:
                    break
            else:
                return True
        return False


class Places(Work):
    """The board's cells by a table of rows, `b[rows[r][c]]`."""

    def __init__(self, side: int) -> None:
        super().__init__(side)
        self.rows = tuple(tuple(r * side + c for c in range(side)) for r in range(side))

    def run(self, state: Any, down: int, right: int) -> int:
        own = state.cells[state.last]
        r, c = state.last // self.side + down, state.last % self.side + right
        length = 0
        while 0 <= r < self.side and 0 <= c < self.side and state.cells[self.rows[r][c]] == own:
            length += 1
            r += down
            c += right
        return length


class Endless(Work):
    """Without lines: the search ends at its depth."""

    def __init__(self, side: int) -> None:
        super().__init__(side)
        self.around = tuple(
            tuple(
                r * side + c
                for r in range(max(0, cell // side - 1), min(side, cell // side + 2))
                for c in range(max(0, cell % side - 1), min(side, cell % side + 2))
                if r * side + c != cell
            )
            for cell in range(side * side)
        )

    def has_line(self, state: Any) -> bool:
        return False

    def line_in(self, memory: Any) -> bool:
        """`has_line` of the board in memory."""
        return False


class Turning(Endless):
    """`tuple(b[p] for p in turned)`, the board turned after each action."""

    def __init__(self, side: int) -> None:
        super().__init__(side)
        self.turned = tuple(c * side + side - 1 - r for r in range(side) for c in range(side))
        self.place = tuple(self.turned.index(cell) for cell in range(side * side))

    def result(self, state: Any, action: int) -> Any:
        cells = with_item(state.cells, action, 1 + state.stones % 2)
        cells = tuple(cells[p] for p in self.turned)
        return self.State(cells, self.place[action], state.stones + 1)

    def now_at(self, cell: int) -> int:
        return self.place[cell]

    def make(self, memory: Any, cell: int) -> int:
        memory.cells[cell] = 1 + memory.stones % 2
        for i in range(self.side * self.side):
            memory.spare[i] = memory.cells[self.turned[i]]
        for i in range(self.side * self.side):
            memory.cells[i] = memory.spare[i]
        return 0

    def undo(self, memory: Any, cell: int, changed: int) -> None:
        for i in range(self.side * self.side):
            memory.spare[i] = memory.cells[self.place[i]]
        for i in range(self.side * self.side):
            memory.cells[i] = memory.spare[i]
        memory.cells[cell] = 0


class TurningList(Turning):
    """The same, a list filled in a loop."""

    def result(self, state: Any, action: int) -> Any:
        cells = list(state.cells)
        cells[action] = 1 + state.stones % 2
        new = [0] * (self.side * self.side)
        for i in range(self.side * self.side):
            new[i] = cells[self.turned[i]]
        return self.State(tuple(new), self.place[action], state.stones + 1)


class Flips(Endless):
    """`b = list(board)`, stones around turned over one by one, `tuple(b)`."""

    def result(self, state: Any, action: int) -> Any:
        stone = 1 + state.stones % 2
        cells = list(state.cells)
        cells[action] = stone
        for near in self.around[action]:
            if cells[near] == 3 - stone:
                cells[near] = stone
        return self.State(tuple(cells), action, state.stones + 1)

    def make(self, memory: Any, cell: int) -> int:
        stone = 1 + memory.stones % 2
        memory.cells[cell] = stone
        changed = 0
        for i, near in enumerate(self.around[cell]):
            if memory.cells[near] == 3 - stone:
                memory.cells[near] = stone
                changed |= 1 << i
        return changed

    def undo(self, memory: Any, cell: int, changed: int) -> None:
        stone = memory.cells[cell]
        memory.cells[cell] = 0
        for i, near in enumerate(self.around[cell]):
            if changed >> i & 1:
                memory.cells[near] = 3 - stone


class FlipItems(Flips):
    """The same, `with_item` in the loop."""

    def result(self, state: Any, action: int) -> Any:
        stone = 1 + state.stones % 2
        cells = with_item(state.cells, action, stone)
        for near in self.around[action]:
            if cells[near] == 3 - stone:
                cells = with_item(cells, near, stone)
        return self.State(cells, action, state.stones + 1)


class Sown(Endless):
    """`b[i] += 1` for the cells around, `tuple(b)`."""

    def result(self, state: Any, action: int) -> Any:
        cells = list(state.cells)
        cells[action] = 1
        for near in self.around[action]:
            cells[near] += 1
        return self.State(tuple(cells), action, state.stones + 1)

    def make(self, memory: Any, cell: int) -> int:
        memory.cells[cell] = 1
        for near in self.around[cell]:
            memory.cells[near] += 1
        return 0

    def undo(self, memory: Any, cell: int, changed: int) -> None:
        memory.cells[cell] = 0
        for near in self.around[cell]:
            memory.cells[near] -= 1


class Swapped(Endless):
    """`b[i], b[j] = b[j], b[i]` with the cells around, `tuple(b)`."""

    def result(self, state: Any, action: int) -> Any:
        cells = list(state.cells)
        cells[action] = 1 + state.stones % 2
        for near in self.around[action]:
            cells[near], cells[action] = cells[action], cells[near]
        return self.State(tuple(cells), action, state.stones + 1)

    def make(self, memory: Any, cell: int) -> int:
        memory.cells[cell] = 1 + memory.stones % 2
        for near in self.around[cell]:
            here = memory.cells[cell]
            memory.cells[cell] = memory.cells[near]
            memory.cells[near] = here
        return 0

    def undo(self, memory: Any, cell: int, changed: int) -> None:
        around = self.around[cell]
        for i in range(len(around) - 1, -1, -1):
            here = memory.cells[cell]
            memory.cells[cell] = memory.cells[around[i]]
            memory.cells[around[i]] = here
        memory.cells[cell] = 0


WEIGHTS = np.arange(400, dtype=np.uint8) % 7


class Weighed(Endless):
    """Cells weighed by a `uint8` array of the module, `int(WEIGHTS[i])`."""

    def has_line(self, state: Any) -> bool:
        total = 0
        for near in self.around[state.last]:
            total += int(WEIGHTS[near]) * state.cells[near]
        return total > 1 << 20

    def line_in(self, memory: Any) -> bool:
        total = 0
        for near in self.around[memory.last]:
            total += int(WEIGHTS[near]) * memory.cells[near]
        return total > 1 << 20


KINDS: tuple[type[Work], ...] = (
    Lines,
    LoopedLines,
    UnpackedLines,
    NearLines,
    # Rows,
    Places,
    Turning,
    TurningList,
    Flips,
    FlipItems,
    Sown,
    Swapped,
    Weighed,
)
