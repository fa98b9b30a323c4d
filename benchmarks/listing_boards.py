"""More games for `board_work.py`: rules that collect cells in lists as they go."""

from __future__ import annotations

from typing import Any

from benchmarks.working_boards import Endless, Lines, Work

WAYS = ((0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1))


class CountedLines(Lines):
    """`[b[c] for c in line].count(p) == 4`, each line of the board."""

    def has_line(self, state: Any) -> bool:
        own = 2 - state.stones % 2
        for line in self.lines:
            if [state.cells[c] for c in line].count(own) == 4:
                return True
        return False

    def line_in(self, memory: Any) -> bool:
        own = 2 - memory.stones % 2
        for line in self.lines:
            number = 0
            for c in line:
                number += memory.cells[c] == own
            if number == 4:
                return True
        return False


class EqualLines(CountedLines):
    """`[b[c] for c in line] == [p] * 4`, each line of the board."""

    def has_line(self, state: Any) -> bool:
        own = 2 - state.stones % 2
        for line in self.lines:
            if [state.cells[c] for c in line] == [own] * 4:
                return True
        return False


class Enclosed(Endless):
    """Stones enclosed on a line are turned over: they are collected in lists, `found += line`."""

    def turned(self, cells: Any, action: int, stone: int) -> Any:
        """The board with a stone and what it turns over."""
        found = [action]
        for down, right in WAYS:
            r, c = action // self.side + down, action % self.side + right
            line = []
            while (
                0 <= r < self.side and 0 <= c < self.side and cells[r * self.side + c] == 3 - stone
            ):
                line.append(r * self.side + c)
                r, c = r + down, c + right
            if 0 <= r < self.side and 0 <= c < self.side and cells[r * self.side + c] == stone:
                found += line
        changed = list(cells)
        for cell in found:
            changed[cell] = stone
        return tuple(changed)

    def result(self, state: Any, action: int) -> Any:
        cells = self.turned(state.cells, action, 1 + state.stones % 2)
        return self.State(cells, action, state.stones + 1)

    def make(self, memory: Any, cell: int) -> int:
        stone, first = 1 + memory.stones % 2, memory.top
        memory.cells[cell] = stone
        for down, right in WAYS:
            r, c = cell // self.side + down, cell % self.side + right
            before = memory.top
            while (
                0 <= r < self.side
                and 0 <= c < self.side
                and memory.cells[r * self.side + c] == 3 - stone
            ):
                memory.waiting[memory.top] = r * self.side + c
                memory.top += 1
                r, c = r + down, c + right
            inside = 0 <= r < self.side and 0 <= c < self.side
            if not inside or memory.cells[r * self.side + c] != stone:
                memory.top = before
        for i in range(first, memory.top):
            memory.cells[memory.waiting[i]] = stone
        return first

    def undo(self, memory: Any, cell: int, changed: int) -> None:
        stone = memory.cells[cell]
        for i in range(changed, memory.top):
            memory.cells[memory.waiting[i]] = 3 - stone
        memory.top = changed
        memory.cells[cell] = 0


class Groups(Endless):
    """Liberties of the last stone's group: `seen = [False] * n`, `stack = [last]`."""

    def __init__(self, side: int) -> None:
        super().__init__(side)
        self.beside = tuple(
            tuple(near for near in self.around[cell] if abs(near - cell) in (1, side))
            for cell in range(side * side)
        )

    def has_line(self, state: Any) -> bool:
        own = state.cells[state.last]
        seen = [False] * (self.side * self.side)
        stack = [state.last]
        seen[state.last] = True
        free = 0
        while stack:
            for near in self.beside[stack.pop()]:
                if not seen[near]:
                    seen[near] = True
                    if state.cells[near] == own:
                        stack.append(near)
                    elif state.cells[near] == 0:
                        free += 1
        return free == 0

    def line_in(self, memory: Any) -> bool:
        own = memory.cells[memory.last]
        for cell in range(self.side * self.side):
            memory.spare[cell] = 0
        memory.waiting[0] = memory.last
        memory.spare[memory.last] = 1
        top, free = 1, 0
        while top > 0:
            top -= 1
            for near in self.beside[memory.waiting[top]]:
                if memory.spare[near] == 0:
                    memory.spare[near] = 1
                    if memory.cells[near] == own:
                        memory.waiting[top] = near
                        top += 1
                    elif memory.cells[near] == 0:
                        free += 1
        return free == 0


LISTING: tuple[type[Work], ...] = (CountedLines, EqualLines, Enclosed, Groups)
"""These games."""
