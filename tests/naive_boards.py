"""Connect Four and (m,n,k) games on lists of lists, as one would write them first: oracles for the bitboards."""

from __future__ import annotations

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def has_line(board: list[list[str]], player: str, k: int) -> bool:
    """Whether a player has k in line; board[row][column]."""
    rows, columns = len(board), len(board[0])
    for row in range(rows):
        for column in range(columns):
            for down, right in DIRECTIONS:
                cells = [(row + i * down, column + i * right) for i in range(k)]
                if all(0 <= r < rows and 0 <= c < columns and board[r][c] == player for r, c in cells):
                    return True
    return False


def moves(board: list[list[str]], falls: bool) -> list[tuple[int, int]]:
    """The free cells to play; where stones fall, the lowest of each column. Row 0 is the top one."""
    free = [(r, c) for r, row in enumerate(board) for c, cell in enumerate(row) if cell == "."]
    return [(r, c) for r, c in free if not falls or ((r + 1, c) not in free and (r + 1 == len(board) or board[r + 1][c] != "."))]


def over(board: list[list[str]], k: int) -> bool:
    """Whether somebody has k in line or the board is full."""
    return has_line(board, "X", k) or has_line(board, "O", k) or all("." not in row for row in board)


def perft(board: list[list[str]], k: int, falls: bool, depth: int, player: str = "X") -> int:
    """The number of lines of exactly `depth` plies."""
    if depth == 0:
        return 1
    if over(board, k):
        return 0
    count = 0
    for r, c in moves(board, falls):
        board[r][c] = player
        count += perft(board, k, falls, depth - 1, "O" if player == "X" else "X")
        board[r][c] = "."
    return count


def empty(rows: int, columns: int) -> list[list[str]]:
    """A board without stones."""
    return [["."] * columns for _ in range(rows)]


def text(board: list[list[str]]) -> str:
    """The board in the notation of the games."""
    return "/".join("".join(row) for row in board)
