"""Chess, and Chess960."""

from __future__ import annotations

from prunus.core.game import Game
from prunus.games.chess.notation import ChessNotation


class Chess(ChessNotation, Game):
    """Chess; with `chess960` also from the starting positions of Chess960 (Fischer random chess).

    The game ends with mate, stalemate, or too little material for a mate (only kings, one knight or
    bishop besides, or bishops that all stand on one colour). A position that comes up the third
    time, and a hundred plies without a capture or a pawn move, are a draw: with `claims`, whoever
    can claim a draw is taken to do so. Without it only what is a draw by itself counts: the fifth
    time, and a hundred and fifty plies. The utility is -30,000 for the player who is mated, 0 for a
    draw.

    A State shows the board as the player to move sees it, with his own first rank at the bottom:
    for black it is turned upside down. Bit 0 is the left corner at the bottom, bit 63 the right one
    at the top (for white a1 and h8). `diagonals` are bishops and queens, `straights` rooks and
    queens; `mine` are the pieces of the player to move. `castling` are the rooks of both sides that
    may still castle, `en_passant` is the square where a pawn may be taken in passing, 0 if none;
    `quiet` counts the plies since the last capture or pawn move; `black` says that black is to
    move.

    An action is source + 64 * target + 4096 * kind, with squares as the player to move sees them.
    The kind is 0, or 1 to 4 for a promotion to a knight, bishop, rook or queen, 5 for a capture en
    passant, 6 for castling (the target is the rook's square), 7 for a pawn's step of two squares.
    Its name is SAN. A position is a FEN, or the moves from the start in SAN or as in UCI, with or
    without numbers, or a FEN, `moves` and moves; `startpos` is the start.
    """
