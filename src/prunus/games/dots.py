"""Dots and boxes (Lucas 1889) on boards of up to 64 edges."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from prunus.core.bits import bit_index, i8, lowest_bit, u8, u64
from prunus.core.game import Game, PositionError
from prunus.core.grids import cell_name, read_grid
from prunus.games.boards import is_start

PLAYERS = "AB"
CELLS = ".+-|#"
"""A cell of the picture that holds nothing, a dot, an edge across or down, a box of four edges."""


class Dots(Game):
    """Two players draw edges between neighbouring dots in turn; whoever draws the fourth edge of a
    box gets it and moves again. Most boxes win.

    `width` x `height` boxes with at most 64 edges in all (5 x 5 have 60), otherwise ValueError.
    Utility: the player to move's boxes less the opponent's. `edges` are those drawn, one bit each,
    in the order of the picture, row by row (here 2 x 1 boxes); `lead` is how many boxes more A
    has.

        + 0 + 1 +
        2   3   4
        + 5 + 6 +

    An action is the number of an edge; in text it is its cell in the picture, dots and boxes
    counted too: b1 is edge 0, a2 edge 2.
    """

    drawn_as = "dots"

    class State(NamedTuple):
        edges: u64
        lead: i8
        turn: u8

    def __init__(self, width: int = 3, height: int = 3) -> None:
        count = 2 * width * height + width + height
        if min(width, height) < 1 or count > 64 or width > 12:
            raise ValueError(
                f"a board of {width} x {height} boxes has {count} edges; 64 edges and 12 columns "
                f"are the limit"
            )
        self.width, self.height = int(width), int(height)
        self.count = count
        self.every = u64((1 << count) - 1)
        around = 2 * self.width + 1
        boxes = [
            (row * around + column, row * around + self.width + column)
            for row in range(self.height)
            for column in range(self.width)
        ]
        self.boxes = tuple(
            u64(1 << above | 1 << left | 1 << left + 1 | 1 << above + around)
            for above, left in boxes
        )
        # The box above or left of an edge, and the one below or right of it; all edges and one
        # more, which is never drawn, where there is no box.
        never = u64((1 << 64) - 1)
        beside = [[box for box in self.boxes if box >> edge & 1] for edge in range(count)]
        self.one_side = tuple(found[0] for found in beside)
        self.other_side = tuple(found[1] if len(found) > 1 else never for found in beside)

    def initial(self) -> State:
        return self.State(u64(0), 0, 0)

    def to_move(self, state: State) -> int:
        return state.turn

    def actions(self, state: State) -> Iterator[int]:
        free = self.every ^ state.edges
        while free:
            yield bit_index(free)
            free ^= lowest_bit(free)

    def completed(self, state: State, action: int) -> int:
        """The boxes, 0 to 2, to which an edge is the last one missing."""
        edges = state.edges | u64(1) << action
        one, other = self.one_side[action], self.other_side[action]
        return (1 if edges & one == one else 0) + (1 if edges & other == other else 0)

    def result(self, state: State, action: int) -> State:
        edges = state.edges | u64(1) << action
        boxes = self.completed(state, action)
        if boxes:
            gained = boxes if state.turn == 0 else -boxes
            return self.State(edges, state.lead + gained, state.turn)
        return self.State(edges, state.lead, 1 - state.turn)

    def is_terminal(self, state: State) -> bool:
        return state.edges == self.every

    def utility(self, state: State) -> int:
        return self.lead(state)

    def lead(self, state: State) -> int:
        """How many boxes more the player to move has."""
        return state.lead if state.turn == 0 else -state.lead

    def boxes_left(self, state: State) -> int:
        """The boxes that nobody has yet."""
        left = 0
        for box in self.boxes:
            left += 1 if state.edges & box != box else 0
        return left

    def bounds(self, state: State) -> tuple[int, int]:
        left = self.boxes_left(state)
        lead = self.lead(state)
        return (lead - left, lead + left)

    def evaluate(self, state: State) -> int:
        return self.lead(state)

    def order(self, state: State, action: int) -> int:
        """Edges that complete boxes first, those that give a box away last."""
        boxes = self.completed(state, action)
        if boxes:
            return boxes
        edges = state.edges | u64(1) << action
        one, other = self.one_side[action], self.other_side[action]
        given = (one & ~edges).bit_count() == 1 or (other & ~edges).bit_count() == 1
        return -1 if given else 0

    def plies_left(self, state: State) -> int:
        return self.count - state.edges.bit_count()

    # Texts.

    def cell_of(self, edge: int) -> int:
        """The cell of the picture where an edge lies."""
        row, place = divmod(edge, 2 * self.width + 1)
        columns = 2 * self.width + 1
        if place < self.width:
            return 2 * row * columns + 2 * place + 1
        return (2 * row + 1) * columns + 2 * (place - self.width)

    def parse(self, text: str) -> State:
        if is_start(text):
            return self.initial()
        words = text.split()
        if len(words) < 3 or words[-1].upper() not in tuple(PLAYERS):
            raise PositionError(
                f"{text!r} does not end with the lead of the player to move and this player, A or "
                f"B, as in {self.format(self.initial())}"
            )
        cells = read_grid("/".join(words[:-2]), 2 * self.height + 1, 2 * self.width + 1, CELLS)
        edges = u64(sum(1 << e for e in range(self.count) if CELLS[cells[self.cell_of(e)]] in "-|"))
        state = self.State(edges, 0, PLAYERS.index(words[-1].upper()))
        taken = len(self.boxes) - self.boxes_left(state)
        lead = words[-2]
        if not lead.lstrip("+-").isdecimal() or abs(int(lead)) > taken or (int(lead) - taken) % 2:
            raise PositionError(
                f"of {taken} complete boxes the player to move cannot have {lead} more than the "
                f"opponent"
            )
        return self.State(edges, int(lead) if state.turn == 0 else -int(lead), state.turn)

    def format(self, state: State) -> str:
        columns = 2 * self.width + 1
        cells = ["."] * (columns * (2 * self.height + 1))
        for row in range(self.height + 1):
            for column in range(self.width + 1):
                cells[2 * row * columns + 2 * column] = "+"
        for edge in range(self.count):
            if state.edges >> edge & 1:
                cells[self.cell_of(edge)] = "-" if edge % columns < self.width else "|"
        for number, box in enumerate(self.boxes):
            if state.edges & box == box:
                row, column = divmod(number, self.width)
                cells[(2 * row + 1) * columns + 2 * column + 1] = "#"
        rows = ["".join(cells[i : i + columns]) for i in range(0, len(cells), columns)]
        return f"{'/'.join(rows)} {self.lead(state)} {PLAYERS[state.turn]}"

    def action_name(self, state: State, action: int) -> str:
        return cell_name(self.cell_of(int(action)), 2 * self.width + 1)
