"""Positions of chess as FEN (Edwards 1994), for Chess960 as X-FEN, which also reads
Shredder-FEN."""

from __future__ import annotations

import re
from typing import Final

from prunus.core.bits import bswap, ctz, u64
from prunus.core.rules import PositionError
from prunus.games.chess.moves import FIRST_RANK, LAST_RANK, Board
from prunus.games.chess.rules import AUTOMATIC, ChessRules

PIECES: Final = "PNBRQK"
FILES: Final = "abcdefgh"


def name_of(square: int) -> str:
    """The name of a square, a1 = 0 to h8 = 63."""
    return FILES[square % 8] + str(square // 8 + 1)


def square_named(name: str) -> int:
    """The square with a name, the other way round."""
    return FILES.index(name[0]) + 8 * (int(name[1]) - 1)


class ChessFen(ChessRules):
    """Reading and writing FENs. The number of the move is read and forgotten, because it is no part
    of a position; it is written as 1."""

    def read_fen(self, text: str) -> Board:
        """The State that a FEN describes; fields at its end may be missing. Raises
        PositionError."""
        board, mover, castling, passing, quiet, number = _fields(text)
        pieces = _pieces(board)
        is_black = mover == "b"
        rights = self._rights(pieces, castling)
        everything = [pieces[piece] | pieces[piece.lower()] for piece in PIECES]
        mine = _union([pieces[piece.lower() if is_black else piece] for piece in PIECES])
        pawns, knights, bishops, rooks, queens, kings, mine, rights = (
            bswap(squares) if is_black else squares for squares in (*everything, mine, rights)
        )
        if not quiet.isdecimal() or not number.isdecimal():
            raise PositionError(
                f"{quiet!r} and {number!r} are not the plies since the last capture or pawn move "
                f"and the number of the move: {text!r}"
            )
        state = self.State(
            pawns,
            knights,
            bishops | queens,
            rooks | queens,
            kings,
            mine,
            rights,
            0,
            min(int(quiet), AUTOMATIC),
            is_black,
        )
        if self.in_check(self.turned(state)):
            raise PositionError(
                f"{'white' if is_black else 'black'} is in check, and the other side to move: "
                f"{text!r}"
            )
        return self._with_square(state, passing)

    def _rights(self, pieces: dict[str, u64], castling: str) -> u64:
        """The rooks of both sides with which castling is allowed."""
        found = u64(0)
        for letter in "" if castling == "-" else castling:
            rank, king, rook = (0, "K", "R") if letter.isupper() else (56, "k", "r")
            kings, rooks = (int(pieces[piece] >> rank & 0xFF) for piece in (king, rook))
            file = self._castling_file(letter.upper(), kings, rooks)
            if file < 0:
                needs = (
                    "it is K, Q or the file of a rook on the rank of the king"
                    if self.chess960
                    else "the king has to stand on its e-file and the rook in the corner (Chess960 "
                    "is the game chess:chess960=true)"
                )
                raise PositionError(f"castling right {letter!r} of {castling!r}: {needs}")
            found |= u64(1) << (rank + file)
        return found

    def _castling_file(self, letter: str, kings: int, rooks: int) -> int:
        """The file of the rook that a castling right (K, Q or a file) means, given the king and the
        rooks of a side on its first rank as sets of files; -1 if there is none."""
        king = kings.bit_length() - 1
        above, below = rooks >> (king + 1) << (king + 1), rooks & ((1 << max(king, 0)) - 1)
        file = FILES.find(letter.lower())
        if king < 0:
            return -1
        if letter == "K":
            file = above.bit_length() - 1
        elif letter == "Q":
            file = (below & -below).bit_length() - 1
        elif not (self.chess960 and file >= 0 and rooks >> file & 1):
            return -1
        is_usual = king == 4 and file == (7 if letter == "K" else 0)
        return file if self.chess960 or is_usual else -1

    def _with_square(self, state: Board, passing: str) -> Board:
        """The State with the en passant square of a FEN, if a capture there is legal."""
        if passing == "-":
            return state
        rank = "3" if state.black else "6"
        if not re.fullmatch(f"[a-h]{rank}", passing):
            raise PositionError(
                f"the en passant square is - or on rank {rank}, behind a pawn that has just made "
                f"two steps, not {passing!r}"
            )
        pawn = 32 + FILES.index(passing[0])
        steps = u64(0x0101) << (pawn + 8)
        theirs = state.pawns & ~state.mine
        if not theirs >> pawn & 1 or self.occupied(state) & steps:
            raise PositionError(
                f"no pawn has just made two steps over the en passant square {passing!r}"
            )
        return self.with_passing(state, pawn)

    def whose_turn(self, state: Board) -> int:
        return int(state.black)

    def format(self, state: Board) -> str:
        rows = []
        for rank in range(7, -1, -1):
            row = "".join(self.piece_at(state, 8 * rank + file) or "." for file in range(8))
            rows.append(re.sub(r"\.+", lambda gap: str(len(gap[0])), row))
        passing = name_of(self.square(state, state.en_passant)) if state.en_passant else "-"
        return (
            f"{'/'.join(rows)} {'b' if state.black else 'w'} {self._castling_text(state)} "
            f"{passing} {state.quiet} 1"
        )

    def square(self, state: Board, seen: int) -> int:
        """The square of the board, a1 = 0, for one as the player to move sees it, and the other way
        round."""
        return int(seen) ^ 56 if state.black else int(seen)

    def piece_at(self, state: Board, square: int) -> str:
        """The letter of the piece on a square of the board (a1 = 0), small for black; nothing if
        there is none."""
        place = u64(1) << self.square(state, square)
        line = (state.diagonals & place != 0) + 2 * (state.straights & place != 0)
        if line:
            piece = " BRQ"[line]
        elif place & self.occupied(state):
            piece = "P" if state.pawns & place else "N" if state.knights & place else "K"
        else:
            return ""
        is_white = (state.mine & place != 0) != state.black
        return piece if is_white else piece.lower()

    def _castling_text(self, state: Board) -> str:
        """The castling rights: K and Q for the outermost rooks, otherwise the rook's file."""
        text = ""
        seen = self.turned(state) if state.black else state
        for rank, side, is_white in ((0, seen.mine, True), (56, ~seen.mine, False)):
            king = ctz(seen.kings & side) - rank
            rooks = int((seen.straights & ~seen.diagonals & side) >> rank & 0xFF)
            rights = int((seen.castling & side) >> rank & 0xFF)
            for file in range(7, -1, -1):
                if not rights >> file & 1:
                    continue
                if file > king:
                    letter = FILES[file].upper() if rooks >> file > 1 else "K"
                else:
                    letter = FILES[file].upper() if rooks & ((1 << file) - 1) else "Q"
                text += letter if is_white else letter.lower()
        return text or "-"


def _fields(text: str) -> list[str]:
    fields = text.split()
    if not 2 <= len(fields) <= 6 or fields[1] not in ("w", "b"):
        raise PositionError(
            f"{text!r} is not a FEN: the board, w or b for the side to move, the castling rights, "
            f"the en passant square, the plies since the last capture or pawn move, the number of "
            f"the move"
        )
    return fields + ["-", "-", "0", "1"][len(fields) - 2 :]


def _pieces(board: str) -> dict[str, u64]:
    """The squares of each piece, from the first field of a FEN."""
    rows = board.split("/")
    if len(rows) != 8:
        raise PositionError(f"the board of a FEN has 8 ranks, not {len(rows)}: {board!r}")
    found = dict.fromkeys(PIECES + PIECES.lower(), u64(0))
    for number, row in enumerate(rows):
        file = 0
        for letter in row:
            if letter in found and file < 8:
                found[letter] |= u64(1) << 8 * (7 - number) + file
                file += 1
            elif letter in "12345678":
                file += int(letter)
            else:
                file = 9
            if file > 8:
                break
        if file != 8:
            raise PositionError(
                f"rank {8 - number} ({row!r}) is not 8 squares of pieces (PNBRQKpnbrqk) and "
                f"numbers of empty squares"
            )
    for king in "Kk":
        if found[king].bit_count() != 1:
            raise PositionError(f"each side has one king, not {found[king].bit_count()}: {board!r}")
    if (found["P"] | found["p"]) & (FIRST_RANK | LAST_RANK):
        raise PositionError(f"a pawn cannot stand on the first or the last rank: {board!r}")
    return found


def _union(squares: list[u64]) -> u64:
    found = u64(0)
    for each in squares:
        found |= each
    return found
