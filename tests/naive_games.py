"""Rules on lists and sets for games that are solved backwards, written without a look at those of
`prunus.games`: a position is a tuple, `moves` gives (name, position after it)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

Position = Any
Moves = Callable[[Position], Iterator[tuple[str, Position]]]


def perft(moves: Moves, position: Position, depth: int) -> int:
    """The lines of so many moves."""
    if depth == 0:
        return 1
    return sum(perft(moves, after, depth - 1) for _, after in moves(position))


class NaiveKalah:
    """A position: the ring of holes and stores from A's first hole, the player to move, and whether
    the game is over."""

    def __init__(self, holes: int, counters: int, empty_capture: bool = True) -> None:
        self.holes, self.empty_capture = holes, empty_capture
        row = (counters,) * holes
        self.start: Position = ((*row, 0, *row, 0), 0)

    def rows(self, ring: tuple[int, ...]) -> list[int]:
        return [sum(ring[: self.holes]), sum(ring[self.holes + 1 : -1])]

    def moves(self, position: Position) -> Iterator[tuple[str, Position]]:
        ring, mover = position
        if 0 in self.rows(ring):
            return
        first = mover * (self.holes + 1)
        stores = (self.holes, 2 * self.holes + 1)
        for hole in range(first, first + self.holes):
            after, place = list(ring), hole
            if not ring[hole]:
                continue
            hand, after[hole] = ring[hole], 0
            while hand:
                place = (place + 1) % len(ring)
                if place != stores[1 - mover]:
                    after[place] += 1
                    hand -= 1
            turn = mover if place == stores[mover] else 1 - mover
            if first <= place < first + self.holes and after[place] == 1:
                opposite = 2 * self.holes - place
                if after[opposite] or self.empty_capture:
                    after[stores[mover]] += after[opposite] + 1
                    after[opposite] = after[place] = 0
            yield str(hole - first + 1), (tuple(after), turn)

    def text(self, position: Position) -> str:
        ring, mover = position
        half = self.holes + 1
        sides = [ring[:half], ring[half:]]
        shown = [f"{','.join(map(str, side[:-1]))}:{side[-1]}" for side in sides]
        return f"{' '.join(shown)} {'AB'[mover]}"


class NaiveAwari:
    """A position: the ring of pits from A's first one, what A has captured more than B, and the
    player to move."""

    def __init__(self, pits: int, stones: int) -> None:
        self.pits = pits
        row = [0] * 2 * pits
        for stone in range(stones):
            row[stone % len(row)] += 1
        self.start: Position = (tuple(row), 0, 0)

    def side(self, player: int) -> range:
        return range(player * self.pits, (player + 1) * self.pits)

    def moves(self, position: Position) -> Iterator[tuple[str, Position]]:
        ring, _, mover = position
        every = [(pit, self.after(position, pit)) for pit in self.side(mover) if ring[pit]]
        feeding = [
            (pit, after)
            for pit, after in every
            if any(after[0][other] for other in self.side(1 - mover))
        ]
        for pit, after in feeding or every:
            yield str(pit - mover * self.pits + 1), after

    def after(self, position: Position, pit: int) -> Position:
        ring, lead, mover = list(position[0]), position[1], position[2]
        hand, ring[pit], place = ring[pit], 0, pit
        while hand:
            place = (place + 1) % len(ring)
            if place != pit:
                ring[place] += 1
                hand -= 1
        while place in self.side(1 - mover) and ring[place] in (2, 3):
            lead += ring[place] if mover == 0 else -ring[place]
            ring[place] = 0
            place -= 1
        return (tuple(ring), lead, 1 - mover)

    def worth(self, position: Position) -> int:
        """The end of the game for A: what is left belongs to the one who does not have to move."""
        ring, lead, mover = position
        return lead + sum(ring) if mover == 1 else lead - sum(ring)

    def text(self, position: Position) -> str:
        ring, lead, mover = position
        sides = [",".join(str(ring[pit]) for pit in self.side(player)) for player in (0, 1)]
        return f"{' '.join(sides)} {lead if mover == 0 else -lead} {'AB'[mover]}"


class NaivePawns:
    """A position: the rows as texts, and the player to move."""

    def __init__(self, width: int, height: int, rows: int, diagonal: bool) -> None:
        self.diagonal = diagonal
        between = ["." * width] * (height - 2 * rows)
        self.start: Position = (tuple(["X" * width] * rows + between + ["O" * width] * rows), "X")

    def moves(self, position: Position) -> Iterator[tuple[str, Position]]:
        board, mover = position
        if "O" in board[0] or "X" in board[-1]:
            return
        other, ahead = ("O", 1) if mover == "X" else ("X", -1)
        for row, cells in enumerate(board):
            for column, cell in enumerate(cells):
                for goal in (column - 1, column, column + 1):
                    if cell != mover or not 0 <= goal < len(cells):
                        continue
                    there = board[row + ahead][goal]
                    if goal == column:
                        legal = there == "."
                    else:
                        legal = there == other or (self.diagonal and there == ".")
                    if legal:
                        after = [list(line) for line in board]
                        after[row][column], after[row + ahead][goal] = ".", mover
                        sign = "-" if there == "." else "x"
                        name = f"{chr(97 + column)}{row + 1}{sign}{chr(97 + goal)}{row + ahead + 1}"
                        yield name, (tuple("".join(line) for line in after), other)

    def text(self, position: Position) -> str:
        return f"{'/'.join(position[0])} {position[1]}"


class NaiveHex:
    """A position: the cells of X, those of O, and the player to move."""

    def __init__(self, size: int, swap: bool = False) -> None:
        self.size, self.swap = size, swap
        self.start: Position = (frozenset(), frozenset(), 0)

    def has_won(self, cells: frozenset[tuple[int, int]], across: int) -> bool:
        """Whether a chain leads from the first to the last row, or column if `across` is 1."""
        reached, waiting = set(), [cell for cell in cells if cell[across] == 0]
        while waiting:
            row, column = waiting.pop()
            if (row, column) not in reached:
                reached.add((row, column))
                steps = ((0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1))
                near = {(row + down, column + right) for down, right in steps}
                waiting += list(near & cells - reached)
        return any(cell[across] == self.size - 1 for cell in reached)

    def moves(self, position: Position) -> Iterator[tuple[str, Position]]:
        first, second, mover = position
        if self.has_won(first, 0) or self.has_won(second, 1):
            return
        for row in range(self.size):
            for column in range(self.size):
                cell = (row, column)
                if cell not in first | second:
                    name = f"{chr(97 + column)}{row + 1}"
                    if mover == 0:
                        yield name, (first | {cell}, second, 1)
                    else:
                        yield name, (first, second | {cell}, 0)
        if self.swap and mover == 1 and len(first) == 1 and not second:
            ((row, column),) = first
            yield "swap", (frozenset(), frozenset({(column, row)}), 0)

    def text(self, position: Position) -> str:
        first, second, mover = position
        rows = [
            "".join(
                "X" if (r, c) in first else "O" if (r, c) in second else "."
                for c in range(self.size)
            )
            for r in range(self.size)
        ]
        return f"{'/'.join(rows)} {'XO'[mover]}"


class NaiveDots:
    """A position: the drawn edges as cells of the picture, the boxes of A and of B, and the player
    to move."""

    def __init__(self, width: int, height: int) -> None:
        self.size = (2 * height + 1, 2 * width + 1)
        self.start: Position = (frozenset(), (0, 0), 0)

    def moves(self, position: Position) -> Iterator[tuple[str, Position]]:
        drawn, boxes, mover = position
        for row in range(self.size[0]):
            for column in range(self.size[1]):
                if (row + column) % 2 and (row, column) not in drawn:
                    after = drawn | {(row, column)}
                    made = len(self.full(after)) - len(self.full(drawn))
                    counts = list(boxes)
                    counts[mover] += made
                    turn = mover if made else 1 - mover
                    yield f"{chr(97 + column)}{row + 1}", (after, tuple(counts), turn)

    def full(self, drawn: frozenset[tuple[int, int]]) -> set[tuple[int, int]]:
        return {
            (row, column)
            for row in range(1, self.size[0], 2)
            for column in range(1, self.size[1], 2)
            if {(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)} <= drawn
        }

    def text(self, position: Position) -> str:
        drawn, boxes, mover = position
        rows = []
        for row in range(self.size[0]):
            line = ""
            for column in range(self.size[1]):
                cell = "-" if row % 2 == 0 else "|"
                if row % 2 == 0 and column % 2 == 0:
                    cell = "+"
                elif (row, column) in self.full(drawn):
                    cell = "#"
                elif (row, column) not in drawn:
                    cell = "."
                line += cell
            rows.append(line)
        return f"{'/'.join(rows)} {boxes[mover] - boxes[1 - mover]} {'AB'[mover]}"


class NaiveDobutsu:
    """A position: the rows as the player to move sees them, his pieces in capitals, and the pieces
    in both hands, each in order; the capitals have no lion when the game is over."""

    STEPS = {
        "C": ["n"],
        "E": ["nw", "ne", "sw", "se"],
        "G": ["n", "s", "w", "e"],
        "L": ["n", "s", "w", "e", "nw", "ne", "sw", "se"],
        "H": ["n", "s", "w", "e", "nw", "ne"],
    }

    def __init__(self) -> None:
        self.start: Position = (("gle", ".c.", ".C.", "ELG"), "", "")

    def targets(self, board: tuple[str, ...], row: int, column: int) -> Iterator[tuple[int, int]]:
        for step in self.STEPS.get(board[row][column], []):
            down = row + ("s" in step) - ("n" in step)
            right = column + ("e" in step) - ("w" in step)
            if down in range(4) and right in range(3) and not board[down][right].isupper():
                yield down, right

    def is_over(self, board: tuple[str, ...]) -> bool:
        if not any("L" in row for row in board):
            return True
        squares = [(row, column) for row in range(4) for column in range(3)]
        reached = {goal for square in squares for goal in self.targets(board, *square)}
        return any(board[3][column] == "l" and (3, column) not in reached for column in range(3))

    def moves(self, position: Position) -> Iterator[tuple[str, Position]]:
        board, hand, other = position
        if self.is_over(board):
            return
        for row in range(4):
            for column in range(3):
                for down, right in self.targets(board, row, column):
                    piece, captured = board[row][column], board[down][right].upper()
                    got = captured.replace("H", "C").replace("L", "").replace(".", "")
                    new = "H" if piece == "C" and down == 0 else piece
                    name = f"{'abc'[column]}{row + 1}-{'abc'[right]}{down + 1}"
                    after = self.put(self.put(board, row, column, "."), down, right, new)
                    yield name, self.turned(after, hand + got, other)
                if board[row][column] == ".":
                    for piece in sorted(set(hand)):
                        after = self.put(board, row, column, piece)
                        left = hand.replace(piece, "", 1)
                        name = f"{piece}*{'abc'[column]}{row + 1}"
                        yield name, self.turned(after, left, other)

    def put(self, board: tuple[str, ...], row: int, column: int, piece: str) -> tuple[str, ...]:
        lines = [list(line) for line in board]
        lines[row][column] = piece
        return tuple("".join(line) for line in lines)

    def turned(self, board: tuple[str, ...], hand: str, other: str) -> Position:
        turned = tuple(line[::-1].swapcase() for line in board[::-1])
        return (turned, other, "".join(sorted(hand)))

    def text(self, position: Position) -> str:
        board, hand, other = position
        return f"{'/'.join(board)} {hand or '-'}/{other.lower() or '-'}"


class NaiveMorris:
    """A position: the points of X and of O, the stones each has in hand, and the player to move."""

    BOARDS = {
        2: [".-.-.", "-...-", "..-..", "-...-", ".-.-."],
        3: [".--.--.", "-.-.-.-", "--...--", "...-...", "--...--", "-.-.-.-", ".--.--."],
    }

    def __init__(self, stones: int, rings: int = 3, flying: bool = True) -> None:
        self.flying, drawn = flying, self.BOARDS[rings]
        size, middle = len(drawn), len(drawn) // 2
        self.rows = [[(row, column) for column in range(size)] for row in range(size)]
        whole = self.rows + [[(row, column) for row in range(size)] for column in range(size)]
        # The two lines through the centre, where there is no point, fall into halves.
        halves = [half for line in whole for half in self.parts(line, middle)]
        self.lines = [[cell for cell in half if drawn[cell[0]][cell[1]] == "."] for half in halves]
        self.free = frozenset(cell for line in self.lines for cell in line)
        self.start: Position = (frozenset(), frozenset(), (stones, stones), 0)

    def parts(self, line: list[tuple[int, int]], middle: int) -> list[list[tuple[int, int]]]:
        return [line[:middle], line[middle + 1 :]] if (middle, middle) in line else [line]

    def beside(self, one: tuple[int, int], other: tuple[int, int]) -> bool:
        return any(
            {one, other} == set(line[at : at + 2]) for line in self.lines for at in range(len(line))
        )

    def mills(self, stones: frozenset[tuple[int, int]]) -> list[list[tuple[int, int]]]:
        return [line for line in self.lines if len(line) == 3 and stones.issuperset(line)]

    def moves(self, position: Position) -> Iterator[tuple[str, Position]]:
        sides, hands, mover = position[:2], position[2], position[3]
        mine, theirs = sides[mover], sides[1 - mover]
        if len(mine) + hands[mover] < 3:
            return
        anywhere = hands[mover] > 0 or (self.flying and len(mine) == 3)
        for start in [None] if hands[mover] else mine:
            for goal in self.free - mine - theirs:
                if not anywhere and not self.beside(start, goal):
                    continue
                after = mine - {start} | {goal}
                left = [h - (player == mover and h > 0) for player, h in enumerate(hands)]
                name = self.name(goal) if start is None else f"{self.name(start)}-{self.name(goal)}"
                if not any(goal in mill for mill in self.mills(after)):
                    yield name, self.after(after, theirs, left, mover)
                    continue
                safe = {cell for mill in self.mills(theirs) for cell in mill}
                for taken in theirs - safe or theirs:
                    rest = theirs - {taken}
                    yield f"{name}x{self.name(taken)}", self.after(after, rest, left, mover)

    def after(self, mine: Any, theirs: Any, hands: list[int], mover: int) -> Position:
        sides = (mine, theirs) if mover == 0 else (theirs, mine)
        return (*sides, tuple(hands), 1 - mover)

    def name(self, cell: tuple[int, int]) -> str:
        return f"{'abcdefg'[cell[1]]}{cell[0] + 1}"

    def text(self, position: Position) -> str:
        first, second, hands, mover = position
        signs = dict.fromkeys(self.free, ".") | dict.fromkeys(first, "X")
        signs |= dict.fromkeys(second, "O")
        shown = ["".join(signs.get(cell, "-") for cell in row) for row in self.rows]
        return f"{'/'.join(shown)} {sum(hands)} {'XO'[mover]}"


class NaiveFoxAndGeese:
    """A position: the fox, the geese, and whether the fox is to move. With `early` false the game
    goes on until someone cannot move."""

    def __init__(self, size: int, early: bool = True) -> None:
        self.size, self.early = size, early
        geese = frozenset((size - 1, column) for column in range(0, size, 2))
        self.start: Position = ((0, 3 if size == 8 else 1), geese, False)

    def moves(self, position: Position) -> Iterator[tuple[str, Position]]:
        fox, geese, foxes = position
        if self.early and not foxes and all(row < fox[0] for row, _ in geese):
            return
        for piece in [fox] if foxes else geese:
            for down in (-1, 1) if foxes else (-1,):
                for right in (-1, 1):
                    goal = (piece[0] + down, piece[1] + right)
                    if goal in geese | {fox} or not {*goal} <= {*range(self.size)}:
                        continue
                    name = "-".join(f"{'abcdefgh'[c]}{r + 1}" for r, c in (piece, goal))
                    after = (goal, geese) if foxes else (fox, geese - {piece} | {goal})
                    yield name, (*after, not foxes)

    def text(self, position: Position) -> str:
        fox, geese, foxes = position
        signs = dict.fromkeys(geese, "G") | {fox: "F"}
        sides = range(self.size)
        rows = ["".join(signs.get((row, column), ".") for column in sides) for row in sides]
        return f"{'/'.join(rows)} {'F' if foxes else 'G'}"
