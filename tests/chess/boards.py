"""Chess of python-chess, the oracle for Prunus's own."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

chess = pytest.importorskip("chess")

ARRANGEMENTS = 960
MOST_QUIET = 150
"""Prunus counts quiet plies no further."""


def boards(seed: int, chess960: bool, plies: int = 400) -> Iterator[Any]:
    """The boards of a random game, on which all moves are legal; it goes on after draws that end a
    game, and ends with mate, stalemate, 75 quiet moves, or after this many plies. A
    third of the games contain many moves that lead to few answers, which brings about checks and
    mates."""
    draw = random.Random(seed)
    board = (
        chess.Board.from_chess960_pos(draw.randrange(ARRANGEMENTS)) if chess960 else chess.Board()
    )
    sharp = draw.random() < 1 / 3
    for _ in range(plies):
        yield board
        moves = list(board.legal_moves)
        if not moves or board.halfmove_clock >= MOST_QUIET:
            return
        if sharp and draw.random() < 0.3:
            moves = [min(moves, key=lambda move: answers(board, move))]
        board.push(draw.choice(moves))


def answers(board: Any, move: Any) -> int:
    """The number of legal answers to a move."""
    board.push(move)
    count = board.legal_moves.count()
    board.pop()
    return int(count)


def fen_of(board: Any) -> str:
    """The board's FEN, as move 1."""
    return board.fen().rsplit(" ", 1)[0] + " 1"
