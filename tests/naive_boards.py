"""Connect Four, (m,n,k) games and Othello on lists of lists, in the most obvious way: oracles for
the bitboards."""

from __future__ import annotations

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def has_line(board: list[list[str]], player: str, k: int) -> bool:
    """Whether a player has k in a row; indices are board[row][column]."""
    rows, columns = len(board), len(board[0])
    for row in range(rows):
        for column in range(columns):
            for down, right in DIRECTIONS:
                cells = [(row + i * down, column + i * right) for i in range(k)]
                if all(
                    0 <= r < rows and 0 <= c < columns and board[r][c] == player for r, c in cells
                ):
                    return True
    return False


def moves(board: list[list[str]], falls: bool) -> list[tuple[int, int]]:
    """The free cells to play; if stones fall, the lowest of each column. Row 0 is at the top."""
    free = [(r, c) for r, row in enumerate(board) for c, cell in enumerate(row) if cell == "."]
    return [
        (r, c)
        for r, c in free
        if not falls or ((r + 1, c) not in free and (r + 1 == len(board) or board[r + 1][c] != "."))
    ]


def over(board: list[list[str]], k: int) -> bool:
    """Whether a player has k in a row or the board is full."""
    return (
        has_line(board, "X", k) or has_line(board, "O", k) or all("." not in row for row in board)
    )


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


# Othello.

AROUND = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]


def othello_start(size: int) -> list[list[str]]:
    """The starting position; X is black and moves first."""
    board, half = empty(size, size), size // 2
    board[half - 1][half - 1] = board[half][half] = "O"
    board[half - 1][half] = board[half][half - 1] = "X"
    return board


def othello_turned(
    board: list[list[str]], row: int, column: int, player: str
) -> list[tuple[int, int]]:
    """The discs that the player's disc on this empty square would flip."""
    size, turned = len(board), []
    for down, right in AROUND:
        run = []
        r, c = row + down, column + right
        while 0 <= r < size and 0 <= c < size and board[r][c] not in (".", player):
            run.append((r, c))
            r, c = r + down, c + right
        if 0 <= r < size and 0 <= c < size and board[r][c] == player:
            turned += run
    return turned


def othello_moves(board: list[list[str]], player: str) -> list[tuple[int, int]]:
    """The squares where the player may place a disc."""
    size = range(len(board))
    return [
        (r, c)
        for r in size
        for c in size
        if board[r][c] == "." and othello_turned(board, r, c, player)
    ]


def othello_after(board: list[list[str]], row: int, column: int, player: str) -> list[list[str]]:
    """The board after the player places a disc on this square."""
    new = [list(line) for line in board]
    for r, c in [*othello_turned(board, row, column, player), (row, column)]:
        new[r][c] = player
    return new


def othello_over(board: list[list[str]]) -> bool:
    """Whether neither player can move."""
    return not othello_moves(board, "X") and not othello_moves(board, "O")


def othello_score(board: list[list[str]], player: str) -> int:
    """The player's lead in discs at the end, with the empty squares counted for the winner."""
    cells = [cell for row in board for cell in row]
    mine, free = cells.count(player), cells.count(".")
    difference = mine - (len(cells) - mine - free)
    return difference + free if difference > 0 else difference - free if difference < 0 else 0


def othello_value(board: list[list[str]], player: str, known: dict[tuple[str, str], int]) -> int:
    """The minimax value for the player to move; `known` caches positions."""
    place = (text(board), player)
    if place not in known:
        other = "O" if player == "X" else "X"
        boards = [othello_after(board, r, c, player) for r, c in othello_moves(board, player)]
        if boards:
            known[place] = max(-othello_value(after, other, known) for after in boards)
        else:
            known[place] = (
                othello_score(board, player)
                if othello_over(board)
                else -othello_value(board, other, known)
            )
    return known[place]


def othello_perft(board: list[list[str]], depth: int, player: str = "X") -> int:
    """The number of lines of exactly `depth` plies; a pass is a ply."""
    if depth == 0:
        return 1
    other = "O" if player == "X" else "X"
    boards = [othello_after(board, r, c, player) for r, c in othello_moves(board, player)]
    if not boards and othello_over(board):
        return 0
    return sum(othello_perft(after, depth - 1, other) for after in boards or [board])
