"""Nine men's morris on three squares and six men's morris on two (rules as in Gasser 1996, Solving
Nine Men's Morris)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from prunus.core.bits import bit_index, lowest_bit, u8, u32, u64
from prunus.core.game import Game, PositionError
from prunus.core.grids import cell_name, from_masks, read_grid, write_grid
from prunus.games.boards import is_start, joined, split_mover

AROUND: Final = 8
"""The points of a square: its corners and the middles of its sides, clockwise from the top left.
Point 8 r + i is number i of square r, which count from the outermost one; corners are even."""

POINTS: Final = 24
"""The points of three squares, and the base in which actions are written: the goal + `POINTS` x
(the point that the stone leaves + 1, 0 for a stone in hand) + `TAKING` x (the point of the stone
that is taken + 1, or 0)."""

TAKING: Final = POINTS * (POINTS + 1)

PLACES: Final = ((-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1))
"""The direction of each point of a square from the centre: rows, which count from the top, and
columns."""

CORNERS: Final = u64(0x0055555500555555)
BYTES: Final = u64(0x0001010100010101)
"""The first point of each square, for the stones of both players, 32 bits apart."""

OUTERMOST: Final = u64(0x000000FF000000FF)
THEIRS: Final = 32
FEWEST: Final = 3
"""A player with fewer stones has lost; one with so many may fly."""

WIN: Final = 100
PLAYERS: Final = "XO"
CELLS: Final = ".XO-"


def turned(points: u64, steps: int) -> u64:
    """The points with those of each square moved on by some steps, 1 to 7."""
    stay = (BYTES << AROUND - steps) - BYTES
    return (points & stay) << steps | (points & ~stay) >> AROUND - steps & (BYTES << steps) - BYTES


def mirrored(points: u64) -> u64:
    """The points reflected in the diagonal through the top left corner: number i of each square
    becomes number 8 - i, and 0 stays."""
    points = (points & BYTES * 0x55) << 1 | points >> 1 & BYTES * 0x55
    points = (points & BYTES * 0x33) << 2 | points >> 2 & BYTES * 0x33
    points = (points & BYTES * 0x0F) << 4 | points >> 4 & BYTES * 0x0F
    return turned(points, 1)


class NineMensMorris(Game):
    """Two players put their stones on the points of concentric squares in turn; when all are
    placed, they move a stone along a line to a free neighbouring point, and a player with three
    stones left may move one to any free point (`flying`). Whoever closes a mill, three stones of
    his own in a row, takes one of the opponent's stones that is in no mill; if all are in mills,
    any. Two mills at once take one stone. A player with fewer than three stones, or who cannot
    move, loses; a position that comes up again is a draw.

    `stones` for each player: 3 to 12 on the three squares of nine men's morris (`rings` 3, 24
    points, with lines between the middles of their sides), 3 to 8 on the two of six men's morris
    (`rings` 2, 16 points, no mills between the squares). Other values: ValueError. Utility, for the
    player to move at the end: -100.

    In text `d1` places a stone, `a1-d1` moves one, and `xg7` at the end takes one. Positions are
    the rows from the top, `-` where no point is, then the stones that both players have in hand
    together, and the player to move: `.--.--./-.-.-.-/--...--/...-.../--...--/-.-.-.-/.--.--. 18
    X`. X begins.
    """

    drawn_as = "points"

    name = "nine men's morris"
    repetition = "draw"
    exact_key = True

    class State(NamedTuple):
        mine: u32
        theirs: u32
        hand: u8
        turn: u8

    def __init__(self, stones: int = 9, flying: bool = True, rings: int = 3) -> None:
        if rings not in (2, 3):
            raise ValueError(f"the board has 2 or 3 squares, not {rings}")
        if not FEWEST <= stones <= 4 * rings:
            raise ValueError(
                f"a player has 3 to {4 * rings} stones on {AROUND * rings} points, not {stones}"
            )
        self.stones, self.flying, self.rings = int(stones), bool(flying), int(rings)
        self.points = AROUND * self.rings
        self.board = u64((1 << self.points) - 1)
        self.width = 2 * self.rings + 1
        # The cell of the drawn board on which each point lies.
        self.cells = tuple(
            self.width * (self.rings + (self.rings - ring) * down)
            + self.rings
            + (self.rings - ring) * right
            for ring in range(self.rings)
            for down, right in PLACES
        )
        self.neighbours = tuple(
            u64(sum(1 << other for other in range(self.points) if self._touch(point, other)))
            for point in range(self.points)
        )

    def _touch(self, point: int, other: int) -> bool:
        """Whether a line joins two points."""
        (ring, place), (ring_2, place_2) = divmod(point, AROUND), divmod(other, AROUND)
        if ring == ring_2:
            return (place - place_2) % AROUND in (1, AROUND - 1)
        return place == place_2 and place % 2 == 1 and abs(ring - ring_2) == 1

    def initial(self) -> State:
        return self.State(0, 0, 2 * self.stones, 0)

    def in_hand(self, state: State) -> int:
        """The stones that the player to move has in hand."""
        return (int(state.hand) + state.turn) // 2

    def in_mills(self, stones: u64) -> u64:
        """Those of a player's stones that are in mills."""
        # The corners from which a side is full, clockwise.
        sides = stones & turned(stones, 7) & turned(stones, 6) & CORNERS
        found = sides | turned(sides, 1) | turned(sides, 2)
        if self.rings == 3:
            spokes = stones & stones >> AROUND & stones >> 2 * AROUND & ~CORNERS & 255
            found |= spokes | spokes << AROUND | spokes << 2 * AROUND
        return found

    def goals(self, state: State, start: int) -> u64:
        """The points to which the stone on this point may go; for -1, a stone in hand."""
        free = self.board & ~u64(state.mine | state.theirs)
        if start < 0 or (self.flying and u64(state.mine).bit_count() == FEWEST):
            return free
        return free & self.neighbours[start]

    def actions(self, state: State) -> Iterator[int]:
        mine, theirs = u64(state.mine), u64(state.theirs)
        takeable = theirs & ~self.in_mills(theirs)
        if takeable == 0:
            takeable = theirs
        for start in range(-1 if state.hand else 0, 0 if state.hand else self.points):
            if start >= 0 and mine >> start & 1 == 0:
                continue
            rest = mine if start < 0 else mine ^ u64(1) << start
            goals = self.goals(state, start)
            while goals:
                goal = lowest_bit(goals)
                action = POINTS * (start + 1) + bit_index(goals)
                if self.in_mills(rest | goal) & goal:
                    taken = takeable
                    while taken:
                        yield action + TAKING * (bit_index(taken) + 1)
                        taken ^= lowest_bit(taken)
                else:
                    yield action
                goals ^= goal

    def result(self, state: State, action: int) -> State:
        move, taken = action % TAKING, action // TAKING
        mine, theirs, hand = u64(state.mine), u64(state.theirs), int(state.hand)
        mine |= u64(1) << move % POINTS
        if move >= POINTS:
            mine ^= u64(1) << move // POINTS - 1
        else:
            hand -= 1
        if taken:
            theirs ^= u64(1) << taken - 1
        return self.State(theirs, mine, hand, 1 - state.turn)

    def is_terminal(self, state: State) -> bool:
        if u64(state.mine).bit_count() + self.in_hand(state) < FEWEST:
            return True
        return state.hand == 0 and self.is_blocked(state)

    def is_blocked(self, state: State) -> bool:
        """Whether no stone of the player to move can move."""
        mine = u64(state.mine)
        while mine:
            if self.goals(state, bit_index(mine)):
                return False
            mine ^= lowest_bit(mine)
        return True

    def utility(self, state: State) -> int:
        return -WIN

    def bounds(self, state: State) -> tuple[int, int]:
        return (-WIN, WIN)

    def evaluate(self, state: State) -> int:
        """Stones, on the board and in hand, and free points beside one's own stones."""
        here = u64(state.mine).bit_count() + self.in_hand(state)
        there = u64(state.theirs).bit_count() + (int(state.hand) + 1 - state.turn) // 2
        return 8 * (here - there) + self.room(state.mine, state) - self.room(state.theirs, state)

    def room(self, stones: int, state: State) -> int:
        """The number of free points beside these stones."""
        left, beside = u64(stones), u64(0)
        while left:
            beside |= self.neighbours[bit_index(left)]
            left ^= lowest_bit(left)
        return (beside & ~u64(state.mine | state.theirs)).bit_count()

    def order(self, state: State, action: int) -> int:
        """What takes a stone first, then the points with the most neighbours."""
        if action >= TAKING:
            return 10
        return self.neighbours[action % POINTS].bit_count()

    def key(self, state: State) -> int:
        return (
            u64(state.mine)
            | u64(state.theirs) << POINTS
            | u64(state.hand) << 2 * POINTS
            | u64(state.turn) << 2 * POINTS + 5
        )

    def canonical(self, state: State) -> State:
        """The smallest of the images under the symmetries of the board: the eight of the square,
        each with the outermost and the innermost square exchanged or not. Colours do not matter
        once all stones are placed."""
        points = u64(state.mine) | u64(state.theirs) << THEIRS
        best = points
        for exchanged in range(2):
            if exchanged:
                points = self.exchanged(points)
            for reflected in range(2):
                if reflected:
                    points = mirrored(points)
                for _ in range(4):
                    points = turned(points, 2)
                    best = min(best, points)
        mine, theirs = best & 0xFFFFFFFF, best >> THEIRS
        return self.State(mine, theirs, state.hand, int(state.hand) & 1)

    def exchanged(self, points: u64) -> u64:
        """The points with those of the outermost and of the innermost square exchanged."""
        shift = AROUND * (self.rings - 1)
        kept = points & ~(OUTERMOST | OUTERMOST << shift)
        return kept | (points & OUTERMOST) << shift | points >> shift & OUTERMOST

    # Texts.

    def drawn_lines(self) -> Iterator[tuple[int, int]]:
        return joined(self.cells, self.neighbours)

    def parse(self, text: str) -> State:
        if is_start(text):
            return self.initial()
        rest, turn = split_mover(text, PLAYERS, self.format(self.initial()))
        board, _, number = rest.strip().rpartition(" ")
        if not number.isdecimal() or int(number) > 2 * self.stones:
            raise PositionError(
                f"{number!r} is not the number of stones in hand, 0 to {2 * self.stones}: {text!r}"
            )
        hand = int(number)
        if hand and hand % 2 != turn:
            raise PositionError(
                f"with {hand} stones in hand it is the other player's turn: {text!r}"
            )
        cells = read_grid(board.upper(), self.width, self.width, CELLS)
        for cell, found in enumerate(cells):
            if (found == CELLS.index("-")) == (cell in self.cells):
                what = "is a point" if cell in self.cells else "is no point of the board"
                raise PositionError(f"{cell_name(cell, self.width)} {what}: {text!r}")
        stones = [
            sum(1 << point for point, cell in enumerate(self.cells) if cells[cell] == player)
            for player in (1, 2)
        ]
        for player, mask in enumerate(stones):
            most = self.stones - (hand + player) // 2
            if mask.bit_count() > most:
                raise PositionError(
                    f"{PLAYERS[player]} has {mask.bit_count()} stones on the board, more than "
                    f"{most}: {text!r}"
                )
        return self.State(stones[turn], stones[1 - turn], hand, turn)

    def format(self, state: State) -> str:
        sides = (state.mine, state.theirs) if state.turn == 0 else (state.theirs, state.mine)
        points = from_masks(self.points, *(int(side) for side in sides))
        shown = [CELLS.index("-")] * self.width**2
        for point, cell in enumerate(self.cells):
            shown[cell] = points[point]
        return f"{write_grid(shown, self.width, CELLS)} {state.hand} {PLAYERS[state.turn]}"

    def action_name(self, state: State, action: int) -> str:
        taken, move = divmod(int(action), TAKING)
        start, goal = divmod(move, POINTS)
        named = [cell_name(self.cells[point], self.width) for point in (start - 1, goal, taken - 1)]
        return f"{named[0] + '-' if start else ''}{named[1]}{'x' + named[2] if taken else ''}"
