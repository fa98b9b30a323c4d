"""Tablut on lists, rule by rule: an independent counter for the bitboards of
`examples/tablut.py`."""

from __future__ import annotations

from collections.abc import Iterator

Board = list[list[str]]
SIDES = {"A": "A", "D": "DK"}
THRONE = (4, 4)
LINES = ((0, 1), (1, 0), (0, -1), (-1, 0))


def on_board(row: int, column: int) -> bool:
    """Whether the cell is on the board."""
    return 0 <= row < 9 and 0 <= column < 9


def moves(board: Board, side: str) -> Iterator[tuple[int, int, int, int]]:
    """A rook's moves; no piece moves onto the throne or past it."""
    for row in range(9):
        for column in range(9):
            if board[row][column] in SIDES[side]:
                for down, right in LINES:
                    r, c = row + down, column + right
                    while on_board(r, c) and board[r][c] == "." and (r, c) != THRONE:
                        yield row, column, r, c
                        r, c = r + down, c + right


def moved(board: Board, side: str, move: tuple[int, int, int, int]) -> Board:
    """The board after a move and its captures."""
    row, column, r, c = move
    after = [list(line) for line in board]
    after[r][c], after[row][column] = after[row][column], "."
    before = [list(line) for line in after]
    other = "A" if side == "D" else "D"
    for down, right in LINES:
        near, far = (r + down, c + right), (r + 2 * down, c + 2 * right)
        if not on_board(*near) or before[near[0]][near[1]] not in SIDES[other]:
            continue
        if before[near[0]][near[1]] == "K" and abs(near[0] - 4) + abs(near[1] - 4) <= 1:
            beside = [(near[0] + d, near[1] + e) for d, e in LINES]
            if all(cell == THRONE or before[cell[0]][cell[1]] == "A" for cell in beside):
                after[near[0]][near[1]] = "."
        elif on_board(*far) and before[far[0]][far[1]] in SIDES[side]:
            after[near[0]][near[1]] = "."
    return after


def over(board: Board, side: str) -> bool:
    """Whether the king is captured or on the edge, or the side to move cannot move."""
    king = [(row, column) for row in range(9) for column in range(9) if board[row][column] == "K"]
    return (
        not king
        or king[0][0] in (0, 8)
        or king[0][1] in (0, 8)
        or not any(True for _ in moves(board, side))
    )


def read(text: str) -> tuple[Board, str]:
    """The board and the side to move of a position given as text."""
    rows, _, side = text.partition(" ")
    return [list(row) for row in rows.split("/")], side or "A"


def written(board: Board, side: str) -> str:
    """The text of a position."""
    return "/".join("".join(row) for row in board) + (" D" if side == "D" else "")
