"""More games for `board_work.py`: what newcomers write with helpers, lists that are counted and sets
of cells."""

from __future__ import annotations

from typing import Any

from benchmarks.listing_boards import CountedLines, Groups
from benchmarks.working_boards import Endless, Flips, Lines, Work
from prunus.core.bits import with_item

# ruff: noqa: RUF005, C401 - written as newcomers write it


class HelperFlips(Flips):
    """Neighbours turned over by a helper, `b = placed(b, near, stone)` in a loop."""

    def placed(self, cells: Any, at: int, stone: int) -> Any:
        """The board with a stone."""
        return cells[:at] + (stone,) + cells[at + 1 :]

    def result(self, state: Any, action: int) -> Any:
        stone = 1 + state.stones % 2
        cells = self.placed(state.cells, action, stone)
        for near in self.around[action]:
            if cells[near] == 3 - stone:
                cells = self.placed(cells, near, stone)
        return self.State(cells, action, state.stones + 1)


class HelperTurned(Flips):
    """The same, by a helper that returns the board, `b = turned(b, action, stone)`."""

    def turned(self, cells: Any, action: int, stone: int) -> Any:
        """The board with a stone and its neighbours turned over."""
        cells = with_item(cells, action, stone)
        for near in self.around[action]:
            if cells[near] == 3 - stone:
                cells = with_item(cells, near, stone)
        return cells

    def result(self, state: Any, action: int) -> Any:
        cells = self.turned(state.cells, action, 1 + state.stones % 2)
        return self.State(cells, action, state.stones + 1)


class HelperListed(HelperTurned):
    """The same helper with a list, `return tuple(b)`."""

    def turned(self, cells: Any, action: int, stone: int) -> Any:
        """The board with a stone and its neighbours turned over."""
        new = list(cells)
        new[action] = stone
        for near in self.around[action]:
            if new[near] == 3 - stone:
                new[near] = stone
        return tuple(new)


class HelperTwice(Endless):
    """A helper called twice, `placed(placed(b, a, stone), near, 0)`."""

    def placed(self, cells: Any, at: int, stone: int) -> Any:
        """The board with a stone."""
        return cells[:at] + (stone,) + cells[at + 1 :]

    def result(self, state: Any, action: int) -> Any:
        cells = self.placed(state.cells, action, 1 + state.stones % 2)
        cells = self.placed(cells, self.around[action][0], 3)
        return self.State(cells, action, state.stones + 1)

    def make(self, memory: Any, cell: int) -> int:
        memory.cells[cell] = 1 + memory.stones % 2
        before = memory.cells[self.around[cell][0]]
        memory.cells[self.around[cell][0]] = 3
        return before

    def undo(self, memory: Any, cell: int, changed: int) -> None:
        memory.cells[self.around[cell][0]] = changed
        memory.cells[cell] = 0


class HelperPair(HelperTurned):
    """The same helper, which returns the board and a number."""

    def counted(self, cells: Any, action: int, stone: int) -> Any:
        """The board with a stone and its neighbours turned over, and how many these are."""
        new, number = list(cells), 0
        new[action] = stone
        for near in self.around[action]:
            if new[near] == 3 - stone:
                new[near] = stone
                number += 1
        return tuple(new), number

    def result(self, state: Any, action: int) -> Any:
        cells, number = self.counted(state.cells, action, 1 + state.stones % 2)
        return self.State(cells, action, state.stones + 1 + number * 0)


class TupleCounted(CountedLines):
    """`tuple(b[c] for c in line).count(p) == 4`, each line of the board."""

    def has_line(self, state: Any) -> bool:
        own = 2 - state.stones % 2
        return any(tuple(state.cells[c] for c in line).count(own) == 4 for line in self.lines)


class FilteredLines(CountedLines):
    """`len([c for c in line if b[c] == p]) == 4`, each line of the board."""

    def has_line(self, state: Any) -> bool:
        own = 2 - state.stones % 2
        return any(len([c for c in line if state.cells[c] == own]) == 4 for line in self.lines)


class SetLines(Lines):
    """`{b[c] for c in line} == {p}`, each line of the board."""

    def has_line(self, state: Any) -> bool:
        own = 2 - state.stones % 2
        return any({state.cells[c] for c in line} == {own} for line in self.lines)


class OneLines(CountedLines):
    """`len(set(b[c] for c in line)) == 1`, each line of the board."""

    def has_line(self, state: Any) -> bool:
        own = 2 - state.stones % 2
        return any(
            state.cells[line[0]] == own and len(set(state.cells[c] for c in line)) == 1
            for line in self.lines
        )

    def line_in(self, memory: Any) -> bool:
        own = 2 - memory.stones % 2
        for line in self.lines:
            if memory.cells[line[0]] == own:
                found = 0
                for c in line:
                    found |= 1 << memory.cells[c]
                if found == 1 << own:
                    return True
        return False


class EmptyCells(Endless):
    """`len([c for c in range(n) if b[c] == 0]) < 2`."""

    def has_line(self, state: Any) -> bool:
        return len([c for c in range(self.side * self.side) if state.cells[c] == 0]) < 2

    def line_in(self, memory: Any) -> bool:
        number = 0
        for c in range(self.side * self.side):
            number += memory.cells[c] == 0
        return number < 2


class SetGroups(Groups):
    """Liberties of the last stone's group: `seen = {last}`, `seen.add(near)`."""

    def has_line(self, state: Any) -> bool:
        own = state.cells[state.last]
        seen = {state.last}
        stack = [state.last]
        free = 0
        while stack:
            for near in self.beside[stack.pop()]:
                if near not in seen:
                    seen.add(near)
                    if state.cells[near] == own:
                        stack.append(near)
                    elif state.cells[near] == 0:
                        free += 1
        return free == 0


class EmptySetGroups(Groups):
    """The same, `seen = set()` and the number of liberties `len(free)` of a set."""

    def has_line(self, state: Any) -> bool:
        own = state.cells[state.last]
        seen, free = set(), set()
        stack = [state.last]
        while stack:
            cell = stack.pop()
            if cell in seen:
                continue
            seen.add(cell)
            for near in self.beside[cell]:
                if state.cells[near] == own:
                    stack.append(near)
                elif state.cells[near] == 0:
                    free.add(near)
        return len(free) == 0


class RecursiveGroups(Groups):
    """The same, by a method that calls itself with a list, `seen[near] = True`."""

    def spread(self, cells: Any, cell: int, own: int, seen: Any) -> int:
        """The liberties that are reached from a cell."""
        seen[cell] = True
        free = 0
        for near in self.beside[cell]:
            if not seen[near]:
                if cells[near] == own:
                    free += self.spread(cells, near, own, seen)
                elif cells[near] == 0:
                    seen[near] = True
                    free += 1
        return free

    def has_line(self, state: Any) -> bool:
        seen = [False] * (self.side * self.side)
        return self.spread(state.cells, state.last, state.cells[state.last], seen) == 0


class RecursiveSetGroups(Groups):
    """The same, by a method that calls itself with a set."""

    def spread(self, cells: Any, cell: int, own: int, seen: Any) -> int:
        """The liberties that are reached from a cell."""
        seen.add(cell)
        free = 0
        for near in self.beside[cell]:
            if near not in seen:
                if cells[near] == own:
                    free += self.spread(cells, near, own, seen)
                elif cells[near] == 0:
                    seen.add(near)
                    free += 1
        return free

    def has_line(self, state: Any) -> bool:
        seen: set[int] = set()
        return self.spread(state.cells, state.last, state.cells[state.last], seen) == 0


class CellSets(Endless):
    """A set of all own cells, `{c for c in range(n) if b[c] == p}`, and neighbours looked up."""

    def has_line(self, state: Any) -> bool:
        own = state.cells[state.last]
        mine = {c for c in range(self.side * self.side) if state.cells[c] == own}
        return all(near in mine for near in self.around[state.last])

    def line_in(self, memory: Any) -> bool:
        own = memory.cells[memory.last]
        for c in range(self.side * self.side):
            memory.spare[c] = memory.cells[c] == own
        for near in self.around[memory.last]:
            if memory.spare[near] == 0:
                return False
        return True


NATURAL: tuple[type[Work], ...] = (
    HelperFlips,
    HelperTurned,
    HelperListed,
    HelperTwice,
    HelperPair,
    TupleCounted,
    FilteredLines,
    SetLines,
    OneLines,
    EmptyCells,
    SetGroups,
    EmptySetGroups,
    RecursiveGroups,
    RecursiveSetGroups,
    CellSets,
)
"""These games."""
