"""Making opening books of chess in Polyglot's format from games that have been played.

An entry has 16 bytes, big-endian: the key of the position (64 bits), the move (16), its weight (16)
and 32 bits for learning, which are 0 here. Entries are ordered by their keys; the moves of a
position by weight, the largest first. A castling move is written as the king taking his rook.
"""

from __future__ import annotations

import os
import struct
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from prunus.core.game import Game
from prunus.play.advice.advice import AdviceError
from prunus.play.advice.chess_board import board_of, expect_chess
from prunus.play.openings import path_of
from prunus.play.recorded import Recorded

if TYPE_CHECKING:
    import chess

ENTRY: Final = struct.Struct(">QHHI")

LARGEST: Final = 0xFFFF
"""The largest weight."""


class Made(NamedTuple):
    """What a book holds: positions, and moves in them."""

    positions: int
    moves: int


def make_polyglot(game: Game, games: Iterable[Recorded], path: Path, at_least: int = 1) -> Made:
    """Write a book with the moves of these games that were played `at_least` so many times in a
    position. A move's weight is the points that were made with it, 2 for a win and 1 for a draw,
    scaled where that is too much; moves with which none were made are left out. The file gets its
    name when it is whole. Raises AdviceError for another game, and if no move is left."""
    expect_chess(game, f"book {path}")
    points: defaultdict[int, Counter[int]] = defaultdict(Counter)
    played: defaultdict[int, Counter[int]] = defaultdict(Counter)
    for key, move, score in _moves(game, games):
        points[key][move] += int(2 * score)
        played[key][move] += 1
    entries = [
        entry
        for key in sorted(points)
        for entry in _entries(key, points[key], played[key], at_least)
    ]
    if not entries:
        raise AdviceError(
            f"book {path}: no move was played {at_least} times and made a point; give more games, "
            f"or a smaller --at-least"
        )
    part = path.with_name(f"{path.name}.part")
    with part.open("wb") as file:
        file.writelines(ENTRY.pack(*entry) for entry in entries)
    os.replace(part, path)
    return Made(len({key for key, *_ in entries}), len(entries))


def _entries(
    key: int, points: Counter[int], played: Counter[int], at_least: int
) -> Iterator[tuple[int, int, int, int]]:
    """The entries of a position."""
    most = max(points.values())
    for move, made in sorted(points.items(), key=lambda pair: (-pair[1], pair[0])):
        if made and played[move] >= at_least:
            yield key, move, max(1, made * LARGEST // most) if most > LARGEST else made, 0


def _moves(game: Game, games: Iterable[Recorded]) -> Iterator[tuple[int, int, float]]:
    """The moves of games: the key of the position, the move, and the score of whoever made it."""
    import chess.polyglot

    for moves, score in games:
        for (state, child), action in zip(
            pairwise(path_of(game, moves)), moves.actions, strict=True
        ):
            board = board_of(game, state)
            move = board.parse_san(game.action_name(state, action))
            yield chess.polyglot.zobrist_hash(board), _coded(board, move), score
            score = score if game.keeps_turn(state, child) else 1 - score  # noqa: PLW2901


def _coded(board: chess.Board, move: chess.Move) -> int:
    """A move in Polyglot's bits: the file and the row of its end, of its beginning, and the piece
    that a pawn becomes (1: knight ... 4: queen)."""
    end = move.to_square
    if board.is_castling(move):
        end = _rook(board, move)
    return end | move.from_square << 6 | ((move.promotion or 1) - 1) << 12


def _rook(board: chess.Board, move: chess.Move) -> int:
    """The square of the rook with which the king castles."""
    import chess

    if board.chess960:
        return move.to_square
    row = chess.square_rank(move.from_square)
    return chess.square(7 if board.is_kingside_castling(move) else 0, row)
