"""Chess, and Chess960."""

from __future__ import annotations

from prunus.core.bits import mix, u64, u128
from prunus.core.game import Game
from prunus.games.chess.evaluation import ChessEvaluation
from prunus.games.chess.moves import Board
from prunus.games.chess.notation import ChessNotation
from prunus.games.chess.rules import WIN
from prunus.games.chess.tactics import ChessTactics


class Chess(ChessNotation, ChessEvaluation, ChessTactics, Game):
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

    def __init__(self, chess960: bool = False, claims: bool = True, weights: str = "") -> None:
        super().__init__(chess960, claims)
        self.weights_file = weights
        self.prepare()

    def bounds(self, state: Board) -> tuple[int, int]:
        return (-WIN, WIN)

    def key(self, state: Board) -> u64:
        """A hash of all fields."""
        rest = state.castling ^ (state.en_passant << 8 | state.quiet << 16 | state.black << 24)
        word = folded(state.pawns ^ 0x9E37_79B9_7F4A_7C15, state.knights ^ 0xC2B2_AE3D_27D4_EB4F)
        word ^= folded(
            state.diagonals ^ 0xD6E8_FEB8_6659_FD93, state.straights ^ 0xA076_1D64_78BD_642F
        )
        word ^= folded(state.mine ^ 0xE703_7ED1_A0B4_28DB, state.kings ^ 0x8EBC_6AF0_9C88_C6E3)
        return mix(word + rest * 0x5899_65CC_7537_4CC3)


def folded(one: u64, other: u64) -> u64:
    """The halves of a product, put together: in a product's lower half alone, a piece on one of the
    last squares would change only the highest bits, whatever it is."""
    product = u128(one) * u128(other)
    return u64(product) ^ u64(product >> 64)
